-- Whoever is said to have done something, an entry of the same transaction says so too. Run by
-- migration 0007 as the owner of the tables.

-- Refuse an act of which this transaction has no entry with one of the subjects, its actor and time.
CREATE FUNCTION audit_require_told(p_subjects text[], p_actor text, p_at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM audit_entry
      WHERE xid = pg_current_xact_id() AND subject = ANY (p_subjects) AND actor = p_actor AND at = p_at;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no entry tells of this act of %', p_actor USING ERRCODE = 'check_violation';
    END IF;
END $$;
SELECT audit_keep('audit_require_told(text[], text, timestamptz)');
