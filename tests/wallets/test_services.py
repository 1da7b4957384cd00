"""Deposits and withdrawals: once each, never below zero, whoever comes at the same moment."""

from collections import Counter
from typing import Any
from uuid import UUID

import pytest

from audit.models import Entry
from casino.players import services as players
from casino.players.errors import PlayerNotFoundError, SelfExcludedError
from tests.people import Answer, Api, People, Person, at_once
from wallets import queries, services
from wallets.errors import (
    AmountAboveMaximumError,
    AmountBelowMinimumError,
    AmountNotWholeError,
    CurrencyMismatchError,
    InsufficientFundsError,
    TransferConflictError,
)
from wallets.models import Transfer
from wallets.money import AMOUNT_MINOR_MAX
from wallets.services import Banking

CASHIER = "key:01a22e53-17d6-781c-bee4-f76770a7571d"


@pytest.fixture
def poor(people: People) -> Person:
    """A player without a wallet."""
    return people.player(cash=0)


def banking(player: Person, amount_minor: Any, reference: str = "r1", **other: Any) -> Banking:
    """Return a payment in the player's currency."""
    asked = {"player_id": player.id, "currency": player.currency} | other
    return Banking(amount_minor=amount_minor, reference=reference, **asked)


# --- What a deposit and a withdrawal do


def test_a_first_deposit_opens_the_wallet(poor: Person) -> None:
    assert queries.balances(poor.id) == {}
    line = services.deposit(CASHIER, banking=banking(poor, 500))
    assert queries.balances(poor.id) == {"cash": 500, "escrow": 0, "held": 0, "receivable": 0}
    assert (line["debit"], line["credit"], line["amount_minor"]) == ("cashier", "cash", 500)
    assert (line["balance_before_minor"], line["balance_after_minor"]) == (0, 500)
    assert (line["actor"], line["reference"], line["version"]) == (CASHIER, "r1", 1)


def test_wal_03_a_withdrawal_says_the_balance_before_and_after(poor: Person) -> None:
    services.deposit(CASHIER, banking=banking(poor, 500))
    line = services.withdraw(CASHIER, banking=banking(poor, 200, "w1"))
    assert (line["debit"], line["credit"], line["amount_minor"]) == ("cash", "cashier", 200)
    assert (line["balance_before_minor"], line["balance_after_minor"]) == (500, 300)


def test_a_deposit_and_a_withdrawal_may_share_a_reference(poor: Person) -> None:
    services.deposit(CASHIER, banking=banking(poor, 500, "same"))
    services.withdraw(CASHIER, banking=banking(poor, 500, "same"))
    assert queries.balances(poor.id)["cash"] == 0


def test_exc_02_an_excluded_player_withdraws_but_does_not_deposit(poor: Person) -> None:
    services.deposit(CASHIER, banking=banking(poor, 500))
    players.exclude(CASHIER, player_id=poor.id, kind="self_exclusion", term=None)
    services.withdraw(CASHIER, banking=banking(poor, 500, "w1"))
    with pytest.raises(SelfExcludedError):
        services.deposit(CASHIER, banking=banking(poor, 1, "r2"))


REFUSED: dict[str, tuple[Any, type[Exception]]] = {
    "F17 0.5": (0.5, AmountNotWholeError),
    "F17 100.0": (100.0, AmountNotWholeError),
    "F11 a string": ("100", AmountNotWholeError),
    "F11 null": (None, AmountNotWholeError),
    "F11 true": (True, AmountNotWholeError),
    "F11 0": (0, AmountBelowMinimumError),
    "F11 -1": (-1, AmountBelowMinimumError),
    "F11 2^53": (AMOUNT_MINOR_MAX + 1, AmountAboveMaximumError),
    "F11 2^63": (2**63, AmountAboveMaximumError),
}


@pytest.mark.parametrize("verb", [services.deposit, services.withdraw])
@pytest.mark.parametrize(("amount_minor", "error"), REFUSED.values(), ids=REFUSED)
def test_an_amount_that_is_none_is_refused_before_anything_is_read(
    verb: Any, amount_minor: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        verb(CASHIER, banking=Banking(UUID(int=7), amount_minor, "USD", "r1"))


def test_a_deposit_that_no_balance_could_hold_is_refused(poor: Person) -> None:
    services.deposit(CASHIER, banking=banking(poor, 1))
    with pytest.raises(AmountAboveMaximumError):
        services.deposit(CASHIER, banking=banking(poor, AMOUNT_MINOR_MAX, "r2"))
    assert queries.balances(poor.id)["cash"] == 1


def test_jur_02_another_currency_is_refused(poor: Person) -> None:
    with pytest.raises(CurrencyMismatchError) as refused:
        services.deposit(CASHIER, banking=banking(poor, 5, currency="EUR"))
    assert refused.value.facts == {"currency": "EUR", "expected": "USD"}


def test_nobody_has_a_wallet_without_being_registered(poor: Person) -> None:
    stranger = Banking(UUID(int=7), 5, "USD", "r1")
    for verb in (services.deposit, services.withdraw):
        with pytest.raises(PlayerNotFoundError):
            verb(CASHIER, banking=stranger)


@pytest.mark.parametrize("cash", [0, 499])
def test_wal_01_what_is_not_there_is_not_paid_out(people: People, cash: int) -> None:
    player = people.player(cash=cash)
    with pytest.raises(InsufficientFundsError) as refused:
        services.withdraw(CASHIER, banking=banking(player, 500))
    assert refused.value.facts == {"needed_minor": 500, "balance_minor": cash, "currency": "USD"}


# --- Rule 7: a retry is the same act


def test_rule_7_the_same_reference_again_is_the_same_transfer(poor: Person) -> None:
    first = services.deposit(CASHIER, banking=banking(poor, 500))
    services.withdraw(CASHIER, banking=banking(poor, 100, "w1"))
    assert services.deposit(CASHIER, banking=banking(poor, 500)) == first
    assert services.deposit("key:another", banking=banking(poor, 500)) == first
    assert Transfer.objects.count() == 2


CONFLICTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "another amount": ({}, {"amount_minor": 501}),
    "another key": ({"request_key": "k1"}, {"request_key": "k2"}),
    "the key of another reference": (
        {"request_key": "k1"},
        {"request_key": "k1", "reference": "x"},
    ),
}


