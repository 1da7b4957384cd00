"""What the house does to a round: hold a large win, release it, void it, play it to its end."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command

from audit import queries as audit
from audit.errors import HouseError, StaleReadError
from audit.services import now
from pontoon import queries, services
from pontoon.engine import Action
from pontoon.errors import RoundNotFoundError, RoundOverError
from pontoon.queries import RoundFacts
from pontoon.services.commit import Act, Desk, commit
from tests.conftest import Database
from tests.people import Answer, People, Person, at_once
from tests.seeds import LARGE_WIN_ACTIONS, LARGE_WIN_SEED, deal, plant_seed
from wallets import queries as wallets

STAFF = "staff:7"
OPEN = "56 789T 56 789T 5678"
FIFTEEN = "78 789T 89 789T 23"
PONTOON = "A 789 TJQK 789"
SPLIT = "8 23456789 8 23456789 78 78"
"""Two eights; split, both hands stand at fifteen or sixteen."""


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10,000.00 USD."""
    return people.player(cash=1_000_000)


@pytest.fixture
def dealt(player: Person, database: Database) -> Callable[[str], dict[str, Any]]:
    """Deal the player a round of 100 that begins with these ranks."""
    return lambda ranks: deal(database.owner_url, player, ranks, 100)


@pytest.fixture
def held(player: Person, database: Database) -> dict[str, Any]:
    """A round of the player's whose win of 10,000.00 waits for somebody's word."""
    plant_seed(database.owner_url, player, LARGE_WIN_SEED)
    round_ = player.bet(100_000).json
    for action in LARGE_WIN_ACTIONS:
        round_ = player.act(round_["round_id"], round_["seq"], action).json
    assert round_["state"] == "held", round_
    return round_


def void(player: Person, round_: dict[str, Any]) -> None:
    services.void_round(
        STAFF, player_id=player.id, round_id=UUID(round_["round_id"]), reason="a card was torn"
    )


def release(player: Person, round_: dict[str, Any]) -> None:
    services.release_win(STAFF, player_id=player.id, round_id=UUID(round_["round_id"]))


def close(player: Person, round_: dict[str, Any], later: timedelta = timedelta(hours=1)) -> None:
    services.close_round(
        player_id=player.id, round_id=UUID(round_["round_id"]), before=now() + later
    )


def facts(player: Person, round_: dict[str, Any]) -> RoundFacts:
    return queries.read_facts(player.id, UUID(round_["round_id"]))


def money(player: Person) -> dict[str, int]:
    """Return what is in a player's accounts, zeros left out."""
    return {kind: minor for kind, minor in wallets.balances(player.id).items() if minor}


def moved(player: Person, round_: dict[str, Any]) -> list[tuple[str, str, str, int]]:
    """Return a round's transfers: code, from, to, amount."""
    lines = map(wallets.line, wallets.transfers_of_round(player.id, UUID(round_["round_id"])))
    return [(line["code"], line["debit"], line["credit"], line["amount_minor"]) for line in lines]


def events(player: Person, round_: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the events of a round and who did them, oldest first."""
    entries = audit.entries_of(f"round:{round_['round_id']}", player_id=player.id)
    return [(entry["event"], entry["actor"]) for entry in entries]


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
    with pytest.raises(RoundOverError):
        release(player, held)
    assert money(player) == {"cash": paid}
    assert events(player, held)[-2:] == [
        ("round.held", f"player:{player.id}"),
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
    with pytest.raises(RoundOverError):
        release(player, dealt(ranks))


# --- H18, MAL-02: a void gives everything back


def test_h18_voiding_an_open_round_gives_every_wager_back(player: Person, dealt: Any) -> None:
    round_ = dealt(OPEN)
    player.act(round_["round_id"], 0, "double")
    void(player, round_)
    assert money(player) == {"cash": 1_000_000}
    assert moved(player, round_)[2:] == [("refund", "escrow", "cash", 200)]
    assert events(player, round_)[-1] == ("round.voided", STAFF)
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
    with pytest.raises(RoundOverError):
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


# --- Races of the house with itself and with the player


def outcome(act: Callable[[], Any]) -> Callable[[], Any]:
    """Return the act so that a refusal is what came of it."""

    def run() -> Any:
        try:
            return act()
        except HouseError as error:
            return type(error).__name__

    return run


def test_of_eight_voids_at_once_one_voids(player: Person, dealt: Any) -> None:
    round_ = dealt(PONTOON)
    came = at_once(*[outcome(lambda: void(player, round_))] * 8)
    assert Counter(came) == {None: 1, "RoundOverError": 7}
    assert money(player) == {"cash": 1_000_000}


def test_of_eight_releases_at_once_one_pays(player: Person, held: dict[str, Any]) -> None:
    came = at_once(*[outcome(lambda: release(player, held))] * 8)
    assert Counter(came) == {None: 1, "RoundOverError": 7}


def test_a_release_and_a_void_at_once_leave_the_wagers_and_no_win(
    player: Person, held: dict[str, Any]
) -> None:
    released, voided = at_once(
        outcome(lambda: release(player, held)), outcome(lambda: void(player, held))
    )
    assert voided is None
    assert released in {None, "RoundOverError"}
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
    assert facts(first, broken).state == "open"
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
    with pytest.raises(StaleReadError):
        commit(Act(Desk(wallet.wallet, now()), seen, seen, [], STAFF))
