-- Corrections by hand (WAL-09): one person asks, another decides. Run as the owner of the tables.

CREATE TABLE wallets_adjustment (
    player_id    uuid        NOT NULL,
    id           uuid        NOT NULL,
    kind         text        NOT NULL CHECK (kind IN ('credit', 'debit', 'settle', 'write_off')),
    amount_minor bigint      NOT NULL CHECK (amount_minor BETWEEN 1 AND 9007199254740991),
    currency     char(3)     NOT NULL,
    reason       text        NOT NULL CHECK (reason <> ''),
    round_id     uuid,       -- that it corrects, if it does
    raised_by    text        NOT NULL CHECK (raised_by LIKE 'staff:%'),
    raised_at    timestamptz NOT NULL,
    PRIMARY KEY (player_id, id)
);
CREATE UNIQUE INDEX wallets_adjustment_id ON wallets_adjustment (id);
CREATE INDEX wallets_adjustment_newest ON wallets_adjustment (raised_at);
SELECT audit_protect('wallets_adjustment');

CREATE TABLE wallets_adjustmentdecision (
    player_id     uuid        NOT NULL,
    adjustment_id uuid        NOT NULL,
    verdict       text        NOT NULL CHECK (verdict IN ('approved', 'declined')),
    decided_by    text        NOT NULL CHECK (decided_by LIKE 'staff:%'),
    reason        text        NOT NULL,
    decided_at    timestamptz NOT NULL,
    PRIMARY KEY (player_id, adjustment_id)
);
SELECT audit_protect('wallets_adjustmentdecision');

-- Each adjustment with what was decided on it: `raised`, `approved` or `declined`.
CREATE VIEW wallets_adjusting AS
SELECT a.*, coalesce(d.verdict, 'raised') AS state, d.decided_by, d.decided_at,
       d.reason AS decision_reason
  FROM wallets_adjustment a
  LEFT JOIN wallets_adjustmentdecision d ON d.player_id = a.player_id AND d.adjustment_id = a.id;

DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pontoon_app') AND current_user <> 'pontoon_app' THEN
        REVOKE ALL ON wallets_adjusting FROM pontoon_app;
        GRANT SELECT ON wallets_adjusting TO pontoon_app;
    END IF;
END $$;

-- Who owes, in the order of how much.
CREATE INDEX wallets_account_owing ON wallets_account (balance_minor, player_id)
    WHERE kind = 'receivable' AND balance_minor < 0;

-- Ask for an adjustment. It moves nothing.
CREATE FUNCTION wallet_raise_adjustment(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO wallets_adjustment
    SELECT (jsonb_populate_record(NULL::wallets_adjustment, p_act->'adjustment')).*;
    PERFORM audit_record(p_act->'entry');
END $$;

-- Decide on an adjustment, once, by another person than who asked; approved, its transfer is made
-- as it was asked for. Errors: PN409, as wallet_post; 23505 decided already.
CREATE FUNCTION wallet_decide_adjustment(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_decision wallets_adjustmentdecision :=
        jsonb_populate_record(NULL::wallets_adjustmentdecision, p_act->'decision');
    v_asked wallets_adjustment;
BEGIN
    PERFORM wallet_post(v_decision.player_id, (p_act->>'version')::bigint,
                        v_decision.decided_at, p_act->'transfers',
                        (p_act->>'limit_count')::bigint);
    SELECT * INTO v_asked FROM wallets_adjustment
     WHERE player_id = v_decision.player_id AND id = v_decision.adjustment_id;
    IF v_asked.raised_by IS NULL OR v_asked.raised_by = v_decision.decided_by THEN
        RAISE EXCEPTION 'another person decides' USING ERRCODE = 'check_violation';
    END IF;
    IF v_decision.verdict = 'approved' THEN
        IF jsonb_array_length(p_act->'transfers') <> 1
           OR (p_act->'transfers'->0->>'amount_minor')::bigint <> v_asked.amount_minor
           OR p_act->'transfers'->0->>'code' <> 'adjustment' THEN
            RAISE EXCEPTION 'another adjustment than was asked for' USING ERRCODE = 'check_violation';
        END IF;
    ELSIF p_act->'transfers' <> '[]' THEN
        RAISE EXCEPTION 'what is declined moves nothing' USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO wallets_adjustmentdecision SELECT v_decision.*;
    PERFORM audit_record(p_act->'entry');
END $$;
