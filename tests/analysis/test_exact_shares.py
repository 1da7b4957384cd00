"""Draws from random shares have the probabilities of draws without replacement."""

from functools import cache
from itertools import pairwise, product
from math import perm, prod

import pytest

from pontoon.analysis import exact_shares

Counts = tuple[int, ...]

find_shares = cache(exact_shares.find_shares)


def mean_of(counts: Counts, drawn: Counts, order: int) -> float:
    """Return the mean over the shares of the probability to draw so many cards of each rank."""
    return sum(
        (weight * prod(share**cards for share, cards in zip(shares, drawn, strict=True))).real
        for shares, weight in find_shares(counts, order)
    )


def chance_of(counts: Counts, drawn: Counts) -> float:
    """Return the probability of these cards in one order, none of them put back."""
    ways = prod(perm(count, cards) for count, cards in zip(counts, drawn, strict=True))
    return ways / perm(sum(counts), sum(drawn))


@pytest.mark.parametrize("counts", [(32, 30, 128), (4, 6, 9), (1, 7, 2, 8), (5, 0, 9)], ids=str)
@pytest.mark.parametrize("pairs", [1, 2])
def test_with_an_order_for_each_part_and_pair_of_cards_a_mean_is_exact(
    counts: Counts, pairs: int
) -> None:
    order = pairs * (len(counts) - 1)
    for drawn in product(range(2 * pairs + 1), repeat=len(counts)):
        if sum(drawn) <= 2 * pairs:
            found = mean_of(counts, drawn, order)
            assert found == pytest.approx(chance_of(counts, drawn), abs=1e-13)


def test_an_order_more_is_closer() -> None:
    counts, drawn = (32,) * 9 + (128,), (1, 1, 2, 0, 0, 1, 0, 1, 0, 2)
    exact = chance_of(counts, drawn)
    errors = [abs(mean_of(counts, drawn, order) / exact - 1) for order in range(4)]
    for worse, better in pairwise(errors):
        assert better < worse / 10
    assert errors[-1] < 1e-5
