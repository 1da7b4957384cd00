"""`roles.sql` on a real server: what each role cannot do."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege, RaiseException

from deploy.local.database import ROLES_SQL, prepare_database
from deploy.local.datafolder import program
from tests.cluster import Cluster

Connect = Callable[..., psycopg.Connection]

OWNER_IS_REFUSED = [
    "DROP TABLE wallets_transfer",
    "DROP TABLE wallets_transfer CASCADE",
    "DROP TABLE audit_entry_1",
    "DROP TABLE lobby, audit_entry",
    "DROP OWNED BY pontoon_owner",
    "DROP TRIGGER no_change ON wallets_transfer",
    "DROP TRIGGER no_truncate ON wallets_transfer",
    "DROP FUNCTION refuse_change CASCADE",
    "ALTER TABLE wallets_transfer DISABLE TRIGGER no_change",
    "ALTER TABLE wallets_transfer DISABLE TRIGGER ALL",
    "ALTER TABLE wallets_transfer DISABLE TRIGGER USER",
    "ALTER TABLE wallets_transfer ENABLE REPLICA TRIGGER no_change",
    "ALTER TABLE audit_entry DISABLE TRIGGER no_change",
    "ALTER TABLE audit_entry_1 DISABLE TRIGGER no_change",
    "ALTER TABLE ONLY audit_entry DISABLE TRIGGER no_change",
    "ALTER TRIGGER no_change ON wallets_transfer RENAME TO another",
    "ALTER TABLE audit_entry DETACH PARTITION audit_entry_1",
    "ALTER TABLE audit_entry DETACH PARTITION audit_entry_1 CONCURRENTLY",
    "alter table audit_entry detach/**/partition audit_entry_1\n/* */concurrently",
    "ALTER TABLE wallets_transfer RENAME TO another",
    "ALTER TABLE audit_entry_1 RENAME TO another",
    "ALTER TABLE wallets_transfer SET UNLOGGED",
    "ALTER TABLE wallets_transfer DROP COLUMN amount_minor",
    "ALTER TABLE audit_entry DROP COLUMN body",
    "ALTER TABLE wallets_transfer ALTER amount_minor TYPE bigint USING 0",
    "ALTER TABLE audit_entry ALTER body TYPE int USING 0",
    "CREATE OR REPLACE TRIGGER no_change BEFORE UPDATE ON wallets_transfer"
    " FOR EACH ROW WHEN (false) EXECUTE FUNCTION refuse_change()",
    "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql"
    " AS $$ BEGIN RETURN new; END $$",
    "ALTER FUNCTION refuse_change RENAME TO another",
    "DO $$ BEGIN EXECUTE 'DROP TABLE wallets_transfer'; END $$",
    "DROP SCHEMA public CASCADE",
    "ALTER SCHEMA public RENAME TO another",
    "CREATE SCHEMA another",
    "CREATE ROLE another",
    "CREATE DATABASE another",
    "DROP EVENT TRIGGER guard_end",
    "ALTER EVENT TRIGGER guard_end DISABLE",
    "SET event_triggers = off",
    "SET session_replication_role = replica",
    "DELETE FROM guard.safeguard",
    "INSERT INTO guard.safeguard VALUES ('x')",
    "CREATE OR REPLACE FUNCTION guard.maintenance() RETURNS text LANGUAGE sql AS 'SELECT 1'",
]

OWNER_MAY = [
    "CREATE TABLE another (id int PRIMARY KEY)",
    "CREATE TABLE audit_entry_2 PARTITION OF audit_entry FOR VALUES FROM (100) TO (200)",
    "ALTER TABLE wallets_transfer ADD COLUMN note text",
    "ALTER TABLE wallets_transfer ADD CHECK (amount_minor > 0)",
    "CREATE INDEX ON wallets_transfer (amount_minor)",
    "CREATE INDEX CONCURRENTLY ON wallets_transfer (amount_minor)",
    "CREATE TRIGGER further BEFORE UPDATE ON wallets_transfer"
    " FOR EACH ROW EXECUTE FUNCTION refuse_change()",
    "ALTER TABLE lobby ALTER name TYPE int USING 0",
    "ALTER TABLE lobby DROP COLUMN name",
    "DROP TABLE lobby",
]

APP_IS_REFUSED = [
    "UPDATE wallets_transfer SET amount_minor = 1",
    "DELETE FROM wallets_transfer",
    "TRUNCATE wallets_transfer",
    "UPDATE audit_entry SET body = ''",
    "DELETE FROM audit_entry_1",
    "TRUNCATE lobby",
    "DROP TABLE lobby",
    "ALTER TABLE wallets_transfer DISABLE TRIGGER ALL",
    "CREATE TABLE another ()",
    "CREATE TEMPORARY TABLE wallets_transfer ()",
    "CREATE SCHEMA another",
    "CREATE ROLE another",
    "SET ROLE pontoon_owner",
    "SET session_replication_role = replica",
    "COPY lobby TO PROGRAM 'cat'",
    "SELECT pg_read_file('postgresql.conf')",
    "SELECT * FROM guard.safeguard",
]


@pytest.fixture(scope="module")
def untouched(cluster: Cluster, guarded_template: str) -> Iterator[str]:
    """One clone for all that is refused: a refusal leaves nothing behind."""
    name = cluster.clone(guarded_template)
    yield name
    cluster.drop(name)


@pytest.fixture
def connect(cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Connect as "superuser", "owner" or "app"; every statement is a transaction of its own."""
    opened: list[psycopg.Connection] = []

    def _connect(role: str, database: str | None = None) -> psycopg.Connection:
        name = database or request.getfixturevalue("guarded")
        url = getattr(cluster, f"{role}_url")(name)
        opened.append(psycopg.connect(url, autocommit=True))
        return opened[-1]

    yield _connect
    for connection in opened:
        connection.close()


