"""The stored states of a round and the transitions between them.

The service asks this table; a CHECK and a trigger in sql/round.sql enforce it; a test walks all
pairs against both.
"""

from enum import StrEnum
from typing import NamedTuple

from audit.events import Event


class State(StrEnum):
    """Where a round stands."""

    OPEN = "open"
    SETTLED = "settled"
    HELD = "held"
    VOIDED = "voided"


class Transition(NamedTuple):
    """The event that tells of it; and the mark that a round gets at most once, if it ends one."""

    event: Event
    mark: str | None = None


TRANSITIONS: dict[tuple[State | None, State], Transition] = {
    (None, State.OPEN): Transition(Event.ROUND_OPENED),
    (None, State.SETTLED): Transition(Event.ROUND_SETTLED, "settled"),
    (None, State.HELD): Transition(Event.ROUND_HELD, "settled"),
    (State.OPEN, State.OPEN): Transition(Event.ROUND_PLAYED),
    (State.OPEN, State.SETTLED): Transition(Event.ROUND_SETTLED, "settled"),
    (State.OPEN, State.HELD): Transition(Event.ROUND_HELD, "settled"),
    (State.HELD, State.SETTLED): Transition(Event.ROUND_RELEASED, "released"),
    (State.OPEN, State.VOIDED): Transition(Event.ROUND_VOIDED, "voided"),
    (State.HELD, State.VOIDED): Transition(Event.ROUND_VOIDED, "voided"),
    (State.SETTLED, State.VOIDED): Transition(Event.ROUND_VOIDED, "voided"),
}
"""From where to where. None: not there yet."""

REVEALED = frozenset({State.SETTLED, State.HELD, State.VOIDED})
"""In these the round is over for its player: cards and seed are shown."""
