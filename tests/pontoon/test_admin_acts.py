"""The floor's buttons: wins, malfunctions and suspensions, each by one service, by who may."""

from typing import Any

import pytest

from audit import seal
from pontoon import services as table
from pontoon.models import Malfunction, Suspension, Verification
from tests.conftest import Database
from tests.panel import Panel
from tests.people import People, Person
from tests.seeds import LARGE_WIN_ACTIONS, LARGE_WIN_SEED, plant_seed


@pytest.fixture
def floor(database: Database) -> Panel:
    return Panel("floor")


def win(people: People, owner_url: str) -> tuple[Person, dict[str, Any]]:
    """Let a player win so much that a person has to look."""
    player = people.player(cash=1_000_000)
    plant_seed(owner_url, player, LARGE_WIN_SEED)
    round_ = player.bet(100_000).json
    for action in LARGE_WIN_ACTIONS:
        round_ = player.act(round_["round_id"], round_["seq"], action).json
    seal.seal()
    table.check_wins()
    return player, round_


def test_h17_a_large_win_is_released_from_its_case_file_once(
    floor: Panel, people: People, database: Database
) -> None:
    player, round_ = win(people, database.owner_url)
    path = f"pontoon/verification/{round_['round_id']}"
    page = floor.see(f"{path}/change/")
    assert "Release the win" in page
    assert str(player.id) in page
    before = player.balance
    assert "The win is paid." in floor.press(f"{path}/do/release/", reason="all holds")
    assert player.balance == before + round_["payout_minor"]
    assert "note-error" in floor.press(f"{path}/do/release/", reason="again")
    assert player.balance == before + round_["payout_minor"]


def test_h17_a_win_is_rejected_with_a_reason_or_not_at_all(
    floor: Panel, people: People, database: Database
) -> None:
    _, round_ = win(people, database.owner_url)
    path = f"pontoon/verification/{round_['round_id']}"
    assert "note-error" in floor.press(f"{path}/do/reject/", reason="")
    assert Verification.objects.get(id=round_["round_id"]).state == "waiting"
    floor.press(f"{path}/do/reject/", reason="a card was torn")
    assert Verification.objects.get(id=round_["round_id"]).state != "waiting"


def test_int_06_play_is_stopped_and_goes_on(floor: Panel, people: People) -> None:
    page = floor.press("pontoon/suspension/do/suspend/", currency="KWD", reason="closed")
    assert "Play is stopped." in page
    stop = Suspension.objects.get()
    assert stop.scope == {"currency": "KWD"}
    assert "Currency: KWD" in page
    floor.press(f"pontoon/suspension/{stop.id}/do/lift/", reason="open")
    assert Suspension.objects.get().lifted_by == floor.user.urn


def test_mal_01_who_flags_a_malfunction_does_not_clear_it(floor: Panel) -> None:
    told = {"currency": "BRL", "cause": "a torn card", "evidence": "seen on camera"}
    floor.press("pontoon/malfunction/do/flag/", **told)
    flag = Malfunction.objects.get()
    path = f"pontoon/malfunction/{flag.id}"
    assert "Clear the flag" not in floor.see(f"{path}/change/")
    assert "note-error" in floor.press(f"{path}/do/clear/", reason="it was nothing")
    other = Panel("floor", "bo")
    assert "Clear the flag" in other.see(f"{path}/change/")
    other.press(f"{path}/do/clear/", reason="it was nothing")
    assert Malfunction.objects.get().state == "cleared"


def test_a_scope_that_says_nothing_stops_nothing(floor: Panel) -> None:
    assert "note-error" in floor.press("pontoon/suspension/do/suspend/", reason="closed")
    assert not Suspension.objects.exists()


@pytest.mark.parametrize("role", ["support", "compliance", "auditor", "engineer"])
def test_a_button_is_only_for_those_whose_act_it_is(
    people: People, database: Database, role: str
) -> None:
    _, round_ = win(people, database.owner_url)
    who = Panel(role)
    path = f"/panel/pontoon/verification/{round_['round_id']}/do/release/"
    assert who.client.post(path, {"reason": "please"}).status_code == 403
    assert Verification.objects.get(id=round_["round_id"]).state == "waiting"
