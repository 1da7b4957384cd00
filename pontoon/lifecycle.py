"""The stored states of a round and the moves between them.

The service asks this table; a CHECK and a trigger in sql/round.sql enforce it; a test walks all
pairs against both.
"""

from enum import StrEnum

from audit.events import Event


class State(StrEnum):
    """Where a round stands."""

    OPEN = "open"
    SETTLED = "settled"
    HELD = "held"
    VOIDED = "voided"


MOVES: dict[tuple[State | None, State], Event] = {
    (None, State.OPEN): Event.ROUND_OPENED,
    (None, State.SETTLED): Event.ROUND_SETTLED,
    (None, State.HELD): Event.ROUND_HELD,
    (State.OPEN, State.OPEN): Event.ROUND_PLAYED,
    (State.OPEN, State.SETTLED): Event.ROUND_SETTLED,
    (State.OPEN, State.HELD): Event.ROUND_HELD,
    (State.HELD, State.SETTLED): Event.ROUND_RELEASED,
    (State.OPEN, State.VOIDED): Event.ROUND_VOIDED,
    (State.HELD, State.VOIDED): Event.ROUND_VOIDED,
    (State.SETTLED, State.VOIDED): Event.ROUND_VOIDED,
}
"""From where to where, and the event that tells it. None: not there yet."""

REVEALED = frozenset({State.SETTLED, State.HELD, State.VOIDED})
"""In these the round is over for its player: cards and seed are shown."""
