"""The browser's own check of a round, against the engine's: a thousand rounds, and false ones."""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from tests.system.chromium import launch
from tests.system.played import play_rounds

pytestmark = pytest.mark.system

STATIC = Path(__file__).parents[2] / "pontoon" / "static" / "pontoon"
ROUND_COUNT = 1_000

VERIFY = """async (rounds) => {
  const { verifyRound } = await import("/fairness.js");
  const found = [];
  for (const { before, ...round } of rounds) {
    const { verdict, steps } = await verifyRound(round, before);
    found.push({ id: round.round_id, verdict, wrong: steps.filter((step) => step.holds !== true) });
  }
  return found;
}"""

FRAMES = """async (rounds) => {
  const { framesOf } = await import("/replay.js");
  return rounds.map((round) => framesOf(round));
}"""


class Quiet(SimpleHTTPRequestHandler):
    """Our modules, as they are in the tree, and an empty page to load them into."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".js": "text/javascript"}

    def log_message(self, *_: Any) -> None:
        """Write nothing."""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page of Chromium from which our modules can be imported."""
    serve = functools.partial(Quiet, directory=str(STATIC))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            browser = launch(playwright)
            shown = browser.new_page()
            shown.goto(f"http://127.0.0.1:{server.server_address[1]}/icon.svg")
            yield shown
            browser.close()
        server.shutdown()


@pytest.fixture(scope="module")
def rounds() -> list[dict[str, Any]]:
    """Rounds as the service tells them, with what a page knew before their deal."""
    return [
        round_ | {"before": {"seen": True, "sentSeed": round_["client_seed"]}}
        for round_ in play_rounds(ROUND_COUNT, 20261201)
    ]


def verify(page: Page, rounds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(VERIFY, rounds)
    return found


def test_the_browser_agrees_with_the_engine_on_a_thousand_rounds(
    page: Page, rounds: list[dict[str, Any]]
) -> None:
    found = verify(page, rounds)
    assert [one for one in found if one["verdict"] != "verified"] == []
    assert len(found) == ROUND_COUNT
    kinds = {action["action"] for round_ in rounds for action in round_["actions"]}
    assert kinds == {"hit", "stand", "double", "split"}
    assert max(len(round_["hands"]) for round_ in rounds) == 3


def test_the_published_example_comes_out_in_the_browser(page: Page) -> None:
    recipe = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text()
    cards = page.evaluate(
        """async () => {
          const { drawCards } = await import("/fairness.js");
          const seed = Array.from({length: 32}, (_, n) => n.toString(16).padStart(2, "0")).join("");
          return (await drawCards(seed, "a player's own words", 10)).join(" ");
        }"""
    )
    assert f"`{cards}`" in recipe


def spoilt(round_: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the round with one thing that is not true, and the step that has to find it."""
    hand, *others = round_["hands"]
    other = "2S" if hand["cards"][0] != "2S" else "3S"
    yield "commitment", round_ | {"commitment": "0" * 64}
    yield "commitment", round_ | {"server_seed": "0" * 64}
    yield "client_seed", round_ | {"client_seed": round_["client_seed"] + "!"}
    swapped = hand | {"cards": [other, *hand["cards"][1:]]}
    yield "player_cards", round_ | {"hands": [swapped, *others]}
    yield "dealer_cards", round_ | {"dealer": {"cards": [*round_["dealer"]["cards"], "AS"]}}
    paid = hand | {"payout_minor": hand["payout_minor"] + 1}
    yield "results", round_ | {"hands": [paid, *others]}
    yield "promised", round_ | {"before": {"seen": False, "sentSeed": round_["client_seed"]}}


def test_whatever_is_not_true_fails_at_its_step(page: Page, rounds: list[dict[str, Any]]) -> None:
    for round_ in rounds[:40]:
        steps, false = zip(*spoilt(round_), strict=True)
        for step, found in zip(steps, verify(page, list(false)), strict=True):
            assert found["verdict"] == "failed", (step, round_["round_id"])
            assert step in {wrong["name"] for wrong in found["wrong"]}


@pytest.mark.parametrize(
    "before", [{}, {"seen": True}, {"sentSeed": ""}], ids=["nothing", "no seed", "no promise"]
)
def test_no_page_vouches_for_what_it_did_not_see(
    page: Page, rounds: list[dict[str, Any]], before: dict[str, Any]
) -> None:
    round_ = next(one for one in rounds if one["client_seed"] == "") | {"before": before}
    [found] = verify(page, [round_])
    assert found["verdict"] == "unproven"
    assert {wrong["holds"] for wrong in found["wrong"]} == {None}


def test_a_round_that_is_open_is_never_verified(page: Page, rounds: list[dict[str, Any]]) -> None:
    [found] = verify(page, [rounds[0] | {"server_seed": None, "state": "open"}])
    assert found["verdict"] == "unproven"


@pytest.mark.parametrize("seed", ["", "xyz", "0", "GG" * 32])
def test_a_seed_that_is_none_fails(page: Page, rounds: list[dict[str, Any]], seed: str) -> None:
    [found] = verify(page, [rounds[0] | {"server_seed": seed}])
    assert found["verdict"] in {"failed", "unproven"}


def test_rec_01_a_replay_ends_in_the_round_that_was_told(
    page: Page, rounds: list[dict[str, Any]]
) -> None:
    for round_, frames in zip(rounds, page.evaluate(FRAMES, rounds), strict=True):
        first, last = frames[0], frames[-1]
        assert [hand["cards"] for hand in last["hands"]] == [
            hand["cards"] for hand in round_["hands"]
        ]
        assert last["dealer"] == round_["dealer"]["cards"]
        assert first["hands"][0]["cards"] == round_["hands"][0]["cards"][:1]
        assert all(set(frame["dealer"]) <= {"??"} for frame in frames if frame["what"] == "card")
        acts = [frame["action"] for frame in frames if frame["what"] == "act"]
        assert acts == [action["action"] for action in round_["actions"]]


# --- Amounts, which are pure too


@pytest.mark.parametrize(
    ("typed", "exponent", "minor"),
    [
        ("50", 2, 5000), ("0.5", 2, 50), ("0,5", 2, 50), ("1,250.50", 2, 125_050),
        ("1.250,50", 2, 125_050), ("1.000", 2, 100_000), ("1 000,00", 2, 100_000),
        ("1,000", 0, 1000), ("1.500", 3, 1500), ("0", 2, 0), ("", 2, None), ("abc", 2, None),
        ("-5", 2, None), ("1.2345", 2, None), ("9" * 20, 2, None),
    ],
)  # fmt: skip
def test_an_amount_is_read_as_people_type_it(
    page: Page, typed: str, exponent: int, minor: int | None
) -> None:
    read = page.evaluate(
        "async ([typed, exponent]) => (await import('/amounts.js')).minorOf(typed, exponent)",
        [typed, exponent],
    )
    assert read == minor
