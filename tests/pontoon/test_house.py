"""What the house does to a round: hold a large win, release it, void it, play it to its end."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command

from audit import queries as audit
from casino.staff.errors import AlreadyDecidedError
from pontoon.errors import RoundNotFoundError, RoundOverError
from tests.conftest import Database
from tests.people import People, Person
from tests.pontoon.rounds import (
    OPEN,
    PONTOON,
    SPLIT,
    STAFF,
    events,
    facts,
    money,
    moved,
    release,
    void,
)


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10,000.00 USD."""
    return people.player(cash=1_000_000)


@pytest.fixture(autouse=True)
def _the_ledger_holds(database: Database) -> Any:
    """Whatever a test here did, nothing is wrong after it."""
    yield
    call_command("check_ledger")


# --- H17: a large win waits


def test_h17_win_02_a_large_win_is_held_and_the_player_goes_on(
    player: Person, held: dict[str, Any]
) -> None:
    wagered, payout = held["wagered_minor"], held["payout_minor"]
    assert payout - wagered >= 1_000_000
    assert held["held_reason"] == "large_win"
    assert held["server_seed"]
    assert money(player) == {"cash": 1_000_000 - wagered, "held": payout}
    assert moved(player, held)[-2:] == [
        ("settlement", "escrow", "house", wagered),
        ("hold", "house", "held", payout),
    ]
    assert events(player, held)[-1] == ("round.held", f"player:{player.id}")
    assert player.bet(100).status == 201


def test_wal_13_a_held_win_is_shown_to_its_player(player: Person, held: dict[str, Any]) -> None:
    me = player.api.get("me").json
    assert (me["held_minor"], me["in_play_minor"]) == (held["payout_minor"], 0)
    assert me["balance_minor"] == held["balance_after_minor"]


def test_h17_a_released_win_is_paid_once(player: Person, held: dict[str, Any]) -> None:
    release(player, held)
    paid = 1_000_000 + held["payout_minor"] - held["wagered_minor"]
    assert money(player) == {"cash": paid}
    after = facts(player, held)
    assert (after.state, after.held_reason, after.balance_after_minor) == ("settled", None, paid)
    with pytest.raises(AlreadyDecidedError):
        release(player, held)
    assert money(player) == {"cash": paid}
    assert events(player, held)[-3:] == [
        ("round.held", f"player:{player.id}"),
        ("win.checked", "system:wins"),
        ("round.released", STAFF),
    ]


def test_h17_a_release_does_not_touch_what_the_player_did_meanwhile(
    people: People, player: Person, held: dict[str, Any]
) -> None:
    people.deposit(player.id, 500)
    before = player.balance
    release(player, held)
    assert player.balance == before + held["payout_minor"]


@pytest.mark.parametrize("ranks", [OPEN, PONTOON])
def test_only_a_held_round_is_released(player: Person, dealt: Any, ranks: str) -> None:
    with pytest.raises(RoundNotFoundError):
        release(player, dealt(ranks))


# --- H18, MAL-02: a void gives everything back


def test_h18_voiding_an_open_round_gives_every_wager_back(player: Person, dealt: Any) -> None:
    round_ = dealt(OPEN)
    player.act(round_["round_id"], 0, "double")
    void(player, round_)
    assert money(player) == {"cash": 1_000_000}
    assert moved(player, round_)[2:] == [("refund", "escrow", "cash", 200)]
    assert events(player, round_)[-1] == ("round.voided", "system:void")
    again = player.act(round_["round_id"], 1, "hit")
    assert (again.status, again.json["code"]) == (409, "round_over")
    assert player.bet(100).status == 201


def test_h18_voiding_a_settled_round_takes_its_payout_back(player: Person, dealt: Any) -> None:
    round_ = dealt(PONTOON)
    assert round_["payout_minor"] == 300
    void(player, round_)
    assert money(player) == {"cash": 1_000_000}
    assert moved(player, round_)[3:] == [
        ("refund", "house", "cash", 100),
        ("reversal", "cash", "house", 300),
    ]


def test_h18_voiding_a_lost_round_gives_the_wager_back(player: Person, dealt: Any) -> None:
    round_ = dealt("9 A 9 TJQK")  # the dealer's pontoon
    assert money(player) == {"cash": 999_900}
    void(player, round_)
    assert money(player) == {"cash": 1_000_000}


