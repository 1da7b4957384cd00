"""The search on every page: whatever has a name leads to its page, and only who may look."""

import pytest

from audit.models import Entry
from pontoon import services as table
from tests.conftest import Database
from tests.panel import Panel
from tests.people import People
from wallets.models import Transfer


@pytest.fixture
def panel(database: Database) -> Panel:
    return Panel()


def leads(panel: Panel, term: object) -> str:
    """Return where a search leads, or nothing when it stays."""
    return str(panel.client.get("/panel/search", {"q": str(term)}).headers.get("Location", ""))


def test_whatever_has_a_name_leads_to_its_own_page(panel: Panel, people: People) -> None:
    player = people.player()
    round_ = player.finish(player.bet(200).json)
    deposit = Transfer.objects.get(player_id=player.id, code="deposit")
    entry = Entry.objects.filter(player_id=player.id).first()
    stop = table.suspend("staff:99", scope={"currency": "KWD"}, reason="closed")
    flag = table.flag_malfunction(
        "staff:99", scope={"currency": "BRL"}, cause="torn", evidence={"text": "seen"}
    )
    assert entry
    assert round_["round_id"] in leads(panel, round_["round_id"])
    assert round_["round_id"] in leads(panel, f"round:{round_['round_id']}")
    assert leads(panel, player.id) == f"/panel/players/player/{player.id}/change/"
    assert str(deposit.id) in leads(panel, deposit.id)
    assert str(deposit.id) in leads(panel, deposit.reference)
    assert f"/entry/{entry.id}/" in leads(panel, entry.id)
    assert f"/suspension/{stop.id}/" in leads(panel, stop.id)
    assert f"/malfunction/{flag.id}/" in leads(panel, flag.id)
    assert leads(panel, "nobody at all") == ""
    assert "Nothing that you may look at" in panel.see("search", q="nobody at all")


def test_players_are_found_by_the_beginning_of_their_external_id(
    panel: Panel, people: People
) -> None:
    for name in ("anna-1", "anna-2", "Anna-3", "berta-1"):
        body = {"external_id": name, "currency": "USD", "country": "GB", "language": "en"}
        assert people.operator.post("players", body).status == 201
    for page in (panel.see("search", q="anna"), panel.see("players/player/", q="anna")):
        assert "anna-1" in page
        assert "anna-2" in page
        assert "Anna-3" not in page
        assert "berta" not in page
    assert leads(panel, "berta").startswith("/panel/players/player/")
    assert leads(panel, "anna-1").startswith("/panel/players/player/")


def test_nobody_is_led_to_what_he_may_not_look_at(database: Database, people: People) -> None:
    engineer, player = Panel("engineer"), people.player()
    assert leads(engineer, player.id) == ""
    assert leads(engineer, "d") == ""
    assert engineer.client.get(f"/panel/players/player/{player.id}/change/").status_code == 403
