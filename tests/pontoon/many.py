"""Many players with many rounds, in seconds: one who has played is copied, money and all.

The copies hold in the ledger's own checks. They have no entries: nothing here is about those.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import psycopg

from tests.people import Person
from wallets import ledger

TABLES = {
    "players_player": "id",
    "wallets_account": "player_id",
    "wallets_transfer": "player_id",
    "pontoon_seed": "player_id",
    "pontoon_round": "player_id",
    "pontoon_roundaction": "player_id",
    "pontoon_roundmark": "player_id",
}
_OWN = {"cluster", "xid"}


def copy(superuser_url: str, player: Person, count: int) -> list[UUID]:
    """Copy a player so many times; return the copies' ids."""
    ids = [uuid4() for _ in range(count)]
    with psycopg.connect(superuser_url) as connection:
        connection.execute("SET session_replication_role = replica")
        for table, owner in TABLES.items():
            names, rows = _rows(connection, table, owner, player.id)
            with connection.cursor().copy(f"COPY {table} ({', '.join(names)}) FROM STDIN") as pipe:
                for id_ in ids:
                    for row in _renamed(table, names, rows, player, id_):
                        pipe.write_row(row)
    return ids


def _rows(
    connection: psycopg.Connection, table: str, owner: str, player_id: UUID
) -> tuple[list[str], list[tuple[Any, ...]]]:
    columns = connection.execute(
        "SELECT attname, atttypid::regtype::text FROM pg_attribute"
        " WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped",
        [table],
    ).fetchall()
    names = [name for name, _ in columns if name not in _OWN]
    read = ", ".join(f"{name}::text" for name in names)
    rows = connection.execute(
        f"SELECT {read} FROM {table} WHERE {owner} = %s",  # noqa: S608
        [player_id],
    ).fetchall()
    return names, rows


def _renamed(
    table: str, names: list[str], rows: list[tuple[Any, ...]], player: Person, copy_id: UUID
) -> Iterator[list[Any]]:
    """Yield rows as those of the copy: its own ids, its own accounts."""
    ids = {
        str(ledger.account_id(player.id, kind, player.currency)): str(
            ledger.account_id(copy_id, kind, player.currency)
        )
        for kind in ledger.PLAYER_KINDS
    } | {str(player.id): str(copy_id)}
    for row in rows:
        told = [ids.get(value, value) for value in row]
        for place, name in enumerate(names):
            if name in {"round_id", "external_id"} or (name == "id" and table in _NAMED):
                told[place] = told[place] and _mixed(told[place], copy_id, name)
        yield told


_NAMED = {"wallets_transfer", "pontoon_round"}


def _mixed(value: str, copy_id: UUID, name: str) -> str:
    """Return the copy's own name of something: of a round or transfer, an id that fits both."""
    if name == "external_id":
        return str(copy_id)
    return str(UUID(int=UUID(value).int ^ (copy_id.int >> 64)))