@pytest.mark.parametrize(("first", "then"), CONFLICTS.values(), ids=CONFLICTS)
def test_rule_7_the_same_name_for_another_act_is_a_conflict(
    poor: Person, first: dict[str, Any], then: dict[str, Any]
) -> None:
    services.deposit(CASHIER, banking=banking(poor, **{"amount_minor": 500} | first))
    with pytest.raises(TransferConflictError):
        services.deposit(CASHIER, banking=banking(poor, **{"amount_minor": 500} | then))
    assert Transfer.objects.count() == 1


def test_rule_7_a_key_of_a_deposit_is_none_of_a_withdrawal(poor: Person) -> None:
    services.deposit(CASHIER, banking=banking(poor, 500, request_key="k"))
    with pytest.raises(TransferConflictError):
        services.withdraw(CASHIER, banking=banking(poor, 500, request_key="k"))


# --- Many at one moment, over HTTP


def pay(operator: Api, player: Person, verb: str, amount_minor: int, reference: str) -> Any:
    """Return an act: the operator's cashier asks for a payment, on a line of its own."""
    body = {"amount_minor": amount_minor, "currency": player.currency, "reference": reference}
    return lambda: operator.apart().post(f"players/{player.id}/{verb}", body)


def told(answers: list[Answer]) -> Counter[Any]:
    """Count what came back: the status, and the code of a refusal."""
    return Counter(
        (answer.status, answer.json.get("code") if answer.status >= 400 else None)
        for answer in answers
    )


def test_f01_of_fifty_withdrawals_with_funds_for_one_one_is_paid(people: People) -> None:
    player = people.player(cash=1000)
    answers = at_once(
        *[pay(people.operator, player, "withdrawals", 1000, f"w{n}") for n in range(50)]
    )
    assert told(answers) == {(201, None): 1, (409, "insufficient_funds"): 49}
    assert queries.balances(player.id)["cash"] == 0
    assert Entry.objects.filter(event="withdrawal.refused").count() == 49
    assert Entry.objects.filter(event="money.withdrawn").count() == 1


def test_f05_a_deposit_told_twenty_times_at_once_is_one(people: People, poor: Person) -> None:
    answers = at_once(*[pay(people.operator, poor, "deposits", 700, "callback-1")] * 20)
    assert told(answers) == {(201, None): 20}
    assert len({answer.body for answer in answers}) == 1
    assert queries.balances(poor.id)["cash"] == 700
    assert Transfer.objects.count() == 1
    assert Entry.objects.filter(event="money.deposited").count() == 1


def test_f07_the_losers_of_a_reference_get_a_conflict_and_never_a_5xx(
    people: People, poor: Person
) -> None:
    acts = [pay(people.operator, poor, "deposits", 700 + n % 2, "callback-1") for n in range(20)]
    answers = at_once(*acts)
    assert told(answers) == {(201, None): 10, (409, "idempotency_conflict"): 10}
    assert Transfer.objects.count() == 1


def test_twenty_first_deposits_at_once_are_twenty(people: People, poor: Person) -> None:
    answers = at_once(*[pay(people.operator, poor, "deposits", 5, f"d{n}") for n in range(20)])
    assert told(answers) == {(201, None): 20}
    balances = {answer.json["balance_after_minor"] for answer in answers}
    assert balances == {5 * n for n in range(1, 21)}


def test_f01_deposits_and_withdrawals_at_once_add_up(people: People) -> None:
    player = people.player(cash=1000)
    acts = [
        pay(people.operator, player, verb, 100, f"{verb}{n}")
        for n in range(10)
        for verb in ("deposits", "withdrawals")
    ]
    assert told(at_once(*acts)) == {(201, None): 20}
    assert queries.balances(player.id)["cash"] == 1000
    versions = Transfer.objects.order_by("version").values_list("version", flat=True)
    assert list(versions) == list(range(1, 22))
