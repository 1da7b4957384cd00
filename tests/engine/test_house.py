"""The house game, rule by rule. The golden rounds in `rounds/` show the same rules played out."""

from itertools import combinations_with_replacement
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pontoon.engine import (
    DECK,
    Action,
    IllegalActionError,
    Kind,
    Option,
    Outcome,
    Over,
    Payout,
    Playing,
    Round,
    ShoeExhaustedError,
    Status,
    WagerError,
    house,
    parse_cards,
    shuffle,
)
from pontoon.engine.cards import RANKS
from tests.engine.playing import RULES, offered, over, pays, play, playing

# The deal


def test_H1_the_shoe_has_eight_decks_and_a_drawn_card_is_not_put_back() -> None:
    shoe = shuffle(RULES.decks, bytes(32))
    round_ = house.deal(RULES, shoe, 10)
    on_the_table = [*round_.hands[0].cards, *round_.dealer]
    assert len(shoe) == 416
    assert sorted(map(str, [*on_the_table, *round_.shoe])) == sorted(map(str, DECK * 8))


def test_H3_player_dealer_player_dealer() -> None:
    round_ = playing("2S 3D 4H 5C 6S")
    assert round_.hands[0].cards == parse_cards("2S 4H")
    assert round_.dealer == parse_cards("3D 5C")
    assert next(iter(round_.shoe)) == parse_cards("6S")[0]


def test_H3_the_dealers_cards_lie_face_down_until_the_round_is_over() -> None:
    seen = house.view(playing("TS 3D 9H 5C"))
    assert seen.hands[0].cards == ("TS", "9H")
    assert seen.dealer.cards == ("??", "??")
    assert (seen.dealer.total, seen.dealer.soft, seen.dealer.kind) == (None, None, None)


@pytest.mark.parametrize("cards", ["TS AD 9H KC", "TS KD 9H AC", "AS AD KH TC", "8S AD 8H JC"])
def test_H4_F21_a_pontoon_of_the_dealer_ends_the_round_before_anyone_acts(cards: str) -> None:
    round_ = over(cards)
    assert house.legal_actions(round_) == ()
    assert house.view(round_).dealer.kind is Kind.PONTOON
    assert house.settle(round_) == (Payout(Outcome.LOST, 10, 0),)


@pytest.mark.parametrize("wager", [0, -1, True, 2.5, "5", None])
def test_a_wager_is_a_whole_number_of_at_least_one(wager: object) -> None:
    with pytest.raises(WagerError) as caught:
        house.deal(RULES, shuffle(8, bytes(32)), cast(int, wager))
    assert caught.value.wager is wager


# What ends a hand


def test_H6_a_dealt_pontoon_makes_no_decision() -> None:
    assert house.settle(over("AS 9D KH TC")) == (Payout(Outcome.WON, 10, 30),)


def test_H6_F23_a_fifth_card_completes_the_hand() -> None:
    round_ = over("2S TD 3H 9C 4S 5C 6D", "hit hit hit")
    assert [hand.kind for hand in house.view(round_).hands] == [Kind.FIVE_CARD_TRICK]


def test_H6_a_bust_hand_is_lost_at_once_while_the_others_play_on() -> None:
    round_ = playing("8S TD 8H 6C 7S TC KS", "split hit")
    bust, other = house.view(round_).hands
    assert (bust.kind, bust.status, bust.outcome, bust.payout) == ("bust", "complete", "lost", 0)
    assert (other.status, other.outcome, other.payout) == (Status.PLAYING, None, None)


@pytest.mark.parametrize(
    ("shoe", "actions"),
    [
        pytest.param("TS 9D 5H TC 6D", "hit", id="H6 a hard 21 of three cards goes on"),
        pytest.param("2S TD 3H 9C 5S AC", "hit hit", id="H6 a soft 21 of four cards goes on"),
    ],
)
def test_H6_twenty_one_does_not_complete_a_hand(shoe: str, actions: str) -> None:
    assert offered(playing(shoe, actions)) == ["hit", "stand", "double"]


# Decisions


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        pytest.param("TS 9D 4H TC", False, id="H7 not on hard 14"),
        pytest.param("TS 9D 5H TC", True, id="H7 on hard 15"),
        pytest.param("AS 9D 3H TC", False, id="H7 not on soft 14"),
        pytest.param("AS 9D 4H TC", True, id="H7 on soft 15"),
        pytest.param("AS 9D 9H TC", True, id="H7 on soft 20"),
    ],
)
def test_H7_stand_is_allowed_on_fifteen_or_more(cards: str, expected: bool) -> None:
    assert ("stand" in offered(playing(cards))) is expected


