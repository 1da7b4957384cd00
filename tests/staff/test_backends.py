"""How the staff log in: on record, the same answer to every failure, three failures and no more."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from django.contrib.auth import authenticate
from django.db import connections
from django.test import Client, RequestFactory

from audit.models import Entry
from casino.staff.models import StaffUser
from casino.staff.services import create_user, unlock
from tests.conftest import Database
from tests.panel import log_in as come_in

PASSWORD = "quiet-harbour-9"


@pytest.fixture
def ana(database: Database) -> StaffUser:
    """One of the staff."""
    return create_user("command:test", username="ana", password=PASSWORD)


def log_in(username: str = "ana", password: str = PASSWORD) -> Any:
    """Try to log in from an address of the documentation's."""
    request = RequestFactory().post("/panel/login/", REMOTE_ADDR="192.0.2.7")
    return authenticate(request, username=username, password=password)


def entries(event: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the entries of an event as (subject, payload), oldest first."""
    found = Entry.objects.filter(event=event).order_by("id")
    return [(entry.subject, json.loads(entry.body)["payload"]) for entry in found]


def test_opr_01_a_right_password_is_on_record_with_its_address(ana: StaffUser) -> None:
    assert log_in() == ana
    assert entries("staff.password_accepted") == [
        (ana.urn, {"address": "192.0.2.7", "failures": 0})
    ]


def test_opr_01_a_whole_log_in_is_on_record_with_its_address(ana: StaffUser) -> None:
    client = Client(REMOTE_ADDR="192.0.2.7")
    come_in(client, ana)
    [(subject, payload)] = entries("staff.logged_in")
    assert (subject, payload["address"], payload["by"]) == (ana.urn, "192.0.2.7", "enrolment")
    assert payload["after"] == {"failures": 0, "last_address": "192.0.2.7"}


@pytest.mark.parametrize(
    ("username", "password", "reason"),
    [("ana", "wrong", "wrong_password"), ("nobody", PASSWORD, "unknown_user")],
)
def test_aut_10_a_refused_log_in_is_on_record_with_its_address(
    ana: StaffUser, username: str, password: str, reason: str
) -> None:
    assert log_in(username, password) is None
    [(subject, payload)] = entries("staff.refused")
    assert subject == (ana.urn if username == "ana" else "nobody")
    assert payload == {"address": "192.0.2.7", "reason": reason, "is_locked": False}


def test_the_log_keeps_no_name_that_nobody_has(ana: StaffUser) -> None:
    log_in("a-password-in-the-wrong-field", "")
    assert "wrong-field" not in Entry.objects.latest("id").body


def test_somebody_who_left_cannot_log_in(ana: StaffUser) -> None:
    StaffUser.objects.update(is_active=False)
    assert log_in() is None
    assert entries("staff.refused")[0][1]["reason"] == "inactive"


def test_aut_02_the_third_failure_locks_even_the_right_password(ana: StaffUser) -> None:
    for _ in range(3):
        log_in(password="wrong")
    assert log_in() is None
    told = [(payload["reason"], payload["is_locked"]) for _, payload in entries("staff.refused")]
    assert told == [
        ("wrong_password", False),
        ("wrong_password", False),
        ("wrong_password", True),
        ("locked", True),
    ]


def test_aut_02_a_whole_log_in_forgets_the_failures_before_it(ana: StaffUser) -> None:
    for _ in range(3):
        log_in(password="wrong")
        log_in(password="wrong")
        come_in(Client(), ana)
    log_in(password="wrong")
    log_in(password="wrong")
    assert log_in() == ana
    log_in(password="wrong")
    assert log_in() is None  # a password alone has forgotten nothing


def test_aut_02_failures_older_than_half_an_hour_do_not_count(
    ana: StaffUser, database: Database
) -> None:
    log_in(password="wrong")
    log_in(password="wrong")
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        owner.execute(
            "UPDATE staff_staffuser SET failed_at ="
            " ARRAY(SELECT at - interval '31 minutes' FROM unnest(failed_at) at)"
        )
    log_in(password="wrong")
    log_in(password="wrong")
    assert log_in() == ana


def test_aut_02_thirty_attempts_at_once_are_three(ana: StaffUser) -> None:
    def attempt(_: int) -> None:
        log_in(password="wrong")
        connections.close_all()

    with ThreadPoolExecutor(10) as threads:
        list(threads.map(attempt, range(30)))
    reasons = [payload["reason"] for _, payload in entries("staff.refused")]
    assert sorted(reasons) == ["locked"] * 27 + ["wrong_password"] * 3


def test_aut_02_an_unlocked_user_starts_anew(ana: StaffUser) -> None:
    for _ in range(3):
        log_in(password="wrong")
    unlock("command:test", username="ana")
    unlock("command:test", username="ana")
    assert log_in() == ana
    [(subject, payload)] = entries("staff.unlocked")
    assert subject == ana.urn
    assert payload["before"]["locked_at"]
    assert payload["after"] == {"locked_at": None}


def test_aut_01_every_failure_looks_the_same_in_the_panel(ana: StaffUser) -> None:
    def page(username: str, password: str) -> str:
        body = {"username": username, "password": password}
        answer = Client().post("/panel/login/", body)
        assert answer.status_code == 200
        form: dict[str, list[str]] = answer.context["form"].errors
        return str(form)

    wrong_name, wrong_password = page("nobody", PASSWORD), page("ana", "wrong")
    page("ana", "wrong")
    page("ana", "wrong")
    locked = page("ana", PASSWORD)
    assert wrong_name == wrong_password == locked
    assert wrong_name


def test_a_request_without_a_password_is_somebody_elses(ana: StaffUser) -> None:
    assert authenticate(None, username="ana") is None
    assert not Entry.objects.filter(event="staff.refused").exists()
