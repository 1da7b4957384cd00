"""A RabbitMQ node of the test's own: a folder, ports, a cookie and a name daemon for itself."""

import os
import secrets
import signal
import socket
import subprocess
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from kombu import Connection

from casino.celery import DEAD, LIVE
from tests.deploy.waiting import wait_until

PROGRAM = "/usr/lib/rabbitmq/bin/rabbitmq-server"


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return int(server.getsockname()[1])


@dataclass
class RabbitMQ:
    """One node; what it confirmed outlives `kill`, as it has to."""

    home: Path
    port: int = field(default_factory=free_port)
    epmd_port: int = field(default_factory=free_port)
    dist_port: int = field(default_factory=free_port)
    _processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"

    @property
    def _environment(self) -> dict[str, str]:
        return os.environ | {
            "HOME": str(self.home),
            "ERL_EPMD_PORT": str(self.epmd_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"pontoon{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(self.dist_port),
            "RABBITMQ_MNESIA_BASE": str(self.home / "mnesia"),
            "RABBITMQ_LOG_BASE": str(self.home / "log"),
            "RABBITMQ_PID_FILE": str(self.home / "pid"),
            "RABBITMQ_CONFIG_FILE": str(self.home / "rabbitmq"),
            "RABBITMQ_CONF_ENV_FILE": str(self.home / "none"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.home / "plugins"),
        }

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.home.mkdir(exist_ok=True)
        cookie = self.home / ".erlang.cookie"
        if not cookie.exists():
            cookie.write_text(secrets.token_hex(16))
            cookie.chmod(0o400)
        self._spawn("epmd", "-port", str(self.epmd_port), "-address", "127.0.0.1")
        self._spawn(PROGRAM)
        wait_until(self._answers, timeout_s=120)

    def _spawn(self, *command: str) -> None:
        with (self.home / "output").open("ab") as output:
            self._processes.append(
                subprocess.Popen(
                    command,
                    env=self._environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
            )

    def _answers(self) -> bool:
        try:
            with Connection(self.url, connect_timeout=2) as connection:
                connection.connect()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        """Kill every process of it at once, as a power cut does."""
        for process in self._processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._processes.clear()

    def settle(self) -> None:
        """Have the queues on disk: declare them, and stop and start in good order.

        A quorum queue that is killed in the first second of its life never has a leader again.
        """
        with Connection(self.url) as connection:
            for queue in (DEAD, LIVE):
                queue(connection.default_channel).declare()
        node = self._processes[-1]
        os.killpg(node.pid, signal.SIGTERM)
        node.wait(60)
        self.kill()
        self.start()

    def purge(self) -> None:
        """Take out whatever a test has left."""
        with Connection(self.url) as connection:
            for queue in (DEAD, LIVE):
                connection.default_channel.queue_purge(queue.name)

    def count(self, queue: str) -> int:
        """Return how many messages wait in a queue."""
        with Connection(self.url) as connection:
            declared = connection.default_channel.queue_declare(queue, passive=True)
            return int(declared.message_count)
