"""A database that goes away and comes back, as the DBA makes it."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql

from tests.conftest import Database


@contextmanager
def without(database: Database) -> Iterator[None]:
    """Take the database away: connections are cut, and no new one is let in, until the end."""
    with psycopg.connect(database.superuser_url, dbname="postgres", autocommit=True) as dba:
        allow = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
        name = sql.Identifier(database.name)
        dba.execute(allow.format(name, False))
        cut(database)
        try:
            yield
        finally:
            dba.execute(allow.format(name, True))


def cut(database: Database) -> int:
    """Cut every connection to the database, idle or not; return how many there were."""
    with psycopg.connect(database.superuser_url, dbname="postgres", autocommit=True) as dba:
        cut_ = dba.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s",
            [database.name],
        )
        return cut_.rowcount
