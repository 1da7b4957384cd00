-- The cage's tables and its one pen. Run by migration 0001 as the owner of the tables.
-- `player_id` leads every key: nobody's money touches anybody else's row. The house's side
-- (its own accounts and the cashier's) carries the nil uuid.

CREATE TABLE wallets_account (
    player_id     uuid    NOT NULL,
    id            uuid    NOT NULL,
    kind          text    NOT NULL CHECK (kind IN ('cash', 'escrow', 'held', 'receivable', 'house', 'cashier')),
    currency      char(3) NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    -- Null on the house's side: a row that every bet updates would make all bets wait in line.
    balance_minor bigint,
    -- Of the cash account: how many transfers this wallet has seen, and the time of the last.
    version       bigint      NOT NULL DEFAULT 0,
    last_at       timestamptz NOT NULL DEFAULT 'epoch',
    -- And how many limits were set: what was decided before the newest is stale.
    limit_count   bigint      NOT NULL DEFAULT 0,
    PRIMARY KEY (player_id, id),
    UNIQUE (player_id, kind, currency),
    CONSTRAINT stored_on_the_players_side
        CHECK ((balance_minor IS NULL) = (kind IN ('house', 'cashier'))),
    CONSTRAINT house_side_is_nobodys
        CHECK ((kind IN ('house', 'cashier')) = (player_id = '00000000-0000-0000-0000-000000000000')),
    CONSTRAINT never_below_zero
        CHECK (CASE kind WHEN 'receivable' THEN balance_minor BETWEEN -9007199254740991 AND 0
                         ELSE balance_minor BETWEEN 0 AND 9007199254740991 END)
) WITH (fillfactor = 50);  -- room for an update beside the row it replaces
CREATE UNIQUE INDEX one_wallet_a_player ON wallets_account (player_id) WHERE kind = 'cash';

CREATE TABLE wallets_transfer (
    player_id           uuid    NOT NULL,
    id                  uuid    NOT NULL,
    version             bigint  NOT NULL CHECK (version > 0),
    debit_account_id    uuid    NOT NULL,
    credit_account_id   uuid    NOT NULL,
    amount_minor        bigint  NOT NULL CHECK (amount_minor BETWEEN 1 AND 9007199254740991),
    currency            char(3) NOT NULL,
    code                text    NOT NULL CHECK (code IN (
        'deposit', 'withdrawal', 'wager', 'settlement', 'payout', 'hold', 'release', 'refund',
        'reversal', 'adjustment', 'rake')),
    round_id            uuid,
    actor               text    NOT NULL,
    at                  timestamptz NOT NULL,
    balance_after_minor bigint  NOT NULL CHECK (balance_after_minor >= 0),
    reference           text,
    request_key         text,
    cluster             bigint  NOT NULL DEFAULT audit_cluster(),
    xid                 xid8    NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (player_id, id),
    UNIQUE (player_id, version),
    CONSTRAINT two_accounts CHECK (debit_account_id <> credit_account_id)
);
CREATE UNIQUE INDEX wallets_transfer_request ON wallets_transfer (player_id, request_key)
    WHERE request_key IS NOT NULL;
CREATE INDEX wallets_transfer_round ON wallets_transfer (player_id, round_id)
    WHERE round_id IS NOT NULL;
CREATE INDEX wallets_transfer_xid ON wallets_transfer (xid);
SELECT audit_protect('wallets_transfer');

-- What the house's accounts held when every transaction before `xid` of `cluster` was over.
CREATE TABLE wallets_rollup (
    account_id   uuid        NOT NULL,
    cluster      bigint      NOT NULL,
    xid          xid8        NOT NULL,
    debit_minor  numeric(40) NOT NULL,
    credit_minor numeric(40) NOT NULL,
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, at)
);
SELECT audit_protect('wallets_rollup');

