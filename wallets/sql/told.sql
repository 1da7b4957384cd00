-- Who asks for a correction by hand, and who decides on it, is whom the log tells of. Run by
-- migration 0007 as the owner of the tables.

CREATE FUNCTION wallet_guard_adjustment() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM audit_require_told(ARRAY['adjustment:' || NEW.id], NEW.raised_by, NEW.raised_at);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER is_told AFTER INSERT ON wallets_adjustment DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION wallet_guard_adjustment();

CREATE FUNCTION wallet_guard_adjustment_decision() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM audit_require_told(ARRAY['adjustment:' || NEW.adjustment_id], NEW.decided_by, NEW.decided_at);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER is_told AFTER INSERT ON wallets_adjustmentdecision DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION wallet_guard_adjustment_decision();
