"""What stands beside the table, in real Chromium: the lobby, every sheet, and the player's care."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Browser, Route, expect, sync_playwright

from deploy.local.secrets import load_secrets
from deploy.local.servers import embedded_urls
from tests.deploy.service import ROOT, Service
from tests.system.chromium import launch
from tests.system.sitting import SHEETS, Sitting, sit_down

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]

LANGUAGES = ("en", "es", "pt", "sv")
PHONE = {"width": 320, "height": 640}

Sit = Callable[..., Sitting]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The whole service, with its lobby."""
    with Service(tmp_path_factory.mktemp("beside"), DEMO="1") as running:
        running.start()
        yield running


@pytest.fixture(scope="module")
def address(service: Service) -> str:
    return f"http://127.0.0.1:{service.port}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield launch(playwright)


@pytest.fixture
def sit(browser: Browser) -> Iterator[Sit]:
    """Sit down; whatever the console says at any time fails the test."""
    seated: list[Sitting] = []

    def sit(**how: Any) -> Sitting:
        seated.append(sit_down(browser, **how))
        return seated[-1]

    yield sit
    faults = [fault for sitting in seated for fault in sitting.faults]
    for sitting in seated:
        sitting.page.context.close()
    assert faults == []


@pytest.fixture
def owner(service: Service) -> Iterator[psycopg.Connection]:
    """The tables' owner, who can make a session older than it is."""
    secrets = load_secrets(service.var / "secrets.env")
    url = embedded_urls(service.var, secrets).owner
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


# --- The lobby ----------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lobby_is_whole_in_every_language_down_to_320_px(
    sit: Sit, address: str, language: str, theme: str
) -> None:
    for viewport in (PHONE, {"width": 1440, "height": 900}):
        sitting = sit(viewport=viewport, color_scheme=theme)
        sitting.page.goto(f"{address}/?lang={language}")
        assert sitting.troubles() == []


@pytest.mark.parametrize("size", [(390, 844), (768, 1024), (1440, 900)])
def test_the_way_to_the_table_is_in_sight_when_the_lobby_opens(
    sit: Sit, address: str, size: tuple[int, int]
) -> None:
    sitting = sit(viewport={"width": size[0], "height": size[1]})
    sitting.page.goto(f"{address}/?lang=pt")
    expect(sitting.page.get_by_role("button")).to_be_in_viewport(ratio=1)


def test_the_lobby_leads_to_the_table_by_the_keyboard_alone(sit: Sit, address: str) -> None:
    sitting = sit()
    sitting.page.goto(f"{address}/?lang=sv")
    sitting.page.get_by_role("textbox", name="Namn").focus()
    sitting.page.keyboard.type("Elsa")
    sitting.page.keyboard.press("Enter")
    expect(sitting.page.locator("body")).to_have_attribute("data-session", "ready")
    expect(sitting.page.locator("#mode")).to_be_visible()
    assert "ps_" not in sitting.page.url


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (844, 390), (1280, 800)])
def test_dmo_01_the_label_of_demo_money_covers_nothing(
    sit: Sit, address: str, size: tuple[int, int]
) -> None:
    width, height = size
    sitting = sit(viewport={"width": width, "height": height})
    sitting.come_in(address)
    expect(sitting.page.locator("#mode")).to_have_text("Demo money")
    label, name = (sitting.page.locator(one).bounding_box() for one in ("#mode", "#dealer-name"))
    assert label
    assert name
    is_beside = label["x"] + label["width"] <= name["x"]
    assert is_beside or name["y"] + name["height"] <= label["y"]


def test_rul_01_the_rules_are_there_for_whoever_has_no_session(sit: Sit, address: str) -> None:
    sitting = sit(locale="es")
    sitting.page.goto(f"{address}/table#rules")
    expect(sitting.page.locator("dialog .clauses li")).to_have_count(21)
    assert sitting.troubles() == []


