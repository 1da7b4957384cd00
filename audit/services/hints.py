"""Waking a task at once, where its turn in the beat table would come later.

A hint and no more: the database says what is due, and a sweep finds it. So an act never waits for
the broker and never fails with it: the name is noted after the commit, and a thread of the process
sends it on. Names that wait are sent once; what a process takes with it when it dies is lost.
"""

import logging
import os
import threading

from amqp.exceptions import MessageNacked
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

CONFIRM_TIMEOUT_S = 5

log = logging.getLogger(__name__)


def wake(task: str) -> None:
    """Hint that a task has something to do, once the transaction that is open has committed.

    It is named as in the beat table, takes no arguments, and finds by itself what is due.
    """
    transaction.on_commit(lambda: _bell.ring(task), robust=True)


class _Bell:
    """The names that wait to be sent, and the thread that sends them."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def ring(self, task: str) -> None:
        with self._changed:
            self._names.add(task)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._send_all, name="bell", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _send_all(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._names)
                task = self._names.pop()
            _send(task)


def _send(task: str) -> None:
    try:
        current_app.send_task(
            task, retry=False, ignore_result=True, confirm_timeout=CONFIRM_TIMEOUT_S
        )
    except (OperationalError, MessageNacked, OSError) as error:
        log.info("%s is not woken, and waits for its turn: %s", task, error)


_bell = _Bell()


def _forget() -> None:
    """Give a forked child a bell of its own: threads and what they hold are not forked."""
    global _bell
    _bell = _Bell()


os.register_at_fork(after_in_child=_forget)
