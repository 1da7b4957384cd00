"""What the service flags by itself (H18): rounds, ledger and log that do not hold."""

from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command

from audit import services as audit
from audit.events import Event
from pontoon import queries, services
from tests.people import People, Person
from tests.pontoon.rounds import PONTOON


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10,000.00 USD."""
    return people.player(cash=1_000_000)


def test_h18_what_holds_is_not_flagged(player: Person, dealt: Any) -> None:
    dealt(PONTOON)
    assert services.watch_rounds() == 0
    assert services.watch_ledger()
    assert services.watch_log()
    assert list(queries.malfunctions()) == []


def test_h18_a_replay_that_disagrees_is_flagged_once(
    player: Person, dealt: Any, dba: psycopg.Connection
) -> None:
    round_ = dealt(PONTOON)
    dba.execute("UPDATE pontoon_round SET payout_minor = 500 WHERE id = %s", [round_["round_id"]])
    assert (services.watch_rounds(), services.watch_rounds()) == (1, 1)
    made = queries.malfunctions().get()
    assert (made.scope, made.raised_by) == ({"round": round_["round_id"]}, "system:watch")
    assert "300" in made.cause
    assert player.bet(100).status == 201


def test_h18_a_ledger_that_does_not_balance_stops_play(
    player: Person, dba: psycopg.Connection
) -> None:
    dba.execute("UPDATE wallets_account SET balance_minor = 5 WHERE kind = 'held'")
    assert not services.watch_ledger()
    assert not services.watch_ledger()
    assert queries.malfunctions().get().scope == {"all": True}
    assert player.bet(100).json["reason"] == "malfunction"


def test_aud_02_a_flag_of_which_the_key_was_not_told_yet_holds(
    player: Person, dealt: Any, dba: psycopg.Connection
) -> None:
    """The first entries of flags of the service's own did not tell the key of the fault."""
    round_ = dealt(PONTOON)
    services.flag_malfunction(
        "system:watch", scope={"round": round_["round_id"]}, cause="x", evidence={}, fault_key="r"
    )
    call_command("check_ledger")
    dba.execute(
        "UPDATE audit_entry SET body = replace(body, '\"fault_key\":\"r\",', '')"
        " WHERE event = 'malfunction.raised'"
    )
    call_command("check_ledger")


def test_h18_a_log_that_does_not_verify_stops_play(player: Person) -> None:
    audit.record(
        Event.LOG_BROKEN,
        subject=f"log:{settings.LOG_ORIGIN}",
        actor="system:seal",
        payload={"before": 1, "after": {"reason": "tree_differs"}},
    )
    assert not services.watch_log()
    assert player.bet(100).json["reason"] == "malfunction"
