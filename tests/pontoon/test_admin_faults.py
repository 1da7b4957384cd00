"""A malfunction in the panel: its blast radius, its rounds, its void and its acts (H18)."""

import re

import pytest

from audit.models import Entry
from casino.panel import address_of
from pontoon import queries, services
from pontoon.models import Malfunction, Round
from tests.conftest import Database
from tests.panel import Panel
from tests.people import People, Person
from tests.pontoon.rounds import PONTOON
from tests.seeds import deal


@pytest.fixture
def player(people: People, database: Database) -> Person:
    """Somebody who won 200.00 USD and has spent it."""
    player = people.player(cash=1_000_000)
    deal(database.owner_url, player, PONTOON, 100_00)
    body = {"amount_minor": player.balance, "currency": "USD", "reference": "out"}
    assert people.operator.post(f"players/{player.id}/withdrawals", body).status == 201
    return player


@pytest.fixture
def counted(player: Person) -> Malfunction:
    """A malfunction of his round, counted."""
    made = services.flag_malfunction(
        "staff:7", scope={"player": str(player.id)}, cause="torn", evidence={"text": "on camera"}
    )
    services.count_malfunctions()
    return queries.malfunction(made.id)


def page_of(panel: Panel, made: Malfunction, **query: str) -> str:
    return panel.see(f"pontoon/malfunction/{made.id}/change/", **query)


def test_mal_01_the_page_tells_the_blast_radius_in_words_and_money(
    database: Database, player: Person, counted: Malfunction
) -> None:
    page = page_of(Panel("floor"), counted)
    assert "1 round, 1 player" in page
    for amount in ("100.00", "300.00", "200.00"):  # to give back, to take back, expected owing
        assert f">{amount}\xa0USD<" in page
    row = Round.objects.get(player_id=player.id)
    assert f"/panel/pontoon/round/{address_of(row)}/change/" in page
    assert f"/panel/players/player/{player.id}/change/" in page
    assert "on camera" in page
    assert "{" not in re.sub(r"<pre>.*?</pre>", "", page)


def test_mal_01_who_approves_approves_the_list_that_was_shown(
    database: Database, counted: Malfunction
) -> None:
    floor = Panel("floor")
    list_hash = queries.last_count(counted.id)["list_hash"]
    assert page_of(floor, counted).count(list_hash) >= 2
    path = f"pontoon/malfunction/{counted.id}/do/approve/"
    assert "note-error" in floor.press(path, list_hash="another", reason="a torn card")
    assert queries.malfunction(counted.id).state == "counted"
    floor.press(path, list_hash=list_hash, reason="a torn card")
    assert queries.malfunction(counted.id).state == "approved"


def test_mal_02_a_void_shows_how_far_it_is_and_what_it_came_to(
    database: Database, player: Person, counted: Malfunction
) -> None:
    floor = Panel("floor")
    assert "<progress" not in page_of(floor, counted)
    list_hash = queries.last_count(counted.id)["list_hash"]
    path = f"pontoon/malfunction/{counted.id}/do/approve/"
    page = floor.press(path, list_hash=list_hash, reason="a torn card")
    assert '<progress max="1" value="0"' in page
    services.void_malfunctions()
    page = page_of(floor, counted)
    assert '<progress max="1" value="1"' in page
    assert "Left owing" in page
    assert 'data-word="voided"' in page
    for told in ("staff:7", floor.user.urn, "a torn card"):
        assert told in page


def test_mal_02_the_page_renews_how_far_a_void_is(
    database: Database, player: Person, counted: Malfunction
) -> None:
    floor, live = Panel("floor"), f"/panel/pontoon/malfunction/{counted.id}/live/"
    assert "board.js" not in page_of(floor, counted)
    told = floor.client.get(live).json()
    assert (told["parts"], told["is_over"]) == ({"void": ""}, True)
    list_hash = queries.last_count(counted.id)["list_hash"]
    services.approve_void("staff:8", malfunction_id=counted.id, list_hash=list_hash, reason="torn")
    page = page_of(floor, counted)
    assert f'data-board="{live}"' in page
    assert "board.js" in page
    looks = Entry.objects.filter(event="staff.looked").count()
    told = floor.client.get(live).json()
    assert 'value="0"' in told["parts"]["void"]
    assert not told["is_over"]
    services.void_malfunctions()
    told = floor.client.get(live).json()
    assert 'value="1"' in told["parts"]["void"]
    assert told["is_over"]  # the page is asked for anew, and then asks no more
    assert Entry.objects.filter(event="staff.looked").count() == looks
    assert "board.js" not in page_of(floor, counted)
    assert floor.client.get(live.replace(str(counted.id), str(player.id))).status_code == 404


