"""What any of the staff may do in the panel: look, and give himself a new password, on record."""

import json

import pytest
from django.contrib import admin
from django.test import Client

from audit.models import Entry
from casino.staff.models import StaffUser
from casino.staff.services import create_user

OLD, NEW = "quiet-harbour-9", "louder-harbour-8"


@pytest.fixture
def ana(database: object) -> StaffUser:
    """One of the staff."""
    return create_user("command:test", username="ana", password=OLD, role="compliance")


@pytest.fixture
def panel(ana: StaffUser) -> Client:
    """The panel, as she sees it."""
    client = Client()
    assert client.login(username="ana", password=OLD)
    return client


def test_who_changes_his_password_is_on_record_and_stays_logged_in(
    panel: Client, ana: StaffUser
) -> None:
    elsewhere = Client()
    assert elsewhere.login(username="ana", password=OLD)
    assert "/panel/password_change/" in panel.get("/panel/").content.decode()
    body = {"old_password": OLD, "new_password1": NEW, "new_password2": NEW}
    done = panel.post("/panel/password_change/", body, follow=True)
    assert done.redirect_chain == [("/panel/password_change/done/", 302)]
    entry = Entry.objects.get(event="staff.password_changed")
    assert (entry.subject, entry.actor) == (ana.urn, ana.urn)
    told = {"before": {"has_password": True}, "after": {"has_password": True}}
    assert json.loads(entry.body)["payload"] == told
    assert elsewhere.get("/panel/").status_code == 302
    assert Client().login(username="ana", password=NEW)


def test_a_password_that_is_no_good_changes_nothing(panel: Client, ana: StaffUser) -> None:
    for old, new in ((OLD, "short"), ("wrong", NEW)):
        body = {"old_password": old, "new_password1": new, "new_password2": new}
        assert panel.post("/panel/password_change/", body).status_code == 200
    assert Client().login(username="ana", password=OLD)
    assert not Entry.objects.filter(event="staff.password_changed").exists()


def test_the_form_is_for_those_who_are_logged_in(database: object) -> None:
    assert Client().get("/panel/password_change/").status_code == 302


TABLES = sorted(
    f"{model._meta.app_label}/{model._meta.model_name}" for model in admin.site._registry
)


@pytest.mark.parametrize("table", TABLES)
def test_who_is_read_only_looks_at_every_table_and_writes_none(panel: Client, table: str) -> None:
    assert f"/panel/{table}/" in panel.get("/panel/").content.decode()
    assert panel.get(f"/panel/{table}/").status_code == 200
    assert panel.get(f"/panel/{table}/add/").status_code == 403


def test_a_report_is_for_who_may_look_at_reports(panel: Client) -> None:
    assert panel.get("/panel/reports/ggr/").status_code == 200


def test_who_left_may_look_no_more(panel: Client, ana: StaffUser) -> None:
    StaffUser.objects.update(is_active=False)
    left = StaffUser.objects.get()
    assert not left.has_perm("pontoon.view_round")
    assert not left.has_module_perms("pontoon")
    assert panel.get(f"/panel/{TABLES[0]}/").status_code == 302


def test_to_look_is_not_to_change(ana: StaffUser) -> None:
    assert not ana.has_perm("pontoon.change_round")
