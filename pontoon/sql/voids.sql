-- Commit several acts on one player's rounds, in order, all or none: his rounds that a malfunction
-- touched. Each is an act with an entry of its own. Run by migration 0007 as the owner of the tables.
CREATE FUNCTION pontoon_commit_all(p_acts jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_act jsonb;
BEGIN
    FOR v_act IN SELECT a.value FROM jsonb_array_elements(p_acts->'acts') WITH ORDINALITY a
                  ORDER BY a.ordinality LOOP
        PERFORM pontoon_commit(v_act);
    END LOOP;
END $$;
