-- What the database refuses by whatever function it is asked: a deal or a payment that is suspended, a
-- win that nobody has released, a void that nobody has approved, an act in another's name. Run by
-- migration 0010 as the owner of the tables.

-- The malfunctions and other suspensions that stand and cover a round: whether there is one.
CREATE FUNCTION pontoon_is_covered(p_round pontoon_round, p_is_dealt boolean) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_scope jsonb;
    v_is_covered boolean;
BEGIN
    FOR v_scope IN SELECT scope FROM pontoon_suspension
                    WHERE lifted_at IS NULL AND (player_id IS NULL OR player_id = p_round.player_id)
                      AND (p_is_dealt OR malfunction_id IS NOT NULL) LOOP
        IF p_is_dealt THEN
            v_scope := v_scope - 'action_count';  -- it may come to any number
        END IF;
        EXECUTE format('SELECT %s FROM (SELECT ($1).*) r', pontoon_scope_sql(v_scope))
           INTO v_is_covered USING p_round;
        IF v_is_covered THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN false;
END $$;
SELECT audit_keep('pontoon_is_covered(pontoon_round, boolean)');

-- Whether a person has to verify a win, whatever else it waits for (H17): a case of it was filed, or
-- it reached a line when it was settled.
CREATE FUNCTION pontoon_is_large(p_player uuid, p_round uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM pontoon_casefile WHERE player_id = p_player AND round_id = p_round)
        OR EXISTS (SELECT FROM audit_entry
                    WHERE subject = 'round:' || p_round AND player_id = p_player
                      AND event IN ('round.held', 'round.held_on')
                      AND (body::jsonb->'payload' ? 'line'
                           OR body::jsonb #>> '{payload,after,held_reason}' = 'large_win'))
$$;

-- Whether a round may be voided: another person has approved a list with it, or it is open and the
-- service has flagged that it cannot go on (INT-05).
CREATE FUNCTION pontoon_may_void(p_round pontoon_round) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM pontoon_malfunction m
          JOIN pontoon_malfunctionround w
            ON w.malfunction_id = m.id AND w.slice = hashtextextended(p_round.player_id::text, 0) & 63
           AND w.player_id = p_round.player_id AND w.round_id = p_round.id
         WHERE m.state = 'approved'
    ) OR p_round.state = 'open' AND EXISTS (
        SELECT FROM pontoon_malfunction
         WHERE fault_key = 'round:' || p_round.id AND raised_by = 'system:interrupt'
           AND state IN ('raised', 'counted', 'approved'))
$$;
SELECT audit_keep('pontoon_may_void(pontoon_round)');

-- A deal, and where a round goes next: what it takes. Who may pay or deal under which suspensions
-- is asked again here, so that it is not the caller who says so.
CREATE FUNCTION pontoon_guard_suspended_deal() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pontoon_hold_standing();
    IF pontoon_is_covered(NEW, true) THEN
        RAISE EXCEPTION 'play is suspended' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER guard_suspended_deal BEFORE INSERT ON pontoon_round
    FOR EACH ROW EXECUTE FUNCTION pontoon_guard_suspended_deal();

CREATE FUNCTION pontoon_guard_payment() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pontoon_hold_standing();
    IF NEW.payout_minor > 0 AND pontoon_is_covered(NEW, false) THEN
        RAISE EXCEPTION 'the payout waits for a malfunction' USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.held_reason = 'large_win' THEN
        PERFORM FROM pontoon_decision d
          WHERE d.player_id = OLD.player_id AND d.round_id = OLD.id AND d.verdict = 'released';
        IF NOT FOUND THEN
            RAISE EXCEPTION 'nobody has released the win' USING ERRCODE = 'check_violation';
        END IF;
    ELSIF OLD.state = 'held' AND pontoon_is_large(OLD.player_id, OLD.id) THEN
        RAISE EXCEPTION 'a person verifies the win' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER guard_payment BEFORE UPDATE ON pontoon_round
    FOR EACH ROW WHEN (NEW.state = 'settled' AND OLD.state <> 'settled')
    EXECUTE FUNCTION pontoon_guard_payment();

CREATE FUNCTION pontoon_guard_void() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT pontoon_may_void(OLD) THEN
        RAISE EXCEPTION 'nobody has approved the void' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER guard_void BEFORE UPDATE ON pontoon_round
    FOR EACH ROW WHEN (NEW.state = 'voided' AND OLD.state <> 'voided')
    EXECUTE FUNCTION pontoon_guard_void();

-- What is approved is the list that was counted last.
CREATE FUNCTION pontoon_guard_approval() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.facts->>'list_hash' IS NULL OR NEW.facts->>'list_hash' IS DISTINCT FROM (
        SELECT facts->>'list_hash' FROM pontoon_malfunctionact
         WHERE malfunction_id = NEW.malfunction_id AND state = 'counted'
         ORDER BY number DESC LIMIT 1) THEN
        RAISE EXCEPTION 'another list than was counted' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER guard_approval BEFORE INSERT ON pontoon_malfunctionact
    FOR EACH ROW WHEN (NEW.state = 'approved') EXECUTE FUNCTION pontoon_guard_approval();

-- Who decides, flags, lifts or moves a malfunction on is whom the log tells of: asked when all of the
-- act is written.
CREATE FUNCTION pontoon_guard_decision_told() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM audit_require_told(ARRAY['round:' || NEW.round_id], NEW.actor, NEW.at);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER is_told AFTER INSERT ON pontoon_decision DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION pontoon_guard_decision_told();

CREATE FUNCTION pontoon_guard_malfunction_told() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM audit_require_told(ARRAY['malfunction:' || NEW.malfunction_id], NEW.actor, NEW.at);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER is_told AFTER INSERT ON pontoon_malfunctionact DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION pontoon_guard_malfunction_told();

CREATE FUNCTION pontoon_guard_stop_told() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- What a malfunction suspends, the service lifts too: when it has voided all.
    IF NEW.malfunction_id IS NULL AND NOT pontoon_is_person(NEW.lifted_by) THEN
        RAISE EXCEPTION 'a person of the staff lifts it' USING ERRCODE = 'check_violation';
    END IF;
    PERFORM audit_require_told(ARRAY['suspension:' || NEW.id, 'malfunction:' || NEW.malfunction_id],
                               coalesce(NEW.lifted_by, NEW.raised_by), coalesce(NEW.lifted_at, NEW.raised_at));
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER is_told AFTER INSERT OR UPDATE ON pontoon_suspension DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION pontoon_guard_stop_told();
