"""A player's own pace at the table, and his money in plain sight (RGT-03, WAL-07)."""

import re

import pytest
from playwright.sync_api import expect

from tests.system.conftest import SIT

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("house")]


@pytest.mark.parametrize("key", [" ", "Enter"])
def test_rgt_03_a_key_that_is_held_down_deals_one_round(sit: SIT, key: str) -> None:
    """There is no autoplay, and none is to be had by a weight on a key."""
    seat = sit(ranks="A 789 TJQK 789")
    seat.type("10")
    seat.find("#deal").focus()
    for _ in range(40):
        seat.page.keyboard.down(key)
    seat.page.keyboard.up(key)
    expect(seat.find("#table")).to_have_attribute("data-busy", "false")
    assert len(seat.guest.call("GET", "rounds")["results"]) == 1


def test_wal_07_the_balance_is_in_sight_in_the_account_s_currency(sit: SIT) -> None:
    seat = sit(currency="JPY", cash=12_345)
    money = re.compile(r"¥12,345")
    expect(seat.find("#balance")).to_have_text(money)
    seat.find("#menu").click()
    seat.find("dialog .line").nth(3).click()
    expect(seat.find("dialog[open]").last).to_contain_text(money)
