"""The kernel's cards, and its reading of the rules where the production engine has no such rule."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import chdtrc

from pontoon.analysis.kernel import compiled
from pontoon.analysis.kernel.automaton import Spot, build
from pontoon.analysis.rules import Variant, find_variant
from pontoon.analysis.simulate.published import play_as_published
from pontoon.analysis.simulate.tally import Summary, Tally, summarize
from pontoon.engine import Action

HOUSE = find_variant("house/1")
WORD = 1 << 64


def shuffled(first_round: int, count: int, decks: int = 8) -> np.ndarray:
    rows = np.empty(count * compiled.ROW, np.uint16)
    compiled.shuffle_rows(rows, np.uint64(99), first_round, decks)
    return rows.reshape(count, compiled.ROW)


def shuffled_plainly(first_round: int, decks: int) -> list[int]:
    """One row, worked out a second time with Python's own numbers."""
    cards = []
    for word_index in range(first_round * 8, first_round * 8 + 8):
        word = (99 + word_index * 0x9E3779B97F4A7C15) % WORD
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
        word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
        word ^= word >> 31
        for lane in range(4):
            card, low = divmod((word >> 16 * lane & 0xFFFF) * 52 * decks, 65536)
            is_refused = low < 65536 % (52 * decks)
            cards.append(compiled.NO_CARD if is_refused else card // 13 * 16 + card % 13)
    return cards


@pytest.mark.parametrize("decks", [1, 2, 7, 8])
def test_cards_are_those_of_the_recipe(decks: int) -> None:
    rows = shuffled(1_000, 200, decks)
    assert rows.tolist() == [shuffled_plainly(1_000 + index, decks) for index in range(200)]


def test_every_card_is_as_likely_in_every_place_of_a_row() -> None:
    rows = shuffled(0, 400_000)
    for place in range(compiled.ROW):
        counts = np.bincount(rows[:, place], minlength=513)[:512].reshape(32, 16)
        assert counts[:, 13:].sum() == 0
        cells = counts[:, :13].ravel()
        chi_square = ((cells - cells.mean()) ** 2 / cells.mean()).sum()
        assert chdtrc(415, chi_square) > 0.01 / compiled.ROW


def test_a_round_draws_no_card_twice_and_keeps_their_order() -> None:
    draw = compiled._draw.py_func
    for number, row in enumerate(shuffled(0, 50, decks=1), 1):
        shoe = np.zeros(compiled.MARKS + 2 * compiled.ROW, np.uint16)
        shoe[compiled.MARKS :] = [*row, *row]
        shoe[compiled.NO_CARD] = number
        at, ranks = np.uint64(compiled.MARKS), []
        for _ in range(10):
            rank, at = draw(shoe, at)
            ranks.append(int(rank))
        fresh = [card for card in dict.fromkeys(row.tolist()) if card != compiled.NO_CARD]
        assert ranks == [card % 16 for card in fresh[:10]]


def play(rules: Variant, *stretches: tuple[int, int], seed: int = 3) -> tuple[Tally, Summary]:
    automaton = build(rules, play_as_published)
    tally = Tally.empty(automaton)
    for first, count in stretches:
        stretch = np.uint64(seed), first, count
        tables = automaton.table, automaton.pay, automaton.decks
        compiled.play_rounds(*tables, stretch, tally.rounds, tally.hands)
    return tally, summarize(automaton, tally)


def test_stretches_of_rounds_add_up() -> None:
    whole, _ = play(HOUSE, (0, 100_000))
    parts, _ = play(HOUSE, (70_001, 29_999), (0, 1), (1, 70_000))
    assert (whole.rounds == parts.rounds).all()
    assert (whole.hands == parts.hands).all()
    other, _ = play(HOUSE, (0, 100_000), seed=4)
    assert (whole.rounds != other.rounds).any()


# Figures that other rules are known for, to half a point; the strategy is not their best one.
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"dealer_wins_ties": False}, 1.08),
        ({"dealer_trick": False}, 1.015),
        ({"trick_odds": 1}, 0.93),
        ({"pontoon_odds": 1.5}, 0.97),
    ],
    ids=str,
)
def test_h12_to_h15_other_rules_return_what_they_are_known_for(
    changes: dict[str, float], expected: float
) -> None:
    _, summary = play(replace(HOUSE, **changes), (0, 8_000_000))
    assert abs(1 + summary.net - expected) < 0.01


def count_hands(rules: Variant) -> dict[str, int]:
    return dict(play(rules, (0, 1_000_000))[1].counts)


def test_h10_h11_splits_follow_their_rules() -> None:
    assert count_hands(replace(HOUSE, hands_max=1))["splits"] == 0
    three, four = count_hands(HOUSE), count_hands(replace(HOUSE, hands_max=4))
    two = count_hands(replace(HOUSE, hands_max=2))
    assert two["splits"] < three["splits"] < four["splits"]
    counted = count_hands(replace(HOUSE, split_pontoon=False))
    assert counted["pontoons"] < three["pontoons"]


def test_h09_a_double_draws_a_card_and_the_hand_goes_on() -> None:
    house, stays = count_hands(HOUSE), count_hands(replace(HOUSE, double_plays_on=False))
    assert stays["doubles"] > 100_000
    assert stays["tricks"] < house["tricks"]
    raises = count_hands(replace(HOUSE, double_draws=False))
    assert raises["doubles"] > 100_000
    none = count_hands(replace(HOUSE, double_cards_max=1))
    assert none["doubles"] == 0


def test_h07_a_strategy_that_does_what_is_not_allowed_is_refused() -> None:
    with pytest.raises(ValueError, match="may not stand here"):
        build(HOUSE, lambda _: Action.STAND)


@pytest.mark.parametrize("changes", [{"decks": 9}, {"decks": 0}, {"hands_max": 9}], ids=str)
def test_shoes_and_hands_beyond_the_tables_are_refused(changes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at most 8 decks and 8 hands"):
        build(replace(HOUSE, **changes), play_as_published)


def test_a_fingerprint_tells_rules_and_strategies_apart() -> None:
    def hit_soft_19(spot: Spot) -> Action:
        is_other = (spot.cards, spot.total, spot.soft) == (2, 19, True)
        return Action.HIT if is_other else play_as_published(spot)

    digests = [
        build(HOUSE, play_as_published).digest,
        build(HOUSE, hit_soft_19).digest,
        build(replace(HOUSE, trick_odds=3), play_as_published).digest,
        build(replace(HOUSE, decks=6), play_as_published).digest,
    ]
    assert len(set(digests)) == 4
    assert build(find_variant("house/1"), play_as_published).digest == digests[0]
