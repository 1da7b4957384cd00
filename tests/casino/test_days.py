"""Times and time zones from outside: one form of each, and the days of every zone in a row."""

from datetime import UTC, date, datetime, timedelta

import pytest

from casino.days import Span, begin_of, day_of, days_in, find_zone, parse_edge, parse_time
from tests.people import People

NO_TIMES = [
    "2026-01-01", "20260101T000000Z", "2026-W01-4T00:00:00Z", "2026-001T00:00:00Z",
    "2026-01-01 00:00:00Z", "2026-01-01T00Z", "2026-01-01T00:00Z", "2026-01-01T00:00:00",
    "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+0000",
    "2026-01-01T00:00:00+00", "2026-01-01T00:00:00+00:00:30", "2026-01-01T24:00:00Z",
    "2026-01-01T23:59:60Z", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00Z\n",
    "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "٢٠٢٦-01-01T00:00:00Z", "",
]  # fmt: skip
NO_EDGES = [
    "2026-W01-4",
    "2026-02-30",
    "20260101",
    "2026-1-01",
    "9999-12-31",
    "0001-01-01",
    *NO_TIMES[1:],
]
NO_ZONES = [
    "localtime", "posixrules", "Factory", "posix/Europe/London", "right/Europe/London",
    "europe/london", "Mars/Olympus", "../etc/passwd", "leapseconds", "UTC\n", "",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_TIMES)
def test_what_is_no_rfc_3339_time_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"RFC 3339|too far|out of range|day is"):
        parse_time(text)


@pytest.mark.parametrize("text", NO_EDGES)
def test_an_edge_is_a_day_or_an_rfc_3339_time(text: str) -> None:
    with pytest.raises(ValueError, match=r"RFC 3339|too far|out of range|day is"):
        parse_edge(text, find_zone("UTC"))


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-01T12:00:00Z", "2026-03-01t12:00:00z", "2026-03-01T13:00:00+01:00",
        "2026-03-01T12:00:00.000000-00:00", "2026-03-01T12:00:00.0000001Z",
    ],
)  # fmt: skip
def test_every_form_of_an_rfc_3339_time_is_read(text: str) -> None:
    assert parse_time(text) == datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("name", NO_ZONES)
def test_a_zone_is_a_name_of_iana(name: str) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        find_zone(name)


@pytest.mark.parametrize("form", ["2026-03-01T12:00Z", "2026-W09-7", "9999-12-31T23:59:59-23:59"])
def test_no_door_takes_another_form(people: People, form: str) -> None:
    player = people.player()
    path = f"players/{player.id}/exclusions"
    doors = {
        "from": people.operator.post("exports", {"from": form}),
        "to": people.operator.get(f"reports/ggr?to={form}"),
        "ends_at": people.operator.post(path, {"kind": "cooling_off", "ends_at": form}),
    }
    refused = {member: list(answer.json["fields"]) for member, answer in doors.items()}
    assert refused == {member: [member] for member in doors}


# Where the clock skips midnight, where it goes back over it, by half an hour, by two; and the
# year in which a day was left out.
YEARS = [
    ("Europe/London", 2026, 23), ("Europe/Lisbon", 2026, 23), ("America/Santiago", 2026, 23),
    ("Africa/Cairo", 2024, 23), ("Asia/Beirut", 2026, 23), ("America/Havana", 2026, 23),
    ("Australia/Lord_Howe", 2026, 23.5), ("Antarctica/Troll", 2026, 22), ("Pacific/Apia", 2011, 23),
]  # fmt: skip


@pytest.mark.parametrize(("name", "year", "least_hours"), YEARS)
def test_the_days_of_a_year_follow_each_other_without_a_gap(
    name: str, year: int, least_hours: float
) -> None:
    zone = find_zone(name)
    whole = Span(begin_of(date(year, 1, 1), zone), begin_of(date(year + 1, 1, 1), zone), zone)
    days = days_in(whole)
    spans = [span for _, span in days]
    assert [span.end for span in spans[:-1]] == [span.begin for span in spans[1:]]
    assert (spans[0].begin, spans[-1].end) == (whole.begin, whole.end)
    lengths = []
    for day, span in days:
        assert span.begin is not None
        assert span.end is not None
        last = span.end - timedelta(microseconds=1)
        assert day_of(span.begin, zone) == day_of(last, zone) == day
        lengths.append((span.end - span.begin) / timedelta(hours=1))
    assert min(lengths) == least_hours
    assert sum(lengths) == (spans[-1].end - spans[0].begin) / timedelta(hours=1)  # type: ignore[operator]
