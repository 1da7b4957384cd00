-- Each checkpoint's link to the one before it. Run by migration 0006 as the owner of the tables.

-- Publish what the leaves amount to: the tiles that became full, the signed checkpoint and its link.
CREATE OR REPLACE FUNCTION audit_publish(p_tree jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_size bigint := p_tree->>'size';
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('audit_seal'));
    IF v_size IS DISTINCT FROM (SELECT max(index) + 1 FROM audit_leaf) THEN
        RAISE EXCEPTION 'a checkpoint of % leaves is not of those that there are', v_size
            USING ERRCODE = 'PN409';
    END IF;
    INSERT INTO audit_tile (level, index, root)
    SELECT t.level, t.index, decode(t.root, 'hex')
      FROM jsonb_to_recordset(p_tree->'tiles') AS t(level smallint, index bigint, root text);
    INSERT INTO audit_key (verifier)
    SELECT jsonb_array_elements_text(p_tree->'keys') ON CONFLICT DO NOTHING;
    INSERT INTO audit_checkpoint (size, root, at, note, link)
    VALUES (v_size, decode(p_tree->>'root', 'hex'), (p_tree->>'at')::timestamptz, p_tree->>'note',
            p_tree->>'link');
END $$;
