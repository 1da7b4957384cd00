"""What a player pays in and is paid out, over REST (WAL-04, WAL-05, WAL-08, WAL-10)."""

import json
from typing import Any

import pytest

from audit.models import Entry
from tests.people import Answer, People, Person


@pytest.fixture
def player(people: People) -> Person:
    """A player with 1,000.00 USD."""
    return people.player()


def pay(people: People, player: Person, verb: str, amount_minor: int, **change: Any) -> Answer:
    body = {"amount_minor": amount_minor, "currency": "USD", "reference": "psp-1"} | change
    return people.operator.post(f"players/{player.id}/{verb}", body)


@pytest.mark.parametrize(("verb", "code"), [("deposits", "deposit"), ("withdrawals", "withdrawal")])
def test_wal_04_a_payment_is_confirmed_with_its_type_and_value(
    people: People, player: Person, verb: str, code: str
) -> None:
    made = pay(people, player, verb, 500).json
    assert (made["status"], made["code"], made["amount_minor"]) == ("confirmed", code, 500)
    assert made["reference"] == "psp-1"


def test_wal_04_or_denied_with_the_reason_and_the_denial_tells_type_and_value(
    people: People, player: Person
) -> None:
    denied = pay(people, player, "withdrawals", 100_001)
    assert (denied.status, denied.json["code"]) == (409, "insufficient_funds")
    assert denied.json["detail"]
    entry = Entry.objects.latest("id")
    asked = json.loads(entry.body)["payload"]["asked"]
    assert entry.event == "withdrawal.refused"
    assert (asked["amount_minor"], asked["currency"]) == (100_001, "USD")
    assert player.balance == 100_000


def test_wal_05_what_is_not_authorised_is_not_there_and_the_authorisation_is_on_record(
    people: People, player: Person
) -> None:
    """Nobody but the operator's key credits a player, and each credit has the payment's number."""
    own = player.api.post(
        f"players/{player.id}/deposits", {"amount_minor": 9, "currency": "USD", "reference": "r"}
    )
    assert own.status in {401, 403}
    assert pay(people, player, "deposits", 500, reference="").status == 422
    assert player.balance == 100_000
    pay(people, player, "deposits", 500, reference="auth-77")
    entry = Entry.objects.filter(event="money.deposited").latest("id")
    assert json.loads(entry.body)["payload"]["reference"] == "auth-77"


def test_wal_08_a_player_sees_all_he_paid_in_less_all_he_was_paid_out(
    people: People, player: Person
) -> None:
    assert player.api.get("me").json["net_deposits_minor"] == 100_000
    pay(people, player, "deposits", 500)
    pay(people, player, "withdrawals", 60_000, reference="out")
    player.finish(player.bet(1_000).json)
    assert player.api.get("me").json["net_deposits_minor"] == 40_500
    assert people.player(cash=0).api.get("me").json["net_deposits_minor"] == 0


def test_wal_10_a_players_own_cash_waits_for_no_playthrough(people: People, player: Person) -> None:
    pay(people, player, "deposits", 700)
    assert pay(people, player, "withdrawals", 100_700, reference="all").status == 201
    assert player.balance == 0
