"""Reports: every figure against what was played, in any time zone, and against the ledger."""

import csv
from collections import Counter
from datetime import date, timedelta
from io import BytesIO, StringIO
from itertools import pairwise
from typing import Any
from zipfile import ZipFile

import psycopg
import pytest

from casino.days import Span, begin_of, find_zone
from pontoon import reports
from pontoon.reports.asked import Asked, bounded, edges_of, periods_of
from tests.audit.exporting import live
from tests.conftest import Database
from tests.people import People, Person

NAMES = tuple(reports.REPORTS)
MONEY = ("ggr", "game_performance", "liability", "player_activity")


@pytest.fixture
def players(people: People, database: Database) -> list[Person]:
    return live(people, database.owner_url)


def get(people: People, name: str, **query: Any) -> Any:
    asked = "&".join(f"{member}={value}" for member, value in query.items())
    answer = people.operator.get(f"reports/{name}?{asked}")
    assert answer.status == 200, answer
    return answer.json


def rows(report: Any, table: int = 0, **where: Any) -> list[dict[str, Any]]:
    return [row for row in report["tables"][table]["rows"] if where.items() <= row.items()]


@pytest.mark.parametrize("name", NAMES)
def test_rep_01_every_report_has_its_header_and_no_activity(people: People, name: str) -> None:
    nobody = "01920000-0000-7000-8000-000000000000"
    query = {"from": "2020-01-01", "to": "2020-01-02", "tz": "Europe/Stockholm"}
    report = get(people, name, **query, player_id=nobody)
    assert report["operator"] == "Pontoon"
    assert report["from"] == "2019-12-31T23:00:00+00:00"
    assert report["generated_at"]
    assert report["notice"] == "No activity"
    assert report["variance_minor"] == (0 if name in MONEY else None)


@pytest.mark.parametrize("name", MONEY)
def test_rep_03_what_is_reckoned_twice_agrees(
    people: People, players: list[Person], name: str
) -> None:
    report = get(people, name)
    assert report["notice"] is None
    assert report["variance_minor"] == 0


def test_rep_02_game_performance_tells_what_was_played(
    people: People, players: list[Person]
) -> None:
    report = get(people, "game_performance", currency="USD")
    assert [row["period"] for row in rows(report)][1:] == [
        "range", "month to date", "year to date", "life to date",
    ]  # fmt: skip
    day = rows(report)[0]
    history = [
        round_
        for player in players[1:]
        for round_ in player.api.get("rounds?limit=200").json["results"]
    ]
    over = [round_ for round_ in history if round_["state"] in {"settled", "held", "voided"}]
    assert day["rounds"] == len(over)
    assert day["wagered_minor"] == sum(round_["wagered_minor"] for round_ in over)
    assert day["voided_rounds"] == sum(round_["state"] == "voided" for round_ in history)
    assert day["rtp_theoretical"] == "99.6354"
    assert day["rtp_stake_theoretical"] == "99.5726"
    assert day["rtp_actual"] == f"{100 * day['payout_minor'] / day['wagered_minor']:.4f}"
    waiting = rows(report, 1)[0]
    told = [player.api.get("me").json for player in players[1:]]
    assert waiting["open_rounds"] == 1
    assert waiting["held_rounds"] == 2
    assert waiting["held_minor"] == sum(me["held_minor"] for me in told)
    assert waiting["in_play_minor"] == sum(me["in_play_minor"] for me in told)


def test_wal_14_liability_is_what_players_have_and_what_is_in_play(
    people: People, players: list[Person]
) -> None:
    for table in (0, 1):
        report = get(people, "liability", currency="USD")
        row = rows(report, table)[-1]
        told = [player.api.get("me").json for player in players[1:]]
        assert row["cash_minor"] == sum(me["balance_minor"] for me in told)
        assert row["held_minor"] == sum(me["held_minor"] for me in told)
        assert row["escrow_minor"] == sum(me["in_play_minor"] for me in told)
        assert row["liability_minor"] == sum(
            me["balance_minor"] + me["held_minor"] + me["in_play_minor"] for me in told
        )


def test_ggr_is_turnover_less_payouts_and_a_void_takes_both_back(
    people: People, players: list[Person]
) -> None:
    day = rows(get(people, "ggr", currency="JPY"))[0]
    over = [
        round_
        for round_ in players[0].api.get("rounds?limit=200").json["results"]
        if round_["state"] == "settled"
    ]
    assert day["turnover_minor"] == sum(round_["wagered_minor"] for round_ in over)
    assert day["payout_minor"] == sum(round_["payout_minor"] for round_ in over)
    assert day["ggr_minor"] == day["turnover_minor"] - day["payout_minor"]


