"""Sums of products of cards, for many sets of cards at once.

A term is a set of cards and the number of orders in which it is come to. It stands for that number
times one factor for each rank, which depends on how many cards of the rank there are. The products
are the nodes of a tree that adds the ranks one after another, so that beginnings in common are
multiplied once.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import mul
from typing import NamedTuple, TypeVar

from pontoon.analysis.composition import POINTS, count_of

NumberT = TypeVar("NumberT", int, complex)


class Term(NamedTuple):
    """Cards, the orders in which they may come, and the place of the sum that they go to."""

    cards: int
    orders: int
    place: int


class TermSums:
    """Terms of at most `cards_max` cards, ready to be added up in so many places."""

    def __init__(self, terms: Iterable[Term], places: int, cards_max: int) -> None:
        self._cards_max = cards_max
        self._nodes: list[tuple[int, int]] = []  # parent, factor
        self._places: list[tuple[list[int], list[int]]] = [([], []) for _ in range(places)]
        known: dict[tuple[int, ...], int] = {(): 0}
        for term in terms:
            nodes, orders = self._places[term.place]
            nodes.append(self._grow(known, self._number_factors(term.cards)))
            orders.append(term.orders)

    def _number_factors(self, cards: int) -> tuple[int, ...]:
        """Number a factor by its rank and by how many cards of that rank there are."""
        counts = [count_of(cards, rank) for rank in range(len(POINTS))]
        return tuple(
            rank * (self._cards_max + 1) + count for rank, count in enumerate(counts) if count
        )

    def _grow(self, known: dict[tuple[int, ...], int], factors: tuple[int, ...]) -> int:
        if factors not in known:
            parent = self._grow(known, factors[:-1])
            self._nodes.append((parent, factors[-1]))
            known[factors] = len(self._nodes)
        return known[factors]

    def evaluate(self, factors: Iterable[Sequence[NumberT]]) -> list[NumberT]:
        """Return the sums, given for each rank the factors of 0 to `cards_max` cards."""
        numbered = list(chain.from_iterable(factors))
        products: list[NumberT] = [1]
        for parent, factor in self._nodes:
            products.append(products[parent] * numbered[factor])
        return [
            sum(map(mul, map(products.__getitem__, nodes), orders))
            for nodes, orders in self._places
        ]
