"""A player at the table, the owner's hand, and what a request left behind."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from tests.conftest import Database
from tests.people import People, Person

_TABLES = """
    SELECT relname FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname NOT LIKE 'django%'
"""


@pytest.fixture
def player(people: People) -> Person:
    """A player with 1,000.00 USD, who has looked at the table."""
    player = people.player()
    player.api.get("me")
    return player


@pytest.fixture
def owner(database: Database) -> Iterator[psycopg.Connection]:
    """A connection as the owner of the tables, in autocommit."""
    with psycopg.connect(database.owner_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def rows(owner: psycopg.Connection) -> Callable[[], dict[str, int]]:
    """Count the rows of every table."""
    names = [name for (name,) in owner.execute(_TABLES)]
    counts = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM {name}" for name in names)  # noqa: S608
    return lambda: dict(owner.execute(counts).fetchall())


@pytest.fixture
def left(rows: Callable[[], dict[str, int]]) -> Callable[[], dict[str, int]]:
    """Tell how many rows of which table are new since it was last asked."""
    before: dict[str, int] = {}

    def left() -> dict[str, int]:
        nonlocal before
        now, then = rows(), before
        before = now
        if not then:
            return {}
        return {table: now[table] - then[table] for table in now if now[table] != then[table]}

    return left


@pytest.fixture
def last_entry(owner: psycopg.Connection) -> Callable[[], dict[str, Any]]:
    """Return the newest entry of the log: event, actor, player and payload."""

    def last_entry() -> dict[str, Any]:
        event, body = owner.execute(
            "SELECT event, body::json FROM audit_entry ORDER BY id DESC LIMIT 1"
        ).fetchone()
        return body | {"event": event}

    return last_entry
