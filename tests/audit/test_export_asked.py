"""Asking for exports, finding them again and taking them: by API, by command, in the panel."""

import hashlib
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from audit import export
from audit.models import Entry, Export
from casino.players.services import create_key
from tests.audit.exporting import faults, live
from tests.conftest import Database
from tests.panel import Panel
from tests.people import People, Person


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    """Where exports are built; pieces are small, so that there are many."""
    settings.EXPORT_DIR = tmp_path / "exports"
    return tmp_path


@pytest.fixture
def players(people: People, database: Database) -> list[Person]:
    return live(people, database.owner_url)


# --- Over the API -------------------------------------------------------------------------------


def test_who_asked_and_who_took_it_is_on_record(players: list[Person], people: People) -> None:
    body = {"from": "2026-01-01", "tz": "America/New_York", "formats": ["csv"]}
    asked = people.operator.post("exports", body, idempotency_key="march")
    again = people.operator.post("exports", body, idempotency_key="march")
    assert (asked.status, again.status) == (202, 202)
    assert asked.body == again.body
    other = people.operator.post("exports", {}, idempotency_key="march")
    assert (other.status, other.json["code"]) == (409, "idempotency_conflict")
    id_ = asked.json["export_id"]
    assert asked.json["request"]["from"] == "2026-01-01T05:00:00.000000+00:00"
    assert people.operator.get(f"exports/{id_}").json["state"] == "waiting"
    assert people.operator.get(f"exports/{id_}/download").status == 404
    export.build()
    shown = people.operator.get(f"exports/{id_}").json
    assert (shown["state"], shown["progress_percent"]) == ("done", 100)
    assert shown["counts"]["rounds.jsonl"] > 10
    response = people.operator.client.get(
        f"/api/v1/exports/{id_}/download", HTTP_AUTHORIZATION=f"Bearer {people.operator.token}"
    )
    assert len(b"".join(response.streaming_content)) == shown["size"]
    told = Entry.objects.filter(subject=f"export:{id_}").order_by("id")
    assert [(entry.event, entry.actor.partition(":")[0]) for entry in told] == [
        ("export.requested", "key"), ("export.built", "system"), ("export.downloaded", "key"),
    ]  # fmt: skip


def test_rep_05_each_version_of_an_export_is_kept_signed_and_in_the_index(
    players: list[Person], people: People, folder: Path
) -> None:
    """The same question again is another version: the one before stays as it was."""
    body = {"from": "2026-01-01", "tz": "UTC", "currency": "USD"}
    first = UUID(people.operator.post("exports", body).json["export_id"])
    export.build()
    was = export.download("tests", export_id=first).read_bytes()
    players[1].finish(players[1].bet(100).json)
    second = UUID(people.operator.post("exports", body).json["export_id"])
    export.build()
    index = people.operator.get("exports").json["results"]
    assert [line["export_id"] for line in index] == [str(second), str(first)]
    assert index[0]["request"]["currency"] == "USD"
    assert index[0]["checkpoint_size"] > index[1]["checkpoint_size"]
    for line, id_ in zip(index, (second, first), strict=True):
        path = export.download("tests", export_id=id_)
        assert line["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert faults(path) == []  # its manifest's signature too
    assert export.download("tests", export_id=first).read_bytes() == was
    page = people.operator.get("exports?limit=1").json
    assert [line["export_id"] for line in page["results"]] == [str(second)]
    assert people.operator.get("exports?to=2026-01-01T00:00:00Z").json["results"] == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"tz": "Mars/Olympus"}, "tz"),
        ({"tz": "../etc/passwd"}, "tz"),
        ({"tz": "localtime"}, "tz"),
        ({"from": "yesterday"}, "from"),
        ({"from": "2026-02-30"}, "from"),
        ({"to": "2026-01-01T00:00:00"}, "to"),
        ({"from": "2026-01-02", "to": "2026-01-02"}, "to"),
        ({"kinds": ["secrets"]}, "kinds"),
        ({"player_id": 7}, "player_id"),
        ({"old_size": "5"}, "old_size"),
        ({"everything": True}, "everything"),
    ],
)
def test_what_cannot_be_asked_is_refused(people: People, body: dict[str, Any], field: str) -> None:
    refused = people.operator.post("exports", body)
    assert (refused.status, list(refused.json["fields"])) == (422, [field])