-- A limit that the player or the operator set. The newest row that is in force counts.
CREATE TABLE wallets_limit (
    player_id    uuid        NOT NULL,
    id           uuid        NOT NULL,
    kind         text        NOT NULL CHECK (kind IN ('deposit', 'wager', 'loss')),
    period       text        NOT NULL CHECK (period IN ('day', 'week', 'month')),
    set_by       text        NOT NULL CHECK (set_by IN ('player', 'operator')),
    amount_minor bigint      CHECK (amount_minor BETWEEN 0 AND 9007199254740991),  -- null: none
    currency     char(3)     NOT NULL,
    at           timestamptz NOT NULL,
    effective_at timestamptz NOT NULL CHECK (effective_at >= at),
    PRIMARY KEY (player_id, id)
);
SELECT audit_protect('wallets_limit');

-- The application reads these tables and writes them by the functions below alone.
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pontoon_app') AND current_user <> 'pontoon_app' THEN
        REVOKE ALL ON wallets_account FROM pontoon_app;
        GRANT SELECT ON wallets_account TO pontoon_app;
    END IF;
END $$;

-- Open a player's accounts, and the house's in that currency. Harmless when they are there.
CREATE FUNCTION wallet_open(p_accounts jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO wallets_account (player_id, id, kind, currency, balance_minor)
    SELECT a.player_id, a.id, a.kind, a.currency,
           CASE WHEN a.kind IN ('house', 'cashier') THEN NULL ELSE 0 END
      FROM jsonb_to_recordset(p_accounts) AS a(player_id uuid, id uuid, kind text, currency char(3))
        ON CONFLICT DO NOTHING
$$;

-- The pen: apply transfers to one player's wallet, in order, all or none. The wallet's row is
-- locked first, always; nothing is applied if the wallet has moved since it was read.
-- Errors: PN409 stale (read again), PN402 an account would go below zero.
CREATE FUNCTION wallet_post(
    p_player uuid, p_version bigint, p_at timestamptz, p_transfers jsonb,
    p_limit_count bigint
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_wallet wallets_account;
    v_transfer record;
BEGIN
    SELECT * INTO v_wallet FROM wallets_account
     WHERE player_id = p_player AND kind = 'cash' FOR NO KEY UPDATE;
    IF v_wallet.version IS DISTINCT FROM p_version
       OR p_at NOT BETWEEN v_wallet.last_at AND clock_timestamp()
       OR v_wallet.limit_count IS DISTINCT FROM p_limit_count THEN
        RAISE EXCEPTION 'the wallet has moved on' USING ERRCODE = 'PN409';
    END IF;
    IF p_transfers = '[]' THEN
        RETURN;
    END IF;

    FOR v_transfer IN
        SELECT t.* FROM ROWS FROM (jsonb_to_recordset(p_transfers) AS (
            id uuid, debit_account_id uuid, credit_account_id uuid, amount_minor bigint, code text,
            round_id uuid, actor text, reference text, request_key text)) WITH ORDINALITY AS t
         ORDER BY t.ordinality
    LOOP
        v_wallet.version := v_wallet.version + 1;
        IF v_wallet.id = v_transfer.debit_account_id THEN
            v_wallet.balance_minor := v_wallet.balance_minor - v_transfer.amount_minor;
        ELSE
            PERFORM wallet_move(v_wallet, v_transfer.debit_account_id, -v_transfer.amount_minor);
        END IF;
        IF v_wallet.id = v_transfer.credit_account_id THEN
            v_wallet.balance_minor := v_wallet.balance_minor + v_transfer.amount_minor;
        ELSE
            PERFORM wallet_move(v_wallet, v_transfer.credit_account_id, v_transfer.amount_minor);
        END IF;
        IF v_wallet.balance_minor < 0 THEN
            RAISE EXCEPTION 'cash would go below zero' USING ERRCODE = 'PN402';
        END IF;
        INSERT INTO wallets_transfer (player_id, id, version, debit_account_id, credit_account_id,
            amount_minor, currency, code, round_id, actor, at, balance_after_minor, reference, request_key)
        VALUES (p_player, v_transfer.id, v_wallet.version, v_transfer.debit_account_id,
            v_transfer.credit_account_id, v_transfer.amount_minor, v_wallet.currency, v_transfer.code,
            v_transfer.round_id, v_transfer.actor, p_at, v_wallet.balance_minor, v_transfer.reference,
            v_transfer.request_key);
    END LOOP;

    UPDATE wallets_account
       SET balance_minor = v_wallet.balance_minor, version = v_wallet.version, last_at = p_at
     WHERE player_id = p_player AND id = v_wallet.id;
END $$;

-- Hold a wallet, and its player's gate, until the transaction ends: who lost a race reads again
-- behind it. The application itself may lock no row that it may not update.
CREATE FUNCTION wallet_lock(p_player uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM wallets_account WHERE player_id = p_player AND kind = 'cash' FOR NO KEY UPDATE;
    PERFORM pg_advisory_xact_lock_shared(players_gate(p_player));
END $$;

-- One leg on an account beside cash: the player's is updated, the house's is only known to exist.
CREATE FUNCTION wallet_move(p_wallet wallets_account, p_account uuid, p_amount_minor bigint)
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE wallets_account SET balance_minor = balance_minor + p_amount_minor
     WHERE player_id = p_wallet.player_id AND id = p_account AND currency = p_wallet.currency;
    IF FOUND THEN
        RETURN;
    END IF;
    PERFORM FROM wallets_account
      WHERE player_id = '00000000-0000-0000-0000-000000000000' AND id = p_account
        AND currency = p_wallet.currency;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no account % in this wallet or the house', p_account
            USING ERRCODE = 'foreign_key_violation';
    END IF;
END $$;

-- Money moves only beside its entry: by `wallet_commit` below, and by the table's commit.
SELECT audit_keep('wallet_open(jsonb)');
SELECT audit_keep('wallet_post(uuid, bigint, timestamptz, jsonb, bigint)');
SELECT audit_keep('wallet_move(wallets_account, uuid, bigint)');

-- Commit an act of the cage itself (a deposit, a withdrawal): money and entry, in one call.
-- A first deposit opens the wallet.
CREATE FUNCTION wallet_commit(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM wallet_open(p_act->'open');
    PERFORM wallet_post((p_act->>'player_id')::uuid, (p_act->>'version')::bigint,
                        (p_act->>'at')::timestamptz, p_act->'transfers',
                        (p_act->>'limit_count')::bigint);
    IF p_act->>'code' = 'deposit' THEN
        PERFORM players_admit_deposit((p_act->>'player_id')::uuid);
    END IF;
    PERFORM audit_record(p_act->'entry');
END $$;

-- Set a limit. The wallet's row counts it, so no act that was decided without it commits after it.
CREATE FUNCTION wallet_set_limit(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_limit wallets_limit := jsonb_populate_record(NULL::wallets_limit, p_act->'limit');
BEGIN
    PERFORM wallet_open(p_act->'open');
    UPDATE wallets_account SET limit_count = limit_count + 1
     WHERE player_id = v_limit.player_id AND kind = 'cash';
    INSERT INTO wallets_limit SELECT v_limit.*;
    PERFORM audit_record(p_act->'entry');
END $$;

-- What the player's limits allow and what of it is used, or null when he has none: the newest
-- row in force of each (kind, period, set_by), measured on the ledger over fixed UTC periods;
-- beside it the newest row, if it is still to come.
CREATE FUNCTION wallet_limits(p_player uuid, p_at timestamptz) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_limits jsonb;
BEGIN
    PERFORM FROM wallets_limit WHERE player_id = p_player LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT jsonb_agg(jsonb_build_object(
               'kind', l.kind, 'period', l.period, 'set_by', l.set_by,
               'amount_minor', l.amount_minor, 'used_minor',
               -- What an earlier period gets back is no room in this one; a win is, against a loss.
               CASE l.kind WHEN 'loss' THEN u.net_minor ELSE greatest(u.net_minor, 0) END,
               'next_amount_minor', n.amount_minor,
               'next_effective_at', to_char(n.effective_at AT TIME ZONE 'UTC',
                                            'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'))
             ORDER BY l.kind, l.period)
      INTO v_limits
      FROM (SELECT DISTINCT ON (kind, period, set_by) *
              FROM wallets_limit w
             WHERE player_id = p_player AND effective_at <= p_at
               AND NOT EXISTS (  -- what was asked for, and then otherwise before it was in force
                    SELECT FROM wallets_limit n
                     WHERE n.player_id = w.player_id AND n.at > w.at AND n.at < w.effective_at
                       AND (n.kind, n.period, n.set_by) = (w.kind, w.period, w.set_by))
             ORDER BY kind, period, set_by, at DESC, id DESC) l
     CROSS JOIN LATERAL (
        SELECT coalesce(sum(CASE WHEN t.code IN ('payout', 'hold', 'refund') AND l.kind <> 'deposit'
                                 THEN -t.amount_minor ELSE t.amount_minor END), 0)::bigint AS net_minor
          FROM wallets_transfer t
         WHERE t.player_id = p_player
           AND t.at >= date_trunc(l.period, p_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
           AND t.code = ANY (CASE l.kind WHEN 'deposit' THEN ARRAY['deposit']
                                         WHEN 'wager' THEN ARRAY['wager', 'refund']
                                         ELSE ARRAY['wager', 'payout', 'hold', 'refund', 'reversal'] END)
        ) u
      LEFT JOIN LATERAL (
        SELECT w.amount_minor, w.effective_at
          FROM wallets_limit w
         WHERE w.player_id = p_player
           AND (w.kind, w.period, w.set_by) = (l.kind, l.period, l.set_by)
         ORDER BY w.at DESC, w.id DESC LIMIT 1
        ) n ON n.effective_at > p_at
     WHERE l.amount_minor IS NOT NULL;
    RETURN v_limits;
END $$;

-- What an account of the house took and gave: the newest roll-up of this cluster, and the tail.
-- After a restore into another cluster no roll-up counts until a new one is made.
CREATE FUNCTION wallet_house_sums(p_account uuid, OUT debit_minor numeric, OUT credit_minor numeric)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH rolled AS (
        SELECT r.xid, r.debit_minor, r.credit_minor FROM wallets_rollup r
         WHERE r.account_id = p_account AND r.cluster = audit_cluster()
         ORDER BY r.at DESC LIMIT 1
    ), tail AS (
        SELECT t.* FROM wallets_transfer t
         WHERE NOT EXISTS (SELECT FROM rolled)
            OR (t.cluster = audit_cluster() AND t.xid >= (SELECT xid FROM rolled))
    )
    SELECT coalesce((SELECT r.debit_minor FROM rolled r), 0)
           + coalesce((SELECT sum(amount_minor) FROM tail WHERE debit_account_id = p_account), 0),
           coalesce((SELECT r.credit_minor FROM rolled r), 0)
           + coalesce((SELECT sum(amount_minor) FROM tail WHERE credit_account_id = p_account), 0)
$$;

-- Roll up the house's accounts to what is surely over: transactions before the oldest running one.
CREATE FUNCTION wallet_roll_up() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT pg_advisory_xact_lock(hashtext('wallet_roll_up'));
    INSERT INTO wallets_rollup (account_id, cluster, xid, debit_minor, credit_minor)
    SELECT a.id, audit_cluster(), pg_snapshot_xmin(pg_current_snapshot()),
           s.debit_minor - coalesce(u.debit_minor, 0), s.credit_minor - coalesce(u.credit_minor, 0)
      FROM wallets_account a
     CROSS JOIN LATERAL wallet_house_sums(a.id) s
     CROSS JOIN LATERAL (
        -- Seen already, but of a transaction that is not below the line: it belongs to the tail.
        SELECT sum(t.amount_minor) FILTER (WHERE t.debit_account_id = a.id) AS debit_minor,
               sum(t.amount_minor) FILTER (WHERE t.credit_account_id = a.id) AS credit_minor
          FROM wallets_transfer t
         WHERE t.cluster = audit_cluster() AND t.xid >= pg_snapshot_xmin(pg_current_snapshot())
        ) u
     WHERE a.kind IN ('house', 'cashier')
$$;
