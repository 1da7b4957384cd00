"""Dead letters: what comes out of the queue and is no work of ours, or fails as nobody foresaw.

It is laid aside where people see it (`audit.bury`), once each kind and counted; the broker gets it
back as refused, and keeps it, if it is RabbitMQ, in a queue of its own. It never comes again.
"""

import logging
from typing import Any

from amqp import Channel as AmqpChannel
from celery import Task as CeleryTask
from celery.bootsteps import StartStopStep
from celery.worker.consumer import Consumer as CeleryConsumer
from django.db import DatabaseError, InterfaceError, OperationalError, connection

from audit import services as audit
from casino.celery import DEAD

log = logging.getLogger(__name__)


class DeadQueue(StartStopStep):  # type: ignore[misc]
    """Declare the queue of the dead where the broker has such, before anything is consumed."""

    requires = ("celery.worker.consumer.connection:Connection",)

    def start(self, parent: Any) -> None:
        """Declare it."""
        with parent.connection.channel() as channel:
            if isinstance(channel, AmqpChannel):
                DEAD(channel).declare()


class Consumer(CeleryConsumer):  # type: ignore[misc]
    """Lays aside what it cannot hand to a task."""

    def on_decode_error(self, message: Any, exc: Exception) -> None:
        """Refuse a body that cannot be read, in place of taking it for done."""
        _bury("message:undecodable", exc)
        message.reject_log_error(log, self.connection_errors)

    def on_unknown_message(self, body: Any, message: Any) -> None:
        """Lay aside what is no message of Celery's."""
        _bury("message:foreign", "it names no task")
        super().on_unknown_message(body, message)

    def on_unknown_task(self, body: Any, message: Any, exc: Exception) -> None:
        """Lay aside a task that is not ours."""
        _bury(f"message:{message.headers.get('task')}", "no task has this name")
        super().on_unknown_task(body, message, exc)

    def on_invalid_task(self, body: Any, message: Any, exc: Exception) -> None:
        """Lay aside what is malformed."""
        _bury("message:malformed", exc)
        super().on_invalid_task(body, message, exc)


class Task(CeleryTask):  # type: ignore[misc]
    """A task whose failure people see. It is not tried again: the beat table is its next try."""

    def on_failure(self, exc: Exception, *_: Any) -> None:
        """Count the failure, unless it is an outage, which ends by itself."""
        if not isinstance(exc, OperationalError | InterfaceError):
            _bury(f"task:{self.name}", exc)


def _bury(subject: str, error: object) -> None:
    told = f"{type(error).__name__}: {error}" if isinstance(error, Exception) else str(error)
    log.error("laid aside: %s: %s", subject, told)
    try:
        audit.bury(audit.LETTER, subject=subject, error=told)
    except DatabaseError as outage:
        log.error("it is not on record: %s", outage)
    finally:
        connection.close()  # the worker's own process forks: its children must not share this
