"""Whoever edits what is on record, past every guard, is found and named: each byte of it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from audit.seal import seal
from audit.tree import TILE_WIDTH
from tests.audit.sealing import faults, pour, write
from tests.cluster import Cluster
from tests.conftest import Database, point

KEYS = {
    "audit_entry": ("id", "subject"),
    "audit_leaf": ("index", "entry_id"),
    "audit_checkpoint": ("size", "root"),
    "audit_key": ("verifier", "verifier"),
    "audit_tile": ("root", "index"),
}
"""By which column a row is found again: the first, or the second when that is what is changed."""

CASTS = {"xid": "::text::xid8", "level": "::smallint"}


@pytest.fixture(scope="module")
def clone(cluster: Cluster, template: str) -> Iterator[Database]:
    """A database for this module."""
    name = cluster.clone(template)
    yield Database(
        name, cluster.app_url(name), cluster.owner_url(name), cluster.superuser_url(name)
    )
    cluster.drop(name)


@pytest.fixture(scope="module")
def sealed(clone: Database, django_db_blocker: DjangoDbBlocker) -> Database:
    """A log of five entries, in three checkpoints."""
    point("default", clone.app_url)
    with django_db_blocker.unblock():
        write(2, subject="first")
        seal()
        write(1, subject="second")
        write(1, subject="påsk €")
        seal()
        connections.close_all()
    return clone


@pytest.fixture
def tamper(sealed: Database, django_db_blocker: DjangoDbBlocker) -> Iterator[psycopg.Connection]:
    """A superuser whom no trigger sees, on a log that is whole."""
    point("default", sealed.app_url)
    with (
        django_db_blocker.unblock(),
        psycopg.connect(sealed.superuser_url, autocommit=True) as dba,
    ):
        dba.execute("SET session_replication_role = replica")
        assert faults() == []
        yield dba
        assert faults() == []
        connections.close_all()


def columns(table: str) -> list[str]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped",
            [table],
        )
        return [name for (name,) in cursor.fetchall()]


def changed(value: Any) -> Iterator[Any]:
    """Yield a value with each of its bytes changed."""
    match value:
        case bytes():
            yield from (value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :] for at in span(value))
        case str() if value.isdigit():
            yield from map(str, changed(int(value)))
        case str():
            for at in span(value):
                yield value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :]
        case UUID():
            yield from (UUID(bytes=bytes_) for bytes_ in changed(value.bytes))
        case int():
            yield from (value ^ 64 << 8 * at for at in range(7))
        case datetime():
            yield from (value + timedelta(microseconds=256**at) for at in range(6))
        case _:
            raise TypeError(value)


def span(value: bytes | str) -> range:
    return range(len(value))


@pytest.mark.parametrize("table", ["audit_entry", "audit_leaf", "audit_checkpoint", "audit_key"])
def test_every_byte_of_every_column_is_watched(
    tamper: psycopg.Connection, table: str, subtests: pytest.Subtests
) -> None:
    for column in columns(table):
        with subtests.test(column):
            require_watched(tamper, table, column)


def require_watched(dba: psycopg.Connection, table: str, column: str) -> None:
    key = KEYS[table][column == KEYS[table][0]]
    names = map(sql.Identifier, (key, column, table))
    rows = dba.execute(sql.SQL("SELECT {}, {} FROM {} ORDER BY 1").format(*names)).fetchall()
    found_by, value = rows[len(rows) // 2]
    for other in [1, 7] if column == "level" else changed(value):
        if key == column:
            found_by = value
        put(dba, table, column, other, key=key, found_by=found_by)
        told = faults()
        put(dba, table, column, value, key=key, found_by=other if key == column else found_by)
        assert any(name_of(table) in fault for fault in told), (column, value, other, told)


def put(
    dba: psycopg.Connection, table: str, column: str, value: Any, *, key: str, found_by: Any
) -> None:
    statement = sql.SQL("UPDATE {} SET {} = %s{} WHERE {} = %s{}").format(
        sql.Identifier(table),
        sql.Identifier(column),
        sql.SQL(CASTS.get(column, "")),
        sql.Identifier(key),
        sql.SQL(CASTS.get(key, "")),
    )
    assert dba.execute(statement, [value, found_by]).rowcount == 1


def name_of(table: str) -> str:
    return table.removeprefix("audit_")


REMOVED = {
    "an entry": ("audit_entry", "subject = 'second'", "its entry"),
    "a leaf": ("audit_leaf", "index = 2", "leaf 2 is not there"),
    "the last leaf": ("audit_leaf", "index = 4", "of leaves that are not there"),
    "the last checkpoint": ("audit_checkpoint", "size > 4", "are signed"),
    "a checkpoint in the middle": ("audit_checkpoint", "size = 3", "3 is gone: 5 was signed"),
    "the first checkpoint": ("audit_checkpoint", "size = 2", "2 is gone: 3 was signed after it"),
    "the key": ("audit_key", "true", "does not hold"),
}


@pytest.mark.parametrize("what", REMOVED)
def test_whatever_is_removed_is_missed(tamper: psycopg.Connection, what: str) -> None:
    table, where, told = REMOVED[what]
    tamper.execute(f"CREATE TEMPORARY TABLE kept AS SELECT * FROM {table} WHERE {where}")  # noqa: S608
    tamper.execute(f"DELETE FROM {table} WHERE {where}")  # noqa: S608
    found = faults()
    tamper.execute(f"INSERT INTO {table} SELECT * FROM kept")  # noqa: S608
    tamper.execute("DROP TABLE kept")
    assert any(told in fault for fault in found), found


def test_the_newest_note_is_watched_like_the_others(tamper: psycopg.Connection) -> None:
    """The keys of this process are held against it too, not only those that are stored."""
    put_note = "UPDATE audit_checkpoint SET note = %s WHERE size = 5"
    note = tamper.execute("SELECT note FROM audit_checkpoint WHERE size = 5").fetchone()
    assert note
    tamper.execute(put_note, [note[0].replace("log\n5", "log\n6")])
    found = faults()
    tamper.execute(put_note, note)
    assert any("signature that is not of LOG_KEYS" in fault for fault in found), found


def test_leaves_in_another_order_are_found(tamper: psycopg.Connection) -> None:
    swap = "UPDATE audit_leaf SET index = CASE index WHEN %s THEN 1000 ELSE %s END WHERE index = %s"

    def swapped() -> None:
        for first, second, where in ((1, 0, 1), (9, 1, 2), (9, 2, 1000)):
            tamper.execute(swap, [first, second, where])

    swapped()
    found = faults()
    swapped()
    assert any("checkpoint 3 has a root" in fault for fault in found), found


def test_an_entry_that_is_slipped_in_before_the_last_is_found(tamper: psycopg.Connection) -> None:
    tamper.execute(
        "INSERT INTO audit_entry SELECT uuidv7(), player_id, event, 'slipped in', actor, at, body,"
        " leaf_hash, cluster, (xid::text::bigint - 1)::text::xid8 FROM audit_entry"
        " WHERE subject = 'first' ORDER BY id LIMIT 1"
    )
    found = faults()
    tamper.execute("DELETE FROM audit_entry WHERE subject = 'slipped in'")
    assert any("was passed over" in fault for fault in found), found


# --- Tiles, which a log of five entries has none of ----------------------------------------------


def test_every_byte_of_a_tile_is_watched(database: Database, dba: psycopg.Connection) -> None:
    pour(dba, 2 * TILE_WIDTH)
    seal()
    assert faults() == []
    for column in ("level", "index", "root"):
        require_watched(dba, "audit_tile", column)
    dba.execute("INSERT INTO audit_tile SELECT 3, 0, root FROM audit_tile LIMIT 1")
    assert faults() == ["tile 3/0 is full of nothing"]


# --- The command --------------------------------------------------------------------------------


def run(command: str) -> str:
    out = StringIO()
    call_command(command, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_commands_seal_verify_and_name_what_does_not_hold(
    database: Database, dba: psycopg.Connection
) -> None:
    assert run("verify_log") == "0 entries are as they were signed\n"
    assert run("seal_log") == "The log is empty."
    write(2)
    assert run("seal_log").startswith("localhost/log\n")
    assert run("verify_log") == "3 entries are as they were signed\n"
    dba.execute("UPDATE audit_leaf SET hash = sha256(hash) WHERE index = 1")
    with pytest.raises(CommandError, match="faults"):
        run("verify_log")
    with pytest.raises(CommandError, match="tree_differs"):
        run("seal_log")


def test_a_new_key_is_printed_and_kept_nowhere(database: Database) -> None:
    told = run("rotate_log_key")
    assert run("rotate_log_key") != told
    assert "public  localhost/log+" in told
