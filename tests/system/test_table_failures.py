"""When things go wrong at the table: it says so calmly, and ends where the service stands."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.deploy.service import Service
from tests.system.conftest import SIT
from tests.system.house import House
from tests.system.seat import Seat

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("house")]

LOW = "23456789"
TURN = f"9 {LOW} 45 {LOW} 2"


def rounds_of(seat: Seat) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = seat.guest.call("GET", "rounds")["results"]
    return found


def refuse(status: int, code: str, **facts: Any) -> Callable[[Route], None]:
    """An answer as a gateway or the service gives it, once."""

    def answer(route: Route) -> None:
        headers = {"Retry-After": "1"} if status == 429 else {}
        route.fulfill(status=status, json={"code": code} | facts, headers=headers)

    return answer


def lose_answer(route: Route) -> None:
    """Let the request do its work, and lose what comes back."""
    route.fetch()
    route.abort("connectionreset")


def test_an_answer_that_is_lost_is_asked_for_again_under_the_same_id(sit: SIT) -> None:
    seat = sit(ranks=TURN)
    seat.page.route("**/api/v1/rounds", lose_answer, times=1)
    seat.bet("10")
    assert len(rounds_of(seat)) == 1
    seat.expect_text("#balance", "$990.00")
    seat.page.route("**/actions", lose_answer, times=1)
    seat.type("h")
    assert rounds_of(seat)[0]["seq"] == 1
    expect(seat.find("#notice")).not_to_have_class("notice on")


def test_gam_03_a_double_click_is_one_click(sit: SIT) -> None:
    seat = sit(ranks=TURN)
    seat.type("10")
    seat.find("#deal").dblclick()
    seat.expect_round("open")
    seat.find("#hit").dblclick(delay=0)
    seat.expect_text("#table[data-seq='1'] #hands .dots >> nth=0", "")
    assert rounds_of(seat)[0]["seq"] == 1


def test_two_tabs_show_the_same_round(sit: SIT) -> None:
    seat = sit(ranks=TURN)
    other = Seat.at(seat.page.context, seat.guest)
    seat.bet("10")
    other.expect_round("open")
    seat.type("h")
    expect(other.find("#table")).to_have_attribute("data-seq", "1")


def test_gam_03_a_round_that_moved_on_elsewhere_is_shown_where_it_stands(sit: SIT) -> None:
    seat = sit(ranks=TURN)
    seat.bet("10")
    [round_] = rounds_of(seat)
    act = {"seq": 0, "action": "hit"}
    seat.guest.call("POST", f"rounds/{round_['round_id']}/actions", act)
    seat.type("d")
    seat.expect_text("#notice", "moved on elsewhere")
    assert seat.find("#hands .card").count() == 3
    assert rounds_of(seat)[0]["wagered_minor"] == 1000, "the stale double was not taken"


def test_a_round_that_is_open_elsewhere_is_shown(sit: SIT) -> None:
    seat = sit(ranks=TURN)
    bet = {"stake_minor": 500, "currency": "USD", "client_seed": "tests"}
    seat.guest.call("POST", "rounds", bet)
    seat.bet("10")
    seat.expect_text("#notice", "moved on elsewhere")
    seat.expect_text(".hand .amount", "$5")


def test_401_a_session_that_is_over_says_so_and_its_round_waits(sit: SIT, house: House) -> None:
    seat = sit(ranks=TURN)
    seat.bet("10")
    session = seat.guest.call("GET", "me")["session"]["session_id"]
    house.operate("DELETE", f"sessions/{session}")
    seat.page.keyboard.press("h")
    seat.expect_session("ended")
    seat.expect_text("#gate", "Your session is over")
    expect(seat.find("#gate h2")).to_be_focused()
    assert seat.find("#hit").get_attribute("aria-disabled") == "true"
    back = Seat.at(seat.page.context, house.let_in(seat.guest.id))
    back.expect_round("open")


def test_401_who_comes_in_elsewhere_is_told_so_here(sit: SIT, house: House) -> None:
    seat = sit(ranks=TURN)
    house.let_in(seat.guest.id)
    seat.type("10")
    seat.page.keyboard.press(" ")
    seat.expect_session("ended")
    seat.expect_text("#gate", "You have come in elsewhere")


def test_429_the_page_waits_as_long_as_it_is_told_and_goes_on(sit: SIT) -> None:
    seat = sit(ranks=TURN)
    seat.page.route("**/api/v1/rounds", refuse(429, "too_many_requests"), times=1)
    seat.bet("10")
    assert len(rounds_of(seat)) == 1


def test_rgt_01_too_soon_is_told_with_the_time_and_needs_a_press_of_its_own(sit: SIT) -> None:
    seat = sit(ranks=f"TJQK {LOW} 9 {LOW}", profile="uk")
    seat.bet("10")
    seat.play_on()
    seat.page.keyboard.press(" ")
    seat.expect_text("#notice", "next round may start")
    seat.expect_text("#deal .why", "second")
    expect(seat.find("#deal")).to_have_attribute("aria-disabled", "false", timeout=8000)
    assert len(rounds_of(seat)) == 1
    seat.type("_")
    assert len(rounds_of(seat)) == 2


def test_int_06_a_suspension_is_told_and_nothing_is_lost(sit: SIT) -> None:
    seat = sit(ranks=TURN)
    seat.page.route("**/api/v1/rounds", refuse(503, "suspended"), times=1)
    seat.type("10")
    seat.page.keyboard.press(" ")
    seat.expect_text("#notice", "Play is suspended")
    seat.expect_text("#balance", "$1,000.00")
    seat.find("#notice button").press("Enter")
    expect(seat.find("#deal")).to_be_focused()
    seat.type("_")
    seat.expect_round("open")


def test_a_refusal_for_want_of_money_names_the_amounts(sit: SIT) -> None:
    seat = sit(ranks=TURN, cash=2000)
    facts = {"needed_minor": 1000, "balance_minor": 500}
    seat.page.route("**/api/v1/rounds", refuse(409, "insufficient_funds", **facts))
    seat.type("10")
    seat.page.keyboard.press(" ")
    seat.expect_text("#notice", "This needs $10.00; your balance is $5.00.")


def test_lim_03_a_limit_is_named_with_what_is_used_of_it(sit: SIT) -> None:
    seat = sit()
    seat.guest.call("PUT", "me/limits/wager", {"period": "day", "amount_minor": 1000})
    seat.type("12")
    seat.page.keyboard.press(" ")
    seat.expect_text("#notice", "$0.00 of $10.00 used")


def test_offline_is_told_and_the_act_goes_through_when_the_line_is_back(sit: SIT) -> None:
    seat = sit(ranks=TURN)
    seat.page.context.set_offline(True)
    seat.type("10")
    seat.page.keyboard.press(" ")
    seat.expect_text("#notice", "You are offline")
    seat.page.context.set_offline(False)
    seat.expect_round("open")
    expect(seat.find("#notice")).to_have_text("")
    assert len(rounds_of(seat)) == 1


def test_a_slow_line_shows_that_it_waits_and_plays(
    house: House, device: Callable[..., BrowserContext]
) -> None:
    seat = Seat.at(device(), house.guest())
    line = seat.page.context.new_cdp_session(seat.page)
    slow = {"offline": False, "latency": 4000, "downloadThroughput": 50_000}
    line.send("Network.emulateNetworkConditions", slow | {"uploadThroughput": 20_000})
    seat.type("10")
    seat.page.keyboard.press(" ")
    expect(seat.find(".waits")).to_be_visible()
    expect(seat.find("body")).not_to_have_attribute("data-round", "none")
    expect(seat.find(".waits")).to_be_hidden()


def test_int_01_a_server_that_is_killed_mid_round_is_waited_for(sit: SIT, service: Service) -> None:
    seat = sit(ranks=TURN)
    seat.bet("10")
    service.stop()
    seat.page.keyboard.press("h")
    seat.expect_text("#notice", "we keep trying")
    service.start()
    expect(seat.find("#table")).to_have_attribute("data-seq", "1", timeout=20_000)
    expect(seat.find("#notice")).to_have_text("")
    assert rounds_of(seat)[0]["seq"] == 1
