"""Scopes: which rounds a suspension or a malfunction is about, as named conditions that all hold.

What is said here of one round, `pontoon_scope_sql` says of all (sql/suspension.sql); a test holds
the two against each other. A scope is data: nothing of it is ever part of a statement unquoted.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connection

from audit.errors import InvalidError

if TYPE_CHECKING:
    from pontoon.queries.place import RoundFacts

Scope = dict[str, Any]

TEXTS = ("game", "rules", "build", "currency", "profile")
IDS = ("player", "session", "round")
RANGES = ("stake_minor", "action_count")
NAMES = ("all", *TEXTS, *IDS, "window", *RANGES)
"""The conditions: all rounds; those of one value; opened in a window; within a range."""

TEXT_MAX = 200
NUMBER_MAX = 2**53 - 1
ACTIONS_MAX = 2**31 - 1


@dataclass(frozen=True, slots=True)
class StandingSuspensions:
    """The suspensions that stand, as one query saw them, and the number of the last change."""

    number: int
    suspensions: tuple[Mapping[str, Any], ...]

    def stops(self, facts: "RoundFacts") -> Mapping[str, Any] | None:
        """Return a suspension under which this round is not dealt, or None.

        How many actions it will have, nobody knows yet: it may have any number.
        """
        return next((one for one in self.suspensions if _may_cover(one["scope"], facts)), None)

    def holds(self, facts: "RoundFacts") -> Mapping[str, Any] | None:
        """Return a malfunction's suspension under which this round is not paid, or None."""
        faults = (one for one in self.suspensions if one["malfunction_id"])
        return next((one for one in faults if covers(one["scope"], facts)), None)


def standing_of(number: int, suspensions: list[dict[str, Any]] | None) -> StandingSuspensions:
    """Return what the columns of `pontoon_place` say."""
    return StandingSuspensions(number, tuple(suspensions or ()))


def read_standing(player_id: UUID) -> StandingSuspensions:
    """Return what of play is suspended for a player now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pontoon_standing_number(), pontoon_standing(%s)::json", [player_id])
        return standing_of(*cursor.fetchone())


def hold_standing() -> None:
    """Let nobody raise or lift a suspension until the end of the open transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pontoon_hold_standing()")


def covers(scope: Mapping[str, Any], facts: "RoundFacts") -> bool:
    """Say whether a round is in a scope."""
    return all(_CONDITIONS[name](facts, value) for name, value in scope.items())


def _may_cover(scope: Mapping[str, Any], facts: "RoundFacts") -> bool:
    return covers({name: scope[name] for name in scope if name != "action_count"}, facts)


def _is_opened_in(facts: "RoundFacts", window: Mapping[str, str]) -> bool:
    begin, end = (window.get(edge) for edge in ("from", "to"))
    return (begin is None or facts.opened_at >= datetime.fromisoformat(begin)) and (
        end is None or facts.opened_at < datetime.fromisoformat(end)
    )


def _is_within(number: int, bounds: Mapping[str, int]) -> bool:
    return bounds.get("min", 0) <= number <= bounds.get("max", NUMBER_MAX)


_CONDITIONS: dict[str, Callable[["RoundFacts", Any], bool]] = {
    "all": lambda facts, value: True,
    "game": lambda facts, value: facts.game == value,
    "rules": lambda facts, value: facts.rules == value,
    "build": lambda facts, value: facts.build == value,
    "currency": lambda facts, value: facts.currency == value,
    "profile": lambda facts, value: facts.profile == value,
    "player": lambda facts, value: str(facts.player_id) == value,
    "session": lambda facts, value: str(facts.session_id) == value,
    "round": lambda facts, value: str(facts.id) == value,
    "window": _is_opened_in,
    "stake_minor": lambda facts, value: _is_within(facts.stake_minor, value),
    "action_count": lambda facts, value: _is_within(facts.action_count, value),
}


# --- What a scope may be ------------------------------------------------------------------------


def require_scope(scope: Mapping[str, Any]) -> Scope:
    """Return a scope in the one way in which it is written. Errors: InvalidError (of `scope`)."""
    if not scope:
        raise _wrong("required")
    if unknown := scope.keys() - set(NAMES):
        raise _wrong(*(f"unknown: {str(name)[:40]}" for name in sorted(unknown, key=str)))
    if "all" in scope and (scope["all"] is not True or len(scope) > 1):
        raise _wrong("all: alone, and true")
    return {name: _checked(name, scope[name]) for name in NAMES if name in scope}


def _checked(name: str, value: Any) -> Any:
    if name == "all":
        return True
    if name in TEXTS:
        return _text(name, value)
    if name in IDS:
        return _id(name, value)
    return _window(value) if name == "window" else _range(name, value)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= TEXT_MAX or "\0" in value:
        raise _wrong(f"{name}: a text")
    return value


def _id(name: str, value: Any) -> str:
    try:
        return str(UUID(str(value)))
    except ValueError:
        raise _wrong(f"{name}: a UUID") from None


def _window(value: Any) -> dict[str, str]:
    try:
        edges = {
            name: _moment(value[name]) for name in ("from", "to") if value.get(name) is not None
        }
        is_whole = bool(edges) and value.keys() <= {"from", "to"}
        is_forward = len(edges) < 2 or edges["from"] < edges["to"]
    except (AttributeError, TypeError, ValueError, OverflowError):
        raise _wrong("window: times with an offset") from None
    if not (is_whole and is_forward):
        raise _wrong("window: from, to, and in this order")
    return {name: at.isoformat() for name, at in edges.items()}


def _moment(value: Any) -> datetime:
    """Return a time in UTC: PostgreSQL reads no offset of 16 hours, nor a fraction of a second."""
    at = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    if at.tzinfo is None:
        raise ValueError
    return at.astimezone(UTC)


def _range(name: str, value: Any) -> dict[str, int]:
    most = ACTIONS_MAX if name == "action_count" else NUMBER_MAX
    if (
        not isinstance(value, Mapping)
        or not value
        or not value.keys() <= {"min", "max"}
        or any(type(bound) is not int or not 0 <= bound <= most for bound in value.values())
        or value.get("min", 0) > value.get("max", most)
    ):
        raise _wrong(f"{name}: min, max, and in this order")
    return {bound: value[bound] for bound in ("min", "max") if bound in value}


def _wrong(*told: str) -> InvalidError:
    return InvalidError(fields={"scope": list(told)})