# --- Every sheet ----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sheet_speaks_the_language_and_fits_320_px(
    sit: Sit, address: str, language: str
) -> None:
    sitting = sit(viewport=PHONE, color_scheme="light")
    sitting.come_in(address, language=language)
    sitting.play()
    look_at_all(sitting)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_sheet_is_clean_on_a_wide_screen(sit: Sit, address: str, theme: str) -> None:
    sitting = sit(viewport={"width": 1440, "height": 900}, color_scheme=theme)
    sitting.come_in(address)
    sitting.play()
    look_at_all(sitting)


def look_at_all(sitting: Sitting) -> None:
    sitting.page.locator("#menu").click()
    assert sitting.troubles() == [], "menu"
    sitting.close()
    for name in SHEETS:
        sheet = sitting.open(name)
        assert sitting.troubles() == [], name
        if name == "history":
            sheet.locator("button.row").first.click()
            expect(sheet.locator(".mini-felt")).to_be_visible()
            assert sitting.troubles() == [], "replay"
        sitting.close()


# --- Replay and fairness -----------------------------------------------------------------------


def test_rec_01_a_round_is_replayed_card_by_card_with_the_keys(sit: Sit, address: str) -> None:
    sitting = sit()
    sitting.come_in(address)
    round_ = sitting.play()
    sheet = sitting.open("history")
    sheet.locator("button.row").first.click()
    expect(sheet.locator(".mark")).to_contain_text("Replay")
    seen = sheet.locator(".mini-hands .card")
    cards = sum(len(hand["cards"]) for hand in round_["hands"])
    expect(seen).to_have_count(cards)
    sitting.page.keyboard.press("Home")
    expect(seen).to_have_count(1)
    expect(sheet.locator(".mini-hand").first.locator(".card")).to_have_count(0)
    sitting.page.keyboard.press("ArrowRight")
    expect(sheet.locator('[data-card="??"]')).to_have_count(1)
    sitting.page.keyboard.press("End")
    told = [card for hand in round_["hands"] for card in hand["cards"]]
    assert [seen.nth(index).get_attribute("data-card") for index in range(cards)] == told
    assert sheet.locator(".facts-list").inner_text().count("$") >= 4


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"state": "held", "held_reason": "large_win"}, "a person checks it before it is paid"),
        ({"state": "held", "held_reason": "malfunction"}, "Its payout waits until that is clear"),
        ({"state": "voided"}, "every wager came back to you"),
        ({"actions": [{"action": "hit", "hand": 0, "by": "house"}]}, "the house played this round"),
    ],
)
def test_mal_04_a_round_that_is_held_voided_or_played_by_the_house_is_explained(
    sit: Sit, address: str, told: dict[str, Any], words: str
) -> None:
    sitting = sit()
    sitting.come_in(address)
    round_ = sitting.play()

    def tell(route: Route) -> None:
        route.fulfill(json=route.fetch().json() | told)

    sitting.page.route(f"**/rounds/{round_['round_id']}", tell)
    sheet = sitting.open("history")
    sheet.locator("button.row").first.click()
    expect(sheet.locator(".aside")).to_contain_text(words)
    assert sitting.troubles() == []


def test_the_browser_verifies_the_round_that_it_saw_promised(sit: Sit, address: str) -> None:
    sitting = sit()
    sitting.come_in(address)
    for _ in range(2):
        sitting.play()
    sheet = sitting.open("fairness")
    expect(sheet.locator(".verdict")).to_have_attribute("data-verdict", "verified")
    expect(sheet.locator('[data-holds="true"]')).to_have_count(6)


def test_a_round_of_which_no_promise_was_seen_is_not_verified(sit: Sit, address: str) -> None:
    sitting = sit()
    sitting.come_in(address)
    sitting.play()
    sitting.page.evaluate("sessionStorage.removeItem('pontoon.promises')")
    sitting.page.reload()
    expect(sitting.page.locator("body")).to_have_attribute("data-session", "ready")
    sheet = sitting.open("fairness")
    expect(sheet.locator(".verdict")).to_have_attribute("data-verdict", "unproven")
    expect(sheet.locator(".verdict")).to_contain_text("Not verified")


