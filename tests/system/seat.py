"""A guest at the table in a browser: what he sees, and what he presses."""

import json
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.system.house import CLIENT_SEED, Guest

PREFS = {"clientSeed": CLIENT_SEED}


@dataclass(frozen=True)
class Seat:
    """A page of the table, and whose it is."""

    page: Page
    guest: Guest

    @classmethod
    def at(cls, context: BrowserContext, guest: Guest, **prefs: Any) -> "Seat":
        """Open the table by the guest's launch address, and wait until he can play."""
        kept = json.dumps(json.dumps(PREFS | prefs))
        context.add_init_script(
            f"if (location.protocol !== 'about:' && !localStorage.getItem('pontoon.prefs'))"
            f" localStorage.setItem('pontoon.prefs', {kept})"
        )
        seat = cls(context.new_page(), guest)
        seat.page.goto(guest.launch_url)
        seat.expect_session("ready")
        return seat

    def find(self, selector: str) -> Locator:
        """An element of the page."""
        return self.page.locator(selector)

    def click(self, *names: str) -> None:
        """Press buttons by mouse, one after the other, each when its answer is there."""
        for name in names:
            self._then_moved(lambda name=name: self.find(f"#{name}").click())

    def type(self, keys: str) -> None:
        """Press keys, each act when the one before is answered: `25`, then `_` for the space."""
        for key in keys:
            if key.isdigit():
                self.page.keyboard.press(key)
            else:
                self._then_moved(lambda key=key: self.page.keyboard.press(key.replace("_", " ")))

    def bet(self, amount: str) -> None:
        """Type a bet and deal it."""
        self.type(f"{amount}_")

    def play_on(self) -> None:
        """Play the round to its end by keyboard: stand as soon as that is allowed, else hit."""
        while self.round == "open":
            is_dim = self.find("#stand").get_attribute("aria-disabled") == "true"
            self.type("h" if is_dim else "s")

    @property
    def round(self) -> str:
        """The state of the round on the table; `none` if there is none."""
        return self.find("body").get_attribute("data-round") or ""

    @property
    def stamp(self) -> tuple[str | None, str | None]:
        """By what a round that has moved on is known."""
        table = self.find("#table")
        return table.get_attribute("data-of"), table.get_attribute("data-seq")

    def expect_round(self, state: str) -> None:
        """Wait for a state of the round."""
        expect(self.find("body")).to_have_attribute("data-round", state)

    def expect_session(self, state: str) -> None:
        """Wait for a state of the session."""
        expect(self.find("body")).to_have_attribute("data-session", state)

    def expect_text(self, selector: str, text: str) -> None:
        """Wait for a text in an element."""
        expect(self.find(selector)).to_contain_text(text)

    def _then_moved(self, act: Any) -> None:
        round_id, seq = self.stamp
        act()
        expect(
            self.find(f"#table:not([data-of='{round_id}'][data-seq='{seq}'])")
        ).to_have_attribute("data-busy", "false")