def test_h18_voiding_a_held_round_pays_nothing_of_it(player: Person, held: dict[str, Any]) -> None:
    void(player, held)
    assert money(player) == {"cash": 1_000_000}
    assert moved(player, held)[-1] == ("reversal", "held", "house", held["payout_minor"])
    with pytest.raises(RoundNotFoundError):
        release(player, held)


def test_h18_a_released_win_may_still_be_voided(player: Person, held: dict[str, Any]) -> None:
    release(player, held)
    void(player, held)
    assert money(player) == {"cash": 1_000_000}


def test_mal_02_a_split_round_gets_all_its_wagers_back(player: Person, dealt: Any) -> None:
    round_ = dealt(SPLIT)
    for seq, action in enumerate(["split", "stand", "stand"]):
        over = player.act(round_["round_id"], seq, action).json
    assert over["state"] == "settled"
    void(player, round_)
    assert money(player) == {"cash": 1_000_000}
    assert ("refund", "house", "cash", 200) in moved(player, round_)


@pytest.mark.parametrize(
    ("left", "taken", "missing"),
    [(0, 100, 200), (150, 250, 50), (200, 300, 0), (999, 300, 0)],
    ids=["none of it is left", "some", "just enough", "more than enough"],
)
def test_a_payout_that_was_withdrawn_before_a_void_becomes_a_receivable(
    people: People, player: Person, dealt: Any, left: int, taken: int, missing: int
) -> None:
    round_ = dealt(PONTOON)
    body = {"amount_minor": player.balance - left, "currency": "USD", "reference": "all"}
    assert people.operator.post(f"players/{player.id}/withdrawals", body).status == 201
    void(player, round_)
    cash = left + 100 - taken
    assert money(player) == {
        kind: minor for kind, minor in {"cash": cash, "receivable": -missing}.items() if minor
    }
    me = player.api.get("me").json
    assert (me["balance_minor"], me["receivable_minor"]) == (cash, -missing)


@pytest.mark.parametrize("ranks", [OPEN, PONTOON])
def test_a_round_is_voided_once(player: Person, dealt: Any, ranks: str) -> None:
    round_ = dealt(ranks)
    void(player, round_)
    with pytest.raises(RoundOverError):
        void(player, round_)
    assert money(player) == {"cash": 1_000_000}


def test_mal_01_a_void_is_on_record_with_its_reason_and_both_sides(
    player: Person, dealt: Any
) -> None:
    round_ = dealt(PONTOON)
    void(player, round_)
    entry = audit.entries_of(f"round:{round_['round_id']}", player_id=player.id)[-1]
    payload = entry["payload"]
    assert payload["reason"] == "a card was torn"
    assert (payload["before"]["state"], payload["before"]["balance_minor"]) == (
        "settled",
        1_000_200,
    )
    assert (payload["after"]["state"], payload["after"]["balance_minor"]) == ("voided", 1_000_000)
    assert len(payload["transfers"]) == 2


def test_mal_02_a_voided_round_is_shown_as_one_that_pays_nothing_but_its_wagers(
    player: Person, dealt: Any
) -> None:
    round_ = dealt(PONTOON)
    void(player, round_)
    shown = player.api.get(f"rounds/{round_['round_id']}").json
    assert (shown["state"], shown["is_win"]) == ("voided", False)
    assert [(hand["outcome"], hand["payout_minor"]) for hand in shown["hands"]] == [("voided", 100)]
    assert (shown["payout_minor"], shown["win_minor"]) == (100, 0)


def test_gam_05_the_seed_of_an_open_round_is_shown_once_it_is_voided(
    player: Person, dealt: Any
) -> None:
    round_ = dealt(OPEN)
    assert player.api.get(f"rounds/{round_['round_id']}").json["server_seed"] is None
    void(player, round_)
    assert player.api.get(f"rounds/{round_['round_id']}").json["server_seed"]


@pytest.mark.parametrize("verb", [void, release])
def test_there_must_be_such_a_round(player: Person, verb: Any) -> None:
    with pytest.raises(RoundNotFoundError):
        verb(player, {"round_id": str(uuid4())})


def test_another_players_round_is_not_found(people: People, player: Person, dealt: Any) -> None:
    round_ = dealt(PONTOON)
    with pytest.raises(RoundNotFoundError):
        void(people.player(), round_)
