"""Numbers are parameters: another one is another game."""

from dataclasses import replace

import pytest

from pontoon.engine import (
    Action,
    IllegalActionError,
    Rules,
    house,
)
from tests.engine.playing import RULES, pays, play


@pytest.mark.parametrize(
    ("change", "shoe", "actions", "expected"),
    [
        pytest.param({"dealer_hits_soft_17": False}, "TS AD 8H 6C", "stand", [20], id="H12"),
        pytest.param({"dealer_wins_ties": False}, "TS TD 9H 9C", "stand", [10], id="H14"),
        pytest.param(
            {"dealer_wins_ties": False}, "AS AD KH KC", "", [0], id="H4 pontoons are no tie of H14"
        ),
        pytest.param({"pontoon_odds": 3}, "AS 9D KH TC", "", [40], id="H15 pontoon odds"),
        pytest.param(
            {"trick_odds": 1}, "2S TD 3H 9C 4S 5C 6D", "hit hit hit", [20], id="H15 trick odds"
        ),
        pytest.param(
            {"dealer_trick": False},
            "TS 2D 6H 3C 5S 2H 4C 5H 5C",
            "hit stand",
            [20],
            id="H13 without the trick he stops at five cards all the same (H12): 16 points",
        ),
        pytest.param(
            {"dealer_wins_ties": False},
            "TS TD 6H 9C 9S",
            "hit",
            [0],
            id="H6 a bust hand is no tie",
        ),
        pytest.param(
            {"split_aces_play_on": False},
            "AS TD AH 7C 8S 9D",
            "split",
            [20, 20],
            id="H10 split aces get one card",
        ),
    ],
)
def test_a_changed_number_changes_the_game(
    change: dict[str, bool], shoe: str, actions: str, expected: list[int]
) -> None:
    assert pays(shoe, actions, rules=replace(RULES, **change)) == expected


@pytest.mark.parametrize(
    ("change", "shoe", "actions", "action", "code"),
    [
        ({"double_cards_max": 2}, "2S 9D 3H TC 4D", "hit", "double", "action_not_now"),
        ({"hands_max": 2}, "8S TD 8H 7C 8D 3H", "split", "split", "split_limit"),
        ({"stand_points_min": 17}, "TS TD 6H 7C", "", "stand", "stand_below_15"),
    ],
)
def test_a_changed_number_changes_what_is_legal(
    change: dict[str, int], shoe: str, actions: str, action: str, code: str
) -> None:
    round_ = play(shoe, actions, rules=replace(RULES, **change))
    with pytest.raises(IllegalActionError) as caught:
        house.act(round_, Action(action))
    assert caught.value.code == code


def test_published_rules_cannot_be_edited() -> None:
    with pytest.raises(TypeError):
        house.RULES["house/1"] = Rules(decks=1)  # type: ignore[index]
    with pytest.raises(AttributeError):
        RULES.decks = 1  # type: ignore[misc]
