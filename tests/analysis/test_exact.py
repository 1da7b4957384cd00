"""The exact analysis against the production engine, which plays small shoes in every order."""

from dataclasses import asdict, replace

import pytest

from pontoon.analysis.composition import full_shoe
from pontoon.analysis.exact_hand import Choose, best
from pontoon.analysis.exact_results import find_results
from pontoon.analysis.exact_round import RoundPlay
from pontoon.analysis.rules import Variant, find_variant
from pontoon.engine import Rules
from tests.analysis.every_order import Counts, erratic, play_rounds, results_of

SPLITS = [
    pytest.param({}, {"A": 3, "8": 5, "T": 5}, best, 10, id="H10 aces and eights"),
    pytest.param({}, {"9": 8, "6": 8}, erratic, 6, id="H10 nines and sixes"),
    pytest.param({}, {"T": 5, "J": 4, "6": 6}, best, 6, id="H10 tens of two ranks"),
    pytest.param({"hands_max": 2}, {"A": 4, "7": 5, "T": 4}, erratic, 9, id="H10 two hands"),
    pytest.param({"hands_max": 4}, {"9": 9, "T": 5}, erratic, 4, id="H10 four hands"),
    pytest.param(
        {"split_aces_play_on": False}, {"A": 5, "8": 6, "T": 5}, erratic, 12, id="H10 aces stop"
    ),
]
"""The last number is the order from which on the results of a split are exact."""


@pytest.mark.parametrize(("change", "counts", "choose", "order"), SPLITS)
def test_h10_splits_come_out_as_over_all_orders(
    change: dict[str, int], counts: Counts, choose: Choose, order: int
) -> None:
    rules = replace(Rules(), **change)
    play, strategy = play_rounds(Variant(**asdict(rules)), counts, choose)
    results = results_of(rules, counts, strategy)
    assert any(play.is_split(start) for start in play.starts)
    assert sum(results.values()) == pytest.approx(1, abs=1e-12)
    mean = sum(result * chance for result, chance in results.items())
    assert play.win == pytest.approx(mean, abs=1e-12)
    found = find_results(play, order)
    for result in found.keys() | results.keys():
        assert found.get(result, 0) == pytest.approx(results.get(result, 0), abs=1e-10)


def test_the_orders_come_closer_and_closer_to_how_splits_come_out() -> None:
    play = RoundPlay(find_variant("house/1"), full_shoe(8))
    first, second, third = (find_results(play, order) for order in (1, 2, 3))
    assert second == pytest.approx(first, abs=3e-8)
    assert third == pytest.approx(second, abs=3e-10)
    assert third != pytest.approx(first, abs=3e-10)
    mean = sum(result * chance for result, chance in third.items())
    assert mean == pytest.approx(play.win, abs=1e-12)


WHOLE = [
    pytest.param({}, {"A": 4, "6": 4, "3": 6}, id="house/1"),
    pytest.param({}, {"A": 4, "T": 6, "6": 3}, id="H4 pontoons"),
    pytest.param({"stand_points_min": 18}, {"A": 4, "5": 4, "9": 6}, id="H7"),
    pytest.param({"double_cards_max": 2}, {"2": 5, "5": 4, "8": 5}, id="H9"),
    pytest.param({"dealer_hits_soft_17": False}, {"A": 4, "6": 8}, id="H12"),
    pytest.param({"dealer_trick": False}, {"2": 6, "3": 8, "9": 2}, id="H13"),
    pytest.param({"dealer_wins_ties": False}, {"A": 4, "7": 5, "T": 4}, id="H14"),
    pytest.param({"pontoon_odds": 3, "trick_odds": 1}, {"A": 4, "4": 6, "T": 4}, id="H15"),
]


@pytest.mark.parametrize("choose", [best, erratic])
@pytest.mark.parametrize(("change", "counts"), WHOLE)
def test_every_result_is_as_probable_as_over_all_orders(
    change: dict[str, int], counts: Counts, choose: Choose
) -> None:
    rules = replace(Rules(), **change, hands_max=1)
    play, strategy = play_rounds(Variant(**asdict(rules)), counts, choose)
    results = results_of(rules, counts, strategy)
    assert sum(results.values()) == pytest.approx(1, abs=1e-12)
    assert find_results(play) == pytest.approx(results, abs=1e-12)