def refused() -> AbstractContextManager[object]:
    return pytest.raises(InsufficientPrivilege)


@pytest.mark.parametrize("statement", OWNER_IS_REFUSED)
def test_the_owner_cannot(connect: Connect, untouched: str, statement: str) -> None:
    owner = connect("owner", untouched)
    with refused():
        owner.execute(statement)
    with pytest.raises(RaiseException, match="insert-only"):
        owner.execute("UPDATE wallets_transfer SET amount_minor = 0")
    with pytest.raises(RaiseException, match="insert-only"):
        owner.execute("DELETE FROM audit_entry")


@pytest.mark.parametrize("statement", OWNER_MAY)
def test_the_owner_can(connect: Connect, statement: str) -> None:
    connect("owner").execute(statement)


@pytest.mark.parametrize("statement", APP_IS_REFUSED)
def test_the_application_cannot(connect: Connect, untouched: str, statement: str) -> None:
    with refused():
        connect("app", untouched).execute(statement)


def test_the_application_reads_and_inserts(connect: Connect) -> None:
    app = connect("app")
    app.execute("INSERT INTO wallets_transfer VALUES (2, 700)")
    app.execute("INSERT INTO audit_entry VALUES (2, 'round.played')")
    app.execute("INSERT INTO lobby (name) VALUES ('north')")
    app.execute("UPDATE lobby SET name = 'south'")
    assert app.execute("SELECT sum(amount_minor) FROM wallets_transfer").fetchone() == (1200,)


def test_a_new_partition_is_guarded_at_once(connect: Connect) -> None:
    owner = connect("owner")
    owner.execute("CREATE TABLE later PARTITION OF audit_entry FOR VALUES FROM (100) TO (200)")
    for statement in ("DROP TABLE later", "ALTER TABLE audit_entry DETACH PARTITION later"):
        with refused():
            owner.execute(statement)


def test_the_owner_cannot_trick_the_guard_from_inside_a_command(connect: Connect) -> None:
    owner = connect("owner")
    owner.execute("""
        CREATE FUNCTION trick(int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
            PERFORM set_config('pontoon.maintenance', 'trick', false); RETURN true;
        END $$
    """)
    with refused():
        owner.execute(
            "ALTER TABLE wallets_transfer DISABLE TRIGGER ALL, ADD CHECK (trick(amount_minor))"
        )


def test_maintenance_is_not_for_the_owner(connect: Connect) -> None:
    owner = connect("owner")
    owner.execute("SET pontoon.maintenance = 'please'")
    with refused():
        owner.execute("DROP TABLE wallets_transfer")


def test_aud_01_a_superuser_needs_a_reason_and_it_is_kept(connect: Connect) -> None:
    dba = connect("superuser")
    detach = "ALTER TABLE audit_entry DETACH PARTITION audit_entry_1"
    with refused():
        dba.execute(detach)
    dba.execute("SET pontoon.maintenance = 'archive of 2031'")
    dba.execute(detach)
    dba.execute("RESET pontoon.maintenance")
    logged = dba.execute("SELECT done_by, reason, command FROM guard.maintenance_log").fetchall()
    assert logged == [("postgres", "archive of 2031", detach)]
    dba.execute("DROP TABLE audit_entry_1")  # an archive of its own now
    with refused():
        dba.execute("DROP TABLE audit_entry")


def test_the_owner_migrates_under_maintenance_in_a_superusers_session(
    cluster: Cluster, guarded: str
) -> None:
    options = "-c pontoon.maintenance=ticket-4711 -c role=pontoon_owner"
    with psycopg.connect(cluster.superuser_url(guarded), options=options) as connection:
        assert connection.execute("SELECT current_user").fetchone() == ("pontoon_owner",)
        connection.execute("ALTER TABLE wallets_transfer ALTER amount_minor TYPE bigint")
        connection.execute("DROP TRIGGER no_change ON wallets_transfer")


def test_psql_runs_the_file_too(cluster: Cluster, guarded: str) -> None:
    command: list[str | Path] = [program("psql"), "-v", "ON_ERROR_STOP=1", "-q", "-f", ROLES_SQL]
    subprocess.run([*command, cluster.superuser_url(guarded)], check=True, capture_output=True)


def test_roles_sql_can_run_again(cluster: Cluster, guarded: str, connect: Connect) -> None:
    prepare_database(cluster.server, guarded, {})
    with refused():
        connect("owner").execute("DROP TABLE wallets_transfer")


def test_a_guarded_database_can_be_dropped(cluster: Cluster, guarded_template: str) -> None:
    cluster.drop(cluster.clone(guarded_template))


def test_every_table_that_refuses_change_is_guarded(cluster: Cluster, template: str) -> None:
    with psycopg.connect(cluster.superuser_url(cluster.clone(template))) as connection:
        tables = connection.execute("""
            SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'refuse_change'
        """).fetchall()
        guarded = connection.execute("""
            SELECT id::regclass::text FROM guard.insert_only_tables() AS id
        """).fetchall()
    assert set(tables) == set(guarded)
    assert ("wallets_transfer",) in tables
