"""The application's database on a running server: `roles.sql`, and the roles' passwords."""

from collections.abc import Mapping
from pathlib import Path

import psycopg
from psycopg import sql

from deploy.local.postgres import Postgres

OWNER = "pontoon_owner"
APP = "pontoon_app"
ROLES_SQL = Path(__file__).parents[1] / "roles.sql"


def prepare_database(server: Postgres, name: str, passwords: Mapping[str, str]) -> None:
    """Make a database unless it is there, and bring roles, grants and the guard up to date.

    `passwords` are by role. Done at every start, so that a changed `roles.sql` arrives.
    """
    with psycopg.connect(server.superuser_url(), autocommit=True) as connection:
        known = connection.execute("SELECT FROM pg_database WHERE datname = %s", [name])
        if known.fetchone() is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    with psycopg.connect(server.superuser_url(name), autocommit=True) as connection:
        connection.execute(ROLES_SQL.read_bytes())
        for role, password in passwords.items():
            _set_password(connection, role, password)


def _set_password(connection: psycopg.Connection, role: str, password: str) -> None:
    """The password itself never travels in a statement: only its SCRAM verifier does."""
    verifier = connection.pgconn.encrypt_password(
        password.encode(), role.encode(), b"scram-sha-256"
    )
    connection.execute(
        sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(role), verifier.decode())
    )
