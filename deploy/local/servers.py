"""The servers that are not given from outside: started, prepared, and known by their URLs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deploy.local.database import APP, OWNER, prepare_database
from deploy.local.options import Options
from deploy.local.postgres import Postgres
from deploy.local.terminal import say
from deploy.local.valkey import Valkey
from deploy.local.watch import Service

DATABASE = "pontoon"


@dataclass(frozen=True)
class Urls:
    """Where the programs find the database, as the application and as the owner, and the broker."""

    database: str
    owner: str
    broker: str


def start_servers(options: Options, secrets: Mapping[str, str], started: list[Service]) -> Urls:
    """Start what is to be embedded; each is in `started` before it starts. Raises StartError."""
    database, owner = options.database_url, options.owner_url
    if not database:
        database, owner = _start_postgres(options.var, secrets, started)
    elif owner == database:
        say("one database role migrates and serves, so its grants protect no record")
    broker = options.broker_url or _start_valkey(options.var, secrets, started)
    return Urls(database, owner, broker)


def _start_postgres(
    var: Path, secrets: Mapping[str, str], started: list[Service]
) -> tuple[str, str]:
    """Returns the application's URL and the owner's."""
    server = Postgres(var / "postgres", var / "log" / "postgres.log", secrets["POSTGRES_PASSWORD"])
    started.append(server)
    server.start()
    app, owner = secrets["POSTGRES_APP_PASSWORD"], secrets["POSTGRES_OWNER_PASSWORD"]
    prepare_database(server, DATABASE, {APP: app, OWNER: owner})
    return server.url(APP, app, DATABASE), server.url(OWNER, owner, DATABASE)


def _start_valkey(var: Path, secrets: Mapping[str, str], started: list[Service]) -> str:
    server = Valkey(var / "valkey", var / "log" / "valkey.log", secrets["VALKEY_PASSWORD"])
    started.append(server)
    server.start()
    return server.url
