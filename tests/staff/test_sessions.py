"""Log-ins of the panel end at once: by time, by another, and by what changes a log-in."""

from typing import Any

import psycopg
import pytest
from django.db import IntegrityError
from django.test import Client
from psycopg import sql

from casino.staff import second, services
from casino.staff.models import StaffSession, StaffUser
from tests.panel import give_password, hire, log_in
from tests.staff.door import bodies, is_in

NEW = "louder-harbour-8"


def age(owner: psycopg.Connection, column: str, interval: str) -> None:
    """Put the times of all sessions back."""
    owner.execute(
        sql.SQL("UPDATE staff_staffsession SET {0} = {0} - %s::interval").format(
            sql.Identifier(column)
        ),
        [interval],
    )


def test_aut_06_a_session_ends_after_thirty_minutes_unseen(
    ana: StaffUser, browser: Client, owner: psycopg.Connection
) -> None:
    log_in(browser, ana)
    age(owner, "seen_at", "29 minutes")
    assert is_in(browser)
    age(owner, "seen_at", "31 minutes")
    assert not is_in(browser)
    assert bodies("staff.session_ended")[-1]["after"] == {"is_open": False, "because": "idle"}


def test_aut_06_what_a_page_fetches_by_itself_keeps_no_session_open(
    ana: StaffUser, browser: Client, owner: psycopg.Connection
) -> None:
    log_in(browser, ana)
    age(owner, "seen_at", "20 minutes")
    chart = browser.get("/panel/account/", headers={"Sec-Fetch-Mode": "cors"})
    assert chart.status_code == 200
    age(owner, "seen_at", "11 minutes")
    assert not is_in(browser)


def test_aut_06_a_session_ends_after_twelve_hours_whatever_happens(
    ana: StaffUser, browser: Client, owner: psycopg.Connection
) -> None:
    log_in(browser, ana)
    age(owner, "opened_at", "11 hours 59 minutes")
    assert is_in(browser)
    age(owner, "opened_at", "2 minutes")
    assert not is_in(browser)
    assert bodies("staff.session_ended")[-1]["after"]["because"] == "too_old"


def test_aut_08_a_cookie_is_dead_after_log_out(ana: StaffUser, browser: Client) -> None:
    log_in(browser, ana)
    kept = browser.cookies["sessionid"].value
    assert browser.post("/panel/logout/").status_code == 302
    thief = Client()
    thief.cookies["sessionid"] = kept
    assert not is_in(thief)


@pytest.mark.parametrize(
    ("because", "act"),
    [
        (
            "password_changed",
            lambda: services.set_password("command:test", username="ana", password=NEW),
        ),
        ("device_reset", lambda: second.reset("command:test", username="ana")),
        (
            "deactivated",
            lambda: services.deactivate("command:test", username="ana", reason="left"),
        ),
    ],
)
def test_aut_08_what_changes_a_log_in_ends_the_open_ones_at_once(
    ana: StaffUser, browser: Client, because: str, act: Any
) -> None:
    log_in(browser, ana)
    act()
    assert not is_in(browser)
    assert bodies("staff.session_ended")[-1]["after"]["because"] == because


def test_a_session_that_is_over_stays_over(ana: StaffUser, browser: Client) -> None:
    log_in(browser, ana)
    browser.post("/panel/logout/")
    with pytest.raises(IntegrityError, match="stays over"):
        StaffSession.objects.update(ended_at=None)


def test_anothers_session_is_not_ones_own(ana: StaffUser, browser: Client) -> None:
    log_in(browser, ana)
    ben = hire("floor", "ben")
    client = Client()
    log_in(client, ben)
    hers = StaffSession.objects.get(user=ana)
    client.post(f"/panel/account/sessions/{hers.id}/end/")
    assert is_in(browser)


def test_opr_01_the_account_tells_the_last_access_its_address_and_the_password(
    ana: StaffUser, browser: Client
) -> None:
    log_in(browser, ana)
    later = Client(REMOTE_ADDR="198.51.100.4")
    log_in(later, ana)
    page = later.get("/panel/account/").content.decode()
    assert "192.0.2.7" in page.partition("Last access")[2].partition("</dd>")[0]
    ana.refresh_from_db()
    assert ana.last_address == "198.51.100.4"
    assert ana.password_changed_at
    assert f"{ana.password_changed_at:%Y-%m-%d %H:%M}" in page
    assert "decide_win" in page
    assert "Fire 1" in page


def test_one_ends_a_log_in_of_ones_own_from_elsewhere(ana: StaffUser, browser: Client) -> None:
    log_in(browser, ana)
    here = Client()
    log_in(here, ana)
    there = StaffSession.objects.earliest("opened_at")
    done = here.post(f"/panel/account/sessions/{there.id}/end/")
    assert done.status_code == 302
    assert not is_in(browser)
    assert is_in(here)


def test_cookies_are_for_this_site_and_no_script(ana: StaffUser, browser: Client) -> None:
    log_in(browser, ana)
    for name in ("sessionid", "csrftoken"):
        cookie = browser.cookies[name]
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Strict"), name


def test_a_post_without_its_token_is_refused(ana: StaffUser) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert give_password(strict).status_code == 403
