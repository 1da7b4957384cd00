-- Suspensions, malfunctions, the rounds that they touched, and what players are told. Run by
-- migration 0005 as the owner of the tables.

-- What is stopped: no round that the scope covers is dealt while it stands. Under a malfunction the
-- payouts of covered rounds are held too. `number` counts every raise and lift: an act that was
-- decided under another number than the last is stale.
CREATE TABLE pontoon_suspension (
    id             uuid        NOT NULL PRIMARY KEY,
    number         bigint      NOT NULL UNIQUE,
    scope          jsonb       NOT NULL,
    player_id      uuid,       -- when nobody else can be covered
    malfunction_id uuid        UNIQUE,
    reason         text        NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
    raised_by      text        NOT NULL,
    raised_at      timestamptz NOT NULL,
    lifted_by      text,
    lifted_at      timestamptz,
    lift_reason    text        CHECK (length(lift_reason) BETWEEN 1 AND 2000),
    CONSTRAINT lifted_by_somebody CHECK ((lifted_by IS NULL) = (lifted_at IS NULL)
                                     AND (lifted_by IS NULL) = (lift_reason IS NULL))
);
CREATE INDEX pontoon_suspension_standing ON pontoon_suspension (player_id) WHERE lifted_at IS NULL;

-- A fault and where it stands: as in pontoon/lifecycle.py. Its acts are in pontoon_malfunctionact.
CREATE TABLE pontoon_malfunction (
    id          uuid        NOT NULL PRIMARY KEY,
    scope       jsonb       NOT NULL,
    cause       text        NOT NULL CHECK (length(cause) BETWEEN 1 AND 2000),
    evidence    jsonb       NOT NULL,
    fault_key   text,       -- by which the service knows a fault that it has raised before
    raised_by   text        NOT NULL,
    raised_at   timestamptz NOT NULL,
    state       text        NOT NULL CHECK (state IN (
        'raised', 'counted', 'approved', 'done', 'refused', 'cleared')),
    state_at    timestamptz NOT NULL,
    act_count   integer     NOT NULL,
    -- How far the count is; null before its first step.
    seen_player_id uuid,
    seen_round_id  uuid
);
CREATE INDEX pontoon_malfunction_due ON pontoon_malfunction (raised_at)
    WHERE state IN ('raised', 'counted', 'approved');
CREATE UNIQUE INDEX pontoon_malfunction_fault ON pontoon_malfunction (fault_key)
    WHERE state IN ('raised', 'counted', 'approved');

CREATE TABLE pontoon_malfunctionact (
    malfunction_id uuid        NOT NULL,
    number         integer     NOT NULL CHECK (number > 0),
    state          text        NOT NULL,  -- where it led
    actor          text        NOT NULL,
    at             timestamptz NOT NULL,
    facts          jsonb       NOT NULL,
    PRIMARY KEY (malfunction_id, number)
);
SELECT audit_protect('pontoon_malfunctionact');

-- The rounds that a malfunction touched, as they were when they were counted. What is approved is
-- this list; it only grows. A slice holds all of some players.
CREATE TABLE pontoon_malfunctionround (
    malfunction_id uuid     NOT NULL,
    slice          smallint NOT NULL,
    player_id      uuid     NOT NULL,
    round_id       uuid     NOT NULL,
    currency       char(3)  NOT NULL,
    state          text     NOT NULL,
    wagered_minor  bigint   NOT NULL,
    payout_minor   bigint   NOT NULL,
    PRIMARY KEY (malfunction_id, slice, player_id, round_id)
);
SELECT audit_protect('pontoon_malfunctionround');

-- What a player is told of a round of his beside its own state. Never changed; a look is a row.
CREATE TABLE pontoon_notice (
    player_id      uuid        NOT NULL,
    id             uuid        NOT NULL,
    kind           text        NOT NULL CHECK (kind IN ('round_voided', 'round_held', 'round_released')),
    round_id       uuid        NOT NULL,
    malfunction_id uuid,
    reason         text        NOT NULL,
    at             timestamptz NOT NULL,
    PRIMARY KEY (player_id, id)
);
CREATE UNIQUE INDEX pontoon_notice_round ON pontoon_notice (player_id, round_id, kind);
SELECT audit_protect('pontoon_notice');

