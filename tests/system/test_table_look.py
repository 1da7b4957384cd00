"""The table as eyes, screen readers and slow lines meet it: axe in every state, sizes, weight."""

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from playwright.sync_api import BrowserContext, Page, expect

from tests.system.conftest import SIT
from tests.system.house import House
from tests.system.seat import Seat

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("house")]

LOW = "23456789"
SHOTS = Path(__file__).parents[2] / "build" / "screenshots"
WIDTHS = {390: 844, 768: 1024, 1440: 900}
FIRST_LOAD_BYTES_MAX = 150_000
STATES = {
    "empty": ("", ""),
    "betting": ("", "131"),
    "turn": (f"89T {LOW} 345 {LOW}", "25_"),
    "soft": (f"A {LOW} 56 {LOW}", "25_"),
    "poor": (f"9 {LOW} 6789 {LOW}", "600_"),
    "split": (f"8 {LOW} 8 {LOW} 8 {LOW} 23", "25_ppd"),
    "won": ("TJQK TJQK TJQK 78", "25_s"),
    "lost": ("9TJQ 9TJQK 678 9TJ", "25_s"),
    "bust": (f"TJQK {LOW} 56 {LOW} TJQK", "25_h"),
    "pontoon": (f"A {LOW} JQK {LOW}", "25_"),
    "trick": ("234 TJQK 23 89 A23 A23 234", "25_hhh"),
}
SMALL = """() => [...document.querySelectorAll("button, input, select, a")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.id || one.className, one.closest("label") || one])
  .map(([name, one]) => [name, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 43.9 || height < 43.9)
  .map(([name, { width, height }]) => `${name} ${width} ${height}`)"""
OVERFLOW = """() => [document.documentElement, document.body]
  .some((one) => one.scrollWidth > innerWidth || one.scrollHeight > innerHeight)"""


