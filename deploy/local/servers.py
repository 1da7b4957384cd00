"""The servers that are not given from outside: started, prepared, and known by their URLs."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from deploy.local.database import APP, OWNER, prepare_database
from deploy.local.lock import FolderTakenError, locked
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
    ours = embedded_urls(options.var, secrets)
    if not options.database_url:
        started.append(postgres := postgres_of(options.var, secrets))
        _start_postgres(postgres, secrets)
    elif options.owner_url == options.database_url:
        say("one database role migrates and serves, so its grants protect no record")
    if not options.broker_url:
        started.append(valkey_of(options.var, secrets))
        started[-1].start()
    return Urls(
        options.database_url or ours.database,
        options.owner_url or ours.owner,
        options.broker_url or ours.broker,
    )


@contextmanager
def borrowed_postgres(var: Path, secrets: Mapping[str, str]) -> Iterator[Postgres]:
    """The server of a run that goes on, else one that is started for the length of the block.

    Raises StartError.
    """
    server = postgres_of(var, secrets)
    with ExitStack() as stack:
        with suppress(FolderTakenError):
            stack.enter_context(locked(var))
            stack.callback(server.stop)
            _start_postgres(server, secrets)
        yield server


def embedded_urls(var: Path, secrets: Mapping[str, str]) -> Urls:
    """Where the embedded servers of a folder are, whether they run or not."""
    postgres = postgres_of(var, secrets)
    return Urls(
        postgres.url(APP, secrets["POSTGRES_APP_PASSWORD"], DATABASE),
        postgres.url(OWNER, secrets["POSTGRES_OWNER_PASSWORD"], DATABASE),
        valkey_of(var, secrets).url,
    )


def postgres_of(var: Path, secrets: Mapping[str, str]) -> Postgres:
    """The database server of a folder, not started."""
    return Postgres(var / "postgres", var / "log" / "postgres.log", secrets["POSTGRES_PASSWORD"])


def valkey_of(var: Path, secrets: Mapping[str, str]) -> Valkey:
    """The broker of a folder, not started."""
    return Valkey(var / "valkey", var / "log" / "valkey.log", secrets["VALKEY_PASSWORD"])


def _start_postgres(server: Postgres, secrets: Mapping[str, str]) -> None:
    """Start it, and bring its database, roles and guard up to date."""
    server.start()
    app, owner = secrets["POSTGRES_APP_PASSWORD"], secrets["POSTGRES_OWNER_PASSWORD"]
    prepare_database(server, DATABASE, {APP: app, OWNER: owner})
