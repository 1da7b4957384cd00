"""What is written stays: for the application by its grants, for the owner by triggers."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege, RestrictViolation

from tests.conftest import Database

INSERT_ONLY = [
    "audit_archive",
    "audit_checkpoint",
    "audit_entry",
    "audit_key",
    "audit_leaf",
    "audit_manifest",
    "audit_tile",
    "audit_timestamp",
    "players_exclusion",
    "players_realitycheck",
    "pontoon_answer",
    "pontoon_casefile",
    "pontoon_decision",
    "pontoon_escalation",
    "pontoon_malfunctionact",
    "pontoon_malfunctionround",
    "pontoon_notice",
    "pontoon_noticeread",
    "pontoon_roundaction",
    "pontoon_roundmark",
    "pontoon_seed",
    "wallets_adjustment",
    "wallets_adjustmentdecision",
    "wallets_limit",
    "wallets_rollup",
    "wallets_transfer",
]
"""Nobody changes a row."""

DOORS = {"players_exclusion", "players_realitycheck"}
"""Those of the door, whose other tables are no record."""

SUMS = ["pontoon_malfunction", "pontoon_round", "pontoon_suspension", "wallets_account"]
"""What moves on with what was inserted; the commit functions alone update it."""

WORK = {
    "audit_attempt", "audit_delivery", "audit_endpoint", "audit_export", "audit_outbox",
    "audit_webhookanswer", "audit_work", "pontoon_minute", "pontoon_returnwatch", "pontoon_tally",
}  # fmt: skip
"""What somebody asked for and how far it is, and sums that can be reckoned again: no record of
anything; its acts are entries.
"""

WAYS = [
    "UPDATE {table} SET {column} = {column}",
    "DELETE FROM {table}",
    "TRUNCATE {table} CASCADE",
]

OURS = "^(audit|wallets|pontoon)_"
"""Tables of the three rooms whose every table is on record."""

TABLES_SQL = (
    "SELECT oid::regclass::text, relkind FROM pg_class"
    " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND relname ~ %s"
)


@pytest.fixture(scope="module")
def as_app(recorded: Database) -> Iterator[psycopg.Connection]:
    with psycopg.connect(recorded.app_url, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def as_owner(recorded: Database) -> Iterator[psycopg.Connection]:
    with psycopg.connect(recorded.owner_url, autocommit=True) as connection:
        yield connection


def ways(connection: psycopg.Connection, table: str) -> list[str]:
    """Return the statements that would change a table."""
    row = connection.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum = 1", [table]
    ).fetchone()
    assert row is not None
    return [way.format(table=table, column=row[0]) for way in WAYS]


@pytest.mark.parametrize("table", INSERT_ONLY + SUMS)
def test_aud_01_the_application_changes_no_row(as_app: psycopg.Connection, table: str) -> None:
    assert as_app.execute(f"SELECT count(*) FROM {table}").fetchone() != (0,)  # noqa: S608
    for statement in ways(as_app, table):
        with pytest.raises(InsufficientPrivilege):
            as_app.execute(statement)


@pytest.mark.parametrize("table", INSERT_ONLY)
def test_aud_01_the_owner_changes_no_row_either(as_owner: psycopg.Connection, table: str) -> None:
    for statement in ways(as_owner, table):
        with pytest.raises(RestrictViolation, match="what is written stays"):
            as_owner.execute(statement)


def test_the_owner_removes_no_round_and_empties_no_table_of_sums(
    as_owner: psycopg.Connection,
) -> None:
    for statement in ("DELETE FROM pontoon_round", "TRUNCATE pontoon_round"):
        with pytest.raises(RestrictViolation):
            as_owner.execute(statement)


def partitions(connection: psycopg.Connection) -> list[str]:
    """Return the partitions of the log."""
    return [
        name
        for (name,) in connection.execute(
            "SELECT inhrelid::regclass::text FROM pg_inherits"
            " WHERE inhparent = 'audit_entry'::regclass"
        )
    ]


def test_every_partition_is_as_shut_as_the_whole(
    as_app: psycopg.Connection, as_owner: psycopg.Connection
) -> None:
    names = partitions(as_app)
    assert len(names) == 13  # a year, and the rest
    for name in names:
        for statement in ways(as_app, name):
            with pytest.raises(InsufficientPrivilege):
                as_app.execute(statement)
        with pytest.raises(RestrictViolation):
            as_owner.execute(f"TRUNCATE {name}")


def test_the_owner_changes_no_row_of_a_partition(as_owner: psycopg.Connection) -> None:
    filled = [
        name
        for name in partitions(as_owner)
        if as_owner.execute(f"SELECT FROM {name} LIMIT 1").fetchone() is not None
    ]
    assert filled
    for name in filled:
        for statement in ways(as_owner, name):
            with pytest.raises(RestrictViolation):
                as_owner.execute(statement)


def test_a_partition_made_later_is_shut_too(recorded: Database) -> None:
    with psycopg.connect(recorded.owner_url, autocommit=True) as owner:
        made = owner.execute("SELECT audit_make_partition('2040-05-17')").fetchone()
        again = owner.execute("SELECT audit_make_partition('2040-05-01')").fetchone()
        assert (made, again) == ((True,), (False,))
        with pytest.raises(RestrictViolation):
            owner.execute("TRUNCATE audit_entry_2040_05")
    with psycopg.connect(recorded.app_url, autocommit=True) as app:
        for statement in ways(app, "audit_entry_2040_05"):
            with pytest.raises(InsufficientPrivilege):
                app.execute(statement)


def test_the_application_may_change_no_table_of_the_three_rooms(
    as_app: psycopg.Connection,
) -> None:
    tables = [name for name, _ in as_app.execute(TABLES_SQL, [OURS])]
    assert {*INSERT_ONLY, *SUMS} - DOORS <= set(tables)
    granted = as_app.execute(
        "SELECT table_name, privilege_type FROM information_schema.table_privileges"
        " WHERE table_schema = 'public' AND table_name ~ %s"
        "   AND grantee IN (current_user, 'PUBLIC')"
        "   AND privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER')",
        [OURS],
    ).fetchall()
    assert [row for row in granted if row[0] not in WORK] == []


def test_nor_a_single_column_of_one(as_app: psycopg.Connection) -> None:
    granted = as_app.execute(
        "SELECT table_name, column_name FROM information_schema.column_privileges"
        " WHERE table_schema = 'public' AND table_name ~ %s AND privilege_type = 'UPDATE'"
        "   AND grantee IN (current_user, 'PUBLIC')",
        [OURS],
    ).fetchall()
    assert [row for row in granted if row[0] not in WORK] == []


def test_the_application_inserts_by_the_commit_functions_alone(as_app: psycopg.Connection) -> None:
    granted = as_app.execute(
        "SELECT DISTINCT table_name FROM information_schema.column_privileges"
        " WHERE table_schema = 'public' AND table_name ~ %s AND privilege_type = 'INSERT'"
        "   AND grantee IN (current_user, 'PUBLIC')",
        [OURS],
    ).fetchall()
    assert {table for (table,) in granted} <= WORK


def test_every_table_of_the_three_rooms_is_named_here(as_app: psycopg.Connection) -> None:
    tables = {
        name
        for name, kind in as_app.execute(TABLES_SQL, [OURS])
        if kind != "v" and not name.startswith("audit_entry_")
    }
    assert tables - WORK == {*INSERT_ONLY, *SUMS} - DOORS


def test_the_functions_that_write_for_the_application_trust_no_path_of_the_callers(
    as_app: psycopg.Connection,
) -> None:
    loose = as_app.execute(
        "SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace"
        "   AND NOT ('search_path=pg_catalog, public, pg_temp' = ANY (coalesce(proconfig, '{}')))"
    ).fetchall()
    assert loose == []