@pytest.mark.parametrize(
    ("member", "lie", "step"),
    [
        ("commitment", "0" * 64, "commitment"),
        ("client_seed", "another", "client_seed"),
        ("server_seed", "11" * 32, "player_cards"),
        ("dealer", {"cards": ["AS", "AS"], "total": 12}, "dealer_cards"),
    ],
)
def test_a_round_that_is_told_falsely_gets_no_green_tick(
    sit: Sit, address: str, member: str, lie: Any, step: str
) -> None:
    sitting = sit()
    sitting.come_in(address)
    round_ = sitting.play()

    def tell_falsely(route: Route) -> None:
        told = route.fetch().json()
        route.fulfill(json=told | {member: lie})

    sitting.page.route(f"**/rounds/{round_['round_id']}", tell_falsely)
    sheet = sitting.open("fairness")
    expect(sheet.locator(".verdict")).to_have_attribute("data-verdict", "failed")
    expect(sheet.locator(".verdict")).to_contain_text("Not verified")
    steps = ["promised", "client_seed", "commitment", "player_cards", "dealer_cards", "results"]
    wrong = sheet.locator(".step-line").nth(steps.index(step))
    expect(wrong).to_have_attribute("data-holds", "false")


def test_rng_08_the_players_own_seed_goes_into_the_next_round(sit: Sit, address: str) -> None:
    sitting = sit()
    sitting.come_in(address)
    sheet = sitting.open("fairness")
    sheet.get_by_label("Any words of yours").fill("my own words")
    sheet.get_by_label("Any words of yours").press("Tab")
    expect(sheet.locator(".status").first).to_contain_text("Kept")
    sitting.close()
    assert sitting.play()["client_seed"] == "my own words"


# --- The player's care --------------------------------------------------------------------------


def test_rck_01_the_reality_check_comes_before_the_next_round(
    sit: Sit, address: str, owner: psycopg.Connection
) -> None:
    sitting = sit()
    sitting.come_in(address)
    sheet = sitting.open("protection")
    sheet.get_by_label("Tell me every").select_option("15")
    expect(sheet.locator(".status", has_text="Kept")).to_be_visible()
    sitting.close()
    owner.execute(
        "UPDATE players_playsession SET opened_at = opened_at - interval '16 minutes'"
        " WHERE closed_at IS NULL"
    )
    sitting.page.keyboard.press("5")
    sitting.page.locator("#deal").press("Space")
    check = sitting.page.get_by_role("dialog", name="How long you have played")
    expect(check).to_contain_text("16 min")
    assert sitting.troubles() == []
    sitting.page.keyboard.press("Escape")
    expect(check).to_be_visible()
    check.get_by_role("button", name="Go on").click()
    expect(check).to_have_count(0)
    assert sitting.deal()["round_id"]


def test_exc_01_a_break_is_three_clicks_from_the_table(sit: Sit, address: str) -> None:
    sitting = sit(viewport=PHONE)
    sitting.come_in(address)
    sitting.page.locator("#menu").click()
    sitting.page.get_by_role("button", name="7 days").click()
    question = sitting.page.get_by_role("dialog", name="7 days")
    expect(question).to_contain_text("Nobody can shorten this.")
    assert sitting.troubles() == []
    question.get_by_role("button", name="Yes, take the break").click()
    expect(sitting.page.locator("dialog[open]")).to_have_count(0)
    expect(sitting.page.locator("#notice")).to_contain_text("You are taking a break.")
    expect(sitting.page.locator("#deal")).to_have_attribute("aria-disabled", "true")
    assert sitting.troubles() == []


def test_exc_01_a_break_that_is_not_confirmed_is_none(sit: Sit, address: str) -> None:
    sitting = sit()
    sitting.come_in(address)
    sitting.page.locator("#menu").click()
    sitting.page.get_by_role("button", name="For good").click()
    sitting.page.get_by_role("button", name="No, go back").click()
    sitting.close()
    assert sitting.deal()["round_id"]


