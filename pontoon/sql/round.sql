-- The table's tables and its one commit. Run by migration 0001 as the owner of the tables.

-- The seed of a player's nth round: its commitment is public before he bets, the seed is sealed.
CREATE TABLE pontoon_seed (
    player_id  uuid        NOT NULL,
    number     bigint      NOT NULL CHECK (number >= 0),
    commitment text        NOT NULL CHECK (commitment ~ '^[0-9a-f]{64}$'),
    sealed     text        NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (player_id, number)
);
SELECT audit_protect('pontoon_seed');

CREATE TABLE pontoon_round (
    player_id            uuid    NOT NULL,
    id                   uuid    NOT NULL,
    game                 text    NOT NULL,
    rules                text    NOT NULL,
    currency             char(3) NOT NULL,
    stake_minor          bigint  NOT NULL CHECK (stake_minor > 0),
    seed_number          bigint  NOT NULL,
    client_seed          text    NOT NULL CHECK (length(client_seed) <= 64),
    session_id           uuid    NOT NULL,
    profile              text    NOT NULL,  -- the jurisdiction's, with its version
    build                text    NOT NULL,
    opened_at            timestamptz NOT NULL,
    balance_before_minor bigint  NOT NULL,
    -- What moves on as the round does; all else is as it was dealt.
    state                text    NOT NULL CHECK (state IN ('open', 'settled', 'held', 'voided')),
    held_reason          text    CHECK (held_reason IN ('large_win', 'malfunction')),
    action_count         integer NOT NULL CHECK (action_count >= 0),
    wagered_minor        bigint  NOT NULL CHECK (wagered_minor >= stake_minor),
    payout_minor         bigint  CHECK (payout_minor >= 0),
    balance_after_minor  bigint,
    last_action_at       timestamptz NOT NULL,
    settled_at           timestamptz,
    PRIMARY KEY (player_id, id),
    UNIQUE (player_id, seed_number),
    CONSTRAINT held_has_a_reason CHECK ((state = 'held') <= (held_reason IS NOT NULL)),
    CONSTRAINT open_has_no_payout CHECK ((state <> 'open') OR (payout_minor IS NULL AND settled_at IS NULL)),
    CONSTRAINT over_has_a_payout CHECK (state IN ('open', 'voided') OR (payout_minor IS NOT NULL AND settled_at IS NOT NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX one_open_round ON pontoon_round (player_id, game) WHERE state = 'open';
-- An id is one round's, whoever chose it: who does not know the player finds it by this alone.
CREATE UNIQUE INDEX pontoon_round_id ON pontoon_round (id);
CREATE INDEX pontoon_round_history ON pontoon_round (player_id, opened_at DESC, id DESC);
CREATE INDEX pontoon_round_waiting ON pontoon_round (last_action_at) WHERE state = 'open';
CREATE INDEX pontoon_round_held ON pontoon_round (settled_at) WHERE state = 'held';

-- The states of a round and the moves between them, as in pontoon/lifecycle.py.
CREATE FUNCTION pontoon_guard_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        RAISE EXCEPTION 'a round is not born %', NEW.state USING ERRCODE = 'check_violation';
    END IF;
    IF NOT ((OLD.state = 'open')
            OR (OLD.state = 'held' AND NEW.state IN ('settled', 'voided'))
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
CREATE TRIGGER guard_round BEFORE UPDATE ON pontoon_round
    FOR EACH ROW EXECUTE FUNCTION pontoon_guard_round();
CREATE TRIGGER guard_birth BEFORE INSERT ON pontoon_round
    FOR EACH ROW WHEN (NEW.state = 'voided') EXECUTE FUNCTION pontoon_guard_round();
CREATE TRIGGER refuse_delete BEFORE DELETE ON pontoon_round
    FOR EACH ROW EXECUTE FUNCTION audit_refuse_change();
SELECT audit_protect_truncate('pontoon_round');

CREATE TABLE pontoon_roundaction (
    player_id  uuid        NOT NULL,
    round_id   uuid        NOT NULL,
    seq        integer     NOT NULL CHECK (seq >= 0),
    action     text        NOT NULL,
    hand_index integer     NOT NULL,
    by         text        NOT NULL CHECK (by IN ('player', 'house')),
    session_id uuid,
    at         timestamptz NOT NULL,
    PRIMARY KEY (player_id, round_id, seq)
);
SELECT audit_protect('pontoon_roundaction');

-- Settled at most once, voided at most once: the database's own word for it.
CREATE TABLE pontoon_roundmark (
    player_id uuid        NOT NULL,
    round_id  uuid        NOT NULL,
    mark      text        NOT NULL CHECK (mark IN ('settled', 'released', 'voided')),
    at        timestamptz NOT NULL,
    PRIMARY KEY (player_id, round_id, mark)
);
SELECT audit_protect('pontoon_roundmark');

-- What was answered to a request, for when it comes again.
CREATE TABLE pontoon_answer (
    player_id   uuid  NOT NULL,
    key         text  NOT NULL,
    fingerprint bytea NOT NULL,
    round_id    uuid  NOT NULL,
    body        text  NOT NULL,
    PRIMARY KEY (player_id, key)
);
SELECT audit_protect('pontoon_answer');

-- Make a player's first seed. Returns whether it was made: two requests may come at once.
CREATE FUNCTION pontoon_first_seed(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO pontoon_seed (player_id, number, commitment, sealed, at)
    SELECT s.player_id, 0, s.commitment, s.sealed, s.at
      FROM jsonb_populate_record(NULL::pontoon_seed, p_act->'seed') s
        ON CONFLICT DO NOTHING;
    IF FOUND THEN
        PERFORM audit_record(p_act->'entry');
    END IF;
END $$;

-- Commit one act on a round: money, round, action, mark, next seed, answer and entry, all or none.
-- Members that an act does not have are absent. Errors: PN409 stale, PN402, 23505 id in use.
CREATE FUNCTION pontoon_commit(p_act jsonb) RETURNS void
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
    IF p_act ? 'answer' THEN
        INSERT INTO pontoon_answer (player_id, key, fingerprint, round_id, body)
        VALUES (v_player, p_act->'answer'->>'key', decode(p_act->'answer'->>'fingerprint', 'hex'),
                v_round.id, p_act->'answer'->>'body');
    END IF;
    PERFORM audit_record(p_act->'entry');
END $$;

-- What a request of a player is decided on: his session, wallet, limits and next seed, the
-- database's clock, and the answer that this request had before. One row, or none for a token
-- that opens nothing. The round is joined to it by the caller.
CREATE VIEW pontoon_place AS
SELECT d.*, clock_timestamp() AS at,
       coalesce(w.balance_minor, 0) AS balance_minor, coalesce(w.version, 0) AS version,
       coalesce(w.limit_count, 0) AS limit_count,
       wallet_limits(d.player_id, clock_timestamp())::json AS allowance,
       s.number AS seed_number, s.commitment, s.sealed
  FROM players_door d
  LEFT JOIN wallets_account w ON w.player_id = d.player_id AND w.kind = 'cash'
  LEFT JOIN LATERAL (SELECT number, commitment, sealed FROM pontoon_seed
                      WHERE player_id = d.player_id ORDER BY number DESC LIMIT 1) s ON true;

-- A round with its seed and its actions: all that it takes to replay it. And the commitment to the
-- seed after it, which its own deal has made.
CREATE VIEW pontoon_told AS
SELECT r.*, s.commitment, s.sealed,
       (SELECT n.commitment FROM pontoon_seed n
         WHERE n.player_id = r.player_id AND n.number = r.seed_number + 1) AS next_commitment,
       (SELECT coalesce(jsonb_agg(jsonb_build_array(a.action, a.hand_index, a.by) ORDER BY a.seq), '[]')
          FROM pontoon_roundaction a
         WHERE a.player_id = r.player_id AND a.round_id = r.id) AS actions
  FROM pontoon_round r
  JOIN pontoon_seed s ON s.player_id = r.player_id AND s.number = r.seed_number;

DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pontoon_app') AND current_user <> 'pontoon_app' THEN
        REVOKE ALL ON pontoon_place, pontoon_told FROM pontoon_app;
        GRANT SELECT ON pontoon_place, pontoon_told TO pontoon_app;
    END IF;
END $$;
