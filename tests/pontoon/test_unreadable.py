"""A round whose seed no key opens: it cannot go on, but nobody's money is lost with it."""

import psycopg
import pytest
from cryptography.fernet import Fernet

from pontoon import services, vault
from tests.conftest import Database
from tests.people import People, Person


@pytest.fixture
def broken(people: People, database: Database) -> tuple[Person, str]:
    """A player whose open round was sealed with a key that is gone."""
    player = people.player(cash=100_000)
    round_ = player.bet(100).json
    while round_["state"] != "open":
        round_ = player.bet(100).json
    lost = Fernet(Fernet.generate_key()).encrypt(vault.make_seed()).decode()
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute("SET session_replication_role = replica")
        superuser.execute(
            "UPDATE pontoon_seed SET sealed = %s WHERE player_id = %s AND commitment = %s",
            [lost, player.id, round_["commitment"]],
        )
    return player, round_["round_id"]


def test_int_05_a_round_that_cannot_go_on_is_voided_and_its_wager_returned(
    broken: tuple[Person, str],
) -> None:
    player, round_id = broken
    before = player.balance
    services.void_round("staff:test", player_id=player.id, round_id=round_id, reason="lost key")
    assert player.balance == before + 100
    shown = player.api.get(f"rounds/{round_id}").json
    assert (shown["state"], shown["server_seed"], shown["hands"]) == ("voided", None, [])


def test_a_history_with_such_a_round_can_still_be_read(broken: tuple[Person, str]) -> None:
    player, round_id = broken
    history = player.api.get("rounds")
    assert history.status == 200
    assert round_id in [round_["round_id"] for round_ in history.json["results"]]


def test_an_action_on_it_is_our_fault_and_changes_nothing(broken: tuple[Person, str]) -> None:
    player, round_id = broken
    assert player.act(round_id, 0, "hit").json["code"] == "internal_error"
    assert player.api.get(f"rounds/{round_id}").json["seq"] == 0
