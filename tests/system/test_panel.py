"""The panel in a browser: every page, wide and narrow, light and dark, by its own policy."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.db import connections
from playwright.sync_api import Page, sync_playwright

from audit import seal
from audit.models import Entry
from casino.panel import address_of
from pontoon import queries
from pontoon import services as table
from pontoon.models import ReturnWatch, Round, Verification
from pontoon.reports.tally import tally_minutes
from tests.audit.exporting import live
from tests.conftest import Database
from tests.panel import Panel
from tests.people import People
from tests.pontoon.rounds import PONTOON
from tests.seeds import deal
from tests.system.chromium import launch
from wallets import services as wallets
from wallets.models import Transfer

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]

SIZES = {"wide": (1440, 900), "narrow": (390, 844)}


class _Server(ThreadedWSGIServer):
    daemon_threads = True

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            connections.close_all()


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of each request."""


@pytest.fixture
def address(database: Database) -> Iterator[str]:
    """The panel's address, served by this process."""
    server = _Server(("127.0.0.1", 0), _Quiet, allow_reuse_address=True)
    server.set_app(StaticFilesHandler(WSGIHandler()))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/panel/"
    server.shutdown()
    thread.join()
    server.server_close()


def furnish(people: People, owner_url: str) -> dict[str, str]:
    """Let there be something to see on every page; return the pages that a list leads to."""
    winner = live(people, owner_url)[2]
    seal.seal()
    tally_minutes()
    table.check_wins()
    stop = table.suspend("staff:99", scope={"currency": "KWD"}, reason="The bank is closed")
    flag = table.flag_malfunction(
        "staff:99", scope={"currency": "BRL"}, cause="A torn card", evidence={"text": "seen"}
    )
    owing = void_what_is_spent(people, owner_url)
    goodwill = wallets.Correction(winner.id, "credit", 500, "goodwill", "1")
    asked = wallets.raise_adjustment("staff:99", correction=goodwill)
    ReturnWatch.objects.create(
        id="house/1:USD", rules="house/1", currency="USD", until=datetime.now(UTC),
        round_count=1, stake_minor=100, net_minor=-1, stake_minor_square=1, state="above",
        changed_at=datetime.now(UTC),
    )  # fmt: skip
    won = Round.objects.filter(player_id=winner.id, state="settled").earliest("opened_at")
    dealt = Round.objects.get(state="open")
    return {
        "": "the dashboard",
        f"pontoon/round/{address_of(won)}/change/": "a round",
        f"pontoon/round/{address_of(dealt)}/change/": "an open round",
        f"pontoon/verification/{Verification.objects.earliest('settled_at').id}/change/": "a win",
        f"pontoon/malfunction/{flag.id}/change/": "a malfunction",
        f"pontoon/malfunction/{owing}/change/": "a void",
        f"pontoon/suspension/{stop.id}/change/": "a suspension",
        f"players/player/{winner.id}/change/": "a player",
        f"wallets/adjusting/{asked}/change/": "an adjustment",
        f"wallets/transfer/{address_of(Transfer.objects.earliest('at'))}/change/": "a transfer",
        f"audit/entry/{Entry.objects.earliest('id').id}/change/": "an entry",
        "reports/game_performance/": "a report",
        "reports/significant_events/": "a list",
        "search?q=p": "a search",
        "account/": "an account",
        "password_change/": "a form",
    }


def void_what_is_spent(people: People, owner_url: str) -> UUID:
    """Let a player owe what he won and spent before the void; return the malfunction."""
    player = people.player(cash=100_000)
    deal(owner_url, player, PONTOON, 1000)
    body = {"amount_minor": player.balance, "currency": "USD", "reference": "spent"}
    assert people.operator.post(f"players/{player.id}/withdrawals", body).status == 201
    made = table.flag_malfunction(
        "staff:98", scope={"player": str(player.id)}, cause="A torn card", evidence={"seen": 1}
    )
    table.count_malfunctions()
    list_hash = queries.last_count(made.id)["list_hash"]
    table.approve_void("staff:99", malfunction_id=made.id, list_hash=list_hash, reason="Torn")
    table.void_malfunctions()
    return made.id


def look(page: Page, where: str, width: int) -> list[str]:
    """Return what is wrong with a page that is open."""
    faults = []
    if page.evaluate("document.documentElement.scrollWidth") > width:
        faults.append(f"{where}: wider than the screen")
    found = Axe().run(page).response["violations"]
    return faults + [
        f"{where}: {one['id']} {one['nodes'][0]['html'][:120]}"
        for one in found
        if one["impact"] in {"serious", "critical"}
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_page_fits_obeys_its_policy_and_is_for_all(
    address: str, people: People, database: Database, size: str, theme: Any
) -> None:
    pages = furnish(people, database.owner_url)
    cookie = Panel("compliance").client.cookies["sessionid"].value
    width, height = SIZES[size]
    faults: list[str] = []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme
        )
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": address}])
        page = context.new_page()
        page.on("console", lambda told: faults.append(f"{page.url}: {told.text}"))
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
        page.goto(address)
        links = page.eval_on_selector_all(".rail li a", "all => all.map(a => a.pathname)")
        for path in [*pages, *(link.removeprefix("/panel/") for link in links)]:
            answer = page.goto(address + path)
            assert answer is not None
            assert answer.status == 200, path
            faults += look(page, path, width)
        context.clear_cookies()
        page.goto(address)
        faults += look(page, "the door", width)
        browser.close()
    assert not faults, "\n".join(faults)


def test_a_round_is_stepped_through_and_the_dashboard_renews_itself(
    address: str, people: People, database: Database
) -> None:
    pages = furnish(people, database.owner_url)
    cookie = Panel("floor").client.cookies["sessionid"].value
    round_page = next(path for path, what in pages.items() if what == "a round")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        context = browser.new_context(viewport={"width": 390, "height": 844})
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": address}])
        page = context.new_page()
        page.goto(address + round_page)
        assert page.locator(".step:visible").count() == 1
        page.keyboard.press("ArrowLeft")
        assert page.locator(".stepper output").inner_text() == "9 / 10"
        page.click("[data-all]")
        assert page.locator(".step:visible").count() == 11
        page.goto(address)
        page.wait_for_selector("[data-pulse][data-state=live]", timeout=20_000)
        page.click("[data-menu]")
        page.click(".rail >> text=Suspensions")
        page.wait_for_url("**/suspension/")
        browser.close()
