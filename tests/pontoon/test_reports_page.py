"""Reports in the panel: a page with charts, without a script, and files."""

import re

import pytest
from django.test import Client

from pontoon import reports
from pontoon.models import ReturnWatch
from tests.audit.exporting import live
from tests.conftest import Database
from tests.panel import Panel
from tests.people import People, Person


@pytest.fixture
def panel(database: Database) -> Panel:
    return Panel()


@pytest.fixture
def players(people: People, database: Database) -> list[Person]:
    return live(people, database.owner_url)


@pytest.mark.parametrize("name", reports.REPORTS)
def test_every_report_has_a_page(panel: Panel, players: list[Person], name: str) -> None:
    page = panel.see(f"reports/{name}/", player_id=str(players[2].id))
    assert "<dt>Operator</dt>" in page
    shown = page.partition('aria-label="Reports"')[2].partition("</main>")[0]
    assert not re.search(r"<script|https?:|style=|on\w+=", shown)
    assert ("<svg" in shown) == (name in {"ggr", "game_performance", "liability"})


def test_a_chart_has_a_bar_for_each_day(panel: Panel, players: list[Person]) -> None:
    page = panel.see("reports/liability/", currency="USD")
    (bar,) = re.findall(r'<rect x="336.0" y="0.0" width="48" height="160.0"', page)
    assert bar


def test_a_page_says_what_cannot_be_reported_and_that_there_was_no_activity(panel: Panel) -> None:
    assert "This cannot be reported" in panel.see("reports/ggr/", tz="Nowhere")
    assert "This cannot be reported" in panel.see("reports/statement/")
    assert "No activity" in panel.see("reports/ggr/", **{"from": "2020-01-01", "to": "2020-01-02"})
    assert panel.client.get("/panel/reports/nothing/").status_code == 404
    csv = panel.client.get("/panel/reports/ggr/", {"format": "csv"})
    assert csv.headers["Content-Disposition"] == 'attachment; filename="ggr.csv"'


def test_rtp_04_an_excursion_stands_above_every_report(panel: Panel, people: People) -> None:
    ReturnWatch.objects.create(
        id="house/1:USD", rules="house/1", currency="USD", until="2026-01-01T00:00Z",
        round_count=1, stake_minor=1, net_minor=1, stake_minor_square=1, state="above",
        changed_at="2026-01-01T00:00Z",
    )  # fmt: skip
    assert "The return of house/1 in USD is above what chance explains" in panel.see("reports/ggr/")
    assert "above" in panel.see("pontoon/returnwatch/")


def test_nobody_from_the_street_reads_a_report(database: Database) -> None:
    answer = Client().get("/panel/reports/ggr/")
    assert (answer.status_code, answer.headers["Location"][:13]) == (302, "/panel/login/")
