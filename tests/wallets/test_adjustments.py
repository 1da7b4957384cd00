"""Corrections by hand: two persons, a reason, one transfer, and never below zero (WAL-09)."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from audit.errors import InvalidError
from audit.models import Entry
from casino.staff.errors import AlreadyDecidedError, SamePersonError
from tests.conftest import Database
from tests.deploy.waiting import wait_until
from tests.people import People, Person, at_once
from tests.pontoon.rounds import outcome, void
from tests.seeds import deal
from wallets import queries, services
from wallets.errors import (
    AdjustmentNotFoundError,
    AmountAboveMaximumError,
    AmountBelowMinimumError,
    InsufficientFundsError,
)
from wallets.services import Correction

RAISER, APPROVER = "staff:1", "staff:2"


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10.00."""
    return people.player(cash=1_000)


@pytest.fixture(autouse=True)
def _the_ledger_holds(database: Database) -> Any:
    """Whatever a test here did, nothing is wrong after it."""
    yield
    call_command("check_ledger")


@pytest.fixture
def debtor(player: Person, database: Database) -> Person:
    """A player who withdrew all that a round had paid before it was voided: he owes 2.00."""
    round_ = deal(database.owner_url, player, "T T 9 7", 200)
    player.act(round_["round_id"], 0, "stand")
    services.withdraw("key:till", banking=services.Banking(player.id, 1_200, "USD", "all"))
    void(player, round_)
    assert queries.balances(player.id)["receivable"] == -200
    return player


def ask(player: Person, kind: Any, amount_minor: Any, key: str = "k", **more: Any) -> UUID:
    asked = Correction(player.id, kind, amount_minor, "a torn card", key, **more)
    return services.raise_adjustment(RAISER, correction=asked)


def approve(adjustment_id: UUID, actor: str = APPROVER) -> None:
    services.approve_adjustment(actor, adjustment_id=adjustment_id, reason="seen")


def money(player: Person) -> dict[str, int]:
    return {kind: minor for kind, minor in queries.balances(player.id).items() if minor}


def told(adjustment_id: UUID) -> list[str]:
    rows = Entry.objects.filter(subject=f"adjustment:{adjustment_id}").order_by("id")
    return list(rows.values_list("event", flat=True))


@pytest.mark.parametrize(("kind", "cash"), [("credit", 1_300), ("debit", 700)])
def test_wal_09_an_adjustment_moves_money_when_another_person_approves(
    player: Person, kind: str, cash: int
) -> None:
    round_id = uuid4()
    adjustment_id = ask(player, kind, 300, round_id=round_id)
    assert money(player) == {"cash": 1_000}
    approve(adjustment_id)
    assert money(player) == {"cash": cash}
    found = queries.adjustment(adjustment_id)
    assert (found.state, found.raised_by, found.decided_by) == ("approved", RAISER, APPROVER)
    assert (found.reason, found.decision_reason, found.round_id) == (
        "a torn card", "seen", round_id,
    )  # fmt: skip
    line = queries.line(queries.statement(player.id)[0])
    assert (line["code"], line["amount_minor"], line["reference"]) == (
        "adjustment", 300, str(adjustment_id),
    )  # fmt: skip
    assert told(adjustment_id) == ["adjustment.raised", "adjustment.approved"]


@pytest.mark.parametrize("reason", ["", " \n", "x" * 2001, "a\0b"])
def test_wal_09_an_adjustment_is_asked_for_and_decided_with_a_reason(
    player: Person, reason: str
) -> None:
    adjustment_id = ask(player, "credit", 300)
    with pytest.raises(InvalidError):
        services.raise_adjustment(
            RAISER, correction=Correction(player.id, "credit", 1, reason, "l")
        )
    for decide in (services.approve_adjustment, services.decline_adjustment):
        with pytest.raises(InvalidError):
            decide(APPROVER, adjustment_id=adjustment_id, reason=reason)
    assert told(adjustment_id) == ["adjustment.raised"]


