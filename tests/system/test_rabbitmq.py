"""Tasks on RabbitMQ: quorum queues and confirmed publishing, under kills of all who take part."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from kombu.exceptions import OperationalError

from casino.celery import DEAD, LIVE
from tests import queueing
from tests.conftest import Database
from tests.deploy.waiting import wait_until
from tests.people import People
from tests.system.rabbitmq import RabbitMQ
from tests.workers import Workers

pytestmark = pytest.mark.system

COUNT = 6


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RabbitMQ]:
    one = RabbitMQ(tmp_path_factory.mktemp("rabbitmq") / "node")
    one.start()
    one.settle()
    yield one
    one.kill()


@pytest.fixture
def rabbitmq(node: RabbitMQ) -> Iterator[RabbitMQ]:
    """The node, with nothing in its queues."""
    yield node
    node.purge()


@pytest.fixture
def workers(rabbitmq: RabbitMQ, database: Database, tmp_path: Path) -> Iterator[Workers]:
    all_of_them = Workers(
        rabbitmq.url, database.app_url, tmp_path / "worker.log", {"ABANDONED_AFTER_H": "0"}
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


def test_f01_the_broker_is_killed_again_and_again_while_the_work_is_done(
    people: People,
    database: Database,
    owner: psycopg.Connection,
    workers: Workers,
    rabbitmq: RabbitMQ,
) -> None:
    queueing.abandon(people, database, count=COUNT)
    worker = workers.start()
    workers.send(queueing.CLOSE)
    for _ in range(2):
        rabbitmq.kill()
        rabbitmq.start()
        workers.send(queueing.CLOSE)
    queueing.sweep(workers, owner)
    queueing.require_once(owner, count=COUNT)
    assert worker.poll() is None


def test_f01_what_was_confirmed_is_there_after_a_kill_of_the_broker(
    workers: Workers, rabbitmq: RabbitMQ
) -> None:
    confirmed = 0
    killer = threading.Timer(1, rabbitmq.kill)
    killer.start()
    with suppress(OperationalError, OSError):
        while confirmed < 100_000:
            workers.send("nobody.knows")
            confirmed += 1
    killer.join()
    rabbitmq.start()
    wait_until(lambda: rabbitmq.count(LIVE.name) >= confirmed, timeout_s=60)
    assert 0 < confirmed <= rabbitmq.count(LIVE.name) <= confirmed + 1


def test_net_01_poison_ends_in_the_queue_of_the_dead_and_is_laid_aside(
    people: People,
    database: Database,
    owner: psycopg.Connection,
    workers: Workers,
    rabbitmq: RabbitMQ,
) -> None:
    worker = workers.start()
    queueing.poison(workers, queueing.publisher(rabbitmq.url, LIVE.exchange.name))
    queueing.abandon(people, database, count=1)
    queueing.sweep(workers, owner)
    wait_until(lambda: len(queueing.buried(owner)) >= 4, timeout_s=60)
    assert queueing.buried(owner) == {
        "message:nobody.knows",
        "message:undecodable",
        "message:foreign",
        "task:audit.tasks.seal_log",
    }
    wait_until(lambda: rabbitmq.count(DEAD.name) >= 3, timeout_s=60)
    assert worker.poll() is None
    assert rabbitmq.count(LIVE.name) == 0
