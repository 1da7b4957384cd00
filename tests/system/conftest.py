"""What a test in a real browser may ask for: a house that runs, devices, a guest at the table."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.deploy.service import Service
from tests.system.chromium import launch
from tests.system.house import House
from tests.system.seat import Seat

SIT = Callable[..., Seat]


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One run of the service for all browser tests; it seals seeds with a key that they have."""
    folder = tmp_path_factory.mktemp("house")
    with Service(folder, DEMO="1", SEED_KEYS=os.environ["SEED_KEYS"]) as running:
        running.start()
        yield running


@pytest.fixture(scope="session")
def house(service: Service) -> House:
    """The house of that run."""
    return House(f"http://127.0.0.1:{service.port}", service.var)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, as the system has it; closed with each module, for its loop keeps Django out."""
    with sync_playwright() as playwright:
        running = launch(playwright)
        yield running
        running.close()


@pytest.fixture
def device(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Make devices; at the end no page of theirs has complained of anything."""
    opened: list[BrowserContext] = []
    complaints: list[str] = []

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: line.type == "error" and complaints.append(line.text))

    def make(**about: Any) -> BrowserContext:
        about = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"} | about
        context = browser.new_context(**about)
        context.set_default_timeout(15_000)
        context.on("page", watch)
        opened.append(context)
        return context

    yield make
    for context in opened:
        context.close()
    # What the network refuses, Chromium writes down by itself; the tests make it happen.
    assert [text for text in complaints if not text.startswith("Failed to load resource")] == []


@pytest.fixture
def sit(house: House, device: Callable[..., BrowserContext]) -> SIT:
    """Let a guest in and sit him down at the table: `sit(ranks="8 * 8", cash=5000)`."""

    def make(*, ranks: str = "", look: dict[str, Any] | None = None, **guest: Any) -> Seat:
        who = house.guest(**guest)
        if ranks:
            who.plant(ranks)
        return Seat.at(device(**look or {}), who)

    return make
