"""Cards and how they are written: rank and suit, `AS` `TD` `9H`; a card not seen is `??`."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pontoon.engine.errors import NotationError

FACE_DOWN: Final = "??"
RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"


@dataclass(frozen=True, slots=True)
class Card:
    """A card of the deck; an ace has 1 point here, and `hands` says when it has 11 (H2)."""

    rank: str
    suit: str
    points: int

    def __str__(self) -> str:
        return self.rank + self.suit


DECK: Final = tuple(
    Card(rank, suit, min(points, 10)) for suit in SUITS for points, rank in enumerate(RANKS, 1)
)

_CARDS = {str(card): card for card in DECK}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards written with spaces between them; a face-down card is no card."""
    return tuple(_parse_card(word) for word in text.split())


def _parse_card(word: str) -> Card:
    try:
        return _CARDS[word]
    except KeyError:
        raise NotationError(f"{word!r} is not a card") from None


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards as text, `AS TD`."""
    return " ".join(map(str, cards))


def face_up(cards: Iterable[Card]) -> tuple[str, ...]:
    """Show cards by their two letters."""
    return tuple(map(str, cards))


def face_down(cards: Iterable[Card]) -> tuple[str, ...]:
    """Show only how many cards there are."""
    return tuple(FACE_DOWN for _ in cards)