def test_H8_every_hand_in_play_may_hit() -> None:
    round_: Round = playing("2S TD 2H 9C 2D 2C AS")
    for size in (2, 3, 4):
        assert len(round_.hands[0].cards) == size
        assert house.legal_actions(round_)[0] == Option(Action.HIT, 0, 0)
        round_ = house.act(round_, Action.HIT)
    assert isinstance(round_, Over)


@pytest.mark.parametrize("actions", ["", "hit", "hit hit"])
def test_H9_double_is_allowed_on_two_three_and_four_cards(actions: str) -> None:
    assert Option(Action.DOUBLE, 10, 10) in house.legal_actions(
        playing("2S 9D 3H TC 4D 5C", actions)
    )


def test_H9_a_double_adds_the_stake_and_draws_one_card_at_once() -> None:
    hand = playing("5S TD 3H 7C 4S 8H", "double").hands[0]
    assert (hand.stake, hand.wager, hand.is_doubled) == (10, 20, True)
    assert hand.cards == parse_cards("5S 3H 4S")


def test_H9_a_doubled_hand_goes_on_and_must_reach_fifteen_to_stand() -> None:
    assert offered(playing("5S TD 3H 7C 4S", "double")) == ["hit"]
    assert offered(playing("5S TD 3H 7C 9S", "double")) == ["hit", "stand"]


def test_H9_a_doubled_hand_may_be_hit_to_its_fifth_card() -> None:
    round_ = over("2S TD 2H 9C 2D 3C 3H", "double hit hit")
    assert round_.hands[0].cards == parse_cards("2S 2H 2D 3C 3H")
    assert house.settle(round_) == (Payout(Outcome.WON, 20, 60),)


@pytest.mark.parametrize(("first", "second"), list(combinations_with_replacement(RANKS, 2)))
def test_H9_two_cards_of_any_total_but_a_pontoon_may_be_doubled(first: str, second: str) -> None:
    round_ = play(f"{first}S 9D {second}H 8C 2D")
    assert ("double" in offered(round_)) is isinstance(round_, Playing)


def test_H9_F25_a_hand_made_by_a_split_may_be_doubled_right_away() -> None:
    assert offered(playing("8S TD 8H 7C 3S 2D", "split")) == ["hit", "double"]


def test_H9_the_double_after_a_split_adds_the_stake_of_the_hand() -> None:
    hands = playing("8S TD 8H 7C 3S 2D 9C", "split double").hands
    assert [(hand.stake, hand.wager) for hand in hands] == [(10, 20), (10, 10)]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        pytest.param("QS 9D QH TC", True, id="H10 two queens"),
        pytest.param("AS 9D AH TC", True, id="H10 two aces"),
        pytest.param("8S 9D 8S TC", True, id="H10 two eights of one suit"),
        *(
            pytest.param(f"{rank}S 9D {rank}H 8C", True, id=f"H10 {rank} and {rank}")
            for rank in RANKS
        ),
        pytest.param("QS 9D KH TC", False, id="H10 not queen and king"),
        pytest.param("TS 9D JH TC", False, id="H10 not ten and jack"),
    ],
)
def test_H10_only_equal_ranks_split(cards: str, expected: bool) -> None:
    assert (Option(Action.SPLIT, 10, 10) in house.legal_actions(playing(cards))) is expected


@pytest.mark.parametrize("rank", RANKS)
def test_H10_a_pair_of_any_rank_may_be_split_again(rank: str) -> None:
    assert len(playing(f"{rank}S 9D {rank}H 8C {rank}D 5S 6D 7D", "split split").hands) == 3


def test_H10_F25_each_half_gets_a_card_at_once_the_first_hand_first() -> None:
    round_ = playing("8S TD 8H 7C 3S 2D", "split")
    first, second = round_.hands
    assert (first.cards, second.cards) == (parse_cards("8S 3S"), parse_cards("8H 2D"))
    assert [hand.wager for hand in round_.hands] == [10, 10]
    assert all(hand.from_split for hand in round_.hands)
    assert round_.active_hand == 0


def test_H10_a_fourth_hand_is_refused() -> None:
    assert "split" not in offered(playing("8S TD 8H 7C 8D 8C 8S 3H", "split split"))


