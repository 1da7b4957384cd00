-- An adjustment is made as it was asked for, by another person of the staff. Run by migration 0006 as
-- the owner of the tables.

-- No other spelling of a name is another person.
ALTER TABLE wallets_adjustment ADD CONSTRAINT raised_by_a_person
    CHECK (raised_by ~ '^staff:(0|[1-9][0-9]*)$');
ALTER TABLE wallets_adjustmentdecision ADD CONSTRAINT decided_by_a_person
    CHECK (decided_by ~ '^staff:(0|[1-9][0-9]*)$');

-- As before; and approved, it moves money from where to where it was asked for.
CREATE OR REPLACE FUNCTION wallet_decide_adjustment(p_act jsonb) RETURNS void
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
        PERFORM FROM jsonb_to_recordset(p_act->'transfers') AS t (
            debit_account_id uuid, credit_account_id uuid, amount_minor bigint, code text, reference text)
          JOIN wallets_account d ON d.id = t.debit_account_id
           AND d.player_id IN (v_asked.player_id, '00000000-0000-0000-0000-000000000000')
          JOIN wallets_account c ON c.id = t.credit_account_id
           AND c.player_id IN (v_asked.player_id, '00000000-0000-0000-0000-000000000000')
         WHERE (t.code, t.amount_minor, t.reference)
               = ('adjustment', v_asked.amount_minor, v_asked.id::text)
           AND (v_asked.kind, d.kind, c.kind) IN (
               ('credit', 'house', 'cash'), ('debit', 'cash', 'house'),
               ('settle', 'cash', 'receivable'), ('write_off', 'house', 'receivable'));
        IF NOT FOUND OR jsonb_array_length(p_act->'transfers') <> 1 THEN
            RAISE EXCEPTION 'another adjustment than was asked for' USING ERRCODE = 'check_violation';
        END IF;
    ELSIF p_act->'transfers' <> '[]' THEN
        RAISE EXCEPTION 'what is declined moves nothing' USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO wallets_adjustmentdecision SELECT v_decision.*;
    PERFORM audit_record(p_act->'entry');
END $$;
