-- Large wins (H17): what was found out about each, and what a person decided. Run as the owner of
-- the tables. A case is a round's nth (from 0): it waits again after a malfunction was refused.

-- What is known of a held win before anybody decides.
CREATE TABLE pontoon_casefile (
    player_id uuid        NOT NULL,
    round_id  uuid        NOT NULL,
    number    integer     NOT NULL CHECK (number >= 0),
    at        timestamptz NOT NULL,
    agrees    boolean     NOT NULL,
    content   jsonb       NOT NULL,
    PRIMARY KEY (player_id, round_id, number)
);
SELECT audit_protect('pontoon_casefile');

-- What a person of the staff decided on a case, once.
CREATE TABLE pontoon_decision (
    player_id uuid        NOT NULL,
    round_id  uuid        NOT NULL,
    number    integer     NOT NULL CHECK (number >= 0),
    verdict   text        NOT NULL CHECK (verdict IN ('released', 'rejected')),
    actor     text        NOT NULL CHECK (actor LIKE 'staff:%'),
    reason    text        NOT NULL,
    at        timestamptz NOT NULL,
    PRIMARY KEY (player_id, round_id, number)
);
CREATE INDEX pontoon_decision_newest ON pontoon_decision (at);
SELECT audit_protect('pontoon_decision');

-- That a win has waited past a deadline: each is told once.
CREATE TABLE pontoon_escalation (
    player_id uuid        NOT NULL,
    round_id  uuid        NOT NULL,
    number    integer     NOT NULL CHECK (number >= 0),
    level     integer     NOT NULL CHECK (level > 0),
    at        timestamptz NOT NULL,
    PRIMARY KEY (player_id, round_id, number, level)
);
SELECT audit_protect('pontoon_escalation');

-- The number of a round's case that waits. Errors: PN409 if its win does not wait for a decision.
-- The wallet is locked first, so what is read here stays until the end of the transaction.
CREATE FUNCTION pontoon_case(p_player uuid, p_round uuid) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM wallet_lock(p_player);
    PERFORM FROM pontoon_round
      WHERE player_id = p_player AND id = p_round AND state = 'held' AND held_reason = 'large_win';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the win does not wait' USING ERRCODE = 'PN409';
    END IF;
    RETURN (SELECT count(*) FROM pontoon_decision
             WHERE player_id = p_player AND round_id = p_round);
END $$;
SELECT audit_keep('pontoon_case(uuid, uuid)');

-- File a case. The first of several that found it out at once is the one that counts.
CREATE FUNCTION pontoon_file_case(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_case pontoon_casefile := jsonb_populate_record(NULL::pontoon_casefile, p_act->'case');
BEGIN
    IF pontoon_case(v_case.player_id, v_case.round_id) <> v_case.number THEN
        RAISE EXCEPTION 'the case has moved on' USING ERRCODE = 'PN409';
    END IF;
    INSERT INTO pontoon_casefile SELECT v_case.* ON CONFLICT DO NOTHING;
    IF FOUND THEN
        PERFORM audit_record(p_act->'entry');
    END IF;
END $$;

-- Tell that a win has waited past a deadline. Once a level, whoever notices.
CREATE FUNCTION pontoon_escalate(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_late pontoon_escalation := jsonb_populate_record(NULL::pontoon_escalation, p_act->'late');
BEGIN
    IF pontoon_case(v_late.player_id, v_late.round_id) <> v_late.number THEN
        RAISE EXCEPTION 'the case has moved on' USING ERRCODE = 'PN409';
    END IF;
    INSERT INTO pontoon_escalation SELECT v_late.* ON CONFLICT DO NOTHING;
    IF FOUND THEN
        PERFORM audit_record(p_act->'entry');
    END IF;
END $$;

-- Decide a case whose file agrees: release the win, by the table's commit, or reject it, which
-- moves no money. Two who decide at once: the second is told that it is decided.
CREATE FUNCTION pontoon_decide(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_decision pontoon_decision := jsonb_populate_record(NULL::pontoon_decision, p_act->'decision');
BEGIN
    IF pontoon_case(v_decision.player_id, v_decision.round_id) <> v_decision.number THEN
        RAISE EXCEPTION 'the case has moved on' USING ERRCODE = 'PN409';
    END IF;
    PERFORM FROM pontoon_casefile c
      WHERE (c.player_id, c.round_id, c.number)
            = (v_decision.player_id, v_decision.round_id, v_decision.number)
        AND (c.agrees OR v_decision.verdict = 'rejected');
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no case file speaks for it' USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO pontoon_decision SELECT v_decision.*;
    IF v_decision.verdict = 'released' THEN
        IF p_act->'release'->>'player_id' <> v_decision.player_id::text
           OR p_act->'release'->'round'->>'id' <> v_decision.round_id::text THEN
            RAISE EXCEPTION 'another round''s release' USING ERRCODE = 'check_violation';
        END IF;
        PERFORM pontoon_commit(p_act->'release');
    ELSE
        PERFORM audit_record(p_act->'entry');
    END IF;
END $$;

-- Every round whose win a person decides on, or has: where its newest case stands. Wins of this
-- size are few, so nothing here is made for many.
CREATE VIEW pontoon_verification AS
SELECT r.player_id, r.id, r.currency, r.rules, r.profile, r.wagered_minor, r.payout_minor,
       r.settled_at, n.number, c.at AS checked_at, c.agrees, c.content,
       d.verdict, d.actor, d.reason, d.at AS decided_at,
       (SELECT max(e.level) FROM pontoon_escalation e
         WHERE (e.player_id, e.round_id, e.number) = (r.player_id, r.id, n.number)) AS level,
       CASE WHEN w.is_waiting AND c.at IS NULL THEN 'checking' WHEN w.is_waiting THEN 'waiting'
            WHEN r.state = 'held' THEN 'malfunction' WHEN r.state = 'settled' THEN 'released'
            ELSE r.state END AS state
  FROM (SELECT player_id, round_id FROM pontoon_casefile
         UNION
        SELECT player_id, id FROM pontoon_round
         WHERE state = 'held' AND held_reason = 'large_win') k
  JOIN pontoon_round r ON r.player_id = k.player_id AND r.id = k.round_id
 CROSS JOIN LATERAL (SELECT r.state = 'held' AND r.held_reason = 'large_win' AS is_waiting) w
 CROSS JOIN LATERAL (
    SELECT greatest(count(*)::integer - (NOT w.is_waiting)::integer, 0) AS number
      FROM pontoon_decision x WHERE x.player_id = r.player_id AND x.round_id = r.id) n
  LEFT JOIN pontoon_casefile c ON (c.player_id, c.round_id, c.number) = (r.player_id, r.id, n.number)
  LEFT JOIN pontoon_decision d ON (d.player_id, d.round_id, d.number) = (r.player_id, r.id, n.number);

DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pontoon_app') AND current_user <> 'pontoon_app' THEN
        REVOKE ALL ON pontoon_verification FROM pontoon_app;
        GRANT SELECT ON pontoon_verification TO pontoon_app;
    END IF;
END $$;