def test_opr_02_nobody_approves_or_declines_what_he_asked_for(player: Person) -> None:
    adjustment_id = ask(player, "credit", 300)
    for decide in (services.approve_adjustment, services.decline_adjustment):
        with pytest.raises(SamePersonError):
            decide(RAISER, adjustment_id=adjustment_id, reason="mine")
    assert money(player) == {"cash": 1_000}


def test_opr_02_the_database_refuses_it_too(player: Person, owner: Any) -> None:
    adjustment_id = ask(player, "credit", 300)
    with pytest.raises(Exception, match="another person decides"):
        owner.execute(
            "SELECT wallet_decide_adjustment(jsonb_build_object("
            " 'version', (SELECT version FROM wallets_account WHERE player_id = %(p)s"
            "              AND kind = 'cash'), 'limit_count', 0, 'transfers', '[]'::jsonb,"
            " 'decision', jsonb_build_object('player_id', %(p)s::uuid, 'adjustment_id',"
            "   %(a)s::uuid, 'verdict', 'declined', 'decided_by', 'staff:1', 'reason', 'mine',"
            "   'decided_at', clock_timestamp())))",
            {"p": player.id, "a": adjustment_id},
        )


@pytest.mark.parametrize("name", ["staff:1 ", "staff:01", "STAFF:1", "staff:", "key:1"])
def test_opr_02_another_spelling_is_no_other_person(player: Person, name: str) -> None:
    adjustment_id = ask(player, "credit", 300)
    with pytest.raises(IntegrityError):
        approve(adjustment_id, name)
    asked = Correction(player.id, "credit", 300, "a torn card", "k2")
    with pytest.raises(IntegrityError):
        services.raise_adjustment(name, correction=asked)
    assert money(player) == {"cash": 1_000}


def test_opr_02_the_database_moves_what_was_asked_for_and_no_other_way(
    player: Person, app: Any
) -> None:
    adjustment_id = ask(player, "debit", 300)
    with pytest.raises(Exception, match="another adjustment than was asked for"):
        app.execute(
            "SELECT wallet_decide_adjustment(jsonb_build_object("
            " 'version', c.version, 'limit_count', 0, 'transfers', jsonb_build_array("
            "   jsonb_build_object('id', gen_random_uuid(), 'debit_account_id', h.id,"
            "   'credit_account_id', c.id, 'amount_minor', 300, 'code', 'adjustment',"
            "   'actor', 'staff:2', 'reference', %(a)s::text)),"
            " 'decision', jsonb_build_object('player_id', c.player_id, 'adjustment_id',"
            "   %(a)s::uuid, 'verdict', 'approved', 'decided_by', 'staff:2', 'reason', 'mine',"
            "   'decided_at', clock_timestamp())))"
            " FROM wallets_account c, wallets_account h WHERE c.player_id = %(p)s"
            "  AND c.kind = 'cash' AND h.kind = 'house' AND h.currency = c.currency",
            {"p": player.id, "a": str(adjustment_id)},
        )
    assert money(player) == {"cash": 1_000}


def test_wal_09_what_is_declined_moves_nothing(player: Person) -> None:
    adjustment_id = ask(player, "debit", 300)
    services.decline_adjustment(APPROVER, adjustment_id=adjustment_id, reason="not so")
    with pytest.raises(AlreadyDecidedError):
        approve(adjustment_id)
    assert money(player) == {"cash": 1_000}
    assert told(adjustment_id) == ["adjustment.raised", "adjustment.declined"]


def test_wal_09_of_eight_approvals_at_once_one_pays(player: Person) -> None:
    adjustment_id = ask(player, "credit", 300)
    came = at_once(*[outcome(lambda: approve(adjustment_id))] * 8)
    assert Counter(came) == {None: 1, "AlreadyDecidedError": 7}
    assert money(player) == {"cash": 1_300}


