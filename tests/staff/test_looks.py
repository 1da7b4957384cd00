"""Every look of the staff at a player's data is on record, and before it is shown (ACC-06, OPR)."""

import json
from typing import Any

import pytest
from django.contrib import admin
from django.test import RequestFactory
from django.urls import reverse

from audit.models import Entry
from casino.looks import Looked, is_of_players, looks_of, note_look
from casino.players.models import Player
from tests.panel import Panel
from tests.people import People

OF_PLAYERS = [model for model in admin.site._registry if is_of_players(model)]


def settle_one(people: People) -> Any:
    """Let a player play a round and be shut out; return his id."""
    player = people.player()
    player.finish(player.bet(200).json)
    player.api.post("me/exclusions", {"kind": "cooling_off", "hours": 72})
    people.operator.call("PUT", f"players/{player.id}/limits/wager", {})
    return player.id


@pytest.fixture
def panel(database: object) -> Panel:
    """Somebody who may look at everything."""
    return Panel("compliance")


def looks() -> list[tuple[str, dict[str, Any]]]:
    """Return the looks on record, as (subject, payload), oldest first."""
    found = Entry.objects.filter(event="staff.looked").order_by("id")
    return [(entry.subject, json.loads(entry.body)["payload"]) for entry in found]


@pytest.mark.parametrize("model", OF_PLAYERS, ids=lambda model: model._meta.label)
def test_acc_06_no_table_of_players_can_be_shown_without_a_record(model: Any) -> None:
    shown = admin.site._registry[model]
    assert isinstance(shown, Looked)
    for name in ("changelist_view", "changeform_view"):
        below = [kind for kind in type(shown).__mro__ if name in vars(kind)]
        assert Looked in below, f"{name} of {type(shown).__name__} never reaches the record"


@pytest.mark.parametrize("model", OF_PLAYERS, ids=lambda model: model._meta.label)
def test_acc_06_a_list_and_a_row_of_a_player_are_on_record(
    panel: Panel, people: People, model: Any
) -> None:
    settle_one(people)
    base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    before = len(looks())
    assert panel.client.get(reverse(f"{base}_changelist")).status_code == 200
    [(_, listed)] = looks()[before:]
    assert listed["what"] == f"list:{model._meta.label_lower}"
    row = model._default_manager.exclude(**named_by_nobody(model)).first()
    if row is None:
        return
    assert panel.client.get(reverse(f"{base}_change", args=[row.pk])).status_code == 200
    subject, seen = looks()[-1]
    player_id = row.pk if model is Player else row.player_id
    assert (subject, seen["what"]) == (f"player:{player_id}", f"{model._meta.model_name}:{row.pk}")
    assert Entry.objects.filter(event="staff.looked", player_id=player_id).exists()


def named_by_nobody(model: Any) -> dict[str, Any]:
    """Return what excludes rows that are of no player."""
    return {} if model is Player else {"player_id": "00000000-0000-0000-0000-000000000000"}


def test_acc_06_a_search_is_on_record_with_its_id_and_its_address(
    panel: Panel, people: People
) -> None:
    player = settle_one(people)
    panel.client.get("/panel/wallets/transfer/", {"q": str(player)}, REMOTE_ADDR="192.0.2.9")
    subject, told = looks()[-1]
    assert subject == f"player:{player}"
    assert told == {
        "what": "list:wallets.transfer",
        "query": str(player),
        "players": [str(player)],
        "path": "/panel/wallets/transfer/",
        "address": "192.0.2.9",
    }


def test_acc_06_a_search_is_on_record_whether_it_finds_or_not(panel: Panel, people: People) -> None:
    player = settle_one(people)
    nobody = "5e3c8a2e-0d5d-4e1f-9a55-3f3f0a1f2b77"
    for term in (nobody, str(player), "Ana Smith"):
        panel.client.get("/panel/search", {"q": term})
    asked = [told["query"] for _, told in looks() if told["what"] == "search"]
    assert asked == [nobody, str(player), "(no id)"]


@pytest.mark.parametrize("typed", ["Ana Smith", "ana@example.com", "smith", "ana smith 7"])
def test_what_is_no_id_is_not_kept(typed: str) -> None:
    request = RequestFactory().get("/")
    note_look(request, what="search", query=typed)
    assert [look.query for look in looks_of(request)] == ["(no id)"]


def test_a_look_that_was_refused_is_none(database: object, people: People) -> None:
    player = settle_one(people)
    panel = Panel("engineer")
    assert panel.client.get("/panel/wallets/transfer/", {"q": str(player)}).status_code == 403
    assert looks() == []


def test_what_cannot_be_recorded_is_not_shown(panel: Panel, people: People, owner: Any) -> None:
    player = settle_one(people)
    owner.execute("REVOKE INSERT ON audit_entry FROM pontoon_app")
    owner.execute("REVOKE EXECUTE ON FUNCTION audit_record FROM pontoon_app")
    panel.client.raise_request_exception = False
    answer = panel.client.get("/panel/players/player/", {"q": str(player)})
    assert answer.status_code >= 500
    assert str(player) not in answer.content.decode()