def test_lim_03_a_limit_is_set_at_once_and_lifted_after_a_day(sit: Sit, address: str) -> None:
    sitting = sit()
    sitting.come_in(address)
    sheet = sitting.open("protection")
    sheet.get_by_label("What").select_option("wager")
    sheet.get_by_label("At most (USD)").fill("1,250.50")
    sheet.get_by_label("At most (USD)").press("Enter")
    expect(sheet.locator(".limits")).to_contain_text("$0.00 of $1,250.50 used")
    assert sitting.troubles() == []
    sheet.get_by_role("button", name="Lift it").click()
    expect(sheet.locator(".limits")).to_contain_text("no limit")
    expect(sheet.locator(".status", has_text="the tighter limit stays")).to_be_visible()
    expect(sheet.get_by_role("button", name="Lift it")).to_have_count(0)


def test_the_language_changes_at_the_table_while_a_round_goes_on(sit: Sit, address: str) -> None:
    sitting = sit()
    sitting.come_in(address)
    while (round_ := sitting.deal())["state"] != "open":
        continue
    cards = sitting.page.locator("#hands .card").count()
    sheet = sitting.open("settings")
    sheet.get_by_label("Language").select_option("pt")
    expect(sitting.page.locator("html")).to_have_attribute("lang", "pt")
    expect(sitting.page.locator("#hit .word")).to_have_text("Pedir carta")
    expect(sitting.page.locator("#hands .card")).to_have_count(cards)
    assert sitting.page.locator("body").get_attribute("data-round") == round_["state"]


def test_the_hint_marks_what_the_best_play_does(sit: Sit, address: str) -> None:
    sitting = sit()
    sitting.come_in(address)
    sheet = sitting.open("settings")
    sheet.get_by_label("Mark the best play").check()
    sitting.close()
    with sitting.page.expect_response("**/advice") as advice:
        while sitting.deal()["state"] != "open":
            continue
    hint = advice.value.json()["action"]
    expect(sitting.page.locator(f"#{hint}")).to_have_class("hinted")
    expect(sitting.page.locator("#said")).to_contain_text("Best play")
    assert sitting.troubles() == []


def test_mal_04_a_player_is_told_of_a_void_once_and_sees_the_round(
    sit: Sit, address: str, service: Service
) -> None:
    sitting = sit()
    sitting.come_in(address)
    round_ = sitting.play()
    void(service, round_["round_id"])
    sitting.page.reload()
    news = sitting.page.get_by_role("dialog", name="News of your rounds")
    expect(news).to_contain_text("Reason: a card was torn")
    assert sitting.troubles() == []
    news.get_by_role("button", name="See the round").click()
    replay = sitting.page.get_by_role("dialog", name="History and replay")
    expect(replay.locator(".aside").first).to_contain_text("every wager came back to you")
    expect(replay.locator(".aside").nth(1)).to_contain_text("a card was torn")
    sitting.page.keyboard.press("Escape")
    with sitting.page.expect_response("**/read"):
        news.get_by_role("button", name="I have read this").click()
    sitting.page.reload()
    expect(sitting.page.locator("body")).to_have_attribute("data-session", "ready")
    expect(sitting.page.locator("dialog[open]")).to_have_count(0)


def void(service: Service, round_id: str) -> None:
    """Void a round as the staff do, in a process that has the service's own secrets."""
    code = (
        "import django; django.setup();"
        "from pontoon import services, queries;"
        f"made = services.flag_malfunction('staff:7', scope={{'round': {round_id!r}}},"
        " cause='a card was torn', evidence={});"
        "services.count_malfunctions();"
        "services.approve_void('staff:8', malfunction_id=made.id, reason='a card was torn',"
        " list_hash=queries.last_count(made.id)['list_hash']);"
        "services.void_malfunctions()"
    )
    command = [sys.executable, "-m", "deploy.local.manage", "shell", "--no-imports", "-c", code]
    environment = os.environ | {"VAR": str(service.var), "PORT": str(service.port)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=120)


# --- What is told all the time --------------------------------------------------------------------


