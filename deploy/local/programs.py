"""The three programs of the service: web, worker and beat, each a command and its output."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from deploy.local.options import Options
from deploy.local.process import spawn
from deploy.local.terminal import follow

ROOT = Path(__file__).parents[2]
STOP_TIMEOUT_S = 20
WORKER_PROCESSES = 2


@dataclass
class Program:
    """A child in a session of its own; what it and its own children write is passed on."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; what a predecessor left of its session is ended first."""
        self.kill()
        self.process = spawn(
            self.command, folder=ROOT, output=subprocess.PIPE, environment=self.environment
        )
        follow(self.process, self.name)

    def ask_to_stop(self) -> None:
        """Let it finish what it does."""
        if self.process and self.process.poll() is None:
            self.process.terminate()

    def stop(self) -> None:
        """Wait for the end of one that was asked to stop, and make it one."""
        if self.process:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(STOP_TIMEOUT_S)
        self.kill()

    def kill(self) -> None:
        """End every process of its session, the orphans too."""
        if self.process:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


def programs(options: Options, environment: Mapping[str, str]) -> list[Program]:
    """Web, worker and beat, in the order of their start."""
    return [
        Program("web", _web(options), environment),
        Program("worker", _worker(), environment),
        Program("beat", _beat(options), environment),
    ]


def _web(options: Options) -> list[str]:
    return [
        *(sys.executable, "-m", "granian", "--interface", "wsgi"),
        *("--host", options.host, "--port", str(options.port)),
        *("--workers", str(options.web_workers)),
        *("--blocking-threads", str(options.web_threads)),
        *("--respawn-failed-workers", "--workers-kill-timeout", "5"),
        *("--no-ws", "--http", "1", "--log-level", "warning"),
        "casino.wsgi:application",
    ]


def _worker() -> list[str]:
    return [
        *(sys.executable, "-m", "celery", "--quiet", "--app", "casino", "worker"),
        *("--concurrency", str(WORKER_PROCESSES), "--loglevel", "WARNING"),
        *("--without-gossip", "--without-mingle"),
    ]


def _beat(options: Options) -> list[str]:
    return [
        *(sys.executable, "-m", "celery", "--quiet", "--app", "casino", "beat"),
        *("--schedule", str(options.var / "beat" / "schedule"), "--pidfile", ""),
        *("--loglevel", "WARNING"),
    ]
