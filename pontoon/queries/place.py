"""Where a player stands: the one query that opens every act of his, and a round as it is stored."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from audit.queries import read_row
from casino.players.errors import NotAuthenticatedError
from casino.players.queries import DOOR_COLUMNS, Door
from pontoon.errors import RoundNotFoundError
from pontoon.lifecycle import State
from pontoon.models import Told
from pontoon.queries.scopes import StandingSuspensions, standing_of
from wallets.queries import Wallet


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round as it is stored, with its sealed seed and its actions [action, hand index, by].

    `next_commitment` is to the seed after its own; None while its deal is not committed. `void` is
    what the player was told of its void: malfunction, reason, time.
    """

    id: UUID
    player_id: UUID
    game: str
    rules: str
    currency: str
    stake_minor: int
    seed_number: int
    client_seed: str
    session_id: UUID
    profile: str
    build: str
    opened_at: datetime
    balance_before_minor: int
    state: State
    held_reason: str | None
    action_count: int
    wagered_minor: int
    payout_minor: int | None
    balance_after_minor: int | None
    last_action_at: datetime
    settled_at: datetime | None
    commitment: str
    sealed: str
    actions: list[list[Any]]
    next_commitment: str | None = None
    void: dict[str, Any] | None = None

    @property
    def urn(self) -> str:
        """Name the round as a subject of the log."""
        return f"round:{self.id}"


def as_row(facts: RoundFacts) -> dict[str, Any]:
    """Return a round as `pontoon_commit` takes it: the columns of its own table."""
    return {name: getattr(facts, name) for name in _ROW}


@dataclass(frozen=True, slots=True)
class Place:
    """All that a request of a player is decided on, as one query saw it.

    `seed` is his next round's (number, commitment, sealed seed), None before his first; `answer`
    is the (fingerprint, body) that the same request had before.
    """

    door: Door
    at: datetime
    wallet: Wallet
    allowance: list[dict[str, Any]] | None
    last_opened_at: datetime | None
    seed: tuple[int, str, str] | None
    answer: tuple[bytes, str] | None
    round_: RoundFacts | None
    standing: StandingSuspensions


_FACTS = tuple(field.name for field in fields(RoundFacts))
_BESIDE = {"commitment", "sealed", "actions", "next_commitment", "void"}
_JSON = {"actions", "void"}
_ROW = tuple(name for name in _FACTS if name not in _BESIDE)
_COLUMNS = ", ".join(
    [f"p.{name}" for name in DOOR_COLUMNS]
    + ["p.at", "p.balance_minor", "p.version", "p.limit_count", "p.allowance"]
    + [
        "(SELECT opened_at FROM pontoon_round WHERE player_id = p.player_id"
        " ORDER BY opened_at DESC LIMIT 1)",
        "p.seed_number", "p.commitment", "p.sealed", "a.fingerprint", "a.body",
        "p.standing_number", "p.standing",
    ]
    + [f"r.{name}::json" if name in _JSON else f"r.{name}" for name in _FACTS]
)  # fmt: skip
_PLACE_SQL = (
    f"SELECT {_COLUMNS} FROM pontoon_place p"  # noqa: S608
    "  LEFT JOIN pontoon_answer a ON a.player_id = p.player_id AND a.key = %s"
    "  LEFT JOIN pontoon_told r ON r.player_id = p.player_id AND {which}"
    " WHERE p.token_hash = %s"
)
_OPEN_SQL = _PLACE_SQL.format(which="r.state = 'open'")
_ONE_SQL = _PLACE_SQL.format(which="r.id = %s")


def read_place(token: bytes, *, answer_key: str = "", round_id: UUID | None = None) -> Place:
    """Return where a player stands, with one of his rounds: the open one, or the one that is named.

    One round trip. Errors: NotAuthenticatedError.
    """
    if round_id is None:
        row = read_row(_OPEN_SQL, [answer_key, token])
    else:
        row = read_row(_ONE_SQL, [answer_key, round_id, token])
    if row is None:
        raise NotAuthenticatedError
    return _place(row)


def _place(row: tuple[Any, ...]) -> Place:
    at_index = len(DOOR_COLUMNS)
    door = Door(*row[:at_index])
    at, *wallet, allowance, last_opened_at = row[at_index : at_index + 6]
    number, commitment, sealed, fingerprint, body = row[at_index + 6 : at_index + 11]
    standing = standing_of(*row[at_index + 11 : at_index + 13])
    facts = row[at_index + 13 :]
    return Place(
        door=door,
        at=at,
        wallet=Wallet(door.player_id, door.currency, *wallet),
        allowance=allowance,
        last_opened_at=last_opened_at,
        seed=None if number is None else (number, commitment, sealed),
        answer=None if body is None else (bytes(fingerprint), body),
        round_=None if facts[0] is None else _facts(facts),
        standing=standing,
    )


def _facts(row: tuple[Any, ...]) -> RoundFacts:
    facts = dict(zip(_FACTS, row, strict=True))
    return RoundFacts(**facts | {"state": State(facts["state"])})


def facts_of(told: Told) -> RoundFacts:
    """Return a row of `pontoon_told` as facts."""
    return _facts(tuple(getattr(told, name) for name in _FACTS))


def require_round(place: Place) -> RoundFacts:
    """Return the round that was asked for. Errors: RoundNotFoundError."""
    if place.round_ is None:
        raise RoundNotFoundError
    return place.round_
