"""Gaming days: the days of a time zone, of 23, 24 or 25 hours. A leaf that imports no app."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

ZONE_LENGTH_MAX = 64


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
    try:
        return ZoneInfo(name[:ZONE_LENGTH_MAX])
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(f"no time zone {name!r}") from error


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
    if len(text) == len("2026-03-08"):
        return begin_of(date.fromisoformat(text), zone)
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"{text!r} does not say its offset")
    return at.astimezone(UTC)


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
