"""What a report is asked for, and the periods of time that it counts in.

A report begins and ends with days of one time zone and shows each of them, the whole range, and
what the month, the year and all time came to at its end. Every boundary is an edge, and what is
read from the database is read once, by the buckets between edges: so days add up to their range
by construction, whether they have 23, 24 or 25 hours.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from casino.days import Span, begin_of, day_of, days_in

DAYS_MAX = 3700

Row = dict[str, Any]


class TooManyDaysError(ValueError):
    """The range has more days than a report shows."""


@dataclass(frozen=True, slots=True)
class Period:
    """A time that is counted by itself: a day by its date, or a name; without beginning: all."""

    name: str
    begin: datetime | None
    end: datetime


@dataclass(frozen=True, slots=True)
class Asked:
    """A range with both bounds, and whom and what it is about. `without` are the test players."""

    span: Span
    generated_at: datetime
    currency: str | None = None
    player_id: UUID | None = None
    without: tuple[UUID, ...] = ()

    @property
    def begin(self) -> datetime:
        """The first moment that counts."""
        assert self.span.begin is not None  # noqa: S101
        return self.span.begin

    @property
    def end(self) -> datetime:
        """The first moment that no longer counts."""
        assert self.span.end is not None  # noqa: S101
        return self.span.end

    @property
    def chosen(self) -> dict[str, Any]:
        """Whom and what the sums are about, as the rooms' queries take it."""
        return {"without": self.without, "currency": self.currency}


def bounded(span: Span, now: datetime) -> Span:
    """Return a span with both bounds: what is not said is today. Errors: TooManyDaysError."""
    today = day_of(now, span.zone)
    begin = span.begin or begin_of(day_of(span.end, span.zone) if span.end else today, span.zone)
    if span.begin is None and span.end is not None:
        begin = begin_of(day_of(span.end - timedelta(microseconds=1), span.zone), span.zone)
    end = span.end or begin_of(max(today, day_of(begin, span.zone)) + timedelta(days=1), span.zone)
    if end - begin > timedelta(days=DAYS_MAX):
        raise TooManyDaysError(f"more than {DAYS_MAX} days")
    return Span(begin, end, span.zone)


def periods_of(asked: Asked) -> list[Period]:
    """Return the periods of a report: its days, the range, month, year and life to its end."""
    days = [Period(day.isoformat(), *_edges(of_day)) for day, of_day in days_in(asked.span)]
    last = day_of(asked.end - timedelta(microseconds=1), asked.span.zone)
    since = {"month to date": last.replace(day=1), "year to date": date(last.year, 1, 1)}
    return [
        *days,
        Period("range", asked.begin, asked.end),
        *(
            Period(name, begin_of(first, asked.span.zone), asked.end)
            for name, first in since.items()
        ),
        Period("life to date", None, asked.end),
    ]


def _edges(span: Span) -> tuple[datetime, datetime]:
    assert span.begin is not None  # noqa: S101
    assert span.end is not None  # noqa: S101
    return span.begin, span.end


def edges_of(periods: Iterable[Period]) -> list[datetime]:
    """Return every boundary of these periods, in order."""
    return sorted({edge for period in periods for edge in (period.begin, period.end) if edge})


Sums = Mapping[tuple[str, ...], Mapping[int, Sequence[int]]]
"""Group → bucket → numbers."""


def add_up(
    sums: Sums, period: Period, edges: Sequence[datetime]
) -> dict[tuple[str, ...], list[int]]:
    """Return what each group came to in a period; groups of which it had nothing are left out."""
    first = 0 if period.begin is None else edges.index(period.begin) + 1
    buckets = range(first, edges.index(period.end) + 1)
    totals = {}
    for group, by_bucket in sums.items():
        rows = [numbers for bucket, numbers in by_bucket.items() if bucket in buckets]
        if rows:
            totals[group] = [sum(column) for column in zip(*rows, strict=True)]
    return totals
