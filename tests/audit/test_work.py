"""Work that fails: counted, put off, laid aside for all to see, and taken up again."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable

import psycopg
import pytest
from django.db import connection

from audit import services
from audit.errors import WorkNotFoundError
from audit.models import Entry, Work
from audit.services.work import TRIES_MAX, WAITS
from tests.conftest import Database

pytestmark = pytest.mark.usefixtures("database")

SUBJECT = "round:1"


class PoisonError(Exception):
    """What the unit raises."""


def broken() -> None:
    raise PoisonError("no key opens it")


def come_due(subject: str = SUBJECT) -> None:
    """Let the wait of a unit be over."""
    Work.objects.filter(subject=subject).update(due_at=services.now())


def is_due(subject: str = SUBJECT) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT audit_is_due('close', %s)", [subject])
        return bool(cursor.fetchone()[0])


def fail_to_death() -> None:
    for _ in range(TRIES_MAX):
        come_due()
        assert not services.attempt("close", subject=SUBJECT, unit=broken)


def events() -> list[str]:
    return list(Entry.objects.order_by("id").values_list("event", flat=True))


def test_a_unit_that_is_done_leaves_no_row() -> None:
    assert services.attempt("close", subject=SUBJECT, unit=list)
    assert not Work.objects.exists()
    assert events() == []


def test_a_unit_is_on_record_as_begun_while_it_is_done_and_nobody_else_does_it() -> None:
    seen: list[object] = []

    def look() -> None:
        seen.append(Work.objects.get().tries)
        seen.append(services.attempt("close", subject=SUBJECT, unit=broken))

    assert services.attempt("close", subject=SUBJECT, unit=look)
    assert seen == [1, False]


def test_a_unit_that_fails_is_put_off_and_says_why() -> None:
    assert not services.attempt("close", subject=SUBJECT, unit=broken)
    work = Work.objects.get()
    assert (work.state, work.tries) == ("waiting", 1)
    assert work.error == "PoisonError: no key opens it"
    assert work.due_at - services.now() <= WAITS[0]
    assert not is_due()
    assert not services.attempt("close", subject=SUBJECT, unit=list)
    come_due()
    assert is_due()
    assert services.attempt("close", subject=SUBJECT, unit=list)
    assert not Work.objects.exists()


def test_it_waits_longer_each_time_and_then_it_is_dead_with_one_entry() -> None:
    waits = []
    for _ in range(TRIES_MAX):
        come_due()
        services.attempt("close", subject=SUBJECT, unit=broken)
        waits.append((Work.objects.get().due_at - services.now()).total_seconds())
    assert waits[:-1] == sorted(waits[:-1])
    assert Work.objects.get().state == "dead"
    come_due()
    assert not is_due()
    assert not services.attempt("close", subject=SUBJECT, unit=list)
    assert events() == ["work.died"]


def test_a_person_revives_it_and_that_is_an_entry() -> None:
    fail_to_death()
    services.retry_work("staff:1", work_id=Work.objects.get().id)
    assert services.attempt("close", subject=SUBJECT, unit=list)
    assert events() == ["work.died", "work.retried"]


def test_what_is_done_cannot_be_retried() -> None:
    with pytest.raises(WorkNotFoundError):
        services.retry_work("staff:1", work_id=services.new_id(services.now()))


_DIE = """
import django, os, signal
django.setup()
from audit import services
services.attempt("close", subject="round:1", unit=lambda: os.kill(os.getpid(), signal.SIGKILL))
"""


def test_a_unit_that_kills_its_worker_is_counted_and_dies_like_any_other(
    database: Database,
) -> None:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": database.app_url,
    }
    killed = subprocess.run([sys.executable, "-c", _DIE], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert (Work.objects.get().tries, is_due()) == (1, False)
    Work.objects.update(tries=TRIES_MAX)
    come_due()
    done: list[int] = []
    assert not services.attempt("close", subject=SUBJECT, unit=lambda: done.append(1))
    assert (done, Work.objects.get().state) == ([], "dead")
    assert "died with it" in Work.objects.get().error


def test_a_late_failure_does_not_speak_for_a_try_that_began_after_it() -> None:
    def outlive() -> None:
        come_due()
        services.attempt("close", subject=SUBJECT, unit=broken)
        raise PoisonError("the older")

    assert not services.attempt("close", subject=SUBJECT, unit=outlive)
    assert Work.objects.get().error == "PoisonError: no key opens it"


def test_what_cannot_be_tried_is_buried_once_and_counted() -> None:
    for _ in range(3):
        services.bury("message", subject="task:nobody.knows", error="unknown task")
    work = Work.objects.get()
    assert (work.state, work.tries, work.error) == ("dead", 3, "unknown task")
    assert events() == ["work.died"]


def test_two_workers_begin_a_unit_once(app: psycopg.Connection) -> None:
    begun: list[Callable[[], None]] = []
    with psycopg.connect(app.info.dsn, password=app.info.password) as other:
        other.execute(
            "INSERT INTO audit_work (id, kind, subject, player_id, state, tries, due_at, error,"
            " began_at) VALUES (gen_random_uuid(), 'close', %s, gen_random_uuid(), 'waiting', 1,"
            " now() + interval '1 minute', '', now())",
            [SUBJECT],
        )
        other.commit()
        assert not services.attempt("close", subject=SUBJECT, unit=lambda: begun.append(broken))
    assert begun == []
