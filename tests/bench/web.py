"""The web server under load: the product's own command, on a database of the bench's."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psutil

WORKERS, THREADS = 2, 4


@dataclass(frozen=True)
class Web:
    """A running server, and its processes."""

    port: int
    process: psutil.Process

    def send(self, client_count: int, requests: list[Any]) -> dict[str, Any]:
        """Send requests from a process beside it; return what `tests.bench.load` tells."""
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.load", str(self.port), str(client_count)],
            input="\n".join(map(json.dumps, requests)),
            capture_output=True,
            text=True,
            check=True,
        )
        return dict(json.loads(done.stdout))


@contextmanager
def serving(database_url: str) -> Iterator[Web]:
    """Run the web server on a database until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {
        "DATABASE_URL": database_url,
        "RATE_LIMIT_TOKEN": "1000000/second",
        "RATE_LIMIT_KEY": "1000000/second",
        "RATE_LIMIT_IP": "1000000/second",
        "LOG_LEVEL": "ERROR",
    }
    command = [
        sys.executable, "-m", "granian", "--interface", "wsgi", "casino.wsgi:application",
        "--host", "127.0.0.1", "--port", str(port), "--workers", str(WORKERS),
        "--blocking-threads", str(THREADS), "--log-level", "error", "--no-ws",
    ]  # fmt: skip
    process = subprocess.Popen(command, env=environment)
    try:
        _wait(port)
        yield Web(port, psutil.Process(process.pid))
    finally:
        process.terminate()
        process.wait(30)


def _wait(port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready").close()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("the web server does not answer")


def cpu_s(process: psutil.Process) -> float:
    """Return the processor time of a process and its children, seconds."""
    total = 0.0
    for one in [process, *process.children(recursive=True)]:
        times = one.cpu_times()
        total += times.user + times.system + times.children_user + times.children_system
    return total