def test_H10_hands_are_played_first_to_last() -> None:
    round_ = over("8S TD 8H 7C 8D KC 3C 2H 9H TS", "split split hit stand hit stand stand")
    assert [move.hand for move in round_.moves] == [0, 0, 0, 0, 1, 1, 2]


def test_H10_split_aces_play_on_like_any_hand() -> None:
    assert offered(playing("AS TD AH 8C 5S 9D", "split")) == ["hit", "stand", "double"]


@pytest.mark.parametrize(
    "shoe",
    [
        pytest.param("AS TD AH 8C KS QD", id="H11 split aces"),
        pytest.param("TS TD TH 8C AS AD", id="H11 split tens"),
    ],
)
def test_H11_F25_ace_and_ten_after_a_split_are_pontoons_and_pay_2_to_1(shoe: str) -> None:
    assert pays(shoe, "split") == [30, 30]


def test_H11_a_pontoon_that_waits_is_complete_and_is_passed_over() -> None:
    round_ = playing("AS TD AH 8C 5S KD", "split")
    assert [hand.status for hand in house.view(round_).hands] == [Status.PLAYING, Status.COMPLETE]
    assert isinstance(house.act(round_, Action.STAND), Over)


# What is refused


REFUSALS = [
    pytest.param("TS TD 9H 9C", "stand", "hit", "round_over", id="a round that is over"),
    pytest.param("TS AD 9H KC", "", "stand", "round_over", id="H4 after the dealer's pontoon"),
    pytest.param("TS 9D 4H TC", "", "stand", "stand_below_15", id="H7 below fifteen"),
    pytest.param("5S 9D 3H TC 4S", "double", "double", "double_used", id="H9 a second double"),
    pytest.param("8S 9D 8H TC 2S", "hit", "split", "action_not_now", id="H10 three cards"),
    pytest.param("QS 9D KH TC", "", "split", "split_not_equal", id="H10 queen and king"),
    pytest.param(
        "8S TD 8H 7C 8D 8C 8S 3H", "split split", "split", "split_limit", id="H10 a fourth hand"
    ),
    pytest.param(
        "8S TD 8H 7C 8D 8C 9S 3H",
        "split split",
        "split",
        "split_not_equal",
        id="H10 unequal is said before the limit",
    ),
    pytest.param(
        "2S 9D 3H TC 4S", "double", "split", "action_not_now", id="H10 three cards, unequal"
    ),
]


@pytest.mark.parametrize(("shoe", "actions", "action", "code"), REFUSALS)
def test_refusals_name_their_reason_and_what_is_allowed(
    shoe: str, actions: str, action: str, code: str
) -> None:
    round_ = play(shoe, actions)
    before = repr(round_), hash(round_), house.view(round_)
    with pytest.raises(IllegalActionError) as caught:
        house.act(round_, Action(action))
    assert (caught.value.code, caught.value.action) == (code, action)
    assert caught.value.options == house.legal_actions(round_)
    assert (repr(round_), hash(round_), house.view(round_)) == before


def test_a_round_without_cards_to_go_on_is_refused_and_not_changed() -> None:
    round_ = playing("TS 9D 4H TC")
    with pytest.raises(ShoeExhaustedError):
        house.act(round_, Action.HIT)
    assert round_ == playing("TS 9D 4H TC")


# The absent player


@pytest.mark.parametrize(
    ("cards", "action"),
    [
        pytest.param("TS 9D 4H TC", "hit", id="H21 hit on 14"),
        pytest.param("TS 9D 5H TC", "stand", id="H21 stand on 15"),
        pytest.param("AS 9D 3H TC", "hit", id="H21 hit on soft 14"),
        pytest.param("AS 9D 4H TC", "stand", id="H21 stand on soft 15"),
        pytest.param("8S 9D 8H TC", "stand", id="H21 never split"),
    ],
)
def test_H21_the_house_hits_below_fifteen_then_stands(cards: str, action: str) -> None:
    assert house.absent_action(playing(cards)) == action


@given(seed=st.binary(min_size=32, max_size=32), actions=st.lists(st.sampled_from(Action)))
def test_H21_the_house_finishes_any_round_and_adds_no_wager(
    seed: bytes, actions: list[Action]
) -> None:
    round_ = house.deal(RULES, shuffle(8, seed), 10)
    for action in actions:
        if action in offered(round_):
            round_ = house.act(round_, action)
    wagered = house.view(round_).wagered
    while isinstance(round_, Playing):
        round_ = house.act(round_, house.absent_action(round_))
    assert house.view(round_).wagered == wagered
