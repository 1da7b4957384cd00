"""Reports for operators and the regulator: `REPORTS`, by name, and how one is made.

Every report is read in one moment (a repeatable-read transaction), so that what is reckoned
twice is reckoned from the same state.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from uuid import UUID

from audit import queries as audit
from audit import services as clock
from casino.days import Span
from casino.players import queries as players
from pontoon.reports.asked import Asked, TooManyDaysError, bounded
from pontoon.reports.lists import (
    adjustments,
    large_wins,
    player_activity,
    statement,
    voids,
)
from pontoon.reports.money import game_performance, ggr, liability
from pontoon.reports.significant import significant_events
from pontoon.reports.tables import FORMATS, Report, Table, as_csv, as_json, as_xlsx

REPORTS: Mapping[str, Callable[[Asked], Report]] = MappingProxyType(
    {
        "game_performance": game_performance,
        "ggr": ggr,
        "liability": liability,
        "player_activity": player_activity,
        "statement": statement,
        "large_wins": large_wins,
        "voids": voids,
        "adjustments": adjustments,
        "significant_events": significant_events,
    }
)


def make_report(
    name: str, *, span: Span, currency: str | None = None, player_id: UUID | None = None
) -> Report:
    """Return a report of REPORTS; what the span leaves open is today. Errors: TooManyDaysError."""
    with audit.one_moment():
        now = clock.now()
        asked = Asked(
            span=bounded(span, now),
            generated_at=now,
            currency=currency,
            player_id=player_id,
            without=tuple(players.ids_of_test_players()),
        )
        return REPORTS[name](asked)


__all__ = [
    "FORMATS",
    "REPORTS",
    "Report",
    "Table",
    "TooManyDaysError",
    "as_csv",
    "as_json",
    "as_xlsx",
    "make_report",
]
