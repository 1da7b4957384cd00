"""Rounds in the panel: what their players see, and not a card more."""

import html
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.panel import address_of
from pontoon.models import Round, Told
from tests.conftest import Database
from tests.panel import Panel
from tests.people import People
from tests.seeds import deal


@pytest.fixture
def panel(database: Database) -> Panel:
    return Panel()


def cards(page: str) -> set[str]:
    """Return the cards that lie face up on a page."""
    drawn = re.findall(r'data-suit="([SHDC])"[^>]*><b [^>]*>([^<]+)</b>', page)
    return {f"{'T' if rank == '10' else rank}{suit}" for suit, rank in drawn}


def test_gam_05_an_open_round_shows_no_hole_card_and_no_seed(
    panel: Panel, people: People, database: Database
) -> None:
    round_ = deal(database.owner_url, people.player(), "[5-9][5-9][2-5][5-9]")
    assert round_["state"] == "open"
    told = Told.objects.get(id=round_["round_id"])
    page = panel.see(f"pontoon/round/{address_of(told)}/change/")
    assert cards(page) == set(round_["hands"][0]["cards"])
    assert page.count("card-back") == 2
    assert round_["commitment"] in page
    assert told.sealed not in html.unescape(page)
    assert "sealed" not in page
    assert str(told.id) in panel.see("pontoon/round/", state="open")
    assert str(told.id) not in panel.see("pontoon/round/", state="settled")


def test_a_round_that_is_over_shows_its_cards_seed_money_and_entries(
    panel: Panel, people: People
) -> None:
    player = people.player()
    round_ = player.finish(player.bet(200).json)
    proof = player.api.get(f"rounds/{round_['round_id']}/proof").json
    row = Round.objects.get(id=round_["round_id"])
    page = panel.see(f"pontoon/round/{address_of(row)}/change/")
    shown = {*round_["dealer"]["cards"], *round_["hands"][0]["cards"]}
    assert cards(page) == shown
    assert round_["server_seed"] in page
    for transfer in proof["transfers"]:
        assert transfer["transfer_id"] in page
    for entry in proof["entries"]:
        assert entry["leaf_hash"] in page


def test_rounds_are_found_by_player_and_by_id_and_nobody_changes_them(
    panel: Panel, people: People
) -> None:
    player, other = people.player(), people.player()
    mine, theirs = player.bet(200).json["round_id"], other.bet(200).json["round_id"]
    row = Round.objects.get(id=mine)
    for term in (player.id, mine):
        page = panel.see("pontoon/round/", q=term)
        assert mine in page
        assert theirs not in page
    assert panel.changes("pontoon/round", address_of(row)) == {403}
    assert Round.objects.filter(id=mine).exists()


def test_the_list_counts_no_further_than_a_thousand_and_looks_for_no_values(
    panel: Panel, people: People
) -> None:
    people.player().bet(200)
    with CaptureQueriesContext(connection) as asked:
        panel.see("pontoon/round/", state="held")
    statements = [query["sql"] for query in asked if "pontoon_round" in query["sql"]]
    counts = [statement for statement in statements if "COUNT" in statement]
    assert counts
    assert all("LIMIT 1000" in count for count in counts)
    assert not any("DISTINCT" in statement for statement in statements)


def test_a_filter_takes_no_value_but_its_own(panel: Panel, people: People) -> None:
    round_ = people.player().bet(200).json
    assert round_["round_id"] in panel.see("pontoon/round/", state=round_["state"])
    for value in ("Open", "' OR ''='", "%s"):
        assert round_["round_id"] not in panel.see("pontoon/round/", state=value)
