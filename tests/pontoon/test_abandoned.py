"""H21, INT-04: rounds that cannot be played out wait, die visibly, and come to life again."""

from typing import Any

import psycopg
import pytest
from cryptography.fernet import Fernet

from audit import services as audit
from audit.services.work import TRIES_MAX
from pontoon import services
from tests.conftest import Database
from tests.people import People, Person
from tests.pontoon.rounds import OPEN
from tests.seeds import deal


@pytest.fixture
def keys(settings: Any) -> Any:
    """Set the keys of the vault."""

    def use(*keys: str) -> None:
        settings.SEED_KEYS = list(keys)

    settings.ABANDONED_AFTER_H = 0
    return use


def state_of(player: Person, round_: dict[str, Any]) -> str:
    return str(player.api.get(f"rounds/{round_['round_id']}").json["state"])


def close_all_tries(owner: psycopg.Connection) -> None:
    """Close what is abandoned, again and again, as if all its waits were over."""
    for _ in range(TRIES_MAX):
        owner.execute("UPDATE audit_work SET due_at = now()")
        services.close_abandoned()


def test_h21_those_that_cannot_be_played_out_do_not_keep_the_others_from_it(
    people: People, database: Database, dba: psycopg.Connection, keys: Any
) -> None:
    first, second = people.player(), people.player()
    deal(database.owner_url, first, OPEN, 100)
    round_ = deal(database.owner_url, second, OPEN, 100)
    dba.execute("UPDATE pontoon_seed SET sealed = 'none' WHERE player_id = %s", [first.id])
    assert [services.close_abandoned(count_max=1) for _ in range(3)] == [1, 1, 0]
    assert state_of(second, round_) == "settled"


def test_int_04_a_mislaid_key_kills_no_round_for_good(
    people: People, database: Database, owner: psycopg.Connection, keys: Any, settings: Any
) -> None:
    player, right = people.player(), settings.SEED_KEYS
    round_ = deal(database.owner_url, player, OPEN, 100)
    keys(Fernet.generate_key().decode())
    close_all_tries(owner)
    [(work_id, state, subject, error)] = owner.execute(
        "SELECT id, state, subject, error FROM audit_work"
    ).fetchall()
    assert (state, subject) == ("dead", f"round:{round_['round_id']}")
    assert error.startswith("InvalidToken")
    keys(*right)
    assert services.close_abandoned() == 0
    assert state_of(player, round_) == "open"
    audit.retry_work("staff:test", work_id=work_id)
    assert services.close_abandoned() == 1
    assert state_of(player, round_) == "settled"
    assert owner.execute("SELECT count(*) FROM audit_work").fetchone() == (0,)
