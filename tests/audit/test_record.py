"""The record of a whole evening: each act one entry, in its transaction, telling nothing early."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest

from audit import seal, tree
from audit.events import Event
from audit.models import Entry
from pontoon import engine, queries, services
from tests.conftest import Database
from tests.people import Answer, People, Person
from tests.pontoon.rounds import approve_void, release, void
from tests.seeds import LARGE_WIN_ACTIONS, LARGE_WIN_SEED, deal, plant_seed
from wallets.models import Transfer

OPEN = "56 789T 56 789T 5678"
FIFTEEN = "78 789T 89 789T 23"
PONTOON = "A 789 TJQK 789"


@pytest.fixture
def player(people: People) -> Person:
    """A player with money, whose first seed is promised."""
    player = people.player(cash=1_000_000)
    player.api.get("me")
    return player


@pytest.fixture
def recorded(database: Database) -> Callable[[Callable[[], Any]], list[str]]:
    """Do something and return the events that were recorded of it."""

    def recorded(act: Callable[[], Any]) -> list[str]:
        before = set(Entry.objects.values_list("id", flat=True))
        act()
        fresh = Entry.objects.exclude(id__in=before).order_by("id")
        return list(fresh.values_list("event", flat=True))

    return recorded


def held(player: Person, database: Database) -> dict[str, Any]:
    """Win a round that is held."""
    plant_seed(database.owner_url, player, LARGE_WIN_SEED)
    round_ = player.bet(100_000).json
    for action in LARGE_WIN_ACTIONS:
        round_ = player.act(round_["round_id"], round_["seq"], action).json
    assert round_["state"] == "held"
    return round_


# --- Each act is one entry


def test_money_that_moves_at_the_cashier_is_one_entry(
    people: People, player: Person, recorded: Any
) -> None:
    body = {"amount_minor": 5, "currency": "USD", "reference": "x"}
    for verb, event in (("deposits", "money.deposited"), ("withdrawals", "money.withdrawn")):
        path = f"players/{player.id}/{verb}"
        assert recorded(lambda path=path: people.operator.post(path, body)) == [event]
        assert recorded(lambda path=path: people.operator.post(path, body)) == []  # a retry


def test_registering_and_entering_are_one_entry_each(people: People, recorded: Any) -> None:
    facts = {"external_id": "x", "currency": "USD", "country": "GB", "language": "en"}
    made: list[Answer] = []
    assert recorded(lambda: made.append(people.operator.post("players", facts))) == [
        "player.registered"
    ]
    assert recorded(lambda: people.operator.post("players", facts)) == []
    player_id = made[0].json["player_id"]
    assert recorded(lambda: people.enter(player_id)) == ["session.opened"]
    assert recorded(lambda: people.enter(player_id)) == ["session.closed", "session.opened"]


def test_a_first_look_promises_a_seed_once(people: People, recorded: Any) -> None:
    player = people.player(cash=0)
    assert recorded(lambda: player.api.get("me")) == ["seed.committed"]
    assert recorded(lambda: player.api.get("me")) == []


def test_limits_and_exclusions_are_one_entry_each(player: Person, recorded: Any) -> None:
    limit = {"period": "day", "amount_minor": 500}
    assert recorded(lambda: player.api.call("PUT", "me/limits/wager", limit)) == ["limit.set"]
    exclusion = {"kind": "cooling_off", "days": 3}
    assert recorded(lambda: player.api.post("me/exclusions", exclusion)) == ["player.excluded"]


def test_a_round_is_an_entry_for_each_of_its_moves(
    player: Person, database: Database, recorded: Any
) -> None:
    made: list[dict[str, Any]] = []

    def dealt(ranks: str) -> None:
        made.append(deal(database.owner_url, player, ranks))

    assert recorded(lambda: dealt(PONTOON)) == ["round.settled"]
    assert recorded(lambda: dealt(FIFTEEN)) == ["round.opened"]
    id_ = made[-1]["round_id"]
    assert recorded(lambda: player.act(id_, 0, "hit")) == ["round.played"]
    assert recorded(lambda: player.act(id_, 0, "hit")) == []  # a retry
    assert recorded(lambda: player.act(id_, 1, "stand")) == ["round.settled"]
    assert recorded(lambda: player.api.get(f"rounds/{id_}/proof")) == []


def test_what_the_house_does_is_one_entry_each(
    player: Person, database: Database, recorded: Any, settings: Any
) -> None:
    round_id = UUID(held(player, database)["round_id"])
    won = {"round_id": str(round_id)}
    seal.seal()
    assert recorded(services.check_wins) == ["win.checked"]
    assert recorded(lambda: release(player, won)) == ["round.released"]
    approve_void(round_id)
    assert recorded(lambda: void(player, won)) == ["round.voided"]
    deal(database.owner_url, player, OPEN)
    settings.ABANDONED_AFTER_H = 0
    assert recorded(services.close_abandoned) == ["round.settled"]
    assert recorded(services.close_abandoned) == []


REFUSED: dict[str, tuple[dict[str, Any], int, Any]] = {
    "0.5": ({"stake_minor": 0.5}, 422, "0.5"),
    "1e3": ({"stake_minor": 1e3}, 422, "1000.0"),
    "2^63": ({"stake_minor": 2**63}, 422, "9223372036854775808"),
    "-1": ({"stake_minor": -1}, 422, -1),
    "0": ({"stake_minor": 0}, 422, 0),
    "a string": ({"stake_minor": "100"}, 422, "100"),
    "null": ({"stake_minor": None}, 422, None),
    "off the step": ({"stake_minor": 150}, 422, 150),
    "too little": ({"stake_minor": 99}, 422, 99),
    "too much": ({"stake_minor": 100_100}, 422, 100_100),
}


@pytest.mark.parametrize(("asked", "status", "written"), REFUSED.values(), ids=REFUSED)
def test_f11_f17_a_refused_wager_is_one_entry_with_the_number_that_was_asked(
    player: Person, recorded: Any, asked: dict[str, Any], status: int, written: Any
) -> None:
    answers: list[Answer] = []
    assert recorded(lambda: answers.append(player.bet(**asked))) == ["wager.refused"]
    assert answers[0].status == status
    payload = json.loads(Entry.objects.get(event="wager.refused").body)["payload"]
    assert payload["asked"]["stake_minor"] == written
    assert (payload["code"], payload["path"]) == (answers[0].json["code"], "/api/v1/rounds")


def test_a_refused_double_is_one_entry_of_its_player(
    people: People, database: Database, recorded: Any
) -> None:
    player = people.player(cash=200)
    round_ = deal(database.owner_url, player, OPEN)
    assert recorded(lambda: player.act(round_["round_id"], 0, "double")) == ["wager.refused"]
    entry = Entry.objects.get(event="wager.refused")
    assert (entry.player_id, entry.actor) == (player.id, f"player:{player.id}")
    assert json.loads(entry.body)["payload"]["asked"] == {"seq": 0, "action": "double"}


@pytest.mark.parametrize(
    ("verb", "event"),
    [("deposits", "deposit.refused"), ("withdrawals", "withdrawal.refused")],
)
def test_a_refused_payment_is_one_entry(
    people: People, player: Person, recorded: Any, verb: str, event: str
) -> None:
    body = {"amount_minor": 2**64, "currency": "USD", "reference": "x"}
    path = f"players/{player.id}/{verb}"
    assert recorded(lambda: people.operator.post(path, body)) == [event]
    asked = json.loads(Entry.objects.get(event=event).body)["payload"]["asked"]
    assert asked == {"amount_minor": str(2**64), "currency": "USD", "reference": "x"}


# --- The evening


@pytest.fixture
def evening(people: People, database: Database, settings: Any) -> list[Person]:
    """All that may happen in an evening: two players, every kind of act."""
    first, second = people.player(cash=1_000_000), people.player(cash=5_000)
    for person in (first, second):
        person.api.get("me")
    won = held(first, database)
    release(first, won)
    void(first, won)
    for ranks in (PONTOON, FIFTEEN):
        second.finish(deal(database.owner_url, second, ranks))
    second.bet(0.5)
    second.api.as_("ps_nobody").get("me")
    second.api.call("PUT", "me/limits/loss", {"period": "week", "amount_minor": 500})
    deal(database.owner_url, second, OPEN)
    settings.ABANDONED_AFTER_H = 0
    services.close_abandoned()
    deal(database.owner_url, second, "4 789T 5 789T", client_seed="ünïcode \u2603")
    deal(database.owner_url, first, "5 789T 4 789T")
    return [first, second]


def test_every_entry_is_its_own_canonical_text_and_agrees_with_its_columns(
    evening: list[Person],
) -> None:
    """Source: RFC 8785, RFC 6962, RFC 9562."""
    entries = list(Entry.objects.all())
    assert len(entries) > 25
    for entry in entries:
        body = json.loads(entry.body)
        assert entry.body.encode() == tree.canonical(body)
        assert bytes(entry.leaf_hash) == tree.leaf_hash(entry.body.encode())
        columns = {name: body[name] for name in ("event", "subject", "actor")}
        assert columns == {name: getattr(entry, name) for name in columns}
        assert (UUID(body["id"]), UUID(body["player_id"])) == (entry.id, entry.player_id)
        assert datetime.fromisoformat(body["at"]) == entry.at
        assert entry.id.version == 7
        assert entry.id.int >> 80 == int(entry.at.timestamp() * 1_000_000) // 1000
        assert Event(entry.event)


def test_entries_of_a_player_are_in_the_order_of_their_times(evening: list[Person]) -> None:
    for person in evening:
        entries = Entry.objects.filter(player_id=person.id).order_by("id")
        times = list(entries.values_list("at", flat=True))
        assert times == sorted(times)


def test_gam_05_the_record_holds_no_token_no_early_seed_and_no_card_face_down(
    people: People, evening: list[Person]
) -> None:
    written = "\n".join(Entry.objects.values_list("body", flat=True))
    tokens = [people.operator.token, *(person.api.token for person in evening)]
    for token in tokens:
        assert token not in written
        assert token.partition("_")[2] not in written
    for person in evening:
        round_ = person.api.get("rounds/current").json
        facts = queries.read_facts(person.id, UUID(round_["round_id"]))
        record = queries.record_of(facts)
        assert record.source.server_seed.hex() not in written
        assert facts.sealed not in written
        assert facts.commitment in written


def test_gam_05_an_open_rounds_entries_hold_no_card_at_all(evening: list[Person]) -> None:
    for entry in Entry.objects.filter(event__in=["round.opened", "round.played"]):
        payload = json.loads(entry.body)["payload"]
        assert "record" not in payload
        assert {"cards", "dealer", "hands"}.isdisjoint(payload)


def test_a_round_that_is_over_is_on_record_so_that_it_can_be_played_again(
    evening: list[Person],
) -> None:
    over = Entry.objects.filter(event__in=["round.settled", "round.held"])
    assert over.count() >= 4
    for entry in over:
        payload = json.loads(entry.body)["payload"]
        round_ = engine.replay(engine.parse_record(payload["record"]))
        view = engine.find_game(payload["rules"]).view(round_, 0)
        assert view.payout == payload["after"]["payout_minor"]
        assert view.wagered == payload["after"]["wagered_minor"]


def test_evt_02_the_record_of_a_player_links_before_and_after(evening: list[Person]) -> None:
    """Each act of money begins with the balance with which the one before it ended."""
    for person in evening:
        balance = 0
        for entry in Entry.objects.filter(player_id=person.id).order_by("id"):
            payload = json.loads(entry.body)["payload"]
            after = payload.get("after") or {}
            if "balance_minor" not in after:
                continue
            before = payload.get("before") or {"balance_minor": balance}
            assert before["balance_minor"] == balance
            balance = after["balance_minor"]
        assert balance == person.balance


def test_aud_01_a_transfer_of_a_round_is_named_by_one_entry(evening: list[Person]) -> None:
    named = Counter(
        transfer
        for body in Entry.objects.filter(event__startswith="round.").values_list("body", flat=True)
        for transfer in json.loads(body)["payload"]["transfers"]
    )
    made = Transfer.objects.exclude(round_id=None).values_list("id", flat=True)
    assert named == Counter(str(id_) for id_ in made)


def test_an_operator_is_named_by_his_key(evening: list[Person]) -> None:
    deposits = Entry.objects.filter(event="money.deposited")
    assert {entry.actor.partition(":")[0] for entry in deposits} == {"key"}
