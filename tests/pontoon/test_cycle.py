"""A round is one cycle, from the wager to its record (GAM-01, CRD-04, RNG-07, INT-02, REC-02)."""

from itertools import chain
from typing import Any

import pytest
from django.core.management import call_command

from audit.models import Entry
from pontoon import engine
from pontoon.models import Round
from tests.conftest import Database
from tests.people import People, Person
from tests.pontoon.rounds import OPEN, money, moved
from tests.seeds import LARGE_WIN_ACTIONS, LARGE_WIN_SEED, deal, plant_seed


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10,000.00 USD."""
    return people.player(cash=1_000_000)


@pytest.fixture
def three_hands(player: Person, database: Database) -> dict[str, Any]:
    """A round that was split twice and doubled three times, and is over."""
    plant_seed(database.owner_url, player, LARGE_WIN_SEED)
    round_ = player.bet(1_000).json
    for action in LARGE_WIN_ACTIONS:
        round_ = player.act(round_["round_id"], round_["seq"], action).json
    assert (round_["state"], len(round_["hands"])) == ("settled", 3)
    return round_


def test_gam_01_deal_splits_doubles_and_settlement_are_one_cycle_with_one_id(
    player: Person, three_hands: dict[str, Any]
) -> None:
    assert [line["round_id"] for line in player.api.get("rounds").json["results"]] == [
        three_hands["round_id"]
    ]
    lines = player.api.get("me/statement").json["results"]
    (deposit,) = (line for line in lines if line["round_id"] is None)
    assert deposit["code"] == "deposit"
    of_round = [line for line in lines if line["round_id"] == three_hands["round_id"]]
    wagers = [line["amount_minor"] for line in of_round if line["code"] == "wager"]
    assert wagers == [1_000] * 6
    assert sum(wagers) == three_hands["wagered_minor"]
    told = Entry.objects.filter(event__startswith="round.", player_id=player.id)
    assert {entry.subject for entry in told} == {f"round:{three_hands['round_id']}"}


def test_crd_04_cards_are_the_seeds_and_nothing_else_moves_them(
    people: People, database: Database
) -> None:
    """A rich newcomer who bets high, and a poor loser in another currency: the same cards."""
    rich, poor = people.player(cash=50_000_000), people.player(cash=10_000, currency="JPY")
    for _ in range(3):
        poor.finish(poor.bet(100).json)
    ends = []
    for player, stake_minor in ((rich, 100_000), (poor, 100)):
        plant_seed(database.owner_url, player, LARGE_WIN_SEED)
        round_ = player.bet(stake_minor).json
        for action in LARGE_WIN_ACTIONS:
            round_ = player.act(round_["round_id"], round_["seq"], action).json
        ends.append([round_["dealer"]["cards"], *(hand["cards"] for hand in round_["hands"])])
    assert ends[0] == ends[1]


def test_rng_07_the_cards_of_a_round_are_the_first_of_its_shoe_and_none_is_left_out(
    three_hands: dict[str, Any],
) -> None:
    dealt = chain(three_hands["dealer"]["cards"], *(hand["cards"] for hand in three_hands["hands"]))
    seed = engine.shoe_seed(bytes.fromhex(three_hands["server_seed"]), three_hands["client_seed"])
    cards = sorted(dealt)
    assert cards == sorted(map(str, list(engine.shuffle(8, seed))[: len(cards)]))


def test_int_02_a_wager_stays_where_it_is_until_its_interrupted_round_is_over(
    people: People, player: Person, database: Database
) -> None:
    round_ = deal(database.owner_url, player, OPEN, 500)
    put_by = {"cash": 1_000_000 - 500, "escrow": 500}
    assert money(player) == put_by
    player.api = people.enter(player.id)
    assert player.bet(100).status == 409
    assert money(player) == put_by
    over = player.finish(player.api.get("rounds/current").json)
    assert over["round_id"] == round_["round_id"]
    assert "escrow" not in money(player)
    assert moved(player, round_)[0] == ("wager", "cash", "escrow", 500)
    call_command("check_ledger")


def test_rec_02_the_record_has_status_cycle_session_game_rules_player_and_all_of_the_play(
    people: People, player: Person, three_hands: dict[str, Any]
) -> None:
    kept = Round.objects.get(id=three_hands["round_id"])
    assert (kept.state, kept.player_id) == ("settled", player.id)
    assert (kept.game, kept.rules) == ("house", "house/1")
    assert player.api.get("me").json["session"]["session_id"] == str(kept.session_id)
    assert (kept.wagered_minor, kept.payout_minor) == (6_000, three_hands["payout_minor"])
    told = people.operator.get(f"rounds/{kept.id}").json
    assert told == three_hands
    assert [line["action"] for line in told["actions"]] == list(LARGE_WIN_ACTIONS)
