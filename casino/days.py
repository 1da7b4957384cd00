"""Gaming days: the days of a time zone, of 23, 24 or 25 hours. A leaf that imports no app."""

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

# What a machine's own folder of zones has beside those of IANA.
_NO_REGIONS = {"localtime", "posixrules", "Factory"}

_FIRST, _LAST = datetime(1900, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Span:
    """A time from `begin` on and before `end`, and whose days it is counted in; None: no bound."""

    begin: datetime | None = None
    end: datetime | None = None
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))

    def has(self, at: datetime) -> bool:
        """Say whether a time lies in it."""
        return not (self.begin and at < self.begin) and not (self.end and at >= self.end)


def find_zone(name: str) -> ZoneInfo:
    """Return an IANA time zone. Errors: ValueError."""
    if name not in _zone_names():
        raise ValueError(f"no time zone {name!r}")
    return ZoneInfo(name)


@cache
def _zone_names() -> frozenset[str]:
    return frozenset(available_timezones() - _NO_REGIONS)


def begin_of(day: date, zone: ZoneInfo) -> datetime:
    """Return the first moment of a day, in UTC; where the clock skips midnight, when it did."""
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def day_of(at: datetime, zone: ZoneInfo) -> date:
    """Return the day in which a time lies."""
    return at.astimezone(zone).date()


def parse_edge(text: str, zone: ZoneInfo) -> datetime:
    """Return the moment that an edge of a span names: a day's beginning, or an RFC 3339 time.

    Errors: ValueError.
    """
    try:
        is_day = _DAY.fullmatch(text)
        at = begin_of(date.fromisoformat(text), zone) if is_day else parse_time(text)
    except OverflowError as error:
        raise ValueError(f"{text!r} is too far away") from error
    if not _FIRST <= at < _LAST:  # beyond, not every day has one before and after it
        raise ValueError(f"{text!r} is too far away")
    return at


def parse_time(text: str) -> datetime:
    """Return the moment that an RFC 3339 time names, in UTC. Errors: ValueError.

    Date, time with seconds, and offset: no other form of ISO 8601, and no leap second, which no
    clock here knows.
    """
    if not _TIME.fullmatch(text):
        raise ValueError(f"{text!r} is no RFC 3339 time")
    try:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"{text!r} is too far away") from error


def format_time(at: datetime) -> str:
    """Return a moment as it is told and kept everywhere: RFC 3339, to the microsecond."""
    return at.isoformat(timespec="microseconds")


def days_in(span: Span) -> list[tuple[date, Span]]:
    """Return the days of a span that has both bounds; the first and the last may be cut short.

    Their spans follow each other without a gap, so what is counted by them adds up to the whole.
    """
    if span.begin is None or span.end is None:
        raise ValueError("a span without bounds has no number of days")
    days, begin = [], span.begin
    while begin < span.end:
        day = day_of(begin, span.zone)
        end = min(begin_of(day + timedelta(days=1), span.zone), span.end)
        days.append((day, Span(begin, end, span.zone)))
        begin = end
    return days
