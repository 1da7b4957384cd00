"""Reading the door: who calls, and how he stands."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from audit.queries import faults_in, read_row
from audit.services import NIL
from casino.players.errors import NotAuthenticatedError, PlayerNotFoundError
from casino.players.models import ApiKey, Exclusion, Player, PlaySession
from casino.players.profiles import CURRENCIES, Currency

_RECORD_SQL = Path(__file__).with_name("sql") / "record.sql"

KINDS = {"op_": "operator", "au_": "auditor"}
"""What a key begins with, and whose it is."""


@dataclass(frozen=True, slots=True)
class ApiKeyFacts:
    """An operator's or an auditor's key that is in force, and what it may do."""

    id: UUID
    name: str
    kind: str
    scopes: frozenset[str]

    @property
    def urn(self) -> str:
        """Name the key as an actor of the log."""
        return f"key:{self.id}"


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player stands at this instant; a row of the view `players_standing`.

    `exclusion` is the kind of the strictest that binds him, or None; `exclusion_until` is None
    for an indefinite one.
    """

    player_id: UUID
    currency: str
    country: str
    is_test: bool
    exclusion: str | None
    exclusion_until: datetime | None


@dataclass(frozen=True, slots=True)
class Door:
    """A play session and its player at this instant; a row of the view `players_door`.

    It tells whether he may play; `admission` says so.
    """

    session_id: UUID
    player_id: UUID
    currency: str
    country: str
    language: str
    profile: str
    is_test: bool
    opened_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    closed_at: datetime | None
    closed_because: str
    exclusion: str | None
    exclusion_until: datetime | None
    check_every_min: int | None
    checked_at: datetime | None

    @property
    def check_due_at(self) -> datetime | None:
        """When he is to be told how long he has played (RCK-01); None for never."""
        if self.check_every_min is None:
            return None
        return (self.checked_at or self.opened_at) + timedelta(minutes=self.check_every_min)

    @property
    def urn(self) -> str:
        """Name the player as an actor and a subject of the log."""
        return f"player:{self.player_id}"


# The columns of `players_door` that make a Door, in its order: a query of a room above selects
# them beside its own.
DOOR_COLUMNS = tuple(field.name for field in fields(Door))


def active_key(token_hash: bytes) -> ApiKeyFacts:
    """Return the key that a token opens. Errors: NotAuthenticatedError, when revoked too."""
    row = (
        ApiKey.objects.filter(token_hash=token_hash, revoked_at=None)
        .values_list("id", "name", "prefix", "scopes")
        .first()
    )
    if row is None:
        raise NotAuthenticatedError
    id_, name, prefix, scopes = row
    return ApiKeyFacts(id=id_, name=name, kind=KINDS[prefix[:3]], scopes=frozenset(scopes))


def door(token_hash: bytes) -> tuple[Door, datetime]:
    """Return the session that a token opens, over or not, and the database's time.

    Errors: NotAuthenticatedError.
    """
    row = read_row(
        f"SELECT {', '.join(DOOR_COLUMNS)}, clock_timestamp()"  # noqa: S608
        " FROM players_door WHERE token_hash = %s",
        [token_hash],
    )
    if row is None:
        raise NotAuthenticatedError
    return Door(*row[:-1]), row[-1]


def door_of(session_id: UUID) -> Door:
    """Return a session by its id. Errors: PlayerNotFoundError."""
    row = read_row(
        f"SELECT {', '.join(DOOR_COLUMNS)} FROM players_door WHERE session_id = %s",  # noqa: S608
        [session_id],
    )
    if row is None:
        raise PlayerNotFoundError
    return Door(*row)


def standing(player_id: UUID) -> Standing:
    """Return how a player stands now. Errors: PlayerNotFoundError."""
    row = read_row(
        "SELECT player_id, currency, country, is_test, exclusion, exclusion_until"
        " FROM players_standing WHERE player_id = %s",
        [player_id],
    )
    if row is None:
        raise PlayerNotFoundError
    return Standing(*row)


def exclusion_of(player: Standing | Door) -> dict[str, str | None] | None:
    """Return what keeps a player from wagering as `kind` and `until`, None for good; or None."""
    if player.exclusion is None:
        return None
    until = player.exclusion_until
    return {"kind": player.exclusion, "until": until.isoformat() if until else None}


def reality_check_of(door: Door, at: datetime) -> dict[str, Any]:
    """Return how often a player is told how long he has played, and when it is due (RCK-01)."""
    due_at = door.check_due_at
    return {
        "interval_min": door.check_every_min,
        "due_at": due_at and due_at.isoformat(),
        "is_due": due_at is not None and due_at <= at,
        "elapsed_s": int((at - door.opened_at).total_seconds()),
    }


def who(auth: ApiKeyFacts | bytes | None) -> tuple[str, UUID]:
    """Return the actor that a request showed itself to be, and whose log it belongs to.

    A key's acts are nobody's own: they go to the nil UUID, as do those of strangers.
    """
    if isinstance(auth, ApiKeyFacts):
        return auth.urn, NIL
    if auth is not None:
        for player_id in PlaySession.objects.filter(token_hash=auth).values_list(
            "player_id", flat=True
        ):
            return f"player:{player_id}", player_id
    return "nobody", NIL


def player(player_id: UUID) -> Player:
    """Return a player. Errors: PlayerNotFoundError."""
    try:
        return Player.objects.get(id=player_id)
    except Player.DoesNotExist:
        raise PlayerNotFoundError from None


def players(*, external_id: str | None = None) -> QuerySet[Player]:
    """Return all players, newest first, or the one with an external id, if there is one."""
    everybody = Player.objects.order_by("-id")
    return everybody if external_id is None else everybody.filter(external_id=external_id)


def test_players(count_max: int) -> list[Player]:
    """Return the newest of the players who only test, so many at most."""
    return list(Player.objects.filter(is_test=True).order_by("-id")[:count_max])


def beginning(everybody: QuerySet[Player], text: str) -> QuerySet[Player]:
    """Narrow to those whose external id begins with a text, by the index that Django made for it.

    The comparison is by bytes, and its bounds stand apart: a plan that is made before the text is
    known uses the index all the same.
    """
    end = text[:-1] + chr(ord(text[-1]) + 1)
    return everybody.extra(
        where=["external_id ~>=~ %s AND external_id ~<~ %s"], params=[text, end]
    ).order_by("external_id")


def ids_of_test_players() -> list[UUID]:
    """Return the players who only test (ACC-10): no report counts them."""
    return list(Player.objects.filter(is_test=True).values_list("id", flat=True))


def play_session(session_id: UUID) -> PlaySession:
    """Return a play session. Errors: PlayerNotFoundError."""
    try:
        return PlaySession.objects.get(id=session_id)
    except PlaySession.DoesNotExist:
        raise PlayerNotFoundError from None


def sessions_of(player_id: UUID) -> QuerySet[PlaySession]:
    """Return a player's play sessions, newest first."""
    return PlaySession.objects.filter(player_id=player_id).order_by("-opened_at")


def exclusions_of(player_id: UUID) -> QuerySet[Exclusion]:
    """Return what has ever shut a player out, newest first."""
    return Exclusion.objects.filter(player_id=player_id).order_by("-starts_at")


def currencies() -> Mapping[str, Currency]:
    """Return the currencies that are offered, by code."""
    return CURRENCIES


def record_faults() -> Iterator[str]:
    """Yield a sentence for each player, exclusion and key that the log does not tell of so.

    Call it in a repeatable-read transaction: its statements then speak of one moment.
    """
    yield from faults_in(_RECORD_SQL)
