"""The database goes, and comes back: one 503 at most, nothing half done, the same id goes on."""

import re
from uuid import uuid4

import pytest
from django.test import override_settings

from tests.casino.outage import cut, without
from tests.conftest import Database
from tests.people import Api, People, Person
from tests.seeds import deal


def test_a_connection_that_was_cut_costs_at_most_one_503(
    player: Person, database: Database, people: People
):
    for call in (
        lambda: player.api.get("me"),
        lambda: people.operator.get("players"),
        lambda: player.api.as_("ps_nobody").get("me"),
        lambda: player.api.post("rounds", "{"),
    ):
        right = call().status
        assert cut(database) > 0
        first, second = call(), call()
        assert first.status in {right, 503}, first
        assert second.status == right


def test_wal_12_a_bet_that_met_a_cut_is_made_once_by_its_retry(player: Person, database: Database):
    body = {"stake_minor": 200, "currency": "USD", "round_id": str(uuid4())}
    cut(database)
    first = player.api.post("rounds", body)
    assert first.status in {201, 503}
    second, third = player.api.post("rounds", body), player.api.post("rounds", body)
    assert (second.status, third.status) == (201, 201)
    assert second.body == third.body
    lines = player.api.get("me/statement").json["results"]
    assert [line["code"] for line in lines].count("wager") == 1


def test_wal_12_an_action_that_met_an_outage_is_taken_once_by_its_retry(
    player: Person, database: Database
):
    round_ = deal(database.owner_url, player, "2 * 3 2345678 2")
    with without(database):
        gone = player.act(round_["round_id"], 0, "double")
    assert (gone.status, gone.json["code"]) == (503, "unavailable")
    assert int(gone.headers["Retry-After"]) >= 1
    again = [player.act(round_["round_id"], 0, "double") for _ in range(2)]
    assert again[0].status == 200
    assert again[0].body == again[1].body
    assert player.balance == 99_600


def test_no_database_is_503_to_every_caller_and_the_service_recovers(
    player: Person, people: People, database: Database, subtests: pytest.Subtests
):
    stranger = player.api.as_("ps_nobody")
    calls = {
        "a player": lambda: player.api.get("me"),
        "a bet": lambda: player.bet(200),
        "a wrong bet": lambda: player.bet(-1),
        "a malformed bet": lambda: player.api.post("rounds", "{"),
        "an operator": lambda: people.operator.get("players"),
        "a stranger": lambda: stranger.get("me"),
        "no known kind of token": lambda: player.api.as_("xyz").post("rounds", {}),
        "a key where a token is asked for": lambda: people.operator.get("me"),
        "nobody's malformed bet": lambda: player.api.as_("").post("rounds", "{"),
    }
    with without(database):
        for name, call in calls.items():
            with subtests.test(name):
                answer = call()
                assert answer.status in {401, 503}
                if answer.status == 503:
                    assert answer.json["code"] == "unavailable"
                    assert answer.headers["Retry-After"] == "1"
        assert player.api.get("currencies").status == 200
    assert player.api.get("me").status == 200
    assert player.bet(200).status == 201


def test_the_health_of_the_service_follows_the_database(api: Api, database: Database):
    assert api.get("/health/ready").json["status"] == "ready"
    with without(database):
        away = api.get("/health/ready")
        assert (away.status, away.json["database"]) == (503, "unreachable")
        assert api.get("/health/live").json == {"status": "live"}
    assert api.get("/health/ready").status == 200


def test_what_nobody_foresaw_is_a_500_that_tells_nothing(
    player: Person, database: Database, caplog: pytest.LogCaptureFixture
):
    round_ = deal(database.owner_url, player, "2 * 3 2345678")
    with override_settings(SEED_KEYS=["dGhpcyBpcyBhbm90aGVyIGtleSBvZiAzMiBieXRlczw="]):
        broken = player.act(round_["round_id"], 0, "hit")
    assert (broken.status, broken.json["code"]) == (500, "internal_error")
    assert not re.search(rb"Traceback|InvalidToken|\.py", broken.body)
    assert broken.json.keys() == {"type", "title", "status", "detail", "code", "instance"}
    assert "InvalidToken" in caplog.text
    assert player.api.get("rounds/current").json == round_
    assert player.act(round_["round_id"], 0, "hit").status == 200
