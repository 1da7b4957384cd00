"""What the dealer ends with, exactly, whatever cards are gone from the shoe.

The dealer decides nothing, so his ways to draw are counted once: every multiset of cards with
which he may end, and the number of orders in which he comes to it. For a composition each order of
a multiset is as likely: a product of falling factorials, one factor for each rank, over one of the
shoe's size.
"""

from collections import defaultdict
from collections.abc import Sequence
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
from pontoon.analysis.exact_shares import Shares, find_powers
from pontoon.analysis.exact_terms import NumberT, Term, TermSums
from pontoon.analysis.rules import Variant
from pontoon.engine.hands import Kind

Law: TypeAlias = tuple[float, ...]
"""Probabilities of what the dealer ends with, in the order of `Dealer.strengths`.

Their sum is the probability that he has no pontoon, which he shows before anyone acts (H4)."""

BUST: Final = 0


@dataclass(frozen=True, slots=True)
class _End:
    """Cards with which the dealer may end, not bust, and the number of orders to come to them."""

    cards: int
    count: int
    strength: int
    orders: int


class Dealer:
    """The dealer of a rule set and a shoe; knows the law of his end for any cards that are gone."""

    def __init__(self, variant: Variant, stock: Stock) -> None:
        ends = _find_ends(variant)
        self.strengths = tuple(sorted({BUST, *(end.strength for end in ends)}))
        self._cards_max = max(end.count for end in ends)
        self._looks = variant.dealer_looks
        self._stock = stock
        self._ends = self._make_sums(ends)
        self._laws: dict[int, Law] = {}

    def _make_sums(self, ends: Sequence[_End]) -> TermSums:
        """Keep ends of one strength apart by their number of cards: there is a place for each."""
        width = self._cards_max + 1
        terms = (
            Term(end.cards, end.orders, width * self.strengths.index(end.strength) + end.count)
            for end in ends
        )
        return TermSums(terms, width * len(self.strengths), self._cards_max)

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
        """Reckon every end but a bust, which is what is left.

        Each order of so many cards is as likely: their number is divided by that of all orders.
        """
        left = self._left(seen)
        orders = self._falling(sum(left))
        sums = self._ends.evaluate([self._falling(count) for count in left])
        law = [
            sum(ways / all_ways for ways, all_ways in zip(part, orders, strict=True) if ways)
            for part in self._by_strength(sums)
        ]
        law[BUST] = self.no_pontoon(seen) - sum(law)
        return tuple(law)

    def _falling(self, count: int) -> list[int]:
        """Return the orders to draw 0, 1, 2 … of so many cards: 1, n, n(n-1) …"""
        return list(accumulate(range(count, count - self._cards_max, -1), mul, initial=1))

    def law_of(self, shares: Shares) -> list[complex]:
        """Return the law when the next card always has these shares, no pontoon included."""
        tens = sum(shares[TEN:])
        powers = [find_powers(share, self._cards_max) for share in (*shares[:TEN], tens)]
        law = [sum(part) for part in self._by_strength(self._ends.evaluate(powers))]
        no_pontoon = 1 - 2 * shares[ACE] * tens if self._looks else 1
        law[BUST] = no_pontoon - sum(law)
        return law

    def _by_strength(self, sums: list[NumberT]) -> list[list[NumberT]]:
        """Part the sums by the strength: each part has one for every number of cards."""
        width = self._cards_max + 1
        return [sums[start : start + width] for start in range(0, len(sums), width)]


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
