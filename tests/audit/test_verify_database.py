"""An export tells what a superuser has changed in the database, column by column."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings as configured
from django.db import connections
from django.test import Client
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from tests.audit.exporting import build, faults, live
from tests.cluster import Cluster
from tests.conftest import Database, point
from tests.people import Api, People

# What an export does not hold, and a kind of account, of which a player has each: the database
# itself knows no other.
NOT_HELD = {"cluster", "xid", "last_at", "limit_count", "kind"}
ACTIONS_NOT_HELD = {"at", "session_id", "seq"}

ROWS = {
    "wallets_transfer": "code = 'payout'",
    "wallets_transfer ": "code = 'withdrawal'",
    "wallets_account": "kind = 'cash' AND version > 3",
    "pontoon_round": "state = 'settled'",
    "pontoon_round ": "state = 'held'",
    "pontoon_roundaction": "seq = 0",
}
CHANGES = {
    "uuid": "(left({0}::text, 34) || translate(right({0}::text, 2), '0123456789abcdef',"
    " '123456789abcdef0'))::uuid",
    "text": "{0} || 'x'",
    "character": "CASE {0} WHEN 'USD' THEN 'EUR' ELSE 'USD' END",
    "bigint": "{0} + 1000",
    "integer": "{0} + 1000",
    "timestamp with time zone": "{0} + interval '1 ms'",
    "wallets_transfer.code": "'hold'",
    "pontoon_round.held_reason": "'malfunction'",
    "pontoon_round.state": "'voided'",
    "pontoon_round.stake_minor": "{0} - 1",
    "pontoon_roundaction.action": "CASE {0} WHEN 'hit' THEN 'stand' ELSE 'hit' END",
    "pontoon_roundaction.by": "'house'",
    "bytea": "set_byte({0}, 7, get_byte({0}, 7) # 1)",
}


@pytest.fixture(scope="module")
def dba(
    cluster: Cluster,
    template: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[psycopg.Connection]:
    """A casino in which everything has happened, and its superuser."""
    name = cluster.clone(template)
    clone = Database(
        name, cluster.app_url(name), cluster.owner_url(name), cluster.superuser_url(name)
    )
    point("default", clone.app_url)
    with (
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patch,
        psycopg.connect(clone.superuser_url, autocommit=True) as connection,
    ):
        patch.setattr(configured, "EXPORT_DIR", tmp_path_factory.mktemp("exports"))
        live(People(Api(Client())), clone.owner_url)
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET timezone = 'UTC'")
        yield connection
        connections.close_all()
    cluster.drop(name)


@pytest.mark.parametrize("table", ROWS)
def test_aud_02_every_column_that_is_changed_in_the_database_is_found(
    dba: psycopg.Connection, table: str, tmp_path: Path
) -> None:
    where, table = ROWS[table], table.strip()
    assert faults(build()) == []
    missed = []
    for column, kind in _columns(dba, table):
        if column in NOT_HELD or (table == "pontoon_roundaction" and column in ACTIONS_NOT_HELD):
            continue
        row, before = _change(dba, table, column, kind, where)
        try:
            found = faults(build())
        finally:
            _put_back(dba, table, column, row, before)
        if not found:
            missed.append(column)
    assert missed == []


def _columns(dba: psycopg.Connection, table: str) -> list[tuple[str, str]]:
    return dba.execute(
        "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s"
        " ORDER BY ordinal_position",
        [table],
    ).fetchall()


def _change(
    dba: psycopg.Connection, table: str, column: str, kind: str, where: str
) -> tuple[str, object]:
    """Change a column of one row; return which, and what was there."""
    place = dba.execute(
        f"SELECT ctid::text, {column} FROM {table} WHERE {where} ORDER BY 1 LIMIT 1"  # noqa: S608
    ).fetchone()
    assert place is not None
    changed = CHANGES.get(f"{table}.{column}", CHANGES[kind]).format(column)
    some = changed if column == "held_reason" else _some(kind)
    value = f"CASE WHEN {column} IS NULL THEN {some} ELSE {changed} END"
    (ctid,) = dba.execute(
        f"UPDATE {table} SET {column} = {value} WHERE ctid = %s::tid RETURNING ctid::text",  # noqa: S608
        [place[0]],
    ).fetchone() or ("",)
    return ctid, place[1]


def _some(kind: str) -> str:
    return {"text": "'x'", "uuid": "gen_random_uuid()", "bigint": "1"}.get(kind, "NULL")


def _put_back(dba: psycopg.Connection, table: str, column: str, ctid: str, before: object) -> None:
    statement = sql.SQL("UPDATE {} SET {} = %s WHERE ctid = %s::tid")
    dba.execute(statement.format(sql.Identifier(table), sql.Identifier(column)), [before, ctid])
