-- Who may do what, and what nobody may do. Run by the superuser (DBA), connected to the
-- application's database, before the first migration and whenever this file changes:
--
--     psql -v ON_ERROR_STOP=1 -f deploy/roles.sql "dbname=pontoon user=postgres"
--
-- It can be run again at any time. Three roles:
--     the superuser    this file, archive work, ALTER ROLE … PASSWORD
--     pontoon_owner    migrations: owns the tables, neither the database nor the schema
--     pontoon_app      everything else: web, worker, beat
-- It sets no passwords: ALTER ROLE pontoon_app PASSWORD '…' does.

-- 1. Roles: of the whole cluster; other databases may be set up at the same moment.

DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['pontoon_owner', 'pontoon_app'] LOOP
        BEGIN
            EXECUTE format('CREATE ROLE %I LOGIN', role_name);
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
        IF EXISTS (
            SELECT FROM pg_roles
            WHERE rolname = role_name
              AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)
        ) THEN
            EXECUTE format(
                'ALTER ROLE %I NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS',
                role_name
            );
        END IF;
    END LOOP;
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format(
        'GRANT CONNECT ON DATABASE %I TO pontoon_owner, pontoon_app', current_database()
    );
END
$$;

-- 2. Grants: the owner makes tables, the application uses them. What is insert-only loses
--    UPDATE, DELETE and TRUNCATE in the migration that makes it.

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO pontoon_owner;
GRANT USAGE ON SCHEMA public TO pontoon_app;

ALTER DEFAULT PRIVILEGES FOR ROLE pontoon_owner REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE pontoon_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO pontoon_app;
ALTER DEFAULT PRIVILEGES FOR ROLE pontoon_owner IN SCHEMA public
    GRANT USAGE, SELECT ON SEQUENCES TO pontoon_app;
ALTER DEFAULT PRIVILEGES FOR ROLE pontoon_owner IN SCHEMA public
    GRANT EXECUTE ON FUNCTIONS TO pontoon_app;

-- 3. The guard. The owner of a table could drop it, disable its triggers or change what they
--    call. Event triggers, which only a superuser can make, refuse that: what guards an
--    insert-only table may grow, never shrink. So a migration adds a trigger or a function of
--    a new name; it cannot replace one.
--
--    Archive and schema work is done by a superuser who says why, in his session only:
--        SET pontoon.maintenance = 'archive of 2031, ticket 4711';
--    Each command he then gives is a row of guard.maintenance_log.

CREATE SCHEMA IF NOT EXISTS guard;
REVOKE ALL ON SCHEMA guard FROM PUBLIC;
GRANT USAGE ON SCHEMA guard TO pontoon_owner, pontoon_app;

CREATE TABLE IF NOT EXISTS guard.safeguard (line text PRIMARY KEY);
CREATE TABLE IF NOT EXISTS guard.maintenance_log (
    done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    done_by text NOT NULL DEFAULT session_user,
    reason text NOT NULL,
    command text NOT NULL
);
GRANT SELECT ON guard.maintenance_log TO pontoon_app;

-- The insert-only tables and all their partitions.
CREATE OR REPLACE FUNCTION guard.insert_only_tables() RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
    WITH RECURSIVE family(id) AS (
        SELECT oid FROM pg_class
        WHERE relnamespace = to_regnamespace('public')
          AND relkind IN ('r', 'p')
          AND relname IN (
              'players_exclusion',
              'players_realitycheck',
              'wallets_transfer',
              'wallets_rollup',
              'wallets_limit',
              'wallets_adjustment',
              'wallets_adjustmentdecision',
              'pontoon_roundaction',
              'pontoon_roundmark',
              'pontoon_seed',
              'pontoon_answer',
              'pontoon_casefile',
              'pontoon_decision',
              'pontoon_escalation',
              'pontoon_malfunctionact',
              'pontoon_malfunctionround',
              'pontoon_notice',
              'pontoon_noticeread',
              'audit_entry',
              'audit_leaf',
              'audit_tile',
              'audit_checkpoint',
              'audit_key',
              'audit_archive',
              'audit_manifest',
              'audit_timestamp'
          )
        UNION
        SELECT inhrelid FROM pg_inherits JOIN family ON inhparent = id
        WHERE NOT inhdetachpending
    )
    SELECT id FROM family
$$;

