"""What waits on the floor at this moment: open rounds, held ones, and large wins by their age."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

# States are written out: as parameters they would hide the partial indexes from the planner.
_COUNTS_SQL = """
SELECT (SELECT count(*) FROM pontoon_round WHERE state = 'open'),
       (SELECT min(last_action_at) FROM pontoon_round WHERE state = 'open'),
       (SELECT count(*) FROM pontoon_round WHERE state = 'held'),
       (SELECT count(*) FROM pontoon_round WHERE state = 'held' AND held_reason = 'large_win')
"""
_WINS_SQL = """
SELECT id, player_id, currency, wagered_minor, payout_minor, settled_at
  FROM pontoon_round WHERE state = 'held' AND held_reason = 'large_win'
 ORDER BY settled_at LIMIT %s
"""


class Waiting(NamedTuple):
    """How many rounds are open and held, and since when the oldest open one has been left."""

    open_count: int
    open_since: datetime | None
    held_count: int
    large_win_count: int


class LargeWin(NamedTuple):
    """A win that waits for a person."""

    round_id: UUID
    player_id: UUID
    currency: str
    wagered_minor: int
    payout_minor: int
    settled_at: datetime


def waiting() -> Waiting:
    """Return what waits now."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS_SQL)
        return Waiting(*cursor.fetchone())


def large_wins(count_max: int) -> list[LargeWin]:
    """Return the large wins that wait, oldest first."""
    return [LargeWin(*row) for row in _rows(_WINS_SQL, [count_max])]


def _rows(statement: str, parameters: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(cursor.fetchall())
