"""The house at one moment with itself and with the player, and rounds nobody came back to."""

from collections import Counter
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command

from audit.errors import StaleReadError
from audit.services import now
from pontoon import queries, services
from pontoon.engine import Action
from pontoon.services.commit import Desk, RoundAct, commit
from tests.conftest import Database
from tests.people import Answer, People, Person, at_once
from tests.pontoon.rounds import (
    FIFTEEN,
    OPEN,
    PONTOON,
    STAFF,
    approve_void,
    check_wins,
    close,
    events,
    facts,
    money,
    outcome,
    release,
    void,
)
from tests.seeds import deal
from wallets import queries as wallets


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10,000.00 USD."""
    return people.player(cash=1_000_000)


@pytest.fixture(autouse=True)
def _the_ledger_holds(database: Database) -> Any:
    """Whatever a test here did, nothing is wrong after it."""
    yield
    call_command("check_ledger")


# --- Races of the house with itself and with the player


def test_of_eight_voids_at_once_one_voids(player: Person, dealt: Any) -> None:
    round_ = dealt(PONTOON)
    approve_void(UUID(round_["round_id"]))
    came = at_once(*[outcome(lambda: void(player, round_))] * 8)
    assert Counter(came) == {None: 1, "RoundOverError": 7}
    assert money(player) == {"cash": 1_000_000}


def test_of_eight_releases_at_once_one_pays(player: Person, held: dict[str, Any]) -> None:
    check_wins()
    came = at_once(*[outcome(lambda: release(player, held))] * 8)
    assert Counter(came) == {None: 1, "AlreadyDecidedError": 7}


def test_a_release_and_a_void_at_once_leave_the_wagers_and_no_win(
    player: Person, held: dict[str, Any]
) -> None:
    check_wins()
    released, voided = at_once(
        outcome(lambda: release(player, held)), outcome(lambda: void(player, held))
    )
    assert voided is None
    assert released in {None, "AlreadyDecidedError"}
    assert money(player) == {"cash": 1_000_000}
    assert facts(player, held).state == "voided"


def test_gam_03_a_void_and_an_action_at_once_are_one_after_the_other(
    player: Person, dealt: Any
) -> None:
    round_ = dealt(OPEN)
    path, body = f"rounds/{round_['round_id']}/actions", {"seq": 0, "action": "double"}
    doubled, voided = at_once(
        lambda: player.api.apart().post(path, body), outcome(lambda: void(player, round_))
    )
    assert voided is None
    assert doubled.status == 200 or doubled.json["code"] == "round_over"
    assert money(player) == {"cash": 1_000_000}


# --- H21, INT-04: rounds that nobody came back to


def test_h21_int_04_an_abandoned_round_is_played_out_and_says_by_whom(
    player: Person, dealt: Any
) -> None:
    round_ = dealt(OPEN)
    player.act(round_["round_id"], 0, "hit")
    close(player, round_)
    shown = player.api.get(f"rounds/{round_['round_id']}").json
    assert shown["state"] == "settled"
    assert shown["actions"][0] == {"action": "hit", "hand": 0, "by": "player"}
    by_house = shown["actions"][1:]
    assert by_house
    assert {action["by"] for action in by_house} == {"house"}
    assert shown["wagered_minor"] == 100
    assert events(player, round_)[-1] == ("round.settled", "house")


def test_h21_the_house_hits_below_fifteen_and_then_stands(player: Person, dealt: Any) -> None:
    round_ = dealt(FIFTEEN)
    close(player, round_)
    assert [action for action, _, _ in facts(player, round_).actions] == ["stand"]


def test_h21_a_round_that_somebody_touched_is_left_alone(player: Person, dealt: Any) -> None:
    round_ = dealt(OPEN)
    close(player, round_, later=timedelta(hours=-1))
    assert facts(player, round_).state == "open"


def test_h21_what_is_over_is_left_alone(player: Person, dealt: Any) -> None:
    round_ = dealt(PONTOON)
    close(player, round_)
    assert events(player, round_) == [("round.settled", f"player:{player.id}")]


def test_h21_the_operators_limit_says_what_is_abandoned(
    people: People, player: Person, dealt: Any, settings: Any
) -> None:
    round_ = dealt(OPEN)
    assert services.close_abandoned() == 0
    settings.ABANDONED_AFTER_H = 0
    assert services.close_abandoned() == 1
    assert services.close_abandoned() == 0
    assert facts(player, round_).state == "settled"


def test_h21_only_so_many_are_closed_at_a_time(
    people: People, database: Database, settings: Any
) -> None:
    settings.ABANDONED_AFTER_H = 0
    for _ in range(3):
        deal(database.owner_url, people.player(), OPEN, 100)
    assert [services.close_abandoned(count_max=2) for _ in range(3)] == [2, 1, 0]


def test_f33_one_round_that_cannot_go_on_does_not_stop_the_others(
    people: People, database: Database, dba: Any, settings: Any
) -> None:
    settings.ABANDONED_AFTER_H = 0
    first, second = people.player(), people.player()
    broken = deal(database.owner_url, first, OPEN, 100)
    round_ = deal(database.owner_url, second, OPEN, 100)
    kept = dba.execute(
        "SELECT sealed FROM pontoon_seed WHERE player_id = %s", [first.id]
    ).fetchall()
    dba.execute("UPDATE pontoon_seed SET sealed = 'none' WHERE player_id = %s", [first.id])
    services.close_abandoned()
    assert facts(second, round_).state == "settled"
    assert facts(first, broken).state == "voided"
    dba.execute(
        "UPDATE pontoon_seed SET sealed = (%s::text[])[number + 1] WHERE player_id = %s",
        [[sealed for (sealed,) in kept], first.id],
    )


def test_h21_the_house_and_the_player_at_once_make_one_end(player: Person, dealt: Any) -> None:
    round_ = dealt(FIFTEEN)
    path, body = f"rounds/{round_['round_id']}/actions", {"seq": 0, "action": "stand"}
    acts = [lambda: player.api.apart().post(path, body)] * 2
    stood, _, closed = at_once(*acts, outcome(lambda: close(player, round_)))
    assert isinstance(stood, Answer)
    assert closed is None
    end = facts(player, round_)
    assert end.state == "settled"
    by = {who for _, _, who in end.actions}
    assert by == ({"player"} if stood.status == 200 else {"house"})
    assert len([event for event, _ in events(player, round_) if event == "round.settled"]) == 1


def test_who_decided_on_what_has_changed_is_told(player: Person, dealt: Any) -> None:
    """Rule 8: a commit of a stale round is refused, whatever the version of the wallet."""
    round_ = dealt(OPEN)
    seen = facts(player, round_)
    wallet = wallets.read_wallet(player.id, "USD")
    player.act(round_["round_id"], 0, Action.HIT)
    desk = Desk(wallet.wallet, now(), queries.read_standing(player.id))
    with pytest.raises(StaleReadError):
        commit(RoundAct(desk, seen, seen, [], STAFF))