def test_wal_09_an_approval_and_a_refusal_at_once_are_one_of_the_two(player: Person) -> None:
    adjustment_id = ask(player, "credit", 300)
    came = at_once(
        outcome(lambda: approve(adjustment_id)),
        outcome(
            lambda: services.decline_adjustment("staff:3", adjustment_id=adjustment_id, reason="no")
        ),
    )
    assert sorted(map(str, came)) == ["AlreadyDecidedError", "None"]
    state = queries.adjustment(adjustment_id).state
    assert money(player) == {"cash": 1_300 if state == "approved" else 1_000}


def decline(adjustment_id: UUID, who: str) -> Any:
    return outcome(
        lambda: services.decline_adjustment(who, adjustment_id=adjustment_id, reason="no")
    )


def test_wal_09_of_two_that_decided_on_the_same_reading_the_later_is_told(player: Person) -> None:
    """What moves no money leaves the wallet as it was: only the decision itself is in the way."""
    adjustment_id = ask(player, "credit", 300)
    with ThreadPoolExecutor(1) as elsewhere:
        with transaction.atomic(durable=True):
            queries.lock_wallet(player.id)
            came = elsewhere.submit(
                at_once, decline(adjustment_id, "staff:3"), decline(adjustment_id, "staff:4")
            )
            wait_until(lambda: blocked() == 2)
        assert sorted(map(str, came.result())) == ["AlreadyDecidedError", "None"]


def test_wal_09_asked_by_one_key_at_once_it_is_asked_once(player: Person) -> None:
    asked = at_once(*(outcome(lambda: ask(player, "credit", 300)) for _ in range(6)))
    assert len(set(asked)) == 1
    assert queries.adjustment(asked[0]).state == "raised"
    assert Entry.objects.filter(event="adjustment.raised").count() == 1


def blocked() -> int:
    """Return how many are waiting for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return int(cursor.fetchone()[0])


def test_asking_twice_by_one_key_is_asking_once(player: Person) -> None:
    assert ask(player, "credit", 300) == ask(player, "credit", 300)
    assert ask(player, "credit", 300, key="other") != ask(player, "credit", 300)


def test_nobody_is_taken_below_zero(player: Person) -> None:
    with pytest.raises(InsufficientFundsError):
        ask(player, "debit", 1_001)
    adjustment_id = ask(player, "debit", 1_000)
    services.withdraw("key:till", banking=services.Banking(player.id, 1, "USD", "w"))
    with pytest.raises(InsufficientFundsError):
        approve(adjustment_id)
    assert queries.adjustment(adjustment_id).state == "raised"


def test_what_is_no_amount_or_nobodys_is_refused(player: Person) -> None:
    with pytest.raises(AmountBelowMinimumError):
        ask(player, "credit", 0)
    with pytest.raises(AdjustmentNotFoundError):
        approve(uuid4())


# --- What a player owes


def test_who_owes_is_listed(debtor: Person) -> None:
    assert [account.player_id for account in queries.receivables()] == [debtor.id]


def test_a_debt_is_settled_from_the_players_cash(debtor: Person, people: People) -> None:
    with pytest.raises(InsufficientFundsError):
        ask(debtor, "settle", 200)
    people.deposit(debtor.id, 500)
    approve(ask(debtor, "settle", 200))
    assert money(debtor) == {"cash": 300}
    assert list(queries.receivables()) == []


def test_a_debt_is_written_off_by_the_house(debtor: Person) -> None:
    approve(ask(debtor, "write_off", 150))
    assert money(debtor) == {"receivable": -50}
    with pytest.raises(AmountAboveMaximumError):
        ask(debtor, "write_off", 51, key="more")


def test_of_two_write_offs_the_second_finds_no_debt(debtor: Person) -> None:
    first, second = ask(debtor, "write_off", 200), ask(debtor, "write_off", 200, key="second")
    approve(first)
    with pytest.raises(AmountAboveMaximumError):
        approve(second)
    assert money(debtor) == {}
