"""The staff in the panel: each act a service's, on record; a role takes two; nobody his own."""

import json
import re
from typing import Any

import pytest
from django.conf import global_settings
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, connection
from django.test import Client
from django.utils.module_loading import import_string

from audit.models import Entry
from casino import settings as service
from casino.staff import changes, second, services
from casino.staff.errors import (
    ChangeWaitsError,
    HelpedAlreadyError,
    RoleFixedError,
    SamePersonError,
)
from casino.staff.models import RoleChange, StaffUser
from casino.staff.roles import Role
from tests.panel import PASSWORD, Panel, hire, log_in

NEW = "louder-harbour-8"


@pytest.fixture
def eva(database: object) -> Panel:
    """An engineer at the panel."""
    return Panel("engineer", "eva")


@pytest.fixture
def emil(eva: Panel) -> Panel:
    """Another."""
    return Panel("engineer", "emil")


@pytest.fixture
def ana(database: object) -> StaffUser:
    """Whom it is about."""
    return hire("support")


def entries(event: str) -> list[Entry]:
    """Return the entries of an event, oldest first."""
    return list(Entry.objects.filter(event=event).order_by("id"))


def told(entry: Entry) -> dict[str, Any]:
    """Return what an entry tells."""
    payload: dict[str, Any] = json.loads(entry.body)["payload"]
    return payload


def press(panel: Panel, path: str, **body: str) -> str:
    """Press a button of the staff's pages; return the page after it."""
    answer = panel.client.post(f"/panel/staff/staffuser/{path}", body, follow=True)
    assert answer.status_code == 200, answer
    return str(answer.content.decode())


# --- A role takes two ---------------------------------------------------------------------------


def test_opr_02_a_role_is_asked_by_one_and_confirmed_by_another(
    eva: Panel, emil: Panel, ana: StaffUser
) -> None:
    press(eva, f"{ana.pk}/role/", role="floor", reason="moves to the floor")
    ana.refresh_from_db()
    assert ana.role == "support"
    change = RoleChange.objects.get()
    assert "moves to the floor" in emil.see("staff/staffuser/")
    press(emil, f"changes/{change.pk}/decide/", decision="confirm")
    ana.refresh_from_db()
    assert ana.role == "floor"
    [entry] = entries("staff.role_changed")
    assert (entry.subject, entry.actor) == (ana.urn, emil.user.urn)
    assert told(entry)["raised_by"] == eva.user.urn
    assert told(entry)["authorised_by"] == emil.user.urn
    assert told(entry)["before"] == {"role": "support", "is_active": True}
    assert told(entry)["after"] == {"role": "floor", "is_active": True}


def test_opr_02_a_role_that_is_refused_is_not_given(
    eva: Panel, emil: Panel, ana: StaffUser
) -> None:
    press(eva, f"{ana.pk}/role/", role="engineer", reason="wants it")
    press(emil, f"changes/{RoleChange.objects.get().pk}/decide/", decision="refuse")
    ana.refresh_from_db()
    assert ana.role == "support"
    assert [entry.actor for entry in entries("staff.role_refused")] == [emil.user.urn]


def test_opr_02_nobody_confirms_what_he_asked(eva: Panel, ana: StaffUser) -> None:
    press(eva, f"{ana.pk}/role/", role="floor", reason="moves")
    change = RoleChange.objects.get()
    page = press(eva, f"changes/{change.pk}/decide/", decision="confirm")
    assert "Another person has to." in page
    with pytest.raises(SamePersonError):
        changes.decide(eva.user, change_id=change.pk, is_confirmed=True)
    ana.refresh_from_db()
    assert ana.role == "support"


def test_opr_02_nobody_asks_for_himself_nor_confirms_his_own(eva: Panel, emil: Panel) -> None:
    press(eva, f"{eva.user.pk}/role/", role="floor", reason="me")
    assert not RoleChange.objects.exists()
    press(eva, f"{emil.user.pk}/role/", role="floor", reason="him")
    with pytest.raises(SamePersonError):
        changes.decide(emil.user, change_id=RoleChange.objects.get().pk, is_confirmed=True)
    assert not RoleChange.objects.exclude(outcome="").exists()


def test_opr_02_the_database_holds_to_it_whatever_program_asks(
    eva: Panel, emil: Panel, ana: StaffUser
) -> None:
    me, her, third = eva.user.pk, ana.pk, emil.user.pk
    columns = "(user_id, role, reason, asked_by_id, asked_at, outcome, decided_by_id, decided_at)"
    insert = f"INSERT INTO staff_rolechange {columns} VALUES (%s, 'floor', '', %s, now(), "  # noqa: S608
    asked = insert + "'', NULL, NULL)"
    decided_at_once = insert + "'confirmed', %s, now())"
    decided = (
        "UPDATE staff_rolechange SET outcome = 'confirmed', decided_at = now(), decided_by_id = %s"
    )
    given = "UPDATE staff_staffuser SET role = %s WHERE id = %s"
    refused_first = [
        (given, ["engineer", her]),
        (asked, [her, her]),
        (decided_at_once, [her, me, third]),
    ]
    refused_while_it_waits = [
        (decided, [me]),
        (decided, [her]),
        (given, ["floor", her]),
    ]
    refused_for_good = [
        ("UPDATE staff_rolechange SET outcome = 'refused'", []),
        ("DELETE FROM staff_rolechange", []),
        (given, ["engineer", her]),
    ]
    for statement, values in refused_first:
        execute_refused(statement, values)
    execute(asked, [her, me])
    for statement, values in refused_while_it_waits:
        execute_refused(statement, values)
    execute(decided, [third])
    for statement, values in refused_for_good:
        execute_refused(statement, values)
    execute(given, ["floor", her])


