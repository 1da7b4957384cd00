"""A web server of its own process on the test's database, and people who call it over the wire."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings

from tests import contract
from tests.conftest import Database
from tests.deploy.waiting import wait_until
from tests.people import Answer, Api, People

ROOT = Path(__file__).parents[2]


class Server:
    """The product's own web server; `kill` ends it without a word, `start` begins again."""

    def __init__(self, database: Database, log: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._log = log
        self._environment = {
            "PATH": os.environ["PATH"],
            "DATABASE_URL": database.app_url,
            "SECRET_KEY": settings.SECRET_KEY,
            "SEED_KEYS": ",".join(settings.SEED_KEYS),
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and return when traffic may come."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws"),
                    *("--port", str(self.port), "--workers", "1", "--blocking-threads", "8"),
                    *("--log-level", "warning", "casino.wsgi:application"),
                ],
                cwd=ROOT, env=self._environment, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        wait_until(self._is_ready, 60)

    def kill(self) -> None:
        """End the server and its worker at once, whatever they are doing."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    @property
    def output(self) -> str:
        """All that the server wrote."""
        return self._log.read_text()

    def _is_ready(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.output
        try:
            return Wire(self.port).get("/health/ready").status == 200
        except OSError:
            return False


class Wire(Api):
    """A caller over HTTP. Errors: OSError, HTTPException, when nobody answers."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self.token = token

    def as_(self, token: str) -> "Wire":
        """Return a caller with this token."""
        return Wire(self.port, token)

    def send(self, method: str, path: str, data: bytes, headers: dict[str, str]) -> Answer:
        """Send, and hold what comes back against the schema."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, data or None, headers)
            raw = connection.getresponse()
            response = SimpleNamespace(
                status_code=raw.status, headers=raw.headers, content=raw.read(), streaming=False
            )
        finally:
            connection.close()
        operations = contract.find_operations(path.partition("?")[0]) or {}
        if operation := operations.get(method.lower()):
            contract.check(operation, response)
        return Answer(response)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Call, as the in-process caller does."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            sent.setdefault("content-type", "application/json")
        if self.token:
            sent["authorization"] = f"Bearer {self.token}"
        full = path if path.startswith("/") else f"/api/v1/{path}"
        return self.send(method, full, self.encode(body), sent)


@pytest.fixture
def server(database: Database, tmp_path: Path) -> Iterator[Server]:
    """A running web server."""
    running = Server(database, tmp_path / "server.log")
    running.start()
    yield running
    running.kill()
    assert "Traceback" not in running.output


@pytest.fixture
def api(server: Server) -> Wire:
    """A caller of the running server."""
    return Wire(server.port)


@pytest.fixture
def people(api: Wire) -> People:
    """An operator with a key, and players with money whom he lets in."""
    return People(api)
