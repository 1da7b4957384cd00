"""The shoe, and how two seeds decide its order: pure functions that a player can repeat.

The house commits to a secret server seed before the player names his client seed. Both together
give the shoe seed, the shoe seed gives a stream of words, the words shuffle the cards one by one,
as far as they are drawn. docs/fairness.md explains the steps and repeats them in plain Python.
"""

import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, count, repeat
from struct import Struct
from typing import Final, Protocol

from pontoon.engine.cards import DECK, Card
from pontoon.engine.errors import ShoeExhaustedError

SERVER_SEED_BYTES: Final = 32
DECKS_MAX: Final = 1260  # a word of 16 bits can number no more cards

_CONTEXT = b"pontoon/shoe/1\n"
_WORDS = Struct(">16H")


def commitment(server_seed: bytes) -> str:
    """Name the server seed without telling it: lower-case hexadecimal SHA-256."""
    _require_server_seed(server_seed)
    return sha256(server_seed).hexdigest()


def shoe_seed(server_seed: bytes, client_seed: str) -> bytes:
    """Mix the seeds of house and player, so that neither alone knows the order of the cards."""
    _require_server_seed(server_seed)
    return hmac.digest(server_seed, _CONTEXT + client_seed.encode(), "sha256")


def _require_server_seed(server_seed: bytes) -> None:
    if len(server_seed) != SERVER_SEED_BYTES:
        raise ValueError("a server seed has 32 bytes")


class _Order(Protocol):
    """A fixed order of cards, however it came about; equal orders have equal origins."""

    @property
    def size(self) -> int: ...

    def card(self, index: int) -> Card: ...


@dataclass(frozen=True, slots=True)
class Shoe:
    """An order of cards and how many of them are drawn; drawing gives a new shoe (H1).

    Neither cards nor seed show in its repr, which may reach a log. It pickles by its origin.
    """

    _order: _Order = field(repr=False)
    drawn: int = 0

    def draw(self) -> tuple[Card, "Shoe"]:
        """Take the next card; raises ShoeExhaustedError if none is left."""
        if self.drawn >= self._order.size:
            raise ShoeExhaustedError(self._order.size)
        return self._order.card(self.drawn), Shoe(self._order, self.drawn + 1)

    def __len__(self) -> int:
        """Count the cards that are left."""
        return self._order.size - self.drawn

    def __iter__(self) -> Iterator[Card]:
        """List the cards that are left, the next one first."""
        return (self._order.card(index) for index in range(self.drawn, self._order.size))


def shuffle(decks: int, seed: bytes) -> Shoe:
    """Shuffle the decks in the order that the shoe seed decides (H1)."""
    if not 1 <= decks <= DECKS_MAX:
        raise ValueError(f"a shoe has 1 to {DECKS_MAX} decks")
    return Shoe(_Shuffled(decks, seed))


def arrange(cards: Iterable[Card]) -> Shoe:
    """Put known cards into a shoe, for examples and tests; it may run out."""
    return Shoe(_Arranged(tuple(cards)))


@dataclass(frozen=True, slots=True)
class _Arranged:
    cards: tuple[Card, ...] = field(repr=False)

    @property
    def size(self) -> int:
        return len(self.cards)

    def card(self, index: int) -> Card:
        return self.cards[index]


@dataclass(frozen=True, slots=True)
class _Shuffled:
    """A shuffled order, worked out only as far as it was asked for, and remembered."""

    decks: int
    seed: bytes = field(repr=False)
    _known: list[Card] = field(init=False, repr=False, compare=False)
    _unknown: Iterator[Card] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", [])
        object.__setattr__(self, "_unknown", _shuffled_cards(self.decks, self.seed))

    def __reduce__(self) -> tuple[type["_Shuffled"], tuple[int, bytes]]:
        return _Shuffled, (self.decks, self.seed)

    @property
    def size(self) -> int:
        return len(DECK) * self.decks

    def card(self, index: int) -> Card:
        while len(self._known) <= index:
            self._known.append(next(self._unknown))
        return self._known[index]


def _shuffled_cards(decks: int, seed: bytes) -> Iterator[Card]:
    """Fisher and Yates's shuffle, one card at a time; `moved` holds only what changed place."""
    cards = DECK * decks
    words = _words(seed)
    moved: dict[int, int] = {}
    for here in range(len(cards)):
        there = here + _below(len(cards) - here, words)
        yield cards[moved.get(there, there)]
        moved[there] = moved.get(here, here)


def _below(limit: int, words: Iterator[int]) -> int:
    """Choose one of `limit` numbers, each as likely: a word that falls outside is thrown away."""
    mask = (1 << (limit - 1).bit_length()) - 1
    while (number := next(words) & mask) >= limit:
        pass
    return number


def _words(seed: bytes) -> Iterator[int]:
    return chain.from_iterable(map(_hash_block, repeat(seed), count()))


def _hash_block(seed: bytes, number: int) -> tuple[int, ...]:
    return _WORDS.unpack(sha256(seed + number.to_bytes(8, "big")).digest())
