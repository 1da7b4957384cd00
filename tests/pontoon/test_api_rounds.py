"""Rounds over REST: what is shown, what is taken, and what a second asking gives."""

import json
from uuid import UUID, uuid4

import pytest

from audit.models import Entry
from casino.examples import EXAMPLES
from casino.players import profiles
from tests.conftest import Database
from tests.people import People, Person
from tests.seeds import LARGE_WIN_ACTIONS, LARGE_WIN_SEED, deal, plant_seed

# Eight-eight split, a three drawn on the first hand.
SPLIT_8_8 = "8 23456789 8 23456789 8 TJQK 3"
EXAMPLE = json.loads("""{
  "round_id": "0192", "game": "house", "rules": "house/1", "state": "open", "held_reason": null,
  "seq": 2,
  "currency": "USD", "stake_minor": 200, "wagered_minor": 400, "payout_minor": null,
  "win_minor": null,
  "hands": [
    {"cards": ["8S", "8D", "3C"], "total": 19, "soft": false, "kind": "points",
     "status": "playing", "stake_minor": 200, "wager_minor": 200, "doubled": false,
     "from_split": true, "outcome": null, "payout_minor": null},
    {"cards": ["8H", "KC"], "total": 18, "soft": false, "kind": "points",
     "status": "waiting", "stake_minor": 200, "wager_minor": 200, "doubled": false,
     "from_split": true, "outcome": null, "payout_minor": null}],
  "active_hand": 0,
  "dealer": {"cards": ["??", "??"], "total": null, "soft": null, "kind": null},
  "options": [{"action": "hit"}, {"action": "stand"}, {"action": "double", "amount_minor": 200}],
  "actions": [{"action": "split", "hand": 0, "by": "player"},
              {"action": "hit", "hand": 0, "by": "player"}],
  "commitment": "sha256 hex", "client_seed": "", "server_seed": null,
  "opened_at": "", "settled_at": null,
  "balance_minor": 99600, "next_commitment": null
}""")
DRAWN = {"round_id", "commitment", "opened_at", "client_seed"}


@pytest.fixture
def player(people: People) -> Person:
    """A player with 1,000.00 USD."""
    return people.player()


def without_cards(round_: dict) -> dict:
    hands = [{**hand, "cards": len(hand["cards"])} for hand in round_["hands"]]
    return {name: round_[name] for name in EXAMPLE.keys() - DRAWN} | {"hands": hands}


# --- The shape ----------------------------------------------------------------------------------


def test_a_round_is_shown_to_the_letter_of_the_contract(player: Person, database: Database):
    round_ = deal(database.owner_url, player, SPLIT_8_8)
    for seq, action in enumerate(["split", "hit"]):
        round_ = player.act(round_["round_id"], seq, action).json
    assert [name for name in round_ if name in EXAMPLE] == list(EXAMPLE)
    assert without_cards(round_) == without_cards(EXAMPLE)
    assert [list(hand) for hand in round_["hands"]] == [list(hand) for hand in EXAMPLE["hands"]]
    assert UUID(round_["round_id"]).version == 7
    assert len(bytes.fromhex(round_["commitment"])) == 32


def test_the_schemas_example_is_the_round_of_the_contract():
    example = EXAMPLES["RoundBody"]
    assert without_cards(example) == without_cards(EXAMPLE)
    assert [hand["cards"] for hand in example["hands"]] == [["8S", "8D", "3C"], ["8H", "KC"]]


def test_gam_06_a_dealt_round_tells_balance_stake_options_and_commitment(player: Person):
    promised = player.api.get("me").json["next_commitment"]
    answer = player.bet(500, client_seed="mine")
    round_ = answer.json
    assert answer.status == 201
    assert answer.headers["Cache-Control"] == "no-store"
    assert round_["commitment"] == promised
    assert round_["client_seed"] == "mine"
    assert round_["balance_before_minor"] == 100_000
    if round_["state"] == "open":
        assert round_["balance_minor"] == 99_500
        assert round_["dealer"] == EXAMPLE["dealer"]
        assert round_["options"]


def test_h4_a_dealers_pontoon_ends_the_round_as_it_is_dealt(player: Person, database: Database):
    round_ = deal(database.owner_url, player, "A A T TJQK")
    assert round_["state"] == "settled"
    assert (round_["seq"], round_["active_hand"], round_["options"]) == (0, None, [])
    assert round_["hands"][0]["kind"] == round_["dealer"]["kind"] == "pontoon"
    assert (round_["payout_minor"], round_["win_minor"], round_["is_win"]) == (0, -200, False)
    assert round_["balance_minor"] == 99_800
    assert "??" not in round_["dealer"]["cards"]


