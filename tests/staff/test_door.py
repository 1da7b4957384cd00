"""The door of the panel: two steps, a phone that is enrolled once, links to passwords."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import connections
from django.test import Client
from psycopg import sql

from casino.staff import second, services
from casino.staff.models import Device, RecoveryCode, StaffSession, StaffUser
from tests.conftest import Database
from tests.panel import PASSWORD, STEP_S, give_password, hire, log_in, phone_code
from tests.staff.door import bodies, is_in, second_code

NEW = "louder-harbour-8"


# --- Two steps ----------------------------------------------------------------------------------


def test_the_first_log_in_enrols_a_phone_and_shows_its_secret_once(
    ana: StaffUser, browser: Client
) -> None:
    assert give_password(browser)["Location"] == "/panel/second/?next=%2Fpanel%2F"
    page = browser.get("/panel/second/").content.decode()
    secret = second.waiting_secret(ana)
    assert secret in re.sub(r"\s", "", page)
    assert "<svg" in page
    assert "style=" not in page.partition("<svg")[2].partition("</svg>")[0]
    shown = second_code(browser, second.code_at(secret, unix_s=time.time()))
    assert len(re.findall(r"<li><code>", shown.content.decode())) == 10
    assert is_in(browser)
    assert secret not in re.sub(r"\s", "", browser.get("/panel/account/").content.decode())
    [told] = bodies("staff.device_enrolled")
    assert told["address"] == "192.0.2.7"


def test_a_wrong_first_code_shows_the_same_secret_again(ana: StaffUser, browser: Client) -> None:
    give_password(browser)
    browser.get("/panel/second/")
    secret = second.waiting_secret(ana)
    shown = second_code(browser, "no code").content.decode()
    assert secret in re.sub(r"\s", "", shown)
    assert not is_in(browser)
    assert not second.is_enrolled(ana)


def test_later_log_ins_ask_the_code(ana: StaffUser, browser: Client) -> None:
    log_in(browser, ana)
    elsewhere = Client()
    give_password(elsewhere)
    assert "<svg class" not in elsewhere.get("/panel/second/").content.decode()
    assert not is_in(elsewhere)
    assert second_code(elsewhere, phone_code(ana))["Location"] == "/panel/"
    assert is_in(elsewhere)


@pytest.mark.parametrize("where", ["/panel/", "/panel/account/", "/panel/pontoon/round/"])
def test_a_password_alone_opens_no_page(ana: StaffUser, browser: Client, where: str) -> None:
    log_in(Client(), ana)
    give_password(browser)
    sent = browser.get(where)
    assert (sent.status_code, sent["Location"].partition("?")[0]) == (302, "/panel/second/")
    told = bodies("access.refused")[-1]
    assert (told["code"], told["path"]) == ("second_factor_missing", where)


def test_who_was_sent_to_the_door_gets_where_he_wanted_and_nowhere_else(
    ana: StaffUser, browser: Client
) -> None:
    log_in(Client(), ana)
    sent = browser.get("/panel/pontoon/round/?q=1")
    assert sent["Location"] == "/panel/login/?next=%2Fpanel%2Fpontoon%2Fround%2F%3Fq%3D1"
    for wanted, got in (
        ("/panel/pontoon/round/", "/panel/pontoon/round/"),
        ("https://evil.example/panel/", "/panel/"),
        ("//evil.example/", "/panel/"),
        ("/panel/../evil", "/panel/../evil"),
        ("/elsewhere/", "/panel/"),
    ):
        client = Client()
        give_password(client)
        done = client.post("/panel/second/", {"code": phone_code(ana), "next": wanted})
        assert done["Location"] == got


def test_aut_02_a_code_is_taken_once(ana: StaffUser, browser: Client) -> None:
    log_in(browser, ana)
    code = phone_code(ana)
    first, again = Client(), Client()
    give_password(first)
    give_password(again)
    assert second_code(first, code).status_code == 302
    assert second_code(again, code).status_code == 200
    assert not is_in(again)
    assert bodies("staff.refused")[-1]["reason"] == "wrong_code"


def test_a_code_before_one_that_was_taken_is_not_taken_either(
    ana: StaffUser, browser: Client
) -> None:
    log_in(browser, ana)
    secret = second.secret_of(Device.objects.get())
    Device.objects.update(last_step=0)
    now = time.time()
    give_password(browser)
    assert second_code(browser, second.code_at(secret, unix_s=now)).status_code == 302
    give_password(browser)
    earlier = second.code_at(secret, unix_s=now - STEP_S)
    assert second_code(browser, earlier).status_code == 200


def test_aut_08_the_second_step_opens_another_session_than_the_password_did(
    ana: StaffUser, browser: Client
) -> None:
    """Who planted the cookie of a half log-in is not let in with its owner."""
    log_in(browser, ana)
    for code in (phone_code(ana), None):
        mine, planted = Client(), Client()
        if code is None:
            second.reset("command:test", username=ana.username)
        give_password(mine)
        planted.cookies["sessionid"] = mine.cookies["sessionid"].value
        mine.get("/panel/second/")
        token = mine.cookies.get("csrftoken")
        code = code or second.code_at(second.waiting_secret(ana), unix_s=time.time())
        second_code(mine, code)
        assert is_in(mine)
        assert not is_in(planted)
        assert mine.cookies["csrftoken"].value != (token and token.value)


def test_one_code_sent_ten_times_at_once_opens_once(ana: StaffUser, browser: Client) -> None:
    log_in(browser, ana)
    sessions = [services.StaffSession.objects.first()] * 10
    code = phone_code(ana)

    def attempt(session: StaffSession) -> bool:
        taken = second.pass_by(ana, session=session, code=code, address="")
        connections.close_all()
        return taken is not None

    with ThreadPoolExecutor(10) as threads:
        assert sum(threads.map(attempt, sessions)) == 1


def test_opr_03_three_wrong_codes_lock_like_three_wrong_passwords(
    ana: StaffUser, browser: Client
) -> None:
    log_in(browser, ana)
    thief = Client()
    give_password(thief)
    for _ in range(2):
        assert second_code(thief, "000000").status_code == 200
    assert second_code(thief, "000000").status_code == 302
    ana.refresh_from_db()
    assert ana.locked_at
    assert not is_in(browser)
    give_password(thief)
    assert thief.get("/panel/second/").status_code == 302


def test_aut_02_a_right_password_buys_no_more_guesses_of_the_code(
    ana: StaffUser, browser: Client
) -> None:
    log_in(browser, ana)
    thief = Client()
    for _ in range(3):
        give_password(thief)
        second_code(thief, "000000")
    ana.refresh_from_db()
    assert ana.locked_at
    assert [body["reason"] for body in bodies("staff.refused")] == ["wrong_code"] * 3


@pytest.mark.parametrize("code", ["", "12345", "1234567", "١٢٣٤٥٦", "-12345", "+12345", "abcdef"])
def test_what_is_no_code_is_none(ana: StaffUser, browser: Client, code: str) -> None:
    log_in(browser, ana)
    thief = Client()
    give_password(thief)
    assert second_code(thief, code).status_code == 200
    assert not is_in(thief)


def test_a_recovery_code_lets_in_once(ana: StaffUser, browser: Client) -> None:
    give_password(browser)
    browser.get("/panel/second/")
    code = second.code_at(second.waiting_secret(ana), unix_s=time.time())
    codes = re.findall(r"<li><code>([^<]+)", second_code(browser, code).content.decode())
    for attempt, status in ((codes[0].upper().replace("-", " "), 302), (codes[0], 200)):
        client = Client()
        give_password(client)
        assert second_code(client, attempt).status_code == status
    assert bodies("staff.logged_in")[-1]["by"] == "recovery_code"
    assert RecoveryCode.objects.filter(used_at=None).count() == 9


def test_acc_07_a_dump_shows_no_secret_no_code_and_no_link(
    ana: StaffUser, browser: Client, owner: psycopg.Connection
) -> None:
    give_password(browser)
    browser.get("/panel/second/")
    secret = second.waiting_secret(ana)
    code = second.code_at(secret, unix_s=time.time())
    codes = re.findall(r"<li><code>([^<]+)", second_code(browser, code).content.decode())
    token = services.make_link("staff:0", username="ana")
    tables = owner.execute(
        "SELECT tablename FROM pg_tables"
        " WHERE schemaname = 'public' AND tablename ~ '^(staff|audit|django)'"
    ).fetchall()
    rows = sql.SQL("SELECT t::text FROM {} t")
    dump = "".join(
        str(owner.execute(rows.format(sql.Identifier(name))).fetchall()) for (name,) in tables
    ).lower()
    cookie = browser.cookies["sessionid"].value
    for word in (secret, PASSWORD, token, cookie, *codes, *(c.replace("-", "") for c in codes)):
        assert word.lower() not in dump
        assert word.lower().encode().hex() not in dump
    assert ana.username in dump


def test_acc_07_a_sealed_secret_opens_for_its_owner_alone(ana: StaffUser, browser: Client) -> None:
    log_in(browser, ana)
    ben = hire("floor", "ben")
    Device.objects.create(
        user=ben, secret=Device.objects.get().secret, made_at=ana.joined_at,
        confirmed_at=ana.joined_at,
    )  # fmt: skip
    thief = Client(raise_request_exception=False)
    give_password(thief, "ben")
    assert second_code(thief, phone_code(ana)).status_code == 500
    assert not is_in(thief)


# --- Passwords ----------------------------------------------------------------------------------


def test_aut_02_a_wrong_old_password_is_counted_and_on_record(
    ana: StaffUser, browser: Client
) -> None:
    log_in(browser, ana)
    body = {"old_password": "wrong", "new_password1": NEW, "new_password2": NEW}
    for _ in range(3):
        browser.post("/panel/password_change/", body)
    assert [told["reason"] for told in bodies("staff.refused")] == ["wrong_old_password"] * 3
    ana.refresh_from_db()
    assert ana.locked_at
    assert not is_in(browser)
    assert ana.check_password(PASSWORD)


def test_a_link_gives_a_password_once(ana: StaffUser, browser: Client) -> None:
    token = services.make_link("staff:0", username="ana")
    newer = services.make_link("staff:0", username="ana")
    assert browser.get(f"/panel/welcome/{token}/").status_code == 410
    body = {"new_password1": NEW, "new_password2": NEW}
    short = {"new_password1": "short", "new_password2": "short"}
    assert browser.post(f"/panel/welcome/{newer}/", short).status_code == 200
    assert browser.post(f"/panel/welcome/{newer}/", body)["Location"] == "/panel/login/"
    assert browser.post(f"/panel/welcome/{newer}/", body).status_code == 410
    ana.refresh_from_db()
    assert ana.check_password(NEW)
    assert token not in str(bodies("staff.link_made"))


def test_a_link_is_over_after_a_day(
    ana: StaffUser, browser: Client, owner: psycopg.Connection
) -> None:
    token = services.make_link("staff:0", username="ana")
    owner.execute("UPDATE staff_staffuser SET link_until = link_until - interval '25 hours'")
    assert browser.get(f"/panel/welcome/{token}/").status_code == 410


def test_a_link_opens_nothing_for_who_left(ana: StaffUser, browser: Client) -> None:
    token = services.make_link("staff:0", username="ana")
    services.deactivate("command:test", username="ana", reason="left")
    assert browser.get(f"/panel/welcome/{token}/").status_code == 410


def test_aut_02_thirty_wrong_codes_at_once_are_three(
    ana: StaffUser, browser: Client, database: Database
) -> None:
    log_in(browser, ana)
    session = StaffSession.objects.get()

    def attempt(_: int) -> None:
        second.pass_by(ana, session=session, code="000000", address="")
        connections.close_all()

    with ThreadPoolExecutor(10) as threads:
        list(threads.map(attempt, range(30)))
    ana.refresh_from_db()
    assert len(ana.failed_at) == 3