def test_player_activity_and_statement_tell_the_same_player(
    people: People, players: list[Person]
) -> None:
    winner = players[2]
    (row,) = rows(get(people, "player_activity", player_id=winner.id))
    lines = rows(get(people, "statement", player_id=winner.id))
    assert row["deposits_minor"] == 1_000_000
    assert row["withdrawals_minor"] == 50
    assert row["rounds"] == 3
    assert lines[0]["balance_before_minor"] == 0
    assert lines[-1]["balance_after_minor"] == winner.balance
    for one, next_ in pairwise(lines):
        assert one["balance_after_minor"] == next_["balance_before_minor"]
    assert people.operator.get("reports/statement").status == 422


def test_win_03_large_wins_tell_who_released_them(people: People, players: list[Person]) -> None:
    told = rows(get(people, "large_wins"))
    assert sorted(row["state"] for row in told) == ["held", "settled", "voided"]
    assert [row["released_by"] for row in told if row["state"] == "settled"] == ["staff:7"]
    assert all(row["win_minor"] >= row["line_minor"] for row in told)


def test_mal_03_voids_tell_what_went_back_and_why(people: People, players: list[Person]) -> None:
    report = get(people, "voids")
    told = rows(report)
    assert len(told) == 4
    assert {(row["voided_by"], row["reason"]) for row in told} == {
        ("system:void", "a card was torn")
    }
    by_malfunction = rows(report, 1)
    assert {row["malfunction_id"] for row in by_malfunction} == {
        row["malfunction_id"] for row in told
    }
    assert [row["rounds"] for row in by_malfunction] == [1, 1, 1, 1]
    for member in ("wagered_minor", "payout_minor"):
        assert sum(row[member] for row in by_malfunction) == sum(row[member] for row in told)


def test_evt_02_significant_events_tell_who_why_before_and_after(
    people: People, players: list[Person]
) -> None:
    people.operator.post("players/1/deposits", {})
    told = rows(get(people, "significant_events"))
    events = {row["event"] for row in told}
    assert {"key.created", "round.held", "round.released", "round.voided"} <= events
    void = next(row for row in told if row["event"] == "round.voided")
    assert (void["actor"], void["reason"]) == ("system:void", "a card was torn")
    assert void["before"]["state"] != void["after"]["state"] == "voided"


def test_acc_10_test_players_are_in_no_total(people: People, database: Database) -> None:
    made = people.operator.post(
        "players",
        {"external_id": "t", "currency": "EUR", "country": "SE", "language": "sv", "test": True},
    )
    people.deposit(made.json["player_id"], 500, "EUR")
    tester = people.enter(made.json["player_id"])
    tester.post("rounds", {"stake_minor": 100, "currency": "EUR"})
    for name in MONEY:
        report = get(people, name, currency="EUR")
        assert (report["notice"], report["variance_minor"]) == ("No activity", 0)


# --- Days ---------------------------------------------------------------------------------------

DAYS_OF_CHANGE = {
    ("America/New_York", date(2026, 3, 8)): 23,
    ("America/New_York", date(2026, 11, 1)): 25,
    ("Europe/Stockholm", date(2026, 3, 29)): 23,
    ("Europe/Stockholm", date(2026, 10, 25)): 25,
    ("America/Santiago", date(2026, 4, 4)): 25,
    ("America/Santiago", date(2026, 9, 6)): 23,
    ("Australia/Lord_Howe", date(2026, 4, 5)): 24.5,
    ("Asia/Tokyo", date(2026, 3, 8)): 24,
}


def asked_of(zone_name: str, first: date, last: date) -> Asked:
    zone = find_zone(zone_name)
    span = Span(begin_of(first, zone), begin_of(last, zone), zone)
    return Asked(span, generated_at=begin_of(last, zone))


@pytest.mark.parametrize(("zone", "day"), DAYS_OF_CHANGE)
def test_a_day_has_the_hours_that_its_clock_gives_it(zone: str, day: date) -> None:
    asked = asked_of(zone, day - timedelta(days=3), day + timedelta(days=3))
    periods = periods_of(asked)
    by_name = {period.name: period for period in periods}
    begin, end = by_name[day.isoformat()].begin, by_name[day.isoformat()].end
    assert begin is not None
    assert (end - begin).total_seconds() / 3600 == DAYS_OF_CHANGE[zone, day]
    days = periods[:-4]
    assert len(days) == 6
    assert [one.end for one in days[:-1]] == [next_.begin for next_ in days[1:]]


