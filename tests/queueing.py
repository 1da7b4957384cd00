"""What is tried on every broker: rounds to be played out, kills at every step, and poison."""

from collections.abc import Callable
from pathlib import Path

import psycopg
from django.core.management import call_command
from kombu import Connection

from tests.conftest import Database
from tests.deploy.waiting import wait_until
from tests.people import People
from tests.pontoon.rounds import OPEN
from tests.seeds import deal
from tests.workers import Workers

CLOSE = "pontoon.tasks.close_abandoned_rounds"
KILLS = ("fetched", "before", "after")


def abandon(people: People, database: Database, *, count: int) -> None:
    """Leave so many open rounds."""
    for _ in range(count):
        deal(database.owner_url, people.player(), OPEN, 100)


def open_count(owner: psycopg.Connection) -> int:
    row = owner.execute("SELECT count(*) FROM pontoon_round WHERE state = 'open'").fetchone()
    return int(row[0]) if row else 0


def sweep(workers: Workers, owner: psycopg.Connection) -> None:
    """Do what beat does, as if all waits were over, until nothing is open or begun."""
    for _ in range(20):
        owner.execute("UPDATE audit_work SET due_at = now() WHERE due_at > now()")
        before = left(owner)
        if not before:
            return
        workers.send(CLOSE)
        wait_until(lambda before=before: left(owner) < before, timeout_s=60)


def left(owner: psycopg.Connection) -> int:
    """Return how many rounds are open, and how many a worker has begun on: he may have died after
    a round was over, and another sweep takes note of it.
    """
    begun = "SELECT count(*) FROM audit_work WHERE kind = 'round.close' AND state <> 'dead'"
    row = owner.execute(begun).fetchone()
    return open_count(owner) + (int(row[0]) if row else 0)


def require_once(owner: psycopg.Connection, *, count: int) -> None:
    """Require that each round was settled once, is on record once, and that the money agrees."""
    marks = "SELECT count(*), count(DISTINCT round_id) FROM pontoon_roundmark"
    entries = "SELECT count(*), count(DISTINCT subject) FROM audit_entry WHERE event = %s"
    assert owner.execute(marks).fetchone() == (count, count)
    assert owner.execute(entries, ["round.settled"]).fetchone() == (count, count)
    wait_until(lambda: owner.execute("SELECT count(*) FROM audit_work").fetchone() == (0,))
    call_command("check_ledger")


def die_at(step: str, workers: Workers, owner: psycopg.Connection, killed: Path) -> None:
    """Let a worker's process be killed at a step, in the middle of the work, and sweep on."""
    workers.start("tests.failing", KILL=step, KILLED=str(killed))
    workers.send(CLOSE)
    wait_until(killed.exists, timeout_s=60)
    sweep(workers, owner)


def poison(workers: Workers, publish: Callable[[str, dict[str, str]], None]) -> None:
    """Send what no worker can do."""
    workers.send("nobody.knows")
    workers.send("audit.tasks.seal_log", 1, 2, 3)
    publish("{{{", {"task": "audit.tasks.seal_log", "id": "1"})
    publish("{{{", {})
    publish("[]", {})


def publisher(broker_url: str, exchange: str) -> Callable[[str, dict[str, str]], None]:
    """Return what puts a raw body into the product's queue."""

    def publish(body: str, headers: dict[str, str]) -> None:
        with Connection(broker_url) as connection, connection.Producer() as producer:
            producer.publish(
                body,
                exchange=exchange,
                routing_key="pontoon",
                headers=headers,
                content_type="application/json",
                content_encoding="utf-8",
            )

    return publish


def buried(owner: psycopg.Connection) -> set[str]:
    """Return what was laid aside."""
    return {row[0] for row in owner.execute("SELECT subject FROM audit_work WHERE state = 'dead'")}
