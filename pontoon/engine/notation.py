"""A round as text and back: for storage, support, tests and golden rounds.

    # H15 a five-card trick beats nineteen
    game   house/1
    wager  1000
    shoe   2S TD 3H 9C 4S 5C 6D
    play   hit hit hit
    end    2S 3H 4S 5C 6D | TD 9C
    pays   3000

A record is `game`, `wager`, the cards and `play`. The cards are either listed in `shoe`, or follow
from `server_seed`, in hexadecimal, and `client_seed`, a JSON string. A golden round adds its title
and how it must come out: `end`, with ` / ` between split hands, and `pays`, one payout a hand.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from pontoon.engine.cards import Card, format_cards, parse_cards
from pontoon.engine.errors import NotationError
from pontoon.engine.game import Action, View
from pontoon.engine.shoe import SERVER_SEED_BYTES


@dataclass(frozen=True, slots=True)
class Seeds:
    """The two seeds that decide a shoe; the server seed is a secret until the round is over."""

    server_seed: bytes = field(repr=False)
    client_seed: str


Source: TypeAlias = Seeds | tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """All that a round depends on: it replays to the same round, always.

    The source of the cards is a pair of seeds, or for examples the cards themselves.
    """

    rules: str
    wager: int
    source: Source = field(repr=False)
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldenRound:
    """A round with its right end, as a compliance officer may write one."""

    title: str
    record: Record
    end: str
    pays: tuple[int, ...]


def format_record(record: Record) -> str:
    """Write a record as text, a line a fact."""
    lines = [
        ("game", record.rules),
        ("wager", str(record.wager)),
        *_format_source(record.source),
        ("play", " ".join(record.actions)),
    ]
    return "".join(f"{key:<12} {value}".rstrip() + "\n" for key, value in lines)


def _format_source(source: Source) -> list[tuple[str, str]]:
    if isinstance(source, Seeds):
        return [
            ("server_seed", source.server_seed.hex()),
            ("client_seed", json.dumps(source.client_seed)),
        ]
    return [("shoe", format_cards(source))]


def format_end(view: View) -> str:
    """Write the cards at the end: the hands, split ones with ` / ` between, then the dealer's."""
    hands = " / ".join(" ".join(hand.cards) for hand in view.hands)
    return f"{hands} | {' '.join(view.dealer.cards)}"


def parse_record(text: str) -> Record:
    """Read a record; raises NotationError with the line."""
    lines = _Lines(text)
    record = _read_record(lines)
    lines.require_all_read()
    return record


def parse_golden(text: str) -> GoldenRound:
    """Read a golden round; raises NotationError with the line."""
    lines = _Lines(text)
    golden = GoldenRound(
        title=lines.title,
        record=_read_record(lines),
        end=lines.read("end", str),
        pays=lines.read("pays", _parse_amounts),
    )
    lines.require_all_read()
    return golden


def _read_record(lines: "_Lines") -> Record:
    return Record(
        rules=lines.read("game", str),
        wager=lines.read("wager", _parse_amount),
        source=_read_source(lines),
        actions=lines.read("play", _parse_actions),
    )


def _read_source(lines: "_Lines") -> Source:
    if lines.has("shoe"):
        return lines.read("shoe", parse_cards)
    return Seeds(
        server_seed=lines.read("server_seed", parse_server_seed),
        client_seed=lines.read("client_seed", _parse_client_seed),
    )


def parse_server_seed(text: str) -> bytes:
    """Read the 64 hexadecimal digits of a server seed."""
    digits = set("0123456789abcdef")
    if len(text) != 2 * SERVER_SEED_BYTES or not digits.issuperset(text):
        raise NotationError(f"a server seed is {2 * SERVER_SEED_BYTES} hexadecimal digits")
    return bytes.fromhex(text)


def _parse_client_seed(text: str) -> str:
    try:
        seed = json.loads(text)
    except ValueError:
        raise NotationError("the client seed is not a JSON string") from None
    return require_client_seed(seed)


def require_client_seed(seed: object) -> str:
    """Return a client seed that can be hashed: text, and all of it valid Unicode."""
    if not isinstance(seed, str):
        raise NotationError("the client seed is not a text")
    try:
        seed.encode()
    except UnicodeEncodeError:
        raise NotationError("the client seed is not valid Unicode") from None
    return seed


def _parse_amount(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise NotationError(f"{text!r} is not an amount")
    return int(text)


def _parse_amounts(text: str) -> tuple[int, ...]:
    return tuple(_parse_amount(word) for word in text.split())


def _parse_actions(text: str) -> tuple[Action, ...]:
    return tuple(parse_action(word) for word in text.split())


def parse_action(word: str) -> Action:
    """Read the name of an action."""
    try:
        return Action(word)
    except ValueError:
        raise NotationError(f"{word!r} is not an action") from None


T = TypeVar("T")


class _Lines:
    """The lines `key value` of a text, each to be read once; the rest are blank or comments."""

    def __init__(self, text: str) -> None:
        self.title = ""
        self._unread: dict[str, tuple[int, str]] = {}
        self._count = 0
        for line in text.split("\n"):
            self._count += 1
            self._take(line.strip())

    def _take(self, line: str) -> None:
        key, _, value = line.partition(" ")
        if line.startswith("#"):
            self.title = self.title or line.lstrip("# ")
        elif key in self._unread:
            raise NotationError(f"{key!r} occurs twice", self._count)
        elif key:
            self._unread[key] = self._count, value.strip()

    def has(self, key: str) -> bool:
        return key in self._unread

    def read(self, key: str, parse: Callable[[str], T]) -> T:
        if key not in self._unread:
            raise NotationError(f"there is no line {key!r}", self._count)
        line, value = self._unread.pop(key)
        try:
            return parse(value)
        except NotationError as error:
            raise NotationError(error.reason, line) from None

    def require_all_read(self) -> None:
        for key, (line, _) in self._unread.items():
            raise NotationError(f"{key!r} does not belong here", line)
