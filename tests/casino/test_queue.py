"""Tasks on Valkey: whatever is killed, and whenever, no unit is lost and none is done twice."""

import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from deploy.local.valkey import Valkey
from tests import queueing
from tests.conftest import Database
from tests.deploy.waiting import wait_until
from tests.people import People
from tests.workers import Workers

COUNT = 6


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    """A broker of the test's own."""
    server = Valkey(tmp_path / "valkey", tmp_path / "valkey.log", "password")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def workers(valkey: Valkey, database: Database, tmp_path: Path) -> Iterator[Workers]:
    """Workers on that broker, to whom every open round is abandoned."""
    all_of_them = Workers(
        valkey.url, database.app_url, tmp_path / "worker.log", {"ABANDONED_AFTER_H": "0"}
    )
    yield all_of_them
    all_of_them.stop()


@pytest.mark.parametrize("step", queueing.KILLS)
def test_f01_a_worker_killed_at_a_step_loses_and_doubles_nothing(
    people: People,
    database: Database,
    owner: psycopg.Connection,
    workers: Workers,
    tmp_path: Path,
    step: str,
) -> None:
    queueing.abandon(people, database, count=COUNT)
    queueing.die_at(step, workers, owner, tmp_path / "killed")
    queueing.require_once(owner, count=COUNT)


def test_f01_a_broker_killed_and_emptied_is_swept_up_after(
    people: People, database: Database, owner: psycopg.Connection, workers: Workers, valkey: Valkey
) -> None:
    queueing.abandon(people, database, count=COUNT)
    workers.send(queueing.CLOSE)  # fetched by nobody, and lost with the broker
    assert valkey.process
    valkey.process.send_signal(signal.SIGKILL)
    valkey.process.wait()
    for file in valkey.home.glob("appendonlydir/*"):
        file.unlink()
    worker = workers.start()  # waits for its broker
    wait_until(lambda: "Cannot connect" in workers.told, timeout_s=60)
    valkey.start()
    queueing.sweep(workers, owner)
    assert worker.poll() is None
    queueing.require_once(owner, count=COUNT)


def test_f01_a_worker_killed_with_its_whole_session_is_replaced(
    people: People, database: Database, owner: psycopg.Connection, workers: Workers
) -> None:
    queueing.abandon(people, database, count=COUNT)
    for _ in range(3):
        worker = workers.start()
        workers.send(queueing.CLOSE)
        before = queueing.open_count(owner)
        wait_until(lambda before=before: queueing.open_count(owner) < before, timeout_s=60)
        workers.kill(worker)
        if not queueing.open_count(owner):
            break
        owner.execute("UPDATE audit_work SET due_at = now()")
    workers.start()
    queueing.sweep(workers, owner)
    queueing.require_once(owner, count=COUNT)


def test_net_01_poison_is_laid_aside_and_the_worker_works_on(
    people: People, database: Database, owner: psycopg.Connection, workers: Workers
) -> None:
    worker = workers.start()
    queueing.poison(workers, queueing.publisher(workers.broker_url, ""))
    queueing.abandon(people, database, count=1)
    queueing.sweep(workers, owner)
    wait_until(lambda: len(queueing.buried(owner)) >= 4, timeout_s=60)
    assert queueing.buried(owner) == {
        "message:nobody.knows",
        "message:undecodable",
        "message:foreign",
        "task:audit.tasks.seal_log",
    }
    assert worker.poll() is None
