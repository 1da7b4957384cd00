"""The end of a round of the house game: what the dealer does, who wins, and what."""

from typing import cast

import pytest

from pontoon.engine import (
    Action,
    IllegalActionError,
    Kind,
    Outcome,
    Payout,
    house,
)
from tests.engine.playing import over, pays, playing

# The dealer


@pytest.mark.parametrize(
    ("shoe", "drawn"),
    [
        pytest.param("TS TD 9H 6C 4S", 1, id="H12 he draws on hard 16"),
        pytest.param("TS TD 9H 7C 4S", 0, id="H12 he stands on hard 17"),
        pytest.param("TS AD 9H 6C 4S", 1, id="H12 he draws on soft 17"),
        pytest.param("TS AD 9H 7C 4S", 0, id="H12 he stands on soft 18"),
        pytest.param("TS AD 9H 5C TS AS", 2, id="H12 he draws on a soft 16 that becomes hard 16"),
        pytest.param("TS AD 9H 6C TS AS", 1, id="H12 he stands on hard 17 with an ace as 1"),
        pytest.param("TS AD 9H 2C AS 3S 5S", 3, id="H12 F23 he draws on soft 17 of four cards"),
        pytest.param("TS 2D 9H 2C 2S 3S 3H 4S", 3, id="H12 F23 he stops at five cards"),
    ],
)
def test_H12_when_the_dealer_draws(shoe: str, drawn: int) -> None:
    assert len(over(shoe, "stand").dealer) == 2 + drawn


@pytest.mark.parametrize(
    ("shoe", "actions", "is_drawn"),
    [
        pytest.param("AS 5D KH 6C TD", "", False, id="H12 none against a pontoon"),
        pytest.param("TS 5D 6H TC KS TH", "hit", False, id="H12 none against a bust hand"),
        pytest.param("AS 5D AH 6C KS QD TD", "split", False, id="H12 none against two pontoons"),
        pytest.param("2S 5D 3H 6C 4S 5C 6D TH", "hit hit hit", True, id="H12 against a trick"),
        pytest.param("AS 5D AH 6C KS 7D TD", "split stand", True, id="H12 against one hand left"),
    ],
)
def test_H12_the_dealer_draws_only_if_it_can_change_a_hand(
    shoe: str, actions: str, is_drawn: bool
) -> None:
    assert (len(over(shoe, actions).dealer) > 2) is is_drawn


def test_H13_F23_five_cards_of_the_dealer_are_a_trick() -> None:
    round_ = over("TS 2D 6H 3C 5S 2H 4C 5H", "hit stand")
    assert house.view(round_).dealer.kind is Kind.FIVE_CARD_TRICK
    assert house.settle(round_) == (Payout(Outcome.LOST, 10, 0),)


# Who wins, and what


@pytest.mark.parametrize(
    ("shoe", "actions", "expected"),
    [
        *(
            pytest.param(f"TS TD {rank}H {rank}C", "stand", [0], id=f"H14 equal points, {rank}")
            for rank in "789TQ"
        ),
        pytest.param("7S AD 7H 5C 7D 5S", "hit stand", [0], id="H14 21 against 21"),
        pytest.param(
            "2S 2D 3H 3C 4S 5S 6S 4D 5D 2H", "hit hit hit", [0], id="H14 F23 trick against trick"
        ),
        pytest.param("AS AD KH KC", "", [0], id="H14 pontoon against pontoon"),
        pytest.param("AS 9D KH TC", "", [30], id="H15 a pontoon pays 2 to 1"),
        pytest.param("2S TD 3H 9C 4S 5C 6D", "hit hit hit", [30], id="H15 a trick pays 2 to 1"),
        pytest.param(
            "2S TD 3H 9C 4S 5C 6D", "hit hit double", [60], id="H15 2 to 1 on a doubled wager"
        ),
        pytest.param("7S TD 7H 9C 7D", "hit stand", [20], id="H15 21 in three cards pays 1 to 1"),
        pytest.param("TS TD TH 9C", "stand", [20], id="H15 a higher total pays 1 to 1"),
        pytest.param("TS TD 7H 6C TC", "stand", [20], id="H15 a bust dealer pays 1 to 1"),
        pytest.param("5S TD 6H 9C TH", "double stand", [40], id="H15 1 to 1 on a doubled wager"),
        pytest.param("TS TD 8H 9C", "stand", [0], id="H15 a lower total loses"),
        pytest.param("8S TD 8H 9C TS 4D TH", "split stand hit", [0, 0], id="H6 bust and lower"),
    ],
)
def test_H14_H15_payouts(shoe: str, actions: str, expected: list[int]) -> None:
    assert pays(shoe, actions) == expected


def test_H15_the_largest_win_of_a_round_is_twelve_stakes() -> None:
    deal = "2S TD 2H 9C 2D 2C"
    hands = "3S 3H 4S 5S 6S 4H 5H 6H 3D 4D 5D"
    round_ = over(f"{deal} {hands}", "split split" + " hit hit double" * 3)
    payouts = house.settle(round_)
    assert [payout.win for payout in payouts] == [40, 40, 40]
    assert house.view(round_).payout == sum(payout.amount for payout in payouts) == 180
    assert house.view(round_).wagered == 60


def test_H15_a_lost_hand_wins_less_than_nothing() -> None:
    assert [payout.win for payout in house.settle(over("TS TD 8H 9C", "stand"))] == [-10]


def test_H16_there_is_no_insurance_no_surrender_and_no_side_bet() -> None:
    assert [action.value for action in Action] == ["hit", "stand", "double", "split"]
    for action in ("insurance", "surrender"):
        with pytest.raises(IllegalActionError) as caught:
            house.act(playing("TS AD 9H 5C"), cast(Action, action))
        assert caught.value.code == "no_such_action"
