"""A void that is killed, again and again, comes to what an undisturbed one comes to (MAL-02)."""

import os
import signal
import time
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connections, transaction

from pontoon import queries, services
from pontoon.models import Malfunction
from tests.audit.sealing import command
from tests.cluster import Cluster
from tests.conftest import Database
from tests.deploy.waiting import wait_until
from tests.people import People, Person
from tests.pontoon.many import copy
from wallets import queries as wallets

PLAYERS, ROUNDS_EACH = 60, 5
ROUNDS = PLAYERS * ROUNDS_EACH

WORKER = """
import django
django.setup()
from datetime import timedelta
from pontoon import services
print("voiding", flush=True)
services.void_malfunctions(within=timedelta(minutes=5))
"""


@pytest.fixture
def player(people: People, database: Database) -> Person:
    """Somebody who has played five rounds, and his many copies."""
    player = people.player()
    for _ in range(ROUNDS_EACH):
        player.finish(player.bet(100).json)
    copy(database.superuser_url, player, PLAYERS - 1)
    return player


@pytest.fixture
def approved(player: Person) -> Malfunction:
    """A malfunction of all their rounds, approved."""
    made = services.flag_malfunction("staff:7", scope={"all": True}, cause="x", evidence={})
    services.count_malfunctions()
    found = queries.last_count(made.id)
    assert found["rounds"] == ROUNDS
    return services.approve_void(
        "staff:8", malfunction_id=made.id, list_hash=found["list_hash"], reason="a torn card"
    )


def voided(malfunction_id: UUID) -> int:
    return queries.progress(malfunction_id)[1]


def wait_for(malfunction_id: UUID, count: int) -> None:
    """Wait until so many rounds are voided."""
    wait_until(lambda: voided(malfunction_id) >= count, timeout_s=60)


def require_whole(database: Database, approved: Malfunction) -> None:
    """Require what an undisturbed void comes to: each round once, all its money back."""
    until = time.monotonic() + 120
    while queries.malfunction(approved.id).state != "done":
        assert time.monotonic() < until
        services.void_malfunctions()
    totals = queries.acts_of(approved.id).last().facts
    assert totals["rounds"] == ROUNDS
    assert totals["totals"][0]["given_minor"] == _undisturbed(approved)["to_give_minor"]
    assert totals["totals"][0]["taken_minor"] == _undisturbed(approved)["to_take_minor"]
    with psycopg.connect(database.superuser_url) as superuser:
        entries = superuser.execute(
            "SELECT count(*), count(DISTINCT subject) FROM audit_entry WHERE event = 'round.voided'"
        ).fetchone()
        balances = superuser.execute(
            "SELECT DISTINCT balance_minor FROM wallets_account WHERE kind = 'cash'"
        ).fetchall()
    assert entries == (ROUNDS, ROUNDS)
    assert balances == [(100_000,)]
    with transaction.atomic():
        assert list(wallets.ledger_faults()) == []
        assert list(queries.round_faults()) == []


def _undisturbed(approved: Malfunction) -> dict[str, Any]:
    totals: dict[str, Any] = queries.last_count(approved.id)["totals"][0]
    return totals


def test_mal_02_workers_killed_in_the_middle_of_a_void_lose_and_double_nothing(
    database: Database, approved: Malfunction
) -> None:
    workers = [command(database.app_url, "-c", WORKER) for _ in range(2)]
    try:
        for part in range(1, 4):
            victim = workers.pop(0)
            assert victim.stdout
            assert victim.stdout.readline() == "voiding\n"
            wait_for(approved.id, ROUNDS * part // 8)
            victim.kill()
            victim.communicate(timeout=60)
            workers.append(command(database.app_url, "-c", WORKER))
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()
    require_whole(database, approved)


def test_mal_02_a_database_killed_in_the_middle_of_a_void_loses_and_doubles_nothing(
    cluster: Cluster, database: Database, approved: Malfunction
) -> None:
    """A backend that is killed takes the whole server down: it recovers from its log."""
    for part in (1, 2):
        worker = command(database.app_url, "-c", WORKER)
        assert worker.stdout
        assert worker.stdout.readline() == "voiding\n"
        wait_for(approved.id, ROUNDS * part // 4)
        with psycopg.connect(database.superuser_url) as superuser:
            os.kill(superuser.info.backend_pid, signal.SIGKILL)
            with pytest.raises(psycopg.OperationalError):
                superuser.execute("SELECT pg_sleep(30)")
        worker.communicate(timeout=60)
        connections.close_all()
        wait_until(lambda: _is_up(database), timeout_s=60)
        cluster.connect_anew()
    require_whole(database, approved)


def _is_up(database: Database) -> bool:
    try:
        psycopg.connect(database.app_url).close()
    except psycopg.OperationalError:
        return False
    return True