def faults(page: Page) -> list[str]:
    """What axe finds, in a line each."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{fault['id']}: {node['target']} {node.get('failureSummary', '')}"
        for fault in found
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_and_nothing_scrolls(sit: SIT, state: str, theme: str) -> None:
    ranks, keys = STATES[state]
    seat = sit(ranks=ranks, look={"color_scheme": theme, "bypass_csp": True})
    seat.type(keys)
    assert faults(seat.page) == []
    for width, height in WIDTHS.items():
        seat.page.set_viewport_size({"width": width, "height": height})
        assert not seat.page.evaluate(OVERFLOW), width
        assert seat.page.evaluate(SMALL) == [], width
        SHOTS.mkdir(parents=True, exist_ok=True)
        seat.page.screenshot(path=SHOTS / f"{state}-{theme}-{width}.png")


@pytest.mark.parametrize("size", [(320, 568), (844, 390), (3840, 2160), (1024, 600)])
def test_three_hands_fit_from_the_smallest_phone_to_the_largest_wall(
    sit: SIT, size: tuple[int, int]
) -> None:
    width, height = size
    seat = sit(ranks=STATES["split"][0], look={"viewport": {"width": width, "height": height}})
    seat.type(STATES["split"][1])
    assert not seat.page.evaluate(OVERFLOW)
    active = seat.find(".hand[aria-current]").bounding_box()
    assert active
    assert active["x"] >= 0
    assert active["x"] + active["width"] <= width
    seat.page.screenshot(path=SHOTS / f"split-dark-{width}.png")


def test_no_session_and_its_end_are_said_without_fault(
    house: House, device: Callable[..., BrowserContext]
) -> None:
    page = device(bypass_csp=True).new_page()
    page.goto(f"{house.address}/table")
    page.wait_for_selector("body[data-session=none]")
    assert faults(page) == []
    seat = Seat.at(device(bypass_csp=True), house.guest())
    seat.page.keyboard.press("Escape")
    seat.expect_session("ended")
    assert faults(seat.page) == []


@pytest.mark.parametrize("name", ["menu", "settings", "keys"])
def test_a_sheet_holds_the_focus_and_gives_it_back(sit: SIT, name: str) -> None:
    seat = sit(look={"bypass_csp": True})
    seat.find("#menu").click()
    if name != "menu":
        seat.page.get_by_role("button", name=name.capitalize(), exact=True).click()
    expect(seat.find("dialog h2")).to_be_focused()
    expect(seat.find("dialog h2")).to_have_text(name.capitalize())
    assert faults(seat.page) == []
    seat.page.keyboard.press("Escape")
    seat.page.wait_for_selector("dialog", state="detached")
    assert seat.page.evaluate("() => document.activeElement.id") == "menu"


def test_the_first_load_weighs_less_than_150_kb(
    house: House, device: Callable[..., BrowserContext]
) -> None:
    page = device().new_page()
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    weights: list[float] = []
    line.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    page.goto(house.guest().launch_url)
    page.wait_for_selector("body[data-session=ready]")
    page.wait_for_load_state("networkidle")
    assert len(weights) > 20, "the modules, the styles and the API's answers"
    assert sum(weights) < FIRST_LOAD_BYTES_MAX


SHIFTS = """new PerformanceObserver((list) => {
  window.shifts = [...(window.shifts ?? []), ...list.getEntries()];
}).observe({ type: "layout-shift", buffered: true })"""


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves_while_the_table_comes(
    house: House, device: Callable[..., BrowserContext], width: int
) -> None:
    page = device(viewport={"width": width, "height": WIDTHS[width]}).new_page()
    page.add_init_script(SHIFTS)
    page.goto(house.guest().launch_url)
    page.wait_for_selector("body[data-session=ready] .chip-button")
    page.wait_for_load_state("networkidle")
    moved = page.evaluate("(window.shifts ?? []).map(({ value }) => value)")
    assert sum(moved) < 0.01


def test_cards_are_read_and_buttons_told_apart_in_colours_of_the_readers_own(sit: SIT) -> None:
    seat = sit(ranks=STATES["turn"][0], look={"color_scheme": "dark"})
    seat.bet("25")
    box = seat.find("#hands .card").first.bounding_box()
    assert box
    index = {"x": box["x"] + 12, "y": box["y"] + 12, "width": box["width"] / 3, "height": 90}
    seat.page.wait_for_function("() => document.getAnimations().length === 0")
    plain = seat.page.screenshot(clip=index)
    seat.page.emulate_media(forced_colors="active", color_scheme="dark", reduced_motion="reduce")
    assert seat.page.screenshot(clip=index) == plain
    ink = "(id) => getComputedStyle(document.getElementById(id)).color"
    assert seat.page.evaluate(ink, "hit") != seat.page.evaluate(ink, "deal")


MOVED = """() => document.getAnimations().flatMap((one) => one.effect.getKeyframes())
  .flatMap((frame) => Object.keys(frame))"""


def test_only_transform_and_opacity_move_and_not_for_those_who_ask_for_calm(sit: SIT) -> None:
    told = {"offset", "computedOffset", "easing", "composite"}
    seat = sit(ranks=STATES["turn"][0], look={"reduced_motion": "no-preference"})
    seat.bet("25")
    moved = set(seat.page.evaluate(MOVED)) - told
    assert "transform" in moved
    assert moved <= {"transform", "opacity"}
    calm = sit(ranks=STATES["turn"][0])
    calm.bet("25")
    assert set(calm.page.evaluate(MOVED)) - told <= {"opacity"}


def test_the_zones_do_not_move_while_a_round_is_played(sit: SIT) -> None:
    seat = sit(ranks=STATES["split"][0])
    zones = (
        "() => ['.strip', '#table', '#rail', '#hit', '#deal'].map((name) =>"
        " JSON.stringify(document.querySelector(name).getBoundingClientRect()))"
    )
    before = seat.page.evaluate(zones)
    for keys in ("25", "_", "p", "p", "d"):
        seat.type(keys)
        assert seat.page.evaluate(zones) == before
    seat.play_on()
    assert seat.page.evaluate(zones) == before


def test_a_language_is_changed_at_the_table(sit: SIT) -> None:
    seat = sit(ranks=STATES["turn"][0], currency="SEK", language="sv")
    seat.bet("25")
    seat.expect_text("#hit .word", "Nytt kort")
    seat.expect_text(".hand .amount", "25\u00a0kr")
    seat.find("#menu").click()
    seat.page.get_by_role("button", name="Inställningar").click()
    seat.page.get_by_label("Språk").select_option("es")
    seat.expect_text("#hit .word", "Pedir")
    assert seat.page.evaluate("() => document.documentElement.lang") == "es"
    any_left = seat.find("body").inner_text()
    assert "Nytt kort" not in any_left


def test_sig_03_version_and_build_are_in_the_menu(sit: SIT) -> None:
    seat = sit()
    seat.find("#menu").click()
    seat.expect_text("dialog .build", f"Pontoon {settings.VERSION}")
