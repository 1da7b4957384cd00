"""Which cards a shoe holds, and which are gone from it: counts of ranks, order and suits forgotten.

A rank is an index: 0 the ace, 1 to 8 the cards 2 to 9, 9 the cards worth ten. Some cards are a
number with five bits for each rank, so that putting cards together is an addition. Where tens are
split, which only equal ranks may be (H10), the rank of the pair is taken out of the tens as rank
10.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from pontoon.engine.cards import RANKS
from pontoon.engine.hands import LIMIT, SOFT_POINTS, Kind

ACE: Final = 0
TEN: Final = 9
PAIR_OF_TENS: Final = 10
NO_PAIR: Final = -1
POINTS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10)
NAMES: Final = "A23456789TT"

_BITS = 5
_MASK = (1 << _BITS) - 1


def one(rank: int) -> int:
    """Return one card of a rank."""
    return 1 << _BITS * rank


def count_of(cards: int, rank: int) -> int:
    """Count the cards of a rank."""
    return cards >> _BITS * rank & _MASK


def ranks_of(cards: int) -> Iterator[int]:
    """List the ranks of some cards, lowest first, each as often as it is there."""
    for rank in range(len(POINTS)):
        yield from [rank] * count_of(cards, rank)


def cards_of(ranks: Iterable[int]) -> int:
    """Put ranks together."""
    return sum(map(one, ranks))


def spell(cards: int) -> str:
    """Write cards as their ranks, lowest first: `A58`, `TT`."""
    return "".join(NAMES[rank] for rank in ranks_of(cards))


def forget_pair(cards: int) -> int:
    """Count the rank of a split pair of tens among the tens again."""
    pair = cards >> _BITS * PAIR_OF_TENS
    return cards - pair * (one(PAIR_OF_TENS) - one(TEN))


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as far as its rank goes: how many cards, the best total, the kind (H2, H5)."""

    cards: int
    count: int
    total: int
    soft: bool
    kind: Kind

    @property
    def strength(self) -> int:
        """Order hands: 0 bust, then points by their total, then trick, then pontoon (H5)."""
        return _STRENGTHS.get(self.kind, self.total)


_STRENGTHS = {Kind.BUST: 0, Kind.FIVE_CARD_TRICK: LIMIT + 1, Kind.PONTOON: LIMIT + 2}


@cache
def make_hand(cards: int, trick_cards: int | None) -> Hand:
    """Value a hand; `trick_cards` not bust are a trick, None: there is no trick (H2, H5)."""
    ranks = list(ranks_of(cards))
    hard = sum(POINTS[rank] for rank in ranks)
    soft = ACE in ranks and hard + SOFT_POINTS <= LIMIT
    total = hard + SOFT_POINTS if soft else hard
    return Hand(cards, len(ranks), total, soft, _kind(len(ranks), total, trick_cards))


def _kind(count: int, total: int, trick_cards: int | None) -> Kind:
    if total > LIMIT:
        return Kind.BUST
    if trick_cards is not None and count >= trick_cards:
        return Kind.FIVE_CARD_TRICK
    return Kind.PONTOON if count == 2 and total == LIMIT else Kind.POINTS


@dataclass(frozen=True)
class Stock:
    """How many cards of each rank a shoe holds; `pair` is a rank of which pairs may be split."""

    counts: tuple[int, ...]
    pair: int = NO_PAIR

    @cached_property
    def size(self) -> int:
        """The number of cards."""
        return sum(self.counts)

    def draws(self, seen: int) -> list[tuple[int, float]]:
        """List what the next card may be when `seen` is gone: the card, and its probability."""
        left = [count - count_of(seen, rank) for rank, count in enumerate(self.counts)]
        size = sum(left)
        return [(one(rank), count / size) for rank, count in enumerate(left) if count > 0]

    def chance(self, cards: int, seen: int) -> float:
        """Return the probability of the next cards, in one order, when `seen` is gone."""
        chance = 1.0
        size = self.size - sum(1 for _ in ranks_of(seen)) if cards else 0
        for drawn, rank in enumerate(ranks_of(cards)):
            chance *= max(self.counts[rank] - count_of(seen, rank), 0) / (size - drawn)
            seen += one(rank)
        return chance


@dataclass(frozen=True)
class Shoe:
    """All cards of a shoe by their rank as printed: thirteen counts, `A23456789TJQK` (H1)."""

    counts: tuple[int, ...]

    @cached_property
    def stock(self) -> Stock:
        """The cards by their worth, the four ranks of ten points as one."""
        return Stock((*self.counts[:TEN], sum(self.counts[TEN:])))

    @cached_property
    def pairs(self) -> list[tuple[Stock, int]]:
        """List every rank of which there may be a pair, and how many ranks are like it."""
        tens = self.counts[TEN:]
        plain = [(Stock(self.stock.counts, rank), 1) for rank in range(TEN)]
        return plain + [
            (Stock((*self.counts[:TEN], sum(tens) - count, count), PAIR_OF_TENS), tens.count(count))
            for count in sorted(set(tens))
        ]


def full_shoe(decks: int) -> Shoe:
    """Return the shoe of a number of decks."""
    return Shoe((4 * decks,) * len(RANKS))


def shoe_of(counts: Mapping[str, int]) -> Shoe:
    """Return the shoe that has these cards of each rank as printed, and no others."""
    return Shoe(tuple(counts.get(rank, 0) for rank in RANKS))
