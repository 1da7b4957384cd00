"""The log in the panel, and the partitions that are made for it."""

from io import StringIO
from uuid import UUID

import psycopg
import pytest
from django.core.management import CommandError, call_command

from audit import services as audit
from audit.events import Event
from audit.models import Entry
from audit.services import new_id
from casino.panel import Pages
from tests.conftest import Database
from tests.panel import Panel


@pytest.fixture
def panel(database: Database) -> Panel:
    return Panel()


def test_an_entry_is_found_by_player_subject_and_id_and_nobody_changes_it(panel: Panel) -> None:
    player_id = UUID(int=7)
    payload = {"before": None, "after": {"name": "<b>shop</b>"}}
    audit.record(
        Event.KEY_CREATED, subject="key:1", actor="me", payload=payload, player_id=player_id
    )
    entry = Entry.objects.get(subject="key:1")
    page = f"/panel/audit/entry/{entry.id}/change/"
    for term in (player_id, "key:1", entry.id):
        assert page in panel.see("audit/entry/", q=term)
    for missed in ("key", "' OR 1=1", UUID(int=8)):
        assert page not in panel.see("audit/entry/", q=missed)
    assert page in panel.see("audit/entry/", event="key.created")
    assert page not in panel.see("audit/entry/", event="key.revoked")
    shown = panel.see(f"audit/entry/{entry.id}/change/")
    assert "&lt;b&gt;shop&lt;/b&gt;" in shown
    assert bytes(entry.leaf_hash).hex() in shown
    assert panel.changes("audit/entry", str(entry.id)) == {403}
    assert Entry.objects.filter(id=entry.id).exists()


def test_a_list_counts_no_further_than_it_is_told(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.panel.COUNTED_MAX", 3)
    for number in range(5):
        payload = {"before": None, "after": number}
        audit.record(Event.KEY_CREATED, subject=f"key:{number}", actor="me", payload=payload)
    pages = Pages(Entry.objects.all(), 2)
    assert (pages.count, pages.num_pages) == (3, 2)


def partitions(**options: object) -> str:
    out = StringIO()
    call_command("ensure_partitions", stdout=out, **options)
    return out.getvalue().strip()


def test_the_months_to_come_get_a_partition_once(database: Database) -> None:
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        (ahead,) = owner.execute("SELECT audit_months_ahead()").fetchone() or (0,)
        assert partitions(months=ahead) == "every month is there"
        made = partitions(months=ahead + 2)
        assert made.startswith("made ")
        assert made.count(", ") == 1
        assert partitions(months=ahead + 2) == "every month is there"
        assert owner.execute("SELECT audit_months_ahead()").fetchone() == (ahead + 2,)
        with pytest.raises(psycopg.errors.RestrictViolation):
            owner.execute(f"TRUNCATE audit_entry_{made[-7:].replace('-', '_')}")


def test_the_application_makes_no_partition(database: Database) -> None:
    with pytest.raises(CommandError, match="Only the owner of the tables"):
        partitions(months=48, database="default")


def test_a_month_that_has_entries_already_is_told_in_a_sentence(database: Database) -> None:
    at = audit.now()
    late = at.replace(year=at.year + 3, day=1)
    with psycopg.connect(database.owner_url) as owner:
        owner.execute(
            "INSERT INTO audit_entry (id, player_id, event, subject, actor, at, body, leaf_hash)"
            " VALUES (%s, %s, 'e', 's', 'a', %s, '{}', sha256(''))",
            [new_id(late), UUID(int=0), late],
        )
    with pytest.raises(CommandError, match=rf"{late:%Y-%m} has entries already"):
        partitions(months=40)
    assert partitions(months=35) == "every month is there"
