"""How many hints wait in the queue. The queue is no truth, so an answer is not owed."""

from kombu.exceptions import ChannelError, OperationalError

from casino.celery import app

TIMEOUT_S = 1


def queue_depth() -> int | None:
    """Return how many messages the queue holds, or None when the broker does not answer."""
    with app.connection_for_read(connect_timeout=TIMEOUT_S) as connection:
        try:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=TIMEOUT_S)
            channel = connection.default_channel
            found = channel.queue_declare(queue=app.conf.task_default_queue, passive=True)
        except (OperationalError, *connection.connection_errors):
            return None
        except (ChannelError, *connection.channel_errors):
            return 0  # a queue that nobody has used yet
        return int(found.message_count)