def test_h6_h15_a_players_pontoon_is_paid_two_to_one_at_once(player: Person, database: Database):
    round_ = deal(database.owner_url, player, "A 6 K T")
    assert round_["state"] == "settled"
    assert (round_["payout_minor"], round_["win_minor"], round_["is_win"]) == (600, 400, True)
    assert round_["hands"][0]["outcome"] == "won"
    assert round_["balance_after_minor"] == round_["balance_minor"] == 100_400


def test_rng_08_a_profile_may_forbid_client_seeds(people: People, monkeypatch: pytest.MonkeyPatch):
    own = profiles.Profile("own", client_seed_allowed=False)
    monkeypatch.setattr(profiles, "PROFILES", dict(profiles.PROFILES) | {"own": own})
    player = people.player(profile="own")
    refused = player.bet(100, client_seed="my own words")
    assert (refused.status, refused.json["fields"]) == (422, {"client_seed": ["not_offered"]})
    assert player.bet(100, client_seed="").status == 201


def test_the_seed_and_the_next_commitment_appear_when_the_round_is_over(player: Person):
    over = player.finish(player.bet(200).json)
    assert len(bytes.fromhex(over["server_seed"])) == 32
    assert over["next_commitment"] == player.api.get("me").json["next_commitment"]
    assert player.bet(200).json["commitment"] == over["next_commitment"]


def test_h1_no_game_named_is_the_house_game(player: Person):
    assert player.bet(200, game="house").json["rules"] == "house/1"


# --- Splits and doubles -------------------------------------------------------------------------


def test_h10_gam_07_a_round_splits_to_three_hands_and_each_tells_its_own(
    player: Person, database: Database
):
    round_ = deal(database.owner_url, player, "8 23456789 8 23456789 8 2345679 2345679 2345679")
    for seq in range(2):
        assert {"action": "split", "amount_minor": 200} in round_["options"]
        answer = player.act(round_["round_id"], seq, "split")
        assert answer.status == 200
        round_ = answer.json
    assert [len(hand["cards"]) for hand in round_["hands"]] == [2, 2, 2]
    assert [hand["status"] for hand in round_["hands"]] == ["playing", "waiting", "waiting"]
    assert (round_["wagered_minor"], round_["balance_minor"]) == (600, 99_400)
    over = player.finish(round_)
    assert {hand["outcome"] for hand in over["hands"]} <= {"won", "lost"}
    assert sum(hand["payout_minor"] for hand in over["hands"]) == over["payout_minor"]
    assert sum(hand["wager_minor"] for hand in over["hands"]) == over["wagered_minor"] == 600
    assert over["balance_minor"] == 100_000 + over["win_minor"] == player.balance


def test_h9_a_double_takes_the_stake_again_draws_one_card_and_goes_on(
    player: Person, database: Database
):
    round_ = deal(database.owner_url, player, "2 23456789 3 23456789 4")
    doubled = player.act(round_["round_id"], 0, "double").json
    hand = doubled["hands"][0]
    assert (hand["doubled"], hand["wager_minor"], len(hand["cards"])) == (True, 400, 3)
    assert doubled["balance_minor"] == player.balance == 99_600
    assert doubled["state"] == "open"
    assert {"action": "hit"} in doubled["options"]


@pytest.mark.parametrize(
    ("ranks", "action"), [("2 * 3 2345678", "double"), ("8 * 8 2345678", "split")]
)
def test_wal_02_without_funds_the_wager_is_refused_and_the_hand_goes_on(
    people: People, database: Database, ranks: str, action: str
):
    player = people.player(cash=300)
    round_ = deal(database.owner_url, player, ranks)
    refused = player.act(round_["round_id"], 0, action)
    assert (refused.status, refused.json["code"]) == (409, "insufficient_funds")
    assert refused.json["needed_minor"] == 200
    assert refused.json["balance_minor"] == player.balance == 100
    assert player.api.get("rounds/current").json == round_
    assert player.act(round_["round_id"], 0, "hit").status == 200


def test_f13_money_spent_in_another_tab_is_not_there_for_a_double(
    people: People, database: Database
):
    player = people.player(cash=400)
    round_ = deal(database.owner_url, player, "2 23456789 3 23456789")
    body = {"amount_minor": 100, "currency": "USD", "reference": "w"}
    assert people.operator.post(f"players/{player.id}/withdrawals", body).status == 201
    refused = player.act(round_["round_id"], 0, "double")
    assert refused.json["code"] == "insufficient_funds"
    assert player.finish(round_)["wagered_minor"] == 200