@pytest.mark.parametrize("currency", ["XXX", "usd", "US\0"])
def test_no_export_is_in_a_currency_that_is_not_offered(people: People, currency: str) -> None:
    refused = people.operator.post("exports", {"currency": currency})
    assert refused.status == 422
    assert refused.json["code"] in {"unknown_currency", "invalid"}
    with pytest.raises(CommandError, match="not offered"):
        call_command("export_audit", "out.zip", "--currency", currency)
    panel = Panel().client.post("/panel/audit/export/ask/", {"currency": currency}, follow=True)
    assert "is not offered" in panel.content.decode()
    assert not Export.objects.exists()


def test_opr_05_an_auditor_asks_for_exports_and_reports_by_his_own_key(people: People) -> None:
    _, token = create_key(
        "tests", name="eye", scopes={"exports:write", "reports:read"}, is_auditors=True
    )
    auditor = people.operator.as_(token)
    assert auditor.post("exports").status == 202
    assert auditor.get("reports/ggr").status == 200
    assert auditor.get("players?external_id=p1").status == 403


def test_only_a_key_for_exports_asks_for_one(people: People) -> None:
    player = people.player()
    assert player.api.post("exports").status == 403
    assert people.operator.get(f"exports/{UUID(int=7)}").status == 404


# --- By commands --------------------------------------------------------------------------------


def test_the_command_exports_and_the_other_checks(players: list[Person], folder: Path) -> None:
    call_command("export_audit", str(folder / "out.zip"), "--currency", "USD", "--tz", "UTC")
    assert faults(folder / "out.zip") == []
    with pytest.raises(CommandError, match="Nowhere"):
        call_command("export_audit", str(folder / "out.zip"), "--tz", "Nowhere/Land")
    call_command("verify_audit")


def test_the_command_finds_what_a_superuser_changed(
    players: list[Person], folder: Path, dba: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    dba.execute("UPDATE wallets_transfer SET amount_minor = amount_minor + 1 WHERE code = 'payout'")
    with pytest.raises(CommandError, match="faults"):
        call_command("verify_audit")
    assert "transfer " in capsys.readouterr().out


# --- In the panel -------------------------------------------------------------------------------


def test_staff_ask_in_the_panel_and_take_what_was_built(database: Database) -> None:
    panel = Panel()
    asked = {"from": "2026-01-01", "tz": "Asia/Tokyo", "formats": ["csv"], "currency": ""}
    told = panel.client.post("/panel/audit/export/ask/", asked, follow=True).content.decode()
    assert "The export will be built" in told
    refused = panel.client.post("/panel/audit/export/ask/", {"tz": "Mars"}, follow=True)
    assert "o time zone" in refused.content.decode()
    made = Export.objects.get()
    assert made.asked["from"] == "2025-12-31T15:00:00.000000+00:00"
    assert made.requested_by.startswith("staff:")
    link = f"/panel/audit/export/{made.id}/download/"
    assert link not in panel.see("audit/export/")
    assert panel.client.get(link).status_code == 404
    export.build()
    assert link in panel.see("audit/export/")
    assert len(b"".join(panel.client.get(link).streaming_content)) > 1000
    events = Entry.objects.filter(subject=f"export:{made.id}").order_by("id")
    assert [entry.event.partition(".")[2] for entry in events] == [
        "requested", "built", "downloaded",
    ]  # fmt: skip
    assert panel.client.get("/panel/audit/export/ask/").status_code == 405
