"""The dashboard: what it tells, whom, and that it reads no more than it must."""

import html
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pontoon import services as table
from pontoon.reports.tally import read_tally, tally_minutes
from tests.audit.exporting import live
from tests.audit.test_work import fail_to_death
from tests.conftest import Database
from tests.panel import Panel
from tests.people import People

QUERIES_MAX = 14


@pytest.fixture
def panel(database: Database) -> Panel:
    return Panel("floor")


def test_the_dashboard_tells_money_by_currency_and_what_waits(
    panel: Panel, people: People, database: Database
) -> None:
    live(people, database.owner_url)
    page = html.unescape(panel.see(""))
    assert re.findall(r"<h3>([A-Z]{3}) ", page) == ["JPY", "USD"]
    assert "10\u202f000.00\xa0USD" in page  # the large win that waits
    parts = panel.client.get("/panel/live").json()["parts"]
    assert list(parts) == [
        "health", "suspensions", "figures", "wins", "rounds", "money", "returns",
    ]  # fmt: skip
    assert "10\u202f000.00\xa0USD" in html.unescape(parts["wins"])
    assert not re.search(r"<script|style=|\son\w+=|https?:", "".join(parts.values()))


def test_a_suspension_stands_on_the_dashboard_until_it_is_lifted(panel: Panel) -> None:
    stop = table.suspend("staff:99", scope={"currency": "KWD"}, reason="the bank is closed")
    assert "the bank is closed" in panel.see("")
    table.lift("staff:99", suspension_id=stop.id, reason="open again")
    assert "the bank is closed" not in panel.see("")


def test_the_dashboard_is_not_for_those_who_do_not_watch_the_floor(database: Database) -> None:
    support = Panel("support")
    assert "data-board" not in support.see("")
    assert support.client.get("/panel/live").status_code == 403


def test_the_dashboard_asks_the_same_however_much_there_is(
    panel: Panel, people: People, database: Database
) -> None:
    live(people, database.owner_url)
    panel.see("")
    with CaptureQueriesContext(connection) as before:
        panel.client.get("/panel/live")
    player = people.player()
    for _ in range(3):
        player.finish(player.bet(200).json)
    with CaptureQueriesContext(connection) as after:
        panel.client.get("/panel/live")
    assert len(after) == len(before)
    assert len(after) <= QUERIES_MAX


def test_a_minute_is_counted_once_and_the_rest_is_read_from_the_rounds(
    people: People, database: Database
) -> None:
    player = people.player()
    rounds = [player.finish(player.bet(200).json) for _ in range(3)]
    begin = datetime(2000, 1, 2, tzinfo=UTC)
    told = [read_tally(begin)]
    tally_minutes()
    tally_minutes()
    told.append(read_tally(begin))
    wagered = sum(round_["wagered_minor"] for round_ in rounds)
    for tally in told:
        assert sum(minute.round_count for minute in tally.minutes) == len(rounds)
        assert sum(minute.wagered_minor for minute in tally.minutes) == wagered
    assert told[0].counted_at is None
    assert told[1].counted_at is not None


def test_what_is_before_the_last_hour_comes_as_one_sum_and_adds_up(
    database: Database,
) -> None:
    begin = datetime(2020, 1, 1, tzinfo=UTC)
    minutes = [begin + timedelta(minutes=one) for one in range(1, 5)]
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO pontoon_minute VALUES (%s, 'USD', 'house/1', 2, 200, 300, 250)",
            [[minute] for minute in minutes],
        )
    kept = read_tally(begin, summed_until=minutes[3]).minutes
    assert [(one.minute, one.round_count, one.wagered_minor, one.payout_minor) for one in kept] == [
        (begin, 6, 900, 750),
        (minutes[3], 2, 300, 250),
    ]


def test_inf_04_the_dashboard_tells_of_work_that_died_and_where_it_is(panel: Panel) -> None:
    assert ">0</a>" in panel.see("")
    fail_to_death()
    page = panel.see("")
    assert f'{reverse("admin:audit_work_changelist")}?state=dead">1</a>' in page
    assert "not well" in page