# --- Illegal actions ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranks", "before", "action", "code"),
    [
        ("7 23456789 7 23456789", [], "stand", "stand_below_15"),
        ("Q 23456789 K 23456789", [], "split", "split_not_equal"),
        ("2 23456789 3 23456789 2", ["double"], "double", "double_used"),
        ("2 23456789 3 23456789 2", ["hit"], "split", "action_not_now"),
        ("8 23456789 8 23456789 8 * 8", ["split", "split"], "split", "split_limit"),
    ],
)
def test_an_illegal_action_is_refused_by_its_code_and_with_what_is_open(
    player: Person, database: Database, ranks: str, before: list, action: str, code: str
):  # H7, H9, H10
    round_ = deal(database.owner_url, player, ranks)
    for earlier in before:
        round_ = player.act(round_["round_id"], round_["seq"], earlier).json
    refused = player.act(round_["round_id"], round_["seq"], action)
    assert (refused.status, refused.json["code"]) == (409, code)
    assert refused.json["options"] == round_["options"]
    assert player.api.get("rounds/current").json == round_


# --- The same again -----------------------------------------------------------------------------


@pytest.mark.parametrize("named_by", ["key", "round_id"])
def test_f15_the_same_bet_again_is_the_same_round_to_the_byte(player: Person, named_by: str):
    def bet():
        if named_by == "round_id":
            return player.bet(200, round_id=round_id)
        return player.api.post("rounds", body, idempotency_key="again")

    round_id = str(uuid4())
    body = {"stake_minor": 200, "currency": "USD"}
    first = bet()
    player.finish(first.json)
    again = [bet() for _ in range(3)]
    assert {(answer.status, answer.body) for answer in again} == {(201, first.body)}
    assert len(player.api.get("rounds").json["results"]) == 1


@pytest.mark.parametrize(
    "change", [{"stake_minor": 300}, {"client_seed": "x"}, {"game": "other"}, {"currency": "EUR"}]
)
def test_net_02_the_same_key_for_another_bet_is_a_conflict(player: Person, change: dict):
    body = {"stake_minor": 200, "currency": "USD"}
    player.api.post("rounds", body, idempotency_key="k")
    other = player.api.post("rounds", body | change, idempotency_key="k")
    assert (other.status, other.json["code"]) == (409, "idempotency_conflict")


def test_a_round_id_that_is_in_use_is_a_conflict_under_another_key(player: Person):
    body = {"stake_minor": 200, "currency": "USD", "round_id": str(uuid4())}
    player.finish(player.api.post("rounds", body, idempotency_key="one").json)
    other = player.api.post("rounds", body, idempotency_key="two")
    assert (other.status, other.json["code"]) == (409, "idempotency_conflict")


def test_another_players_key_is_his_own(people: People, player: Person):
    body = {"stake_minor": 200, "currency": "USD"}
    mine = player.api.post("rounds", body, idempotency_key="k")
    his = people.player().api.post("rounds", body | {"client_seed": "his"}, idempotency_key="k")
    assert mine.status == his.status == 201
    assert mine.json["commitment"] != his.json["commitment"]


def test_a_refusal_stores_no_answer_and_the_same_key_may_be_tried_again(people: People):
    player = people.player(cash=100)
    body = {"stake_minor": 200, "currency": "USD"}
    assert player.api.post("rounds", body, idempotency_key="k").json["code"] == "insufficient_funds"
    people.deposit(player.id, 100)
    assert player.api.post("rounds", body, idempotency_key="k").status == 201


def test_the_same_seq_and_action_again_get_the_same_bytes(player: Person, database: Database):
    round_ = deal(database.owner_url, player, "2 23456789 3 23456789 2 3")
    first = player.act(round_["round_id"], 0, "hit")
    player.act(round_["round_id"], 1, "hit")
    again = player.act(round_["round_id"], 0, "hit")
    assert (again.status, again.body) == (200, first.body)
    assert player.api.get("rounds/current").json["seq"] == 2


@pytest.mark.parametrize(("seq", "action"), [(0, "double"), (2, "hit"), (99, "stand")])
def test_gam_03_another_action_or_a_seq_that_is_not_next_conflicts_with_the_current_round(
    player: Person, database: Database, seq: int, action: str
):
    round_ = deal(database.owner_url, player, "2 23456789 3 23456789 2 3")
    now = player.act(round_["round_id"], 0, "hit").json
    refused = player.act(round_["round_id"], seq, action)
    assert (refused.status, refused.json["code"]) == (409, "seq_conflict")
    assert refused.json["round"] == now


