-- Which units of work may be tried now. Run by migration 0004 as the owner of the tables.

-- Whether a unit is not being done by somebody, does not wait after a failure, and has not died.
CREATE FUNCTION audit_is_due(p_kind text, p_subject text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT EXISTS (SELECT FROM audit_work
                        WHERE kind = p_kind AND subject = p_subject
                          AND (state = 'dead' OR due_at > clock_timestamp()))
$$;
