"""The stored states of a round, and of a malfunction, and the transitions between them.

The service asks these tables; CHECKs and triggers in sql/ enforce them; a test walks all pairs
against both.
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
    (State.HELD, State.HELD): Transition(Event.ROUND_HELD_ON),
    (State.HELD, State.SETTLED): Transition(Event.ROUND_RELEASED, "released"),
    (State.OPEN, State.VOIDED): Transition(Event.ROUND_VOIDED, "voided"),
    (State.HELD, State.VOIDED): Transition(Event.ROUND_VOIDED, "voided"),
    (State.SETTLED, State.VOIDED): Transition(Event.ROUND_VOIDED, "voided"),
}
"""From where to where. None: not there yet. Held to held: it waits for something else now."""

REVEALED = frozenset({State.SETTLED, State.HELD, State.VOIDED})
"""In these the round is over for its player: cards and seed are shown."""


class FaultState(StrEnum):
    """Where a malfunction stands: what it touched is to be counted, decided on, voided."""

    RAISED = "raised"
    COUNTED = "counted"
    APPROVED = "approved"
    DONE = "done"
    REFUSED = "refused"
    CLEARED = "cleared"


FAULT_TRANSITIONS: dict[tuple[FaultState | None, FaultState], Event] = {
    (None, FaultState.RAISED): Event.MALFUNCTION_RAISED,
    (FaultState.RAISED, FaultState.COUNTED): Event.MALFUNCTION_COUNTED,
    (FaultState.COUNTED, FaultState.RAISED): Event.MALFUNCTION_RECOUNTED,
    (FaultState.COUNTED, FaultState.APPROVED): Event.MALFUNCTION_APPROVED,
    (FaultState.APPROVED, FaultState.DONE): Event.MALFUNCTION_VOIDED,
    (FaultState.RAISED, FaultState.REFUSED): Event.MALFUNCTION_REFUSED,
    (FaultState.COUNTED, FaultState.REFUSED): Event.MALFUNCTION_REFUSED,
    (FaultState.RAISED, FaultState.CLEARED): Event.MALFUNCTION_CLEARED,
    (FaultState.COUNTED, FaultState.CLEARED): Event.MALFUNCTION_CLEARED,
}
"""From where to where; by whom, `DECIDED` says."""

DECIDED = frozenset({FaultState.APPROVED, FaultState.REFUSED, FaultState.CLEARED})
"""A person of the staff leads here, and another one than who raised it."""

FAULT_OVER = frozenset({FaultState.DONE, FaultState.REFUSED, FaultState.CLEARED})
"""Nothing more is to be done about it."""