CREATE TABLE pontoon_noticeread (
    player_id uuid        NOT NULL,
    notice_id uuid        NOT NULL,
    at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (player_id, notice_id)
);
SELECT audit_protect('pontoon_noticeread');

-- What is stopped stays stopped until it is lifted, once; and a malfunction keeps to its states.
CREATE FUNCTION pontoon_guard_suspension() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.lifted_at IS NOT NULL OR NEW.lifted_at IS NULL OR NEW.number <= OLD.number
       OR (OLD.id, OLD.scope, OLD.player_id, OLD.malfunction_id, OLD.reason, OLD.raised_by, OLD.raised_at)
          IS DISTINCT FROM
          (NEW.id, NEW.scope, NEW.player_id, NEW.malfunction_id, NEW.reason, NEW.raised_by, NEW.raised_at) THEN
        RAISE EXCEPTION 'a suspension is lifted once, and nothing else' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER guard_suspension BEFORE UPDATE ON pontoon_suspension
    FOR EACH ROW EXECUTE FUNCTION pontoon_guard_suspension();
CREATE TRIGGER refuse_delete BEFORE DELETE ON pontoon_suspension
    FOR EACH ROW EXECUTE FUNCTION audit_refuse_change();
SELECT audit_protect_truncate('pontoon_suspension');

CREATE FUNCTION pontoon_guard_malfunction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.id, OLD.scope, OLD.cause, OLD.evidence, OLD.fault_key, OLD.raised_by, OLD.raised_at)
       IS DISTINCT FROM
       (NEW.id, NEW.scope, NEW.cause, NEW.evidence, NEW.fault_key, NEW.raised_by, NEW.raised_at) THEN
        RAISE EXCEPTION 'what was raised stays' USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (
        ('raised', 'counted'), ('counted', 'raised'), ('counted', 'approved'), ('approved', 'done'),
        ('raised', 'refused'), ('counted', 'refused'), ('raised', 'cleared'), ('counted', 'cleared')) THEN
        RAISE EXCEPTION 'a malfunction does not go from % to %', OLD.state, NEW.state
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER guard_malfunction BEFORE UPDATE ON pontoon_malfunction
    FOR EACH ROW EXECUTE FUNCTION pontoon_guard_malfunction();
CREATE TRIGGER refuse_delete BEFORE DELETE ON pontoon_malfunction
    FOR EACH ROW EXECUTE FUNCTION audit_refuse_change();
SELECT audit_protect_truncate('pontoon_malfunction');

-- Whoever deals or settles holds this shared until his commit is over; who raises or lifts holds it
-- alone. So nothing that was decided before a suspension is committed after it.
CREATE FUNCTION pontoon_hold_standing() RETURNS void LANGUAGE sql AS
    'SELECT pg_advisory_xact_lock_shared(hashtextextended(''pontoon_suspension'', 0))';

CREATE FUNCTION pontoon_standing_number() RETURNS bigint LANGUAGE sql STABLE AS
    'SELECT coalesce(max(number), 0) FROM pontoon_suspension';

