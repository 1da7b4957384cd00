"""Celery's worker as a process of its own, on a broker and a database of the test's."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from celery import Celery
from kombu import Connection

from casino.celery import LIVE

ROOT = Path(__file__).parents[1]

_sender = Celery("sender", set_as_current=False)
_sender.conf.task_queues = [LIVE]
_sender.conf.task_default_queue = LIVE.name


@dataclass
class Workers:
    """The workers of a test; `kill` and `stop` leave nothing behind."""

    broker_url: str
    database_url: str
    log: Path
    settings: dict[str, str] = field(default_factory=dict)
    _started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, app: str = "casino", **settings: str) -> subprocess.Popen[bytes]:
        """Start one with two processes under it, in a session of its own."""
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "CELERY_BROKER_URL": self.broker_url,
            "DATABASE_URL": self.database_url,
        }
        with self.log.open("ab") as log:
            worker = subprocess.Popen(
                [
                    *(sys.executable, "-m", "celery", "--app", app, "worker"),
                    *("--concurrency", "2", "--loglevel", "INFO"),
                    *("--without-gossip", "--without-mingle"),
                ],
                cwd=ROOT,
                env=environment | self.settings | settings,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._started.append(worker)
        return worker

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """Kill it and all its processes at once, as a power cut does."""
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        self._started.remove(worker)

    def stop(self) -> None:
        """Kill whatever runs."""
        for worker in list(self._started):
            self.kill(worker)

    def send(self, task: str, *arguments: object) -> None:
        """Put a task into the queue, as beat or anybody else would."""
        options = {"confirm_publish": True} if self.broker_url.startswith("amqp") else {}
        with Connection(self.broker_url, transport_options=options) as connection:
            _sender.send_task(task, args=arguments, ignore_result=True, connection=connection)

    @property
    def told(self) -> str:
        """What the workers have logged."""
        return self.log.read_text() if self.log.exists() else ""