-- Everything that guards them now, a line each: the table, its place among the partitions, its
-- enabled triggers, and what these call.
CREATE OR REPLACE FUNCTION guard.safeguards() RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
    WITH family(id) AS MATERIALIZED (SELECT guard.insert_only_tables()),
    triggers AS MATERIALIZED (
        SELECT pg_trigger.* FROM pg_trigger JOIN family ON tgrelid = id
        WHERE tgenabled IN ('O', 'A') AND NOT tgisinternal
    )
    SELECT format('table %s (%s)', id::regclass, relpersistence)
    FROM family JOIN pg_class ON oid = id
    UNION ALL
    SELECT format('partition %s of %s', inhrelid::regclass, inhparent::regclass)
    FROM pg_inherits JOIN family ON inhparent = id WHERE NOT inhdetachpending
    UNION ALL
    SELECT pg_get_triggerdef(oid) FROM triggers
    UNION ALL
    SELECT DISTINCT format('%s is %s', tgfoid::regprocedure, md5(pg_get_functiondef(tgfoid)))
    FROM triggers
$$;

-- Why a superuser does maintenance in this session; NULL for everybody else.
CREATE OR REPLACE FUNCTION guard.maintenance() RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
    SELECT nullif(current_setting('pontoon.maintenance', true), '')
    FROM pg_roles WHERE rolname = session_user AND rolsuper
$$;

CREATE OR REPLACE FUNCTION guard.refuse(what text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RAISE EXCEPTION 'refused on an insert-only table: %', what
        USING ERRCODE = 'insufficient_privilege',
              HINT = 'A superuser may, after SET pontoon.maintenance = ''reason''.';
END
$$;

-- Keep the list of safeguards up to date: take new ones in, and under maintenance let old ones go.
CREATE OR REPLACE FUNCTION guard.remember() RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp
AS $$
    DELETE FROM guard.safeguard
    WHERE guard.maintenance() IS NOT NULL AND line NOT IN (SELECT guard.safeguards());
    INSERT INTO guard.safeguard SELECT guard.safeguards() ON CONFLICT DO NOTHING;
$$;

-- After every command: is each safeguard that was ever seen still there?
CREATE OR REPLACE FUNCTION guard.on_command_end() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    lost text;
BEGIN
    IF guard.maintenance() IS NOT NULL THEN
        INSERT INTO guard.maintenance_log (reason, command)
        VALUES (guard.maintenance(), current_query());
    ELSE
        SELECT line INTO lost FROM guard.safeguard
        WHERE line NOT IN (SELECT guard.safeguards()) LIMIT 1;
        IF lost IS NOT NULL THEN
            PERFORM guard.refuse(format('%s would lose "%s"', tg_tag, lost));
        END IF;
    END IF;
    PERFORM guard.remember();
END
$$;

-- DETACH … CONCURRENTLY commits half-way, before its end could refuse it. It is never part of
-- a function or a longer query, so the text of the query tells.
CREATE OR REPLACE FUNCTION guard.on_command_start() RETURNS event_trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF guard.maintenance() IS NULL AND current_query() ~* '\mdetach\M.*\mconcurrently\M' THEN
        PERFORM guard.refuse('DETACH PARTITION CONCURRENTLY');
    END IF;
END
$$;

-- A table with rows keeps its columns and their values.
CREATE OR REPLACE FUNCTION guard.require_empty(table_id oid, what text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    has_rows boolean;
BEGIN
    IF guard.maintenance() IS NOT NULL OR table_id NOT IN (SELECT guard.insert_only_tables()) THEN
        RETURN;
    END IF;
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', table_id::regclass) INTO has_rows;
    IF has_rows THEN
        PERFORM guard.refuse(format('%s of %s', what, table_id::regclass));
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION guard.on_drop() RETURNS event_trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM guard.require_empty(objid, 'DROP COLUMN')
    FROM pg_event_trigger_dropped_objects() WHERE object_type = 'table column';
END
$$;

CREATE OR REPLACE FUNCTION guard.on_rewrite() RETURNS event_trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM guard.require_empty(pg_event_trigger_table_rewrite_oid(), 'a rewrite');
END
$$;

BEGIN;
DROP EVENT TRIGGER IF EXISTS guard_start;
DROP EVENT TRIGGER IF EXISTS guard_drop;
DROP EVENT TRIGGER IF EXISTS guard_rewrite;
DROP EVENT TRIGGER IF EXISTS guard_end;
CREATE EVENT TRIGGER guard_start ON ddl_command_start WHEN TAG IN ('ALTER TABLE')
    EXECUTE FUNCTION guard.on_command_start();
CREATE EVENT TRIGGER guard_drop ON sql_drop EXECUTE FUNCTION guard.on_drop();
CREATE EVENT TRIGGER guard_rewrite ON table_rewrite EXECUTE FUNCTION guard.on_rewrite();
CREATE EVENT TRIGGER guard_end ON ddl_command_end EXECUTE FUNCTION guard.on_command_end();
SELECT guard.remember();
COMMIT;