def test_rck_02_rck_03_rck_04_session_time_net_position_and_clock_are_in_sight(
    sit: Sit, address: str
) -> None:
    sitting = sit(viewport=PHONE)
    sitting.come_in(address)
    net_minor = sitting.play()["win_minor"]
    while net_minor == 0:
        net_minor += sitting.play()["win_minor"]
    sign = "+" if net_minor > 0 else "-"
    expect(sitting.page.locator("#net")).to_have_text(f"{sign}${abs(net_minor) / 100:.2f}")
    expect(sitting.page.locator("#elapsed")).to_have_text(re.compile(r"^0:00:\d\d$"))
    expect(sitting.page.locator("#clock")).to_have_text(re.compile(r"^\d\d:\d\d"))
    for name in ("#net", "#elapsed", "#clock", "#balance"):
        expect(sitting.page.locator(name)).to_be_in_viewport()


def test_dmo_01_demo_money_is_labelled_at_the_table(sit: Sit, address: str) -> None:
    sitting = sit()
    sitting.come_in(address, language="es")
    expect(sitting.page.locator("#mode")).to_have_text("Dinero de prueba")


@pytest.mark.parametrize("language", LANGUAGES)
def test_rul_02_rul_03_rul_04_rtp_02_the_rules_tell_all_that_a_player_may_ask(
    sit: Sit, address: str, language: str
) -> None:
    sitting = sit(locale=language)
    sitting.page.goto(f"{address}/table#rules")
    sheet = sitting.page.locator("dialog[open]")
    expect(sheet.locator(".clauses li")).to_have_count(21)
    numbers = sheet.locator(".number").all_inner_texts()
    assert numbers == [f"H{number}" for number in range(1, 22)]
    expect(sheet.locator(".figure")).to_have_text(re.compile(r"^99[.,]57\s?%$"))
    stakes = sheet.locator("table").last
    for currency in ("USD", "JPY", "KWD"):
        expect(stakes.locator("th", has_text=currency)).to_be_visible()
    text = sheet.inner_text()
    assert "house/1" in text
    assert "24" in text.partition("H21")[2]


def test_rec_01_the_history_turns_its_pages(sit: Sit, address: str) -> None:
    sitting = sit()
    sitting.come_in(address)
    for _ in range(23):
        finish(sitting, address)
    sheet = sitting.open("history")
    rows = sheet.locator("button.row")
    expect(rows).to_have_count(20)
    sheet.get_by_role("button", name="Show older ones").click()
    expect(rows).to_have_count(23)
    expect(sheet.get_by_role("button", name="Show older ones")).to_be_hidden()
    sheet.get_by_label("Show").select_option("voided")
    expect(sheet.locator(".status")).to_have_text("No rounds here yet.")


def finish(sitting: Sitting, address: str) -> None:
    """Play a round over the API, with the session of the page."""
    launch = sitting.page.evaluate("sessionStorage.getItem('pontoon.launch')")
    headers = {"Authorization": f"Bearer {json.loads(launch)['token']}"}
    request = sitting.page.request
    stake = {"stake_minor": 100, "currency": "USD"}
    round_ = request.post(f"{address}/api/v1/rounds", data=stake, headers=headers).json()
    while round_["state"] == "open":
        offered = {option["action"] for option in round_["options"]}
        act = {"seq": round_["seq"], "action": "stand" if "stand" in offered else "hit"}
        path = f"{address}/api/v1/rounds/{round_['round_id']}/actions"
        round_ = request.post(path, data=act, headers=headers).json()


def test_aut_09_who_comes_in_elsewhere_is_told_so_here(sit: Sit, address: str) -> None:
    sitting = sit()
    sitting.page.goto(address)
    sitting.page.get_by_role("textbox", name="Name").fill("two devices")
    sitting.page.get_by_role("button").click()
    expect(sitting.page.locator("body")).to_have_attribute("data-session", "ready")
    other = sit()
    other.page.goto(address)
    other.page.get_by_role("textbox", name="Name").fill("two devices")
    other.page.get_by_role("button").click()
    expect(other.page.locator("body")).to_have_attribute("data-session", "ready")
    sitting.page.keyboard.press("5")
    sitting.page.locator("#deal").press("Space")
    expect(sitting.page.locator("#gate")).to_contain_text("You have come in elsewhere")
    assert sitting.troubles() == []
