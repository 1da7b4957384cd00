"""The value of a hand: every hand of up to five cards, against a second opinion."""

from itertools import combinations_with_replacement, product

import pytest

from pontoon.engine.cards import Card, parse_cards
from pontoon.engine.hands import Kind, Value, evaluate

POINTS = {rank: (int(rank),) for rank in "23456789"} | {r: (10,) for r in "TJQK"} | {"A": (1, 11)}
HANDS = [
    ranks for size in range(2, 6) for ranks in combinations_with_replacement("A23456789TJQK", size)
]


def hand(text: str) -> tuple[Card, ...]:
    return parse_cards(" ".join(rank + "S" for rank in text))


def possible_totals(ranks: tuple[str, ...]) -> set[int]:
    return {sum(points) for points in product(*(POINTS[rank] for rank in ranks))}


def second_opinion(ranks: tuple[str, ...]) -> tuple[Kind, int, bool]:
    totals = possible_totals(ranks)
    total = max((total for total in totals if total <= 21), default=min(totals))
    is_soft = total <= 21 and total > min(totals)
    if total > 21:
        return Kind.BUST, total, is_soft
    if len(ranks) == 5:
        return Kind.FIVE_CARD_TRICK, total, is_soft
    if len(ranks) == 2 and total == 21:
        return Kind.PONTOON, total, is_soft
    return Kind.POINTS, total, is_soft


def test_F21_H2_H5_every_hand_of_up_to_five_cards_has_its_value() -> None:
    assert len(HANDS) == 8554
    for ranks in HANDS:
        value = evaluate(hand("".join(ranks)))
        assert (value.kind, value.total, value.soft) == second_opinion(ranks), ranks
        assert evaluate(hand("".join(reversed(ranks)))) == value


@pytest.mark.parametrize(
    ("ranks", "kind", "total", "soft"),
    [
        pytest.param("AAA6", Kind.POINTS, 19, True, id="F21 H2 three aces and a six are soft 19"),
        pytest.param("AA", Kind.POINTS, 12, True, id="H2 only one ace of two can count 11"),
        pytest.param("A69", Kind.POINTS, 16, False, id="H2 an ace that would bust counts 1"),
        pytest.param("AK", Kind.PONTOON, 21, True, id="H5 ace and king are a pontoon"),
        pytest.param("TA", Kind.PONTOON, 21, True, id="H5 ten and ace are a pontoon"),
        pytest.param("777", Kind.POINTS, 21, False, id="H5 21 in three cards is points"),
        pytest.param("A235", Kind.POINTS, 21, True, id="H5 21 in four cards is points"),
        pytest.param("AAAAA", Kind.FIVE_CARD_TRICK, 15, True, id="H5 five aces are a trick"),
        pytest.param("2345K", Kind.BUST, 24, False, id="H5 five cards over 21 are bust"),
    ],
)
def test_values(ranks: str, kind: Kind, total: int, soft: bool) -> None:
    value = evaluate(hand(ranks))
    assert (value.kind, value.total, value.soft) == (kind, total, soft)


def test_H5_hands_rank_from_bust_to_pontoon() -> None:
    ascending = ["2345K", "22", "A3", "K9", "AAA6", "QQ", "777", "22222", "AK"]
    strengths = [evaluate(hand(ranks)).strength for ranks in ascending]
    assert strengths == sorted(strengths)
    assert strengths.count(19) == 2


def test_H5_all_five_card_tricks_are_equal() -> None:
    tricks = [ranks for ranks in HANDS if second_opinion(ranks)[0] is Kind.FIVE_CARD_TRICK]
    assert len({evaluate(hand("".join(ranks))).strength for ranks in tricks}) == 1


def test_H5_points_rank_by_their_total_soft_or_hard() -> None:
    for ranks in HANDS:
        value = evaluate(hand("".join(ranks)))
        assert value.kind is not Kind.POINTS or value.strength == value.total


def test_where_there_is_no_trick_five_cards_are_points() -> None:
    assert evaluate(hand("23456"), trick_cards=None) == Value(Kind.POINTS, 20, False, 20)
