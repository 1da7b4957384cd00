-- The tree: which entries are sealed, in which order, and what was signed of them. Run by
-- migration 0002 as the owner of the tables.

-- One entry's place in the tree, for ever. The hash stays when the entry's month is archived, and
-- so does the place that the sealer had reached when it took it: (cluster, xid, entry_id).
CREATE TABLE audit_leaf (
    index    bigint NOT NULL PRIMARY KEY CHECK (index >= 0),
    entry_id uuid   NOT NULL UNIQUE,
    hash     bytea  NOT NULL CHECK (length(hash) = 32),
    cluster  bigint NOT NULL,
    xid      xid8   NOT NULL
);
SELECT audit_protect('audit_leaf');

-- The root of every full tile: a hash of the level above it. With the leaves it is the whole tree.
CREATE TABLE audit_tile (
    level smallint NOT NULL CHECK (level BETWEEN 0 AND 7),
    index bigint   NOT NULL CHECK (index >= 0),
    root  bytea    NOT NULL CHECK (length(root) = 32),
    PRIMARY KEY (level, index)
);
SELECT audit_protect('audit_tile');

-- What was signed: never two of one size.
CREATE TABLE audit_checkpoint (
    size bigint      NOT NULL PRIMARY KEY CHECK (size > 0),
    root bytea       NOT NULL CHECK (length(root) = 32),
    at   timestamptz NOT NULL,
    note text        NOT NULL
);
SELECT audit_protect('audit_checkpoint');

-- Every key that has signed a checkpoint, as others read it.
CREATE TABLE audit_key (
    verifier text NOT NULL PRIMARY KEY
);
SELECT audit_protect('audit_key');

-- When a checkpoint was there, in the words of a timestamp authority (RFC 3161).
CREATE TABLE audit_timestamp (
    size   bigint NOT NULL PRIMARY KEY,
    answer bytea  NOT NULL
);
SELECT audit_protect('audit_timestamp');

-- What the software was: the manifest of its files, by its SHA-256. Entries name it by that.
CREATE TABLE audit_manifest (
    digest  bytea NOT NULL PRIMARY KEY,
    content text  NOT NULL,
    CHECK (digest = sha256(convert_to(content, 'UTF8')))
);
SELECT audit_protect('audit_manifest');

-- A month whose entries were taken out, after they were exported: which ids it had, how many, and
-- the digest of the file that they went into. Their leaves stay.
CREATE TABLE audit_archive (
    from_id     uuid        NOT NULL PRIMARY KEY,
    to_id       uuid        NOT NULL CHECK (to_id > from_id),
    entry_count bigint      NOT NULL CHECK (entry_count >= 0),
    digest      bytea       NOT NULL CHECK (length(digest) = 32),
    -- The entry of the archiving itself.
    entry_id    uuid        NOT NULL UNIQUE
);
SELECT audit_protect('audit_archive');

-- A bundle of tlog-tiles tells an entry's length in two bytes.
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_fits_a_bundle
    CHECK (octet_length(body) <= 65535);

-- The order in which the sealer takes entries, so that a batch costs the same however many wait.
CREATE INDEX audit_entry_order ON audit_entry (xid, id);
DROP INDEX audit_entry_xid;

-- Give leaves to the next entries, in the order of (xid, id), and return how many leaves there
-- are. An entry's turn comes when every transaction before its own is surely over, so nobody who
-- commits late is passed over. In a cluster that is new to the log a new epoch begins: whatever
-- the former ones have left comes first, then the entries of this one.
CREATE FUNCTION audit_take(p_count integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_last audit_leaf;
    v_size bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('audit_seal'));
    SELECT * INTO v_last FROM audit_leaf ORDER BY index DESC LIMIT 1;
    v_size := coalesce(v_last.index + 1, 0);

    INSERT INTO audit_leaf (index, entry_id, hash, cluster, xid)
    SELECT v_size - 1 + row_number() OVER (ORDER BY e.xid, e.id), e.id, e.leaf_hash, e.cluster, e.xid
      FROM (SELECT * FROM audit_entry
             WHERE cluster = v_last.cluster AND xid >= v_last.xid
               AND (xid, id) > (v_last.xid, v_last.entry_id)
               AND (cluster <> audit_cluster() OR xid < pg_snapshot_xmin(pg_current_snapshot()))
             ORDER BY xid, id LIMIT p_count) e;
    IF NOT FOUND AND v_last.cluster IS DISTINCT FROM audit_cluster() THEN
        INSERT INTO audit_leaf (index, entry_id, hash, cluster, xid)
        SELECT v_size - 1 + row_number() OVER (ORDER BY e.is_here, e.cluster, e.xid, e.id),
               e.id, e.leaf_hash, e.cluster, e.xid
          FROM (SELECT *, cluster = audit_cluster() AS is_here FROM audit_entry n
                 WHERE NOT EXISTS (SELECT FROM audit_leaf WHERE entry_id = n.id)
                   AND (cluster <> audit_cluster() OR xid < pg_snapshot_xmin(pg_current_snapshot()))
                 ORDER BY is_here, cluster, xid, id LIMIT p_count) e;
    END IF;
    RETURN coalesce((SELECT max(index) + 1 FROM audit_leaf), 0);
END $$;

-- Publish what the leaves amount to: the tiles that became full, and the signed checkpoint.
CREATE FUNCTION audit_publish(p_tree jsonb) RETURNS void
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
    INSERT INTO audit_checkpoint (size, root, at, note)
    VALUES (v_size, decode(p_tree->>'root', 'hex'), (p_tree->>'at')::timestamptz, p_tree->>'note');
END $$;

-- Keep a checkpoint's timestamp; one is enough.
CREATE FUNCTION audit_stamp(p_stamp jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO audit_timestamp (size, answer)
    SELECT size, decode(p_stamp->>'answer', 'hex') FROM audit_checkpoint
     WHERE size = (p_stamp->>'size')::bigint
        ON CONFLICT DO NOTHING
$$;

-- Keep a manifest, with the entry that says so.
CREATE FUNCTION audit_identify(p_act jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_content text := p_act->>'manifest';
BEGIN
    INSERT INTO audit_manifest (digest, content)
    VALUES (sha256(convert_to(v_content, 'UTF8')), v_content) ON CONFLICT DO NOTHING;
    PERFORM audit_record(p_act->'entry');
END $$;

-- For how many seconds the next entry to be sealed has been waiting; 0 when none is.
CREATE FUNCTION audit_waiting_s() RETURNS bigint LANGUAGE sql STABLE AS $$
    WITH last AS (SELECT * FROM audit_leaf ORDER BY index DESC LIMIT 1),
    next AS (
        SELECT e.at FROM audit_entry e
         WHERE (e.xid, e.id) > (coalesce((SELECT xid FROM last), '0'),
                                coalesce((SELECT entry_id FROM last), audit_first_id('epoch')))
           AND e.cluster = coalesce((SELECT cluster FROM last), e.cluster)
         ORDER BY e.xid, e.id LIMIT 1
    )
    SELECT coalesce((SELECT extract(epoch FROM clock_timestamp() - at)::bigint FROM next), 0)
$$;