@pytest.mark.parametrize(
    ("zone", "first"),
    [
        ("America/New_York", date(2026, 3, 7)),
        ("America/New_York", date(2026, 10, 31)),
        ("America/Santiago", date(2026, 4, 3)),
        ("America/Santiago", date(2026, 9, 5)),
    ],
)
def test_days_add_up_to_their_range_over_a_change_of_the_clock(
    people: People, players: list[Person], dba: psycopg.Connection, zone: str, first: date
) -> None:
    """Each day has what was played in its 23, 24 or 25 hours, and all days the whole range."""
    strew(dba, begin_of(first, find_zone(zone)).isoformat(), "7 hours 59 minutes")
    last = first + timedelta(days=9)
    report = get(people, "ggr", **{"from": first, "to": last, "tz": zone})
    assert report["variance_minor"] == 0
    played: Counter[tuple[str, str]] = Counter()
    for currency, at, wagered in dba.execute(
        "SELECT currency, settled_at, wagered_minor FROM pontoon_round"
        " WHERE state IN ('settled', 'held')"
    ):
        played[str(at.astimezone(find_zone(zone)).date()), currency] += wagered
    days = [row for row in rows(report) if row["period"].startswith("2026-")]
    told = {(row["period"], row["currency"]): row["turnover_minor"] for row in days}
    assert {key: minor for key, minor in told.items() if minor} == played
    assert len(played) >= 4
    for total in rows(report, period="range"):
        of_currency = [row for row in days if row["currency"] == total["currency"]]
        for member in ("turnover_minor", "payout_minor", "ggr_minor"):
            assert sum(row[member] for row in of_currency) == total[member]


def strew(dba: psycopg.Connection, first: str, step: str) -> None:
    """Move each round, with its transfers and marks, to a time of its own."""
    dba.execute(
        "CREATE TEMP TABLE place ON COMMIT PRESERVE ROWS AS"
        " SELECT player_id, id, %s::timestamptz"
        "   + row_number() OVER (PARTITION BY currency ORDER BY id) * %s::interval AS at"
        "   FROM pontoon_round",
        [first, step],
    )
    for table, column, key in (
        ("pontoon_round", "settled_at", "id"),
        ("pontoon_roundmark", "at", "round_id"),
        ("wallets_transfer", "at", "round_id"),
    ):
        dba.execute(
            f"UPDATE {table} t SET {column} = p.at FROM place p"  # noqa: S608
            f" WHERE t.player_id = p.player_id AND t.{key} = p.id AND t.{column} IS NOT NULL"
        )
    dba.execute("DROP TABLE place")


def test_a_variance_is_shown_when_ledger_and_rounds_disagree(
    people: People, players: list[Person], dba: psycopg.Connection
) -> None:
    dba.execute("UPDATE pontoon_round SET payout_minor = payout_minor + 7 WHERE state = 'settled'")
    for name in ("ggr", "game_performance", "player_activity"):
        assert get(people, name)["variance_minor"] > 0
    dba.execute("UPDATE wallets_account SET balance_minor = balance_minor + 7 WHERE kind = 'cash'")
    assert get(people, "liability")["variance_minor"] > 0


def test_today_is_what_is_meant_when_nothing_is_said() -> None:
    zone = find_zone("Asia/Tokyo")
    now = begin_of(date(2026, 5, 5), zone) + timedelta(hours=3)
    span = bounded(Span(zone=zone), now)
    assert (span.begin, span.end) == (
        begin_of(date(2026, 5, 5), zone),
        begin_of(date(2026, 5, 6), zone),
    )
    until = bounded(Span(end=begin_of(date(2026, 5, 1), zone), zone=zone), now)
    assert until.begin == begin_of(date(2026, 4, 30), zone)
    assert edges_of(periods_of(Asked(until, now)))[-1] == until.end


# --- Formats ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_report_says_the_same_in_every_format(
    people: People, players: list[Person], name: str
) -> None:
    query = f"reports/{name}?player_id={players[2].id}&format="
    told = people.operator.get(query + "json").json
    lines = list(csv.reader(StringIO(people.operator.get(query + "csv").body.decode())))
    labels = [column["label"] for column in told["tables"][0]["columns"]]
    at = lines.index(labels)
    assert ["Operator", "Pontoon"] in lines
    assert len(lines[at + 1 :]) >= len(told["tables"][0]["rows"])
    book = ZipFile(BytesIO(people.operator.get(query + "xlsx").body))
    sheets = [part for part in book.namelist() if part.startswith("xl/worksheets/")]
    assert len(sheets) == 1 + len(told["tables"])


def test_no_cell_of_a_report_is_a_formula(people: People, players: list[Person]) -> None:
    body = people.operator.get(f"reports/statement?player_id={players[2].id}&format=csv").body
    assert b",'=w1," in body


@pytest.mark.parametrize(
    "query",
    [
        "ggr?tz=Nowhere",
        "ggr?tz=localtime",
        "ggr?from=x",
        "ggr?from=1900-01-01",
        "ggr?from=9999-12-31",
        "ggr?from=9999-12-30&to=9999-12-31&tz=America/Santiago",
        "ggr?from=0001-01-01&to=0001-01-02",
        "ggr?to=0001-01-01",
        "ggr?from=0001-01-01T00:00:00Z&to=0001-01-01T01:00:00Z&tz=America/Santiago",
        "ggr?currency=XXX",
        "ggr?format=pdf",
    ],
)
def test_what_cannot_be_reported_is_refused(people: People, query: str) -> None:
    assert people.operator.get(f"reports/{query}").status == 422
    assert people.operator.get("reports/nothing").status == 404
