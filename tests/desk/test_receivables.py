"""Who owes what a void could not take back, and the way to settle it or write it off (MAL-03)."""

import html
import re

import pytest

from pontoon import queries, services
from tests.conftest import Database
from tests.panel import Panel
from tests.people import People, Person
from tests.pontoon.rounds import PONTOON
from tests.seeds import deal
from wallets import queries as wallets
from wallets.models import Adjusting

OWED_MINOR = 200_00


@pytest.fixture
def debtor(people: People, database: Database) -> Person:
    """A player who won 200.00 USD, spent all, and whose round was voided."""
    player = people.player(cash=1_000_000)
    deal(database.owner_url, player, PONTOON, 100_00)
    body = {"amount_minor": player.balance, "currency": "USD", "reference": "out"}
    assert people.operator.post(f"players/{player.id}/withdrawals", body).status == 201
    made = services.flag_malfunction(
        "staff:7", scope={"player": str(player.id)}, cause="torn", evidence={}
    )
    services.count_malfunctions()
    list_hash = queries.last_count(made.id)["list_hash"]
    services.approve_void("staff:8", malfunction_id=made.id, list_hash=list_hash, reason="torn")
    services.void_malfunctions()
    assert wallets.balances(player.id)["receivable"] == -OWED_MINOR
    return player


def test_mal_03_who_owes_is_listed_with_what_he_owes(database: Database, debtor: Person) -> None:
    page = html.unescape(Panel("compliance").see("receivables"))
    assert str(debtor.id) in page
    assert "200.00\xa0USD" in page
    assert "owed=settle" not in page


@pytest.mark.parametrize("kind", ["settle", "write_off"])
def test_mal_03_what_is_owed_is_asked_for_filled_in_and_decided_by_another(
    database: Database, debtor: Person, kind: str
) -> None:
    floor = Panel("floor")
    assert f"/panel/players/player/{debtor.id}/change/?owed={kind}#acts" in floor.see("receivables")
    page = floor.see(f"players/player/{debtor.id}/change/", owed=kind)
    assert re.search(r'name="amount" value="200.00"', page)
    assert f'<option value="{kind}" selected>' in page
    told = {"kind": "write_off", "amount": "200.00", "reason": "gone", "key": "k1"}
    floor.press(f"players/player/{debtor.id}/do/receivable/", **told)
    asked = Adjusting.objects.get(player_id=debtor.id)
    path = f"wallets/adjusting/{asked.id}/do/approve/"
    assert "note-error" in floor.press(path, reason="fine")
    Panel("floor", "bo").press(path, reason="fine")
    assert list(wallets.receivables()) == []


def test_opr_01_receivables_are_not_for_those_who_may_not_see_money(database: Database) -> None:
    assert Panel("engineer").client.get("/panel/receivables").status_code == 403
