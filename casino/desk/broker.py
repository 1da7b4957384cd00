"""How many hints wait in the queues. A queue is no truth, so an answer is not owed."""

from typing import Any

from kombu.connection import Connection
from kombu.exceptions import ChannelError, OperationalError

from casino.celery import DEAD, LIVE, app

TIMEOUT_S = 1


def queue_depths() -> dict[str, int] | None:
    """Return how many messages each queue holds, or None when the broker does not answer."""
    with app.connection_for_read(connect_timeout=TIMEOUT_S) as connection:
        try:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=TIMEOUT_S)
            return {name: _depth(connection, name) for name in _names(connection)}
        except (OperationalError, *connection.connection_errors):
            return None


def _names(connection: Connection) -> list[str]:
    """Return the queues that there are: RabbitMQ has one for the dead."""
    is_amqp = connection.transport.driver_type == "amqp"
    return [LIVE.name, DEAD.name] if is_amqp else [app.conf.task_default_queue]


def _depth(connection: Connection, name: str) -> int:
    """Return how many messages a queue holds; a question about none closes its channel."""
    try:
        channel: Any = connection.channel()  # type: ignore[no-untyped-call]
        with channel:
            return int(channel.queue_declare(queue=name, passive=True).message_count)
    except (ChannelError, *connection.channel_errors):
        return 0  # a queue that nobody has used yet