def execute(statement: str, values: list[Any]) -> None:
    """Do as the application's role whatever a program might."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def execute_refused(statement: str, values: list[Any]) -> None:
    """Try to do it; the database refuses."""
    with pytest.raises(IntegrityError):
        execute(statement, values)


def test_opr_05_an_auditor_stays_one(eva: Panel, emil: Panel) -> None:
    ben = hire("auditor", "ben")
    page = press(eva, f"{ben.pk}/role/", role="floor", reason="wider")
    assert "not changed from inside" in page
    with pytest.raises(RoleFixedError):
        changes.ask(eva.user, username="ben", role=Role.FLOOR, reason="wider")
    RoleChange.objects.create(
        user=ben, role="floor", reason="", asked_by=eva.user, asked_at=ben.joined_at
    )
    with pytest.raises(RoleFixedError):
        changes.decide(emil.user, change_id=RoleChange.objects.get().pk, is_confirmed=True)
    ben.refresh_from_db()
    assert ben.role == "auditor"


def test_a_change_that_waits_is_decided_before_another_is_asked(
    eva: Panel, emil: Panel, ana: StaffUser
) -> None:
    change = changes.ask(eva.user, username="ana", role=Role.FLOOR, reason="a")
    with pytest.raises(ChangeWaitsError):
        changes.ask(emil.user, username="ana", role=Role.ENGINEER, reason="b")
    changes.decide(emil.user, change_id=change.pk, is_confirmed=True)
    with pytest.raises(ChangeWaitsError):
        changes.decide(emil.user, change_id=change.pk, is_confirmed=False)


def test_aut_08_a_new_role_ends_the_log_ins_of_the_old_one(
    eva: Panel, emil: Panel, ana: StaffUser
) -> None:
    client = Client()
    log_in(client, ana)
    change = changes.ask(eva.user, username="ana", role=Role.FLOOR, reason="a")
    changes.decide(emil.user, change_id=change.pk, is_confirmed=True)
    assert client.get("/panel/account/").status_code == 302


def test_who_does_not_manage_the_staff_asks_and_decides_nothing(ana: StaffUser) -> None:
    hire("engineer", "eva")
    for act in (
        lambda: changes.ask(ana, username="eva", role=Role.FLOOR, reason=""),
        lambda: changes.decide(ana, change_id=1, is_confirmed=True),
    ):
        with pytest.raises(PermissionDenied):
            act()


# --- Coming and going ---------------------------------------------------------------------------


def test_somebody_new_has_no_role_until_a_second_person_gives_it(eva: Panel, emil: Panel) -> None:
    page = press(eva, "hire/", username="ulla", role="floor", reason="new")
    link = re.search(r"http://testserver(/panel/welcome/[^/]+/)", page)
    assert link
    ulla = StaffUser.objects.get(username="ulla")
    assert (ulla.role, ulla.has_usable_password()) == ("", False)
    hers = Client()
    assert hers.post(link[1], {"new_password1": NEW, "new_password2": NEW}).status_code == 302
    log_in(hers, ulla, NEW)
    assert hers.get("/panel/pontoon/round/").status_code == 403
    press(emil, f"changes/{RoleChange.objects.get().pk}/decide/", decision="confirm")
    ulla.refresh_from_db()
    assert ulla.role == "floor"
    assert [(e.subject, e.actor) for e in entries("staff.created")][-1] == (
        ulla.urn, eva.user.urn,
    )  # fmt: skip


def test_a_name_is_had_once(eva: Panel) -> None:
    assert "that name already" in press(eva, "hire/", username="eva", role="floor", reason="x")
    assert StaffUser.objects.count() == 1


def test_who_is_shut_out_comes_back_by_two_persons_alone(
    eva: Panel, emil: Panel, ana: StaffUser
) -> None:
    press(eva, f"{ana.pk}/deactivate/", reason="left")
    ana.refresh_from_db()
    assert not ana.is_active
    [entry] = entries("staff.deactivated")
    assert (entry.actor, told(entry)["reason"]) == (eva.user.urn, "left")
    change = changes.ask(eva.user, username="ana", role=Role.SUPPORT, reason="is back")
    changes.decide(emil.user, change_id=change.pk, is_confirmed=True)
    ana.refresh_from_db()
    assert ana.is_active


def test_who_is_locked_out_is_unlocked_by_another_on_record(eva: Panel, ana: StaffUser) -> None:
    for _ in range(3):
        Client().post("/panel/login/", {"username": "ana", "password": "wrong"})
    assert "Unlock" in eva.see(f"staff/staffuser/{ana.pk}/change/")
    press(eva, f"{ana.pk}/unlock/")
    ana.refresh_from_db()
    assert ana.locked_at is None
    assert [entry.actor for entry in entries("staff.unlocked")] == [eva.user.urn]


def test_a_lost_phone_is_taken_off_by_another_on_record(eva: Panel, ana: StaffUser) -> None:
    client = Client()
    log_in(client, ana)
    press(eva, f"{ana.pk}/device/")
    assert not second.is_enrolled(ana)
    assert client.get("/panel/account/").status_code == 302
    [entry] = entries("staff.device_reset")
    assert (entry.subject, entry.actor) == (ana.urn, eva.user.urn)
    log_in(client, ana)


def test_opr_02_who_gives_the_link_does_not_take_the_phone_off_too(
    eva: Panel, emil: Panel, ana: StaffUser
) -> None:
    log_in(Client(), ana)
    press(eva, f"{ana.pk}/link/")
    assert "does not take the phone off too" in press(eva, f"{ana.pk}/device/")
    assert second.is_enrolled(ana)
    press(emil, f"{ana.pk}/device/")
    assert not second.is_enrolled(ana)
    with pytest.raises(HelpedAlreadyError):
        services.make_link(emil.user.urn, username="ana")
    log_in(Client(), ana)
    services.make_link(emil.user.urn, username="ana")


@pytest.mark.parametrize("act", ["link", "device", "unlock", "deactivate"])
def test_opr_02_nobody_does_these_to_himself(eva: Panel, act: str) -> None:
    page = press(eva, f"{eva.user.pk}/{act}/", reason="me")
    assert "Another person has to." in page
    assert eva.see("account/")


def test_nobody_who_is_not_there_is_not_found(eva: Panel) -> None:
    assert eva.client.post("/panel/staff/staffuser/999/unlock/").status_code == 404


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("hire/", {"username": "a b", "role": "floor", "reason": "x"}),
        ("hire/", {"username": "ulla", "role": "boss", "reason": "x"}),
        ("hire/", {"username": "ulla", "role": "floor", "reason": ""}),
        ("{}/role/", {"role": "boss", "reason": "x"}),
        ("{}/deactivate/", {"reason": ""}),
    ],
)
def test_what_is_not_filled_in_does_nothing(
    eva: Panel, ana: StaffUser, path: str, body: dict[str, str]
) -> None:
    press(eva, path.format(ana.pk), **body)
    assert StaffUser.objects.count() == 2
    assert not RoleChange.objects.exists()
    ana.refresh_from_db()
    assert ana.is_active


# --- A password of one's own --------------------------------------------------------------------


def test_who_changes_his_password_is_on_record_and_stays_logged_in(eva: Panel) -> None:
    elsewhere = Client()
    log_in(elsewhere, eva.user)
    body = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    done = eva.client.post("/panel/password_change/", body, follow=True)
    assert done.redirect_chain == [("/panel/account/", 302)]
    [entry] = entries("staff.password_changed")
    assert (entry.subject, entry.actor) == (eva.user.urn, eva.user.urn)
    assert told(entry) == {"before": {"has_password": True}, "after": {"has_password": True}}
    assert elsewhere.get("/panel/").status_code == 302
    log_in(Client(), eva.user, NEW)


def test_aut_11_a_password_of_7_characters_is_refused(eva: Panel) -> None:
    for new, status in (("k3yB0ar", 200), ("k3yB0ard", 302)):
        body = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
        assert eva.client.post("/panel/password_change/", body).status_code == status


def test_aut_11_a_password_is_kept_as_a_current_hash() -> None:
    """By the service's own settings; the tests hash cheaply."""
    hashers = getattr(service, "PASSWORD_HASHERS", global_settings.PASSWORD_HASHERS)
    made = import_string(hashers[0])()
    assert made.algorithm == "pbkdf2_sha256"
    assert made.iterations >= 600_000  # what OWASP asks of it


def test_a_password_that_is_no_good_changes_nothing(eva: Panel) -> None:
    for old, new in ((PASSWORD, "short"), ("wrong", NEW)):
        body = {"old_password": old, "new_password1": new, "new_password2": new}
        assert eva.client.post("/panel/password_change/", body).status_code == 200
    log_in(Client(), eva.user)
    assert not entries("staff.password_changed")


def test_who_left_may_look_no_more(eva: Panel) -> None:
    StaffUser.objects.update(is_active=False)
    left = StaffUser.objects.get()
    assert not left.has_perm("pontoon.view_round")
    assert not left.has_module_perms("pontoon")
    assert eva.client.get("/panel/pontoon/round/").status_code == 302


def test_to_look_is_not_to_change(eva: Panel) -> None:
    assert not eva.user.has_perm("pontoon.change_round")
    assert eva.user.has_perms(["pontoon.view_round", "audit.view_entry"])
    assert not eva.user.has_perms(["pontoon.view_round", "players.view_player"])
