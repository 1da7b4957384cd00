-- The eye's tables and its one pen. Run by migration 0001 as the owner of the tables.

-- The cluster in which a row was written. Transaction ids start anew after a dump and restore;
-- with this beside them, (cluster, xid) still tells what was there before.
CREATE FUNCTION audit_cluster() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS
    'SELECT system_identifier FROM pg_control_system()';

CREATE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: what is written stays', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

-- Make a table insert-only: for its owner by triggers, for the application by grants too.
CREATE FUNCTION audit_protect(p_table regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON %s
                    FOR EACH ROW EXECUTE FUNCTION audit_refuse_change()', p_table);
    PERFORM audit_protect_truncate(p_table);
END $$;

CREATE FUNCTION audit_protect_truncate(p_table regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON %s
                    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change()', p_table);
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pontoon_app')
       AND NOT pg_has_role('pontoon_app', current_user, 'MEMBER') THEN
        EXECUTE format('REVOKE ALL ON %s FROM pontoon_app', p_table);
        EXECUTE format('GRANT SELECT ON %s TO pontoon_app', p_table);
    END IF;
END $$;

-- Keep a function to the owner's own functions: the application commits whole acts, not parts.
CREATE FUNCTION audit_keep(p_function regprocedure) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', p_function);
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pontoon_app')
       AND NOT pg_has_role('pontoon_app', current_user, 'MEMBER') THEN
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM pontoon_app', p_function);
    END IF;
END $$;

CREATE TABLE audit_entry (
    id        uuid        NOT NULL PRIMARY KEY,
    player_id uuid        NOT NULL,
    event     text        NOT NULL,
    subject   text        NOT NULL,
    actor     text        NOT NULL,
    at        timestamptz NOT NULL,
    body      text        NOT NULL,
    leaf_hash bytea       NOT NULL CHECK (length(leaf_hash) = 32),
    -- For the sealer: entries of transactions that are surely over, in an order without gaps.
    cluster   bigint      NOT NULL DEFAULT audit_cluster(),
    xid       xid8        NOT NULL DEFAULT pg_current_xact_id()
) PARTITION BY RANGE (id);

CREATE INDEX audit_entry_player ON audit_entry (player_id, id);
CREATE INDEX audit_entry_subject ON audit_entry (subject, id);
CREATE INDEX audit_entry_xid ON audit_entry (xid);

-- The first UUIDv7 of a moment.
CREATE FUNCTION audit_first_id(p_at timestamptz) RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM p_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Make the partition of a month, if it is not there. Returns whether it was made.
CREATE FUNCTION audit_make_partition(p_month date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    v_name text := format('audit_entry_%s', to_char(p_month, 'YYYY_MM'));
    v_from timestamptz := date_trunc('month', p_month)::timestamp AT TIME ZONE 'UTC';
    v_to timestamptz := (date_trunc('month', p_month) + interval '1 month')::timestamp AT TIME ZONE 'UTC';
BEGIN
    IF to_regclass(v_name) IS NOT NULL THEN
        RETURN false;
    END IF;
    EXECUTE format('CREATE TABLE %I PARTITION OF audit_entry FOR VALUES FROM (%L) TO (%L)',
                   v_name, audit_first_id(v_from), audit_first_id(v_to));
    PERFORM audit_protect_truncate(v_name::regclass);
    RETURN true;
END $$;

SELECT audit_protect('audit_entry');
-- Whatever no month has room for is kept all the same.
CREATE TABLE audit_entry_rest PARTITION OF audit_entry DEFAULT;
SELECT audit_protect_truncate('audit_entry_rest');
SELECT audit_make_partition((date_trunc('month', now()) + n * interval '1 month')::date)
  FROM generate_series(0, 11) n;

-- Write one entry, in the transaction of its act. Its time was read from this clock.
CREATE FUNCTION audit_record(p_entry jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_at timestamptz := p_entry->>'at';
    v_age interval := clock_timestamp() - v_at;
BEGIN
    IF v_age < interval '0' OR v_age > interval '5 s' THEN
        RAISE EXCEPTION 'the entry''s time is % old', v_age USING ERRCODE = 'PN409';
    END IF;
    -- What is sealed must verify: an entry with another hash than its own would spoil the log.
    IF decode(p_entry->>'leaf_hash', 'hex')
       <> sha256('\x00'::bytea || convert_to(p_entry->>'body', 'UTF8')) THEN
        RAISE EXCEPTION 'the hash is not the entry''s' USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO audit_entry (id, player_id, event, subject, actor, at, body, leaf_hash)
    VALUES ((p_entry->>'id')::uuid, (p_entry->>'player_id')::uuid, p_entry->>'event',
            p_entry->>'subject', p_entry->>'actor', v_at, p_entry->>'body',
            decode(p_entry->>'leaf_hash', 'hex'));
END $$;

-- For how many months after this one the log has partitions.
CREATE FUNCTION audit_months_ahead() RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT count(*)::integer FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'audit_entry'::regclass
       AND c.relname > format('audit_entry_%s', to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM'))
       AND c.relname <> 'audit_entry_rest'
$$;
