"""What the dealer ends with, exactly, whatever cards are gone from the shoe.

The dealer decides nothing, so his ways to draw are counted once: every multiset of cards with
which he may end, and the number of orders in which he comes to it. For a composition each order of
a multiset is as likely: a product of falling factorials, one factor for each rank, over one of the
shoe's size. The multisets are the leaves of a tree that adds the ranks one after another, so that
beginnings in common are multiplied once.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import Final, TypeAlias

from pontoon.analysis.composition import (
    ACE,
    TEN,
    Hand,
    Stock,
    count_of,
    forget_pair,
    make_hand,
    one,
)
from pontoon.analysis.rules import Variant
from pontoon.engine.hands import Kind

Law: TypeAlias = tuple[float, ...]
"""Probabilities of what the dealer ends with, in the order of `Dealer.strengths`.

Their sum is the probability that he has no pontoon, which he shows before anyone acts (H4)."""

BUST: Final = 0


class Dealer:
    """The dealer of a rule set and a shoe; knows the law of his end for any cards that are gone."""

    def __init__(self, variant: Variant, stock: Stock) -> None:
        ends = _find_ends(variant)
        self.strengths = tuple(sorted({BUST, *(end.strength for end in ends)}))
        self._looks = variant.dealer_looks
        self._stock = stock
        self._tree = _Tree(ends, self.strengths)
        self._laws: dict[int, Law] = {}

    def law(self, seen: int) -> Law:
        """Return the law when `seen` is gone, no pontoon included."""
        seen = forget_pair(seen)
        if seen not in self._laws:
            self._laws[seen] = self._find_law(seen)
        return self._laws[seen]

    def no_pontoon(self, seen: int) -> float:
        """Return the probability that the dealer, who looks, sees no ace and ten (H4)."""
        if not self._looks:
            return 1
        left = self._left(forget_pair(seen))
        size = sum(left)
        return 1 - 2 * left[ACE] * left[TEN] / (size * (size - 1))

    def _left(self, seen: int) -> list[int]:
        return [count - count_of(seen, rank) for rank, count in enumerate(self._stock.counts)]

    def _find_law(self, seen: int) -> Law:
        """Reckon every end but a bust, which is what is left."""
        law = self._tree.evaluate(self._left(seen))
        law[BUST] = self.no_pontoon(seen) - sum(law)
        return tuple(law)


@dataclass(frozen=True, slots=True)
class _End:
    """Cards with which the dealer may end, not bust, and the number of orders to come to them."""

    cards: int
    count: int
    strength: int
    orders: int


def _find_ends(variant: Variant) -> list[_End]:
    """Draw the dealer's cards in every order, one more card at a time (H12, H13)."""
    trick_cards = variant.trick_cards if variant.dealer_trick else None
    excluded = {Kind.BUST, Kind.PONTOON} if variant.dealer_looks else {Kind.BUST}
    ends, open_hands = [], {0: 1}
    while open_hands:
        drawn: dict[int, int] = defaultdict(int)
        for cards, orders in open_hands.items():
            for rank in range(TEN + 1):
                drawn[cards + one(rank)] += orders
        open_hands = {}
        for cards, orders in drawn.items():
            hand = make_hand(cards, trick_cards)
            if hand.count < 2 or _draws(variant, hand):
                open_hands[cards] = orders
            elif hand.kind not in excluded:
                ends.append(_End(cards, hand.count, hand.strength, orders))
    return ends


def _draws(variant: Variant, hand: Hand) -> bool:
    """H12: he draws below 17 and on a soft 17, and stops at five cards, a trick or not (H13)."""
    if hand.count >= variant.trick_cards:
        return False
    soft_17 = hand.soft and hand.total == 17 and variant.dealer_hits_soft_17
    return hand.total < variant.dealer_stands_min or soft_17


class _Tree:
    """Sums of products over the ends: a node multiplies its parent by a factor of one rank.

    A factor is numbered by its rank and by how many cards of that rank are drawn.
    """

    def __init__(self, ends: list[_End], strengths: tuple[int, ...]) -> None:
        self._cards_max = max(end.count for end in ends)
        self._strength_count = len(strengths)
        self._nodes: list[tuple[int, int]] = []  # parent, factor
        self._leaves: list[tuple[int, int, int]] = []  # node, orders, sum
        known: dict[tuple[int, ...], int] = {(): 0}
        for end in ends:
            node = self._grow(known, self._factors(end.cards))
            place = strengths.index(end.strength) * (self._cards_max + 1) + end.count
            self._leaves.append((node, end.orders, place))

    def _factors(self, cards: int) -> tuple[int, ...]:
        counts = [count_of(cards, rank) for rank in range(TEN + 1)]
        return tuple(
            rank * (self._cards_max + 1) + count for rank, count in enumerate(counts) if count
        )

    def _grow(self, known: dict[tuple[int, ...], int], factors: tuple[int, ...]) -> int:
        if factors not in known:
            parent = self._grow(known, factors[:-1])
            self._nodes.append((parent, factors[-1]))
            known[factors] = len(self._nodes)
        return known[factors]

    def evaluate(self, left: list[int]) -> list[float]:
        """Return a probability for each strength when these cards are left."""
        factors = [factor for count in left for factor in self._falling(count)]
        products = [1]
        for parent, factor in self._nodes:
            products.append(products[parent] * factors[factor])
        sums = [0] * (self._strength_count * (self._cards_max + 1))
        for node, orders, place in self._leaves:
            sums[place] += products[node] * orders
        return self._divide(sums, self._falling(sum(left)))

    def _falling(self, count: int) -> list[int]:
        """Return the orders to draw 0, 1, 2 … of so many cards: 1, n, n(n-1) …"""
        return list(accumulate(range(count, count - self._cards_max, -1), mul, initial=1))

    def _divide(self, sums: list[int], orders: list[int]) -> list[float]:
        """Divide by all orders of as many cards, and add up what has the same strength."""
        width = self._cards_max + 1
        return [
            sum(
                ways / orders[count]
                for count, ways in enumerate(sums[start : start + width])
                if ways
            )
            for start in range(0, len(sums), width)
        ]
