"""GAM-05: while a round is open, its seed and the dealer's cards are nowhere outside the vault."""

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator

import psycopg
import pytest
from django.contrib import admin
from django.urls import reverse

from pontoon import engine, vault
from tests.conftest import Database
from tests.panel import Panel
from tests.people import Answer, People, Person
from tests.seeds import deal, find_seed

RANKS = "7 TJ 7 98 2"
CARD = re.compile(rb"\b[A2-9TJQK][SHDC]\b")


@pytest.fixture
def player(people: People) -> Person:
    """A player with 300 minor units: one double is more than he has."""
    return people.player(cash=300)


@pytest.fixture
def round_(player: Person, database: Database) -> dict:
    """A round that is open: 14 against cards that nobody has seen."""
    return deal(database.owner_url, player, RANKS)


def spellings(secret: bytes) -> list[bytes]:
    """Return how bytes may be written: raw, hex, base64, as Python's and JSON's text."""
    text = [secret.hex().encode(), b64encode(secret)[:40], urlsafe_b64encode(secret)[:40]]
    return [secret, *text, *(one.upper() for one in text[:1]), repr(secret).encode()]


def secrets_of(player: Person, owner: psycopg.Connection) -> list[bytes]:
    """Return what must not be seen: the open round's seeds as one may spell them, and sealed."""
    seed = find_seed(RANKS)
    sealed = [
        (row[0], vault.unseal(row[0]))
        for row in owner.execute(
            "SELECT sealed FROM pontoon_seed WHERE player_id = %s", [player.id]
        )
    ]
    assert seed in [opened for _, opened in sealed]
    plain = [seed, engine.shoe_seed(seed, ""), *(opened for _, opened in sealed)]
    return [word for one in plain for word in spellings(one)] + [
        text.encode() for text, _ in sealed
    ]


def asked_while_open(player: Person, people: People, round_: dict) -> Iterator[Answer]:
    """Call all that has anything to do with an open round, rightly and wrongly."""
    round_id, act = round_["round_id"], player.act
    yield player.api.get("me")
    yield player.api.get("rounds/current")
    yield player.api.get("rounds")
    yield player.api.get(f"rounds/{round_id}")
    yield player.api.get(f"rounds/{round_id}/proof")
    yield player.api.get("me/statement")
    yield people.operator.get(f"rounds/{round_id}")
    yield people.operator.get(f"rounds/{round_id}/proof")
    yield people.operator.get(f"players/{player.id}/rounds")
    yield people.operator.get(f"players/{player.id}/statement")
    yield player.bet(200)
    yield player.bet(200, round_id=round_id)
    yield act(round_id, 0, "stand")
    yield act(round_id, 0, "split") if round_["seq"] else act(round_id, 9, "hit")
    yield act(round_id, 0, "double")
    yield act(round_id, 5, "hit")
    yield player.api.post(f"rounds/{round_id}/actions", {"seq": 0, "action": "peek"})
    yield player.api.post(f"rounds/{round_id}/actions", "{")
    yield people.player().act(round_id, 0, "hit")


@pytest.fixture
def owner(database: Database) -> Iterator[psycopg.Connection]:
    """A connection as the owner of the tables, in autocommit."""
    with psycopg.connect(database.owner_url, autocommit=True) as connection:
        yield connection


def test_gam_05_no_answer_shows_a_seed_or_an_unseen_card(
    player: Person,
    people: People,
    round_: dict,
    owner: psycopg.Connection,
    caplog: pytest.LogCaptureFixture,
):
    seen = {card.encode() for hand in round_["hands"] for card in hand["cards"]}
    hidden = secrets_of(player, owner)
    with caplog.at_level("DEBUG"):
        answers = list(asked_while_open(player, people, round_))
    entries = "".join(body for (body,) in owner.execute("SELECT body FROM audit_entry")).encode()
    assert {answer.status for answer in answers} == {200, 400, 404, 409, 422}
    told = [answer.body + repr(answer.headers).encode() for answer in answers]
    for text in [*told, entries, caplog.text.encode()]:
        assert not [word for word in hidden if word in text]
        assert set(CARD.findall(text)) <= seen
    assert player.api.get("rounds/current").json == round_
    over = json.dumps(player.finish(round_)).encode()
    assert {word for word in hidden if word in over} == {find_seed(RANKS).hex().encode()}


def test_gam_05_an_open_rounds_proof_reveals_nothing_and_verifies_nothing(
    player: Person, round_: dict
):
    proof = player.api.get(f"rounds/{round_['round_id']}/proof").json
    assert proof["server_seed"] is None
    assert proof["dealer"] == {"cards": ["??", "??"], "total": None, "soft": None, "kind": None}
    assert proof["commitment"] == round_["commitment"]
    assert "record" not in json.dumps(proof["entries"])


def test_gam_05_no_page_of_the_panel_shows_a_seed_or_an_unseen_card(
    player: Person, round_: dict, owner: psycopg.Connection
):
    client = Panel().client
    hidden = secrets_of(player, owner)
    seen = {card.encode() for hand in round_["hands"] for card in hand["cards"]}
    count = 0
    for path in pages():
        response = client.get(path)
        assert response.status_code == 200, path
        assert not [word for word in hidden if word in response.content], path
        assert set(CARD.findall(response.content)) <= seen, path
        count += 1
    assert count > 5


def pages() -> Iterator[str]:
    """Walk the panel: every list, and the first rows of each."""
    yield reverse("admin:index")
    for model in admin.site._registry:
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{base}_changelist")
        for row in model._default_manager.all()[:5]:
            yield reverse(f"{base}_change", args=[row.pk])


def test_a_repr_of_what_holds_a_seed_does_not_show_it(round_: dict):
    seed = find_seed(RANKS)
    record = engine.Record("house/1", 200, engine.Seeds(seed, ""), ())
    shoe = engine.make_shoe(engine.find_rules("house/1"), record)
    for shown in (repr(engine.replay(record)), repr(shoe)):
        assert seed.hex() not in shown
        assert repr(seed) not in shown