def test_opr_01_support_reads_a_malfunction_and_decides_nothing_of_it(
    database: Database, player: Person, counted: Malfunction
) -> None:
    support = Panel("support")
    page = page_of(support, counted)
    assert "1 round, 1 player" in page
    assert "/do/" not in page
    assert "Flag a malfunction" not in support.see("pontoon/malfunction/")
    found = support.client.get("/panel/search", {"q": str(counted.id)})
    assert found.headers["Location"] == f"/panel/pontoon/malfunction/{counted.id}/change/"


def test_mal_03_a_correction_of_a_voided_round_is_asked_for_with_the_round_filled_in(
    database: Database, player: Person, counted: Malfunction
) -> None:
    list_hash = queries.last_count(counted.id)["list_hash"]
    row = Round.objects.get(player_id=player.id)
    support = Panel("support")
    round_page = f"pontoon/round/{address_of(row)}/change/"
    assert "?adjust=" not in support.see(round_page)
    services.approve_void("staff:8", malfunction_id=counted.id, list_hash=list_hash, reason="torn")
    services.void_malfunctions()
    link = f"players/player/{player.id}/change/?adjust={row.id}#acts"
    assert f"/panel/{link}" in support.see(round_page)
    page = support.see(f"players/player/{player.id}/change/", adjust=str(row.id))
    assert re.search(rf'name="round_id" value="{row.id}"', page)
    assert page.count("<details open") == 1


def test_opr_03_a_look_at_the_rounds_of_a_malfunction_is_on_record(
    database: Database, player: Person, counted: Malfunction
) -> None:
    engineer = Panel("engineer")
    page_of(engineer, counted)
    look = Entry.objects.filter(event="staff.looked", player_id=player.id).last()
    assert look
    assert look.actor == engineer.user.urn
    assert str(counted.id) in look.body


def test_a_round_leads_to_its_malfunction_its_session_and_its_player(
    database: Database, player: Person, counted: Malfunction
) -> None:
    row = Round.objects.get(player_id=player.id)
    address = f"pontoon/round/{address_of(row)}/change/"
    page = Panel("floor").see(address)
    assert f"/panel/pontoon/malfunction/{counted.id}/change/" in page
    assert f"/panel/players/playsession/{row.session_id}/change/" in page
    assert f"/panel/players/player/{player.id}/change/" in page
    support = Panel("support", "bo")
    told = support.see(address)
    assert f"/panel/pontoon/malfunction/{counted.id}/change/" in told


def test_mal_01_every_kind_of_scope_can_be_asked_for(database: Database, player: Person) -> None:
    floor, row = Panel("floor"), Round.objects.get(player_id=player.id)
    told = {
        "game": "house", "rules": "house/1", "build": "b1", "currency": "USD", "profile": "mt/1",
        "player": str(player.id), "begin": "2026-01-01 00:00:00",
        "session": str(row.session_id),
        "round": str(row.id),
        "end": "2026-01-02 00:00:00", "stake_min": "1", "stake_max": "2", "actions_min": "3",
        "actions_max": "4", "cause": "torn", "evidence": "seen",
    }  # fmt: skip
    page = floor.press("pontoon/malfunction/do/flag/", **told)
    assert "is flagged" in page
    scope = Malfunction.objects.get().scope
    names = {name for name in queries.scopes.NAMES if name != "all"}
    assert scope.keys() == names
    assert scope["action_count"] == {"min": 3, "max": 4}
