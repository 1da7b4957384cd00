"""A round whose seed no key opens: it cannot go on, but nobody's money is lost with it."""

from typing import Any

import psycopg
import pytest
from cryptography.fernet import Fernet

from pontoon import queries, services, vault
from tests.conftest import Database
from tests.people import People, Person
from tests.pontoon.rounds import void
from wallets import queries as wallets


@pytest.fixture
def broken(people: People, database: Database) -> tuple[Person, str]:
    """A player whose open round was sealed with a key that is gone."""
    player = people.player(cash=100_000)
    round_ = player.bet(100).json
    while round_["state"] != "open":
        round_ = player.bet(100).json
    lose_keys(database, player)
    return player, round_["round_id"]


def lose_keys(database: Database, player: Person) -> None:
    """Seal what a player was dealt from with a key that nobody has; his next seed is as it was."""
    lost = Fernet(Fernet.generate_key()).encrypt(vault.make_seed()).decode()
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute("SET session_replication_role = replica")
        superuser.execute(
            "UPDATE pontoon_seed SET sealed = %s WHERE player_id = %s AND number IN"
            " (SELECT seed_number FROM pontoon_round WHERE player_id = %s)",
            [lost, player.id, player.id],
        )


def test_int_05_a_round_that_cannot_go_on_is_voided_and_its_wager_returned(
    broken: tuple[Person, str],
) -> None:
    player, round_id = broken
    before = player.balance
    void(player, {"round_id": round_id})
    assert player.balance == before + 100
    shown = player.api.get(f"rounds/{round_id}").json
    assert (shown["state"], shown["server_seed"], shown["hands"]) == ("voided", None, [])


def test_a_history_with_such_a_round_can_still_be_read(broken: tuple[Person, str]) -> None:
    player, round_id = broken
    history = player.api.get("rounds")
    assert history.status == 200
    assert round_id in [round_["round_id"] for round_ in history.json["results"]]


def test_int_05_its_wagers_go_back_at_once_when_its_player_comes(
    broken: tuple[Person, str], people: People
) -> None:
    player, round_id = broken
    before = player.balance
    other = people.player()
    other.finish(other.bet(100).json)
    answer = player.act(round_id, 0, "hit")
    assert (answer.status, answer.json["code"]) == (409, "round_over")
    assert answer.json["round"]["state"] == "voided"
    assert player.balance == before + 100
    (flag,) = queries.malfunctions()
    assert (flag.scope, flag.raised_by) == ({"round": round_id}, "system:interrupt")
    assert flag.evidence["fault"].startswith("InvalidToken")
    assert player.bet(100).status == 201
    assert list(wallets.ledger_faults()) == []


def test_int_05_its_wagers_go_back_when_nobody_comes(
    broken: tuple[Person, str], people: People, settings: Any
) -> None:
    player, round_id = broken
    before = player.balance
    other = people.player()
    other.finish(other.bet(100).json)
    settings.ABANDONED_AFTER_H = 0
    services.close_abandoned()
    assert player.api.get(f"rounds/{round_id}").json["state"] == "voided"
    assert player.balance == before + 100


def test_int_05_a_process_that_can_read_no_round_voids_none(
    broken: tuple[Person, str], people: People, database: Database
) -> None:
    player, round_id = broken
    other = people.player()
    other.finish(other.bet(100).json)
    lose_keys(database, other)
    assert player.act(round_id, 0, "hit").json["code"] == "internal_error"
    assert services.watch_rounds() == 0
    assert queries.malfunctions().count() == 0
    assert player.api.get(f"rounds/{round_id}").json["state"] == "open"


def test_an_action_on_it_is_our_fault_and_changes_nothing(broken: tuple[Person, str]) -> None:
    player, round_id = broken
    assert player.act(round_id, 0, "hit").json["code"] == "internal_error"
    assert player.api.get(f"rounds/{round_id}").json["seq"] == 0
