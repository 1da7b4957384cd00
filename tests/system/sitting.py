"""Somebody who sits at the table, in a real browser: what he does there, in a word each."""

import re
from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

SHEETS = ("rules", "history", "fairness", "statement", "protection", "settings", "keys")

_OVERFLOWING = """() => {
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.documentElement;
  return top.scrollWidth - top.clientWidth;
}"""
_KEY = re.compile(r"\b[a-z]+(?:\.[a-z_0-9]+)+\b")


@dataclass
class Sitting:
    """A page, and whatever went wrong on it that nobody looks at."""

    page: Page
    faults: list[str] = field(default_factory=list)

    def come_in(self, address: str, *, language: str = "en") -> None:
        """Through the lobby, as somebody new."""
        self.page.goto(f"{address}/?lang={language}")
        self.page.get_by_role("button").click()
        expect(self.page.locator("body")).to_have_attribute("data-session", "ready")

    def play(self) -> dict[str, Any]:
        """Play a round by the keyboard: hit below fifteen, then stand."""
        if not self.page.locator("#bet").input_value():
            self.page.keyboard.press("5")
        round_ = self.deal()
        while round_["state"] == "open":
            offered = {option["action"] for option in round_["options"]}
            round_ = self._press("s" if "stand" in offered else "h", "actions")
        expect(self.page.locator("body")).to_have_attribute("data-round", round_["state"])
        return round_

    def deal(self) -> dict[str, Any]:
        """Deal by the keyboard."""
        if not self.page.locator("#bet").input_value():
            self.page.keyboard.press("5")
        self.page.locator("#deal").focus()
        return self._press("Space", "rounds")

    def _press(self, key: str, answer: str) -> dict[str, Any]:
        def is_it(response: Any) -> bool:
            return bool(response.url.endswith(answer) and response.request.method == "POST")

        expect(self.page.locator("#table")).to_have_attribute("aria-busy", "false")
        with self.page.expect_response(is_it) as told:
            self.page.keyboard.press(key)
        round_: dict[str, Any] = told.value.json()
        # The next key counts when the page has taken this answer in.
        expect(self.page.locator("#deal")).to_have_attribute(
            "aria-disabled", str(round_["state"] == "open").lower()
        )
        return round_

    def open(self, name: str) -> Locator:
        """Open a sheet from the menu; return it."""
        self.page.locator("#menu").click()
        self.page.locator("dialog .line").nth(SHEETS.index(name)).click()
        expect(self.page.locator("dialog[open]")).to_have_count(1)
        expect(self.page.locator("dialog .lines")).to_have_count(0)
        self.page.wait_for_load_state("networkidle")
        return self.page.locator("dialog[open]").last

    def close(self) -> None:
        """Close what is open, as one does."""
        self.page.keyboard.press("Escape")
        expect(self.page.locator("dialog[open]")).to_have_count(0)

    def troubles(self) -> list[str]:
        """Return what is wrong with what is seen: axe's findings, overflow, keys without words."""
        found = Axe().run(self.page).response["violations"]
        wrong = [f"{one['id']}: {[node['target'] for node in one['nodes']][:3]}" for one in found]
        if overflow := self.page.evaluate(_OVERFLOWING):
            wrong.append(f"{overflow} px wider than the page")
        return wrong + [f"no words: {key}" for key in _KEY.findall(self.page.inner_text("body"))]


def sit_down(browser: Browser, **how: Any) -> Sitting:
    """Open a page; what its console says of errors is a fault."""
    options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"} | how
    page = browser.new_context(**options).new_page()
    sitting = Sitting(page)
    page.on("console", lambda message: _note(sitting, message))
    page.on("pageerror", lambda error: sitting.faults.append(str(error)))
    return sitting


def _note(sitting: Sitting, message: ConsoleMessage) -> None:
    # A refusal is an answer like any other; the browser's own line about it is none of ours.
    if message.type in {"error", "warning"} and "Failed to load resource" not in message.text:
        sitting.faults.append(message.text)
