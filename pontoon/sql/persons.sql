-- Who decides is another person, by whatever way the functions are called. Run by migration 0009 as
-- the owner of the tables.

-- Whether an actor is a person of the staff, by his one name: no other spelling is another person.
CREATE FUNCTION pontoon_is_person(p_actor text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
    'SELECT p_actor ~ ''^staff:(0|[1-9][0-9]*)$''';

ALTER TABLE pontoon_decision ADD CONSTRAINT decided_by_a_person CHECK (pontoon_is_person(actor));
ALTER TABLE pontoon_malfunction ADD CONSTRAINT raised_by_one_name CHECK (
    pontoon_is_person(raised_by) OR raised_by ~ '^[a-z]+:' AND raised_by NOT LIKE 'staff:%');

-- A round may be held for one malfunction after another: its player is told each time. It is voided
-- once, and released once.
DROP INDEX pontoon_notice_round;
CREATE UNIQUE INDEX pontoon_notice_round ON pontoon_notice (player_id, round_id, kind)
    WHERE kind IN ('round_voided', 'round_released');

-- As before, but not what a malfunction suspends while it is not over.
CREATE OR REPLACE FUNCTION pontoon_lift(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pontoon_lift_part(p_act->'lift');
    PERFORM FROM pontoon_suspension s JOIN pontoon_malfunction m ON m.id = s.malfunction_id
      WHERE s.id = (p_act->'lift'->>'id')::uuid AND m.state NOT IN ('done', 'refused', 'cleared');
    IF FOUND THEN
        RAISE EXCEPTION 'the malfunction is not over' USING ERRCODE = 'check_violation';
    END IF;
    PERFORM audit_record(p_act->'entry');
END $$;

-- As before; and what it lifts is its own suspension, when it is over.
CREATE OR REPLACE FUNCTION pontoon_malfunction_move(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_malfunction pontoon_malfunction;
    v_to text := p_act->>'to';
    v_actor text := p_act->>'actor';
BEGIN
    IF p_act ? 'lift' THEN
        PERFORM pontoon_lift_part(p_act->'lift');
        PERFORM FROM pontoon_suspension
          WHERE id = (p_act->'lift'->>'id')::uuid
            AND malfunction_id = (p_act->>'malfunction_id')::uuid
            AND v_to IN ('done', 'refused', 'cleared');
        IF NOT FOUND THEN
            RAISE EXCEPTION 'not its suspension, or not over' USING ERRCODE = 'check_violation';
        END IF;
    END IF;
    SELECT * INTO v_malfunction FROM pontoon_malfunction
     WHERE id = (p_act->>'malfunction_id')::uuid FOR NO KEY UPDATE;
    IF v_malfunction.state IS DISTINCT FROM p_act->>'from'
       OR v_malfunction.act_count <> (p_act->>'act_count')::integer THEN
        RAISE EXCEPTION 'the malfunction has moved on' USING ERRCODE = 'PN409';
    END IF;
    IF v_to IN ('approved', 'refused', 'cleared')
       AND (v_actor = v_malfunction.raised_by OR NOT pontoon_is_person(v_actor)) THEN
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
