"""The log in the panel, and the partitions that are made for it."""

from io import StringIO
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from audit import services as audit
from audit.events import Event
from audit.models import Entry
from audit.services import new_id
from casino.staff.services import create_user
from tests.conftest import Database


@pytest.fixture
def panel(database: Database) -> Client:
    """The panel, as somebody sees it who may see all."""
    create_user("command:test", username="ana", password="quiet-harbour-9", is_superuser=True)
    client = Client()
    assert client.login(username="ana", password="quiet-harbour-9")
    return client


def test_an_entry_is_found_by_player_subject_and_id_and_nobody_changes_it(panel: Client) -> None:
    player_id = UUID(int=7)
    payload = {"before": None, "after": {"name": "<b>shop</b>"}}
    audit.record(
        Event.KEY_CREATED, subject="key:1", actor="me", payload=payload, player_id=player_id
    )
    entry = Entry.objects.get(subject="key:1")
    page = f"/panel/audit/entry/{entry.id}/change/"
    for term in (str(player_id), "key:1", str(entry.id)):
        assert page in body(panel.get("/panel/audit/entry/", {"q": term}))
    for missed in ("key", "' OR 1=1", str(UUID(int=8))):
        assert page not in body(panel.get("/panel/audit/entry/", {"q": missed}))
    assert page in body(panel.get("/panel/audit/entry/?event=key.created"))
    assert page not in body(panel.get("/panel/audit/entry/?event=key.revoked"))
    shown = body(panel.get(page))
    assert "&lt;b&gt;shop&lt;/b&gt;" in shown
    assert bytes(entry.leaf_hash).hex() in shown
    assert panel.get("/panel/audit/entry/add/").status_code == 403
    assert panel.post(page, {}).status_code == 403
    assert panel.post(page.replace("change", "delete"), {"post": "yes"}).status_code == 403


def body(response: Any) -> str:
    assert response.status_code == 200
    return str(response.content.decode())


def partitions(**options: Any) -> str:
    out = StringIO()
    call_command("ensure_partitions", stdout=out, **options)
    return out.getvalue().strip()


def test_the_months_to_come_get_a_partition_once(database: Database) -> None:
    assert partitions(months=23) == "every month is there"
    made = partitions(months=26)
    assert made.startswith("made ")
    assert made.count(", ") == 2
    assert partitions(months=26) == "every month is there"
    with psycopg.connect(database.owner_url) as owner:
        assert owner.execute("SELECT audit_months_ahead()").fetchone() == (26,)
        with pytest.raises(psycopg.errors.RestrictViolation):
            owner.execute(f"TRUNCATE audit_entry_{made[-7:].replace('-', '_')}")


def test_the_application_makes_no_partition(database: Database) -> None:
    with pytest.raises(CommandError, match="Only the owner of the tables"):
        partitions(months=24, database="default")


def test_a_month_that_has_entries_already_is_told_in_a_sentence(database: Database) -> None:
    at = audit.now()
    late = at.replace(year=at.year + 3)
    with psycopg.connect(database.owner_url) as owner:
        owner.execute(
            "INSERT INTO audit_entry (id, player_id, event, subject, actor, at, body, leaf_hash)"
            " VALUES (%s, %s, 'e', 's', 'a', %s, '{}', sha256(''))",
            [new_id(late), UUID(int=0), late],
        )
    with pytest.raises(CommandError, match=rf"{late:%Y-%m} has entries already"):
        partitions(months=40)
    assert partitions(months=35) == "every month is there"
