-- Roles take two persons, whatever the program that asks: a user's role changes only as the newest
-- change of his says, which another than the one who asked has confirmed; an auditor's never does.

CREATE FUNCTION staff_role_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    newest record;
BEGIN
    IF OLD.role = 'auditor' THEN
        RAISE EXCEPTION 'an auditor stays one' USING ERRCODE = 'check_violation';
    END IF;
    SELECT role, outcome INTO newest FROM staff_rolechange
    WHERE user_id = NEW.id ORDER BY id DESC LIMIT 1;
    IF newest.outcome IS DISTINCT FROM 'confirmed' OR newest.role IS DISTINCT FROM NEW.role THEN
        RAISE EXCEPTION 'no second person has confirmed this role' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER role_guard BEFORE UPDATE OF role ON staff_staffuser
FOR EACH ROW WHEN (OLD.role IS DISTINCT FROM NEW.role) EXECUTE FUNCTION staff_role_guard();

-- What was asked and what was decided stays as it was: a change is asked for, and decided once.

CREATE FUNCTION staff_change_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.outcome <> '' OR
        (OLD.user_id, OLD.role, OLD.reason, OLD.asked_by_id, OLD.asked_at)
        IS DISTINCT FROM (NEW.user_id, NEW.role, NEW.reason, NEW.asked_by_id, NEW.asked_at)
    THEN
        RAISE EXCEPTION 'a role change is decided once, and never rewritten'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER change_guard BEFORE UPDATE OR DELETE ON staff_rolechange
FOR EACH ROW EXECUTE FUNCTION staff_change_guard();

CREATE FUNCTION staff_change_begins_open() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.outcome <> '' THEN
        RAISE EXCEPTION 'a role change is asked for before it is decided'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER change_begins_open BEFORE INSERT ON staff_rolechange
FOR EACH ROW EXECUTE FUNCTION staff_change_begins_open();

-- A session that is over stays over.

CREATE FUNCTION staff_session_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a session that is over stays over' USING ERRCODE = 'check_violation';
END
$$;

CREATE TRIGGER session_guard BEFORE UPDATE ON staff_staffsession
FOR EACH ROW WHEN (OLD.ended_at IS NOT NULL) EXECUTE FUNCTION staff_session_guard();
