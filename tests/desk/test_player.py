"""A player's page, and what may be done on it, by whom."""

import html
from decimal import Decimal

import pytest

from audit.models import Entry
from casino.players.models import Exclusion
from tests.conftest import Database
from tests.panel import Panel
from tests.people import People
from wallets.models import Adjusting, Limit


@pytest.fixture
def support(database: Database) -> Panel:
    return Panel("support")


def test_a_players_page_tells_his_money_play_and_statement(support: Panel, people: People) -> None:
    player = people.player(cash=12_345_00)
    round_ = player.finish(player.bet(200).json)
    page = html.unescape(support.see(f"players/player/{player.id}/change/"))
    assert f"{Decimal(player.balance) / 100:,.2f}".replace(",", "\u202f") in page
    assert round_["round_id"] in page
    look = Entry.objects.filter(event="staff.looked", player_id=player.id).first()
    assert look
    assert look.actor == support.user.urn


def test_support_limits_excludes_and_asks_for_an_adjustment(support: Panel, people: People) -> None:
    player = people.player()
    at = f"players/player/{player.id}/do"
    page = support.press(f"{at}/limit/", kind="wager", period="day", amount="12.50")
    assert "The limit is set." in page
    assert Limit.objects.get(player_id=player.id).amount_minor == 1250
    told = {"kind": "credit", "amount": "5", "reason": "goodwill", "key": "k1"}
    assert "Another person" in support.press(f"{at}/adjust/", **told)
    assert Adjusting.objects.get(player_id=player.id).state == "raised"
    support.press(f"{at}/exclude/", kind="cooling_off", days="2", reason="he asked for it")
    assert Exclusion.objects.get(player_id=player.id).by == support.user.urn
    assert "cooling-off" in support.see(f"players/player/{player.id}/change/")


def test_an_adjustment_is_approved_by_another_person_alone(support: Panel, people: People) -> None:
    player = people.player()
    told = {"kind": "credit", "amount": "5", "reason": "goodwill", "key": "k1"}
    support.press(f"players/player/{player.id}/do/adjust/", **told)
    asked = Adjusting.objects.get(player_id=player.id)
    path = f"wallets/adjusting/{asked.id}/do/approve/"
    assert support.client.post(f"/panel/{path}", {"reason": "fine"}).status_code == 403
    before = player.balance
    assert "The adjustment is made." in Panel("floor", "bo").press(path, reason="fine")
    assert player.balance == before + 500


def test_what_is_wrong_is_said_and_nothing_is_done(support: Panel, people: People) -> None:
    player = people.player()
    at = f"players/player/{player.id}/do"
    assert "note-error" in support.press(f"{at}/exclude/", kind="cooling_off", reason="no end")
    assert "note-error" in support.press(f"{at}/limit/", kind="wager", period="year", amount="1")
    assert support.client.get(f"/panel/{at}/limit/").status_code == 405
    assert support.client.post(f"/panel/{at}/nothing/").status_code == 404
    assert not Exclusion.objects.filter(player_id=player.id).exists()
    auditor = Panel("auditor", "bo")
    assert "What may be done" not in auditor.see(f"players/player/{player.id}/change/")
    body = {"kind": "wager", "period": "day", "amount": "1"}
    assert auditor.client.post(f"/panel/{at}/limit/", body).status_code == 403
    assert not Limit.objects.filter(player_id=player.id).exists()