def test_a_finished_round_takes_no_more_actions_but_repeats_its_last(player: Person):
    over = player.finish(player.bet(200).json)
    refused = player.act(over["round_id"], over["seq"], "hit")
    assert (refused.status, refused.json["code"]) == (409, "round_over")
    assert refused.json["round"]["round_id"] == over["round_id"]
    if over["seq"]:
        last = over["actions"][-1]["action"]
        assert player.act(over["round_id"], over["seq"] - 1, last).json == over


def test_gam_02_int_03_a_second_round_is_refused_with_the_open_one(
    player: Person, database: Database
):
    round_ = deal(database.owner_url, player, "2 23456789 3 23456789")
    refused = player.bet(200)
    assert (refused.status, refused.json["code"]) == (409, "round_open")
    assert refused.json["round"] == round_


# --- Coming back --------------------------------------------------------------------------------


def test_f31_int_01_the_current_round_is_the_last_answer_at_every_step(
    player: Person, database: Database
):
    round_ = deal(database.owner_url, player, "8 23456789 8 23456789 8 2345 2345 2345")
    for action in ["split", "split", "hit", "double"]:
        current = player.api.get("rounds/current")
        assert (current.status, current.headers["Cache-Control"]) == (200, "no-store")
        assert current.json == round_
        round_ = player.act(round_["round_id"], round_["seq"], action).json
    while round_["state"] == "open":
        assert player.api.get("rounds/current").json == round_
        assert player.api.get(f"rounds/{round_['round_id']}").json == round_
        offered = {option["action"] for option in round_["options"]}
        action = "stand" if "stand" in offered else "hit"
        round_ = player.act(round_["round_id"], round_["seq"], action).json
    gone = player.api.get("rounds/current")
    assert (gone.status, gone.body) == (204, b"")
    assert player.api.get(f"rounds/{round_['round_id']}").json == round_


def test_int_01_a_new_session_finds_the_round_where_the_old_one_left_it(
    people: People, player: Person, database: Database
):
    round_ = deal(database.owner_url, player, "2 23456789 3 23456789")
    player.api = people.enter(player.id)
    assert player.api.get("rounds/current").json == round_
    assert player.act(round_["round_id"], 0, "hit").status == 200


def test_another_players_round_is_not_found(people: People, player: Person, database: Database):
    round_ = deal(database.owner_url, player, "2 23456789 3 23456789")
    other = people.player()
    for answer in (
        other.api.get(f"rounds/{round_['round_id']}"),
        other.api.get(f"rounds/{round_['round_id']}/proof"),
        other.act(round_["round_id"], 0, "hit"),
        other.act(str(uuid4()), 0, "hit"),
        other.api.get(f"rounds/{uuid4()}"),
    ):
        assert (answer.status, answer.json["code"]) == (404, "not_found")
    assert other.api.get("rounds/current").status == 204
    assert player.api.get("rounds/current").json == round_


def test_rgt_01_the_uk_profile_waits_five_seconds_from_deal_to_deal(people: People):
    player = people.player(profile="uk")
    player.finish(player.bet(200).json)
    refused = player.bet(200)
    assert (refused.status, refused.json["code"]) == (429, "too_soon")
    assert Entry.objects.latest("id").event == "wager.refused"
    assert 0 < refused.json["retry_after_s"] <= 5
    assert 1 <= int(refused.headers["Retry-After"]) <= 5


def test_h17_win_02_a_large_win_is_held_and_shown_and_the_player_goes_on(
    people: People, database: Database
):
    player = people.player(cash=1_000_000)
    plant_seed(database.owner_url, player, LARGE_WIN_SEED)
    round_ = player.bet(100_000).json
    for action in LARGE_WIN_ACTIONS:
        round_ = player.act(round_["round_id"], round_["seq"], action).json
    assert (round_["state"], round_["held_reason"]) == ("held", "large_win")
    assert round_["win_minor"] == 1_000_000
    assert round_["balance_minor"] == 1_000_000 - round_["wagered_minor"] == player.balance
    me = player.api.get("me").json
    assert (me["held_minor"], me["in_play_minor"]) == (round_["payout_minor"], 0)
    assert len(round_["server_seed"]) == 64
    assert player.bet(200).status == 201
