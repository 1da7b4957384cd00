"""A whole service in a folder of its own, started as `make run` starts it."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.deploy.waiting import wait_until

ROOT = Path(__file__).parents[2]
START_TIMEOUT_S = 300  # a machine may be busy with other things


def free_port() -> int:
    """A port that nobody has at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Service:
    """A run of the supervisor; what it writes goes to a file, `output` reads it."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.var = folder / "var"
        self.port = free_port()
        self._log = folder / "output.txt"
        self._environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
            "VAR": str(self.var),
            "PORT": str(self.port),
            "WEB_WORKERS": "1",
            "DEMO": "0",
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *_: object) -> None:
        """Whatever the test found, nothing runs on after it."""
        if self.process and self.process.poll() is None:
            self.stop()

    @property
    def output(self) -> str:
        """Everything that the last run wrote."""
        return self._log.read_text()

    def launch(self, command: Sequence[str] = (sys.executable, "-m", "deploy.local")) -> None:
        """Begin to start; returns at once."""
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )

    def start(self) -> float:
        """Start, and return how many seconds it says that took."""
        self.launch()
        process = self.process
        assert process
        wait_until(
            lambda: "health/ready" in self.output or process.poll() is not None, START_TIMEOUT_S
        )
        found = re.search(r"ready after (\S+) s", self.output)
        assert found, self.output
        return float(found[1])

    def stop(self, with_signal: signal.Signals = signal.SIGINT) -> int:
        """Ask to stop; the exit code."""
        assert self.process
        self.process.send_signal(with_signal)
        return self.process.wait(60)

    def kill(self) -> None:
        """End the supervisor without a word, and nobody else."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def status(self, path: str) -> int:
        """What a GET answers; 0 when nobody does."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except OSError:
            return 0
        finally:
            connection.close()

    def pids(self, *words: str) -> list[int]:
        """Processes of this run by words of their command line, the oldest first."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes().decode()
                marked = f"PONTOON_RUN={self.var}" in (folder / "environ").read_bytes().decode()
            except OSError:
                continue
            if (marked or str(self.var) in command) and all(word in command for word in words):
                found.append(int(folder.name))
        return sorted(found)
