"""A wake-up is a hint: it comes after the commit, once, and never in the act's way."""

from collections.abc import Iterator
from time import monotonic

import pytest
from celery import Celery, current_app
from django.db import transaction
from kombu import Connection

from audit import services
from audit.services import hints

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture
def broker() -> Iterator[Connection]:
    """The broker of the tests, which lives in this process; its queue is empty."""
    with current_app.connection_for_write() as connection:
        connection.default_channel.queue_delete("pontoon")
        yield connection


def received(connection: Connection, *, last: str) -> list[str]:
    """Return the names of the tasks that come in, up to this one."""
    queue, names = connection.SimpleQueue("pontoon"), [""]
    while names[-1] != last:
        names.append(queue.get(timeout=10).headers["task"])
    return names


def test_a_task_is_woken_after_the_commit_and_not_before(broker: Connection) -> None:
    with transaction.atomic():
        services.wake("a.task")
        services.wake("a.task")
        assert broker.SimpleQueue("pontoon").qsize() == 0
    assert "a.task" in received(broker, last="a.task")


def test_an_act_that_is_rolled_back_wakes_nobody(broker: Connection) -> None:
    with transaction.atomic():
        services.wake("never")
        transaction.set_rollback(True)
    services.wake("after")
    assert "never" not in received(broker, last="after")


def test_a_broker_that_is_down_neither_fails_nor_slows_the_act(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CELERY_BROKER_URL", "redis+socket:///nowhere/valkey.sock")
    monkeypatch.setattr(hints, "_bell", hints._Bell())
    monkeypatch.setattr(hints, "current_app", Celery("down", set_as_current=False))
    began = monotonic()
    for number in range(100):
        services.wake(f"task.{number}")
    assert monotonic() - began < 1
