"""What a hand is worth: its total, and its place in the order of hands (H2, H5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from pontoon.engine.cards import Card

LIMIT: Final = 21
SOFT_POINTS: Final = 10  # what an ace adds when it counts 11 instead of 1


class Kind(StrEnum):
    """The kinds of hands, highest first (H5)."""

    PONTOON = "pontoon"
    FIVE_CARD_TRICK = "five_card_trick"
    POINTS = "points"
    BUST = "bust"


@dataclass(frozen=True, slots=True)
class Value:
    """A hand's best total, soft if an ace counts 11 in it, and its strength.

    Strength compares hands (H5): 0 bust, then points by their total, then trick, then pontoon.
    """

    kind: Kind
    total: int
    soft: bool
    strength: int


def evaluate(cards: Sequence[Card], trick_cards: int | None = 5) -> Value:
    """Value a hand; `trick_cards` not bust are a trick, and None means there is no trick."""
    total = sum([card.points for card in cards])
    has_ace = any([card.points == 1 for card in cards])
    return _value(len(cards), total, has_ace, trick_cards)


@cache
def _value(count: int, hard_total: int, has_ace: bool, trick_cards: int | None) -> Value:
    soft = has_ace and hard_total + SOFT_POINTS <= LIMIT
    total = hard_total + SOFT_POINTS if soft else hard_total
    kind = _kind(count, total, trick_cards)
    return Value(kind, total, soft, _STRENGTHS.get(kind, total))


def _kind(count: int, total: int, trick_cards: int | None) -> Kind:
    if total > LIMIT:
        return Kind.BUST
    if trick_cards is not None and count >= trick_cards:
        return Kind.FIVE_CARD_TRICK
    if count == 2 and total == LIMIT:
        return Kind.PONTOON
    return Kind.POINTS


_STRENGTHS = {Kind.BUST: 0, Kind.FIVE_CARD_TRICK: LIMIT + 1, Kind.PONTOON: LIMIT + 2}