-- The suspensions that stand and can touch a player, oldest first.
CREATE FUNCTION pontoon_standing(p_player uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_agg(jsonb_build_object('id', id, 'malfunction_id', malfunction_id, 'scope', scope)
                     ORDER BY number)
      FROM pontoon_suspension
     WHERE lifted_at IS NULL AND (player_id IS NULL OR player_id = p_player)
$$;

-- Stop a scope: a suspension, and the malfunction that it stands for, if it stands for one.
CREATE FUNCTION pontoon_suspend(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_suspension pontoon_suspension := jsonb_populate_record(NULL::pontoon_suspension, p_act->'suspension');
    v_malfunction pontoon_malfunction := jsonb_populate_record(NULL::pontoon_malfunction, p_act->'malfunction');
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('pontoon_suspension', 0));
    v_suspension.number := pontoon_standing_number() + 1;
    INSERT INTO pontoon_suspension SELECT v_suspension.*;
    IF p_act ? 'malfunction' THEN
        v_malfunction.state := 'raised';
        v_malfunction.state_at := v_malfunction.raised_at;
        v_malfunction.act_count := 1;
        INSERT INTO pontoon_malfunction SELECT v_malfunction.*;
        INSERT INTO pontoon_malfunctionact (malfunction_id, number, state, actor, at, facts)
        VALUES (v_malfunction.id, 1, 'raised', v_malfunction.raised_by, v_malfunction.raised_at,
                jsonb_build_object('cause', v_malfunction.cause, 'evidence', v_malfunction.evidence));
    END IF;
    PERFORM audit_record(p_act->'entry');
END $$;

-- Part of a commit: end a suspension.
CREATE FUNCTION pontoon_lift_part(p_lift jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('pontoon_suspension', 0));
    UPDATE pontoon_suspension
       SET number = pontoon_standing_number() + 1, lifted_by = p_lift->>'lifted_by',
           lifted_at = (p_lift->>'lifted_at')::timestamptz, lift_reason = p_lift->>'lift_reason'
     WHERE id = (p_lift->>'id')::uuid AND lifted_at IS NULL;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the suspension stands no more' USING ERRCODE = 'PN409';
    END IF;
END $$;
SELECT audit_keep('pontoon_lift_part(jsonb)');

CREATE FUNCTION pontoon_lift(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pontoon_lift_part(p_act->'lift');
    PERFORM audit_record(p_act->'entry');
END $$;

-- Move a malfunction on: state, act, entry, and the end of its suspension. Whoever decides is a
-- person of the staff, and not the one who raised it.
CREATE FUNCTION pontoon_malfunction_move(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_malfunction pontoon_malfunction;
    v_to text := p_act->>'to';
    v_actor text := p_act->>'actor';
BEGIN
    IF p_act ? 'lift' THEN
        PERFORM pontoon_lift_part(p_act->'lift');
    END IF;
    SELECT * INTO v_malfunction FROM pontoon_malfunction
     WHERE id = (p_act->>'malfunction_id')::uuid FOR NO KEY UPDATE;
    IF v_malfunction.state IS DISTINCT FROM p_act->>'from'
       OR v_malfunction.act_count <> (p_act->>'act_count')::integer THEN
        RAISE EXCEPTION 'the malfunction has moved on' USING ERRCODE = 'PN409';
    END IF;
    IF v_to IN ('approved', 'refused', 'cleared')
       AND (v_actor = v_malfunction.raised_by OR v_actor NOT LIKE 'staff:%') THEN
        RAISE EXCEPTION 'another person of the staff decides' USING ERRCODE = 'check_violation';
    END IF;
    UPDATE pontoon_malfunction
       SET state = v_to, state_at = (p_act->>'at')::timestamptz, act_count = act_count + 1,
           seen_player_id = CASE WHEN v_to <> 'raised' THEN seen_player_id END,
           seen_round_id = CASE WHEN v_to <> 'raised' THEN seen_round_id END
     WHERE id = v_malfunction.id;
    INSERT INTO pontoon_malfunctionact (malfunction_id, number, state, actor, at, facts)
    VALUES (v_malfunction.id, v_malfunction.act_count + 1, v_to, v_actor,
            (p_act->>'at')::timestamptz, p_act->'facts');
    PERFORM audit_record(p_act->'entry');
END $$;

-- A scope as a condition on a round `r`. Its names and values were checked by the service; values
-- are quoted here, and a name that is not known covers nothing by an error.
CREATE FUNCTION pontoon_scope_sql(p_scope jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_name text;
    v_value jsonb;
    v_parts text[] := '{true}';
BEGIN
    FOR v_name, v_value IN SELECT * FROM jsonb_each(p_scope) LOOP
        v_parts := v_parts || CASE v_name
            WHEN 'all' THEN 'true'
            WHEN 'game' THEN format('r.game = %L', v_value #>> '{}')
            WHEN 'rules' THEN format('r.rules = %L', v_value #>> '{}')
            WHEN 'build' THEN format('r.build = %L', v_value #>> '{}')
            WHEN 'currency' THEN format('r.currency = %L', v_value #>> '{}')
            WHEN 'profile' THEN format('r.profile = %L', v_value #>> '{}')
            WHEN 'player' THEN format('r.player_id = %L::uuid', v_value #>> '{}')
            WHEN 'session' THEN format('r.session_id = %L::uuid', v_value #>> '{}')
            WHEN 'round' THEN format('r.id = %L::uuid', v_value #>> '{}')
            WHEN 'window' THEN format(
                'r.opened_at >= coalesce(%L::timestamptz, ''-infinity'')'
                ' AND r.opened_at < coalesce(%L::timestamptz, ''infinity'')',
                v_value->>'from', v_value->>'to')
            WHEN 'stake_minor' THEN format('r.stake_minor BETWEEN %L::bigint AND %L::bigint',
                coalesce(v_value->>'min', '0'), coalesce(v_value->>'max', '9223372036854775807'))
            WHEN 'action_count' THEN format('r.action_count BETWEEN %L::integer AND %L::integer',
                coalesce(v_value->>'min', '0'), coalesce(v_value->>'max', '2147483647'))
        END;
        IF v_parts[cardinality(v_parts)] IS NULL THEN
            RAISE EXCEPTION 'a scope has no %', v_name USING ERRCODE = 'check_violation';
        END IF;
    END LOOP;
    RETURN array_to_string(v_parts, ' AND ');
END $$;

-- Take the next rounds of a malfunction's scope into its list. Returns whether that were all.
CREATE FUNCTION pontoon_count_rounds(p_malfunction uuid, p_count_max integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_malfunction pontoon_malfunction;
    v_seen_player uuid;
    v_seen_round uuid;
    v_count integer;
BEGIN
    SELECT * INTO v_malfunction FROM pontoon_malfunction
     WHERE id = p_malfunction AND state = 'raised' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the malfunction is counted' USING ERRCODE = 'PN409';
    END IF;
    EXECUTE format($sql$
        WITH batch AS MATERIALIZED (
            SELECT * FROM pontoon_round r
             WHERE (r.player_id, r.id) > ($2, $3) AND r.state <> 'voided' AND %s
             ORDER BY r.player_id, r.id LIMIT $4
        ), put AS (
            INSERT INTO pontoon_malfunctionround (malfunction_id, slice, player_id, round_id, currency,
                                                  state, wagered_minor, payout_minor)
            SELECT $1, hashtextextended(player_id::text, 0) & 63, player_id, id, currency,
                   state, wagered_minor, coalesce(payout_minor, 0) FROM batch
                ON CONFLICT DO NOTHING)
        SELECT (SELECT player_id FROM batch ORDER BY player_id DESC, id DESC LIMIT 1),
               (SELECT id FROM batch ORDER BY player_id DESC, id DESC LIMIT 1),
               (SELECT count(*) FROM batch) $sql$, pontoon_scope_sql(v_malfunction.scope))
       INTO v_seen_player, v_seen_round, v_count
      USING p_malfunction,
            coalesce(v_malfunction.seen_player_id, '00000000-0000-0000-0000-000000000000'),
            coalesce(v_malfunction.seen_round_id, '00000000-0000-0000-0000-000000000000'), p_count_max;
    IF v_count > 0 THEN
        UPDATE pontoon_malfunction SET seen_player_id = v_seen_player, seen_round_id = v_seen_round
         WHERE id = p_malfunction;
    END IF;
    RETURN v_count < p_count_max;
END $$;

-- Whether a round in a malfunction's scope is not on its list: it has come into it since.
CREATE FUNCTION pontoon_is_outdated(p_malfunction uuid) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_outdated boolean;
BEGIN
    EXECUTE format($sql$
        SELECT EXISTS (
            SELECT FROM pontoon_round r
             WHERE r.state <> 'voided' AND %s AND NOT EXISTS (
                SELECT FROM pontoon_malfunctionround w
                 WHERE w.malfunction_id = $1 AND w.player_id = r.player_id AND w.round_id = r.id
                   AND w.slice = hashtextextended(r.player_id::text, 0) & 63)) $sql$,
        (SELECT pontoon_scope_sql(scope) FROM pontoon_malfunction WHERE id = p_malfunction))
       INTO v_outdated USING p_malfunction;
    RETURN v_outdated;
END $$;

-- Rounds whose payout waits for a malfunction of which none covers them any more.
CREATE FUNCTION pontoon_let_go(p_count_max integer) RETURNS TABLE (player_id uuid, round_id uuid)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN QUERY EXECUTE format($sql$
        SELECT r.player_id, r.id FROM pontoon_round r
         WHERE r.state = 'held' AND r.held_reason = 'malfunction' AND NOT (%s)
         ORDER BY r.settled_at LIMIT $1 $sql$,
        (SELECT coalesce(string_agg(format('(%s)', pontoon_scope_sql(scope)), ' OR '), 'false')
           FROM pontoon_suspension WHERE lifted_at IS NULL AND malfunction_id IS NOT NULL))
      USING p_count_max;
END $$;

CREATE FUNCTION pontoon_read_notice(p_player uuid, p_notice uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO pontoon_noticeread (player_id, notice_id)
    SELECT n.player_id, n.id FROM pontoon_notice n WHERE n.player_id = p_player AND n.id = p_notice
        ON CONFLICT DO NOTHING;
    RETURN EXISTS (SELECT FROM pontoon_notice n WHERE n.player_id = p_player AND n.id = p_notice);
END $$;

-- A round may wait for another reason than before.
CREATE OR REPLACE FUNCTION pontoon_guard_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        RAISE EXCEPTION 'a round is not born %', NEW.state USING ERRCODE = 'check_violation';
    END IF;
    IF NOT ((OLD.state = 'open')
            OR (OLD.state = 'held' AND NEW.state IN ('settled', 'voided'))
            OR (OLD.state = 'held' AND NEW.state = 'held' AND OLD.held_reason <> NEW.held_reason)
            OR (OLD.state = 'settled' AND NEW.state = 'voided')) THEN
        RAISE EXCEPTION 'a round does not go from % to %', OLD.state, NEW.state
            USING ERRCODE = 'check_violation';
    END IF;
    IF (OLD.player_id, OLD.id, OLD.game, OLD.rules, OLD.currency, OLD.stake_minor, OLD.seed_number,
        OLD.client_seed, OLD.session_id, OLD.profile, OLD.build, OLD.opened_at, OLD.balance_before_minor)
       IS DISTINCT FROM
       (NEW.player_id, NEW.id, NEW.game, NEW.rules, NEW.currency, NEW.stake_minor, NEW.seed_number,
        NEW.client_seed, NEW.session_id, NEW.profile, NEW.build, NEW.opened_at, NEW.balance_before_minor)
       OR NEW.action_count < OLD.action_count OR NEW.wagered_minor < OLD.wagered_minor THEN
        RAISE EXCEPTION 'what a round was dealt with stays' USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.state <> 'open'
       AND (OLD.action_count, OLD.wagered_minor, OLD.payout_minor, OLD.settled_at)
           IS DISTINCT FROM
           (NEW.action_count, NEW.wagered_minor, NEW.payout_minor, NEW.settled_at) THEN
        RAISE EXCEPTION 'what a round came to stays' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- Commit one act on a round: money, round, action, mark, next seed, notice, answer and entry, all or
-- none. Members that an act does not have are absent. `standing` is the number of suspensions that a
-- deal or a settlement was decided under. Errors: PN409 stale, PN402, 23505 id in use.
CREATE OR REPLACE FUNCTION pontoon_commit(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_player uuid := p_act->>'player_id';
    v_at timestamptz := p_act->>'at';
    v_round pontoon_round := jsonb_populate_record(NULL::pontoon_round, p_act->'round');
BEGIN
    v_round.player_id := v_player;  -- whose wallet is locked: nothing here is another's
    PERFORM wallet_post(v_player, (p_act->>'version')::bigint, v_at, p_act->'transfers',
                        (p_act->>'limit_count')::bigint);
    IF p_act ? 'session_id' THEN
        PERFORM players_admit(v_player, (p_act->>'session_id')::uuid, v_at,
                              p_act->'transfers' @? '$[*] ? (@.code == "wager")');
    END IF;
    IF p_act ? 'standing' THEN
        PERFORM pontoon_hold_standing();
        IF pontoon_standing_number() <> (p_act->>'standing')::bigint THEN
            RAISE EXCEPTION 'a suspension was raised or lifted: read again' USING ERRCODE = 'PN409';
        END IF;
    END IF;

    IF p_act->>'from' IS NULL THEN
        INSERT INTO pontoon_round SELECT v_round.*;
    ELSE
        UPDATE pontoon_round
           SET state = v_round.state, held_reason = v_round.held_reason,
               action_count = v_round.action_count, wagered_minor = v_round.wagered_minor,
               payout_minor = v_round.payout_minor, balance_after_minor = v_round.balance_after_minor,
               last_action_at = v_round.last_action_at, settled_at = v_round.settled_at
         WHERE player_id = v_player AND id = v_round.id
           AND state = p_act->>'from' AND action_count = (p_act->>'seq')::integer;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the round has moved on' USING ERRCODE = 'PN409';
        END IF;
    END IF;

    IF p_act ? 'actions' THEN
        INSERT INTO pontoon_roundaction (player_id, round_id, seq, action, hand_index, by, session_id, at)
        SELECT v_player, v_round.id, a.seq, a.action, a.hand_index, a.by, a.session_id, a.at
          FROM jsonb_populate_recordset(NULL::pontoon_roundaction, p_act->'actions') a;
    END IF;
    IF p_act ? 'mark' THEN
        INSERT INTO pontoon_roundmark (player_id, round_id, mark, at)
        VALUES (v_player, v_round.id, p_act->>'mark', v_at);
    END IF;
    IF p_act ? 'seed' THEN
        INSERT INTO pontoon_seed (player_id, number, commitment, sealed, at)
        SELECT v_player, s.number, s.commitment, s.sealed, s.at
          FROM jsonb_populate_record(NULL::pontoon_seed, p_act->'seed') s;
    END IF;
    IF p_act ? 'notice' THEN
        INSERT INTO pontoon_notice (player_id, id, kind, round_id, malfunction_id, reason, at)
        SELECT v_player, n.id, n.kind, v_round.id, n.malfunction_id, n.reason, v_at
          FROM jsonb_populate_record(NULL::pontoon_notice, p_act->'notice') n;
    END IF;
    IF p_act ? 'answer' THEN
        INSERT INTO pontoon_answer (player_id, key, fingerprint, round_id, body)
        VALUES (v_player, p_act->'answer'->>'key', decode(p_act->'answer'->>'fingerprint', 'hex'),
                v_round.id, p_act->'answer'->>'body');
    END IF;
    PERFORM audit_record(p_act->'entry');
END $$;

-- As before, and what of play is suspended for him, and under which number.
CREATE OR REPLACE VIEW pontoon_place AS
SELECT d.*, clock_timestamp() AS at,
       coalesce(w.balance_minor, 0) AS balance_minor, coalesce(w.version, 0) AS version,
       coalesce(w.limit_count, 0) AS limit_count,
       wallet_limits(d.player_id, clock_timestamp())::json AS allowance,
       s.number AS seed_number, s.commitment, s.sealed,
       pontoon_standing_number() AS standing_number, pontoon_standing(d.player_id)::json AS standing
  FROM players_door d
  LEFT JOIN wallets_account w ON w.player_id = d.player_id AND w.kind = 'cash'
  LEFT JOIN LATERAL (SELECT number, commitment, sealed FROM pontoon_seed
                      WHERE player_id = d.player_id ORDER BY number DESC LIMIT 1) s ON true;

-- As before, and of a voided round what its player was told.
CREATE OR REPLACE VIEW pontoon_told AS
SELECT r.*, s.commitment, s.sealed,
       (SELECT n.commitment FROM pontoon_seed n
         WHERE n.player_id = r.player_id AND n.number = r.seed_number + 1) AS next_commitment,
       (SELECT coalesce(jsonb_agg(jsonb_build_array(a.action, a.hand_index, a.by) ORDER BY a.seq), '[]')
          FROM pontoon_roundaction a
         WHERE a.player_id = r.player_id AND a.round_id = r.id) AS actions,
       CASE WHEN r.state = 'voided' THEN (
           SELECT jsonb_build_object('malfunction_id', n.malfunction_id, 'reason', n.reason, 'at', n.at)
             FROM pontoon_notice n
            WHERE n.player_id = r.player_id AND n.round_id = r.id AND n.kind = 'round_voided')
       END AS void
  FROM pontoon_round r
  JOIN pontoon_seed s ON s.player_id = r.player_id AND s.number = r.seed_number;
