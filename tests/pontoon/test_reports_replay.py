"""Every report of money against what the transfers of an export alone come to."""

from collections import Counter
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pytest_django import Settings

from pontoon import services
from tests.audit.exporting import build, faults, rows, unpack
from tests.conftest import Database
from tests.people import People, Person
from tests.pontoon.rounds import (
    OPEN,
    OTHER,
    STAFF,
    TWENTY,
    adjust,
    flag,
    owing,
    void,
    void_counted,
    win_large,
)
from tests.seeds import deal

Transfers = list[dict[str, Any]]
Sums = Counter[Any]


@pytest.fixture
def evening(people: People, database: Database) -> list[Person]:
    """An evening on which everything happens that moves money."""
    dollars, yen = people.player(cash=1_000_000), people.player(cash=100_000, currency="JPY")
    for player in (dollars, yen):
        for _ in range(5):
            player.finish(player.bet(100).json)
        void(player, player.finish(player.bet(200).json))
    debtors = [owing(people, database.owner_url) for _ in range(3)]
    adjust(debtors[0], "write_off", 100)
    people.deposit(debtors[1].id, 150)
    adjust(debtors[1], "settle", 150)
    adjust(dollars, "credit", 700)
    adjust(yen, "debit", 30)
    for decide in (services.release_large_win, services.reject_large_win, None):
        _win_large(dollars, database.owner_url, decide)
    void(yen, deal(database.owner_url, yen, OPEN, 300))
    deal(database.owner_url, yen, OPEN, 400)
    careful = people.player(cash=5_000)
    services.flag_malfunction(STAFF, scope={"player": str(careful.id)}, cause="x", evidence={})
    return [dollars, yen, *debtors, careful, _held_for_malfunction(people, database.owner_url)]


def _win_large(player: Person, owner_url: str, decide: Any) -> None:
    """Have a player win largely; the win is released, or voided as no win, or waits."""
    round_id = win_large(player, owner_url)
    if decide:
        decide(OTHER, round_id=round_id, reason="looked at")
    void_counted()


def _held_for_malfunction(people: People, owner_url: str) -> Person:
    player = people.player(cash=2_000)
    round_ = deal(owner_url, player, TWENTY, 100)
    flag(round_)
    after = player.act(round_["round_id"], 0, "stand").json
    assert (after["state"], after["held_reason"]) == ("held", "malfunction")
    return player


@pytest.fixture
def transfers(evening: list[Person], settings: Settings, tmp_path: Path) -> Transfers:
    """All that moved, from an export that holds."""
    settings.EXPORT_DIR = tmp_path / "exports"
    path = build()
    assert faults(path) == []
    return rows(unpack(path, tmp_path), "transfers")


def sums_of(transfers: Transfers, *names: str, **where: Any) -> Sums:
    """Add up amounts by some members, of the transfers that have these."""
    found: Sums = Counter()
    for row in transfers:
        if where.items() <= row.items():
            found[tuple(row[name] for name in names)] += row["amount_minor"]
    return found


def balances_of(transfers: Transfers) -> dict[tuple[str, str], int]:
    """Play the transfers from the first on; return what each kind of account holds, by currency."""
    held: dict[tuple[str, str], int] = Counter()
    for row in transfers:
        held[row["currency"], row["debit"]] -= row["amount_minor"]
        held[row["currency"], row["credit"]] += row["amount_minor"]
    return held


def report(people: People, name: str, **query: Any) -> list[list[dict[str, Any]]]:
    """Return a report's tables, each as rows; one of money must have no variance."""
    asked = "&".join(f"{member}={value}" for member, value in query.items())
    answer = people.operator.get(f"reports/{name}?{asked}")
    assert answer.status == 200, answer
    assert answer.json["variance_minor"] in {0, None}
    return [table["rows"] for table in answer.json["tables"]]


def test_the_evening_has_all_that_moves_money(transfers: Transfers) -> None:
    assert {(row["code"], row["debit"], row["credit"]) for row in transfers} >= {
        ("deposit", "cashier", "cash"), ("withdrawal", "cash", "cashier"),
        ("wager", "cash", "escrow"), ("settlement", "escrow", "house"),
        ("payout", "house", "cash"), ("hold", "house", "held"), ("release", "held", "cash"),
        ("refund", "house", "cash"), ("refund", "escrow", "cash"),
        ("reversal", "cash", "house"), ("reversal", "held", "house"),
        ("reversal", "receivable", "house"),
        ("adjustment", "house", "cash"), ("adjustment", "cash", "house"),
        ("adjustment", "cash", "receivable"), ("adjustment", "house", "receivable"),
    }  # fmt: skip


def test_rep_03_revenue_is_what_the_transfers_come_to(people: People, transfers: Transfers) -> None:
    taken = sums_of(transfers, "currency", code="settlement")
    taken.subtract(sums_of(transfers, "currency", code="refund", debit="house"))
    paid = sums_of(transfers, "currency", code="payout")
    paid.update(sums_of(transfers, "currency", code="hold"))
    paid.subtract(sums_of(transfers, "currency", code="reversal"))
    (table,) = report(people, "ggr")
    for period in {row["period"] for row in table}:
        told = {(row["currency"],): row for row in table if row["period"] == period}
        assert Counter({key: row["turnover_minor"] for key, row in told.items()}) == taken, period
        assert Counter({key: row["payout_minor"] for key, row in told.items()}) == paid, period
        for key, row in told.items():
            assert row["ggr_minor"] == taken[key] - paid[key]


def test_rep_02_performance_is_what_the_transfers_come_to(
    people: People, transfers: Transfers
) -> None:
    days, waiting = report(people, "game_performance")
    wagered, settled = Counter[Any](), sums_of(transfers, "currency", code="settlement")
    payout = sums_of(transfers, "currency", code="payout")
    payout.update(sums_of(transfers, "currency", code="hold"))
    refunded = sums_of(transfers, "currency", code="refund")
    reversed_ = sums_of(transfers, "currency", code="reversal")
    (day,) = {row["period"] for row in days if row["period"].startswith("20")}
    told = {
        name: Counter[Any]() for name in ("wagered", "payout", "voided_wagered", "voided_payout")
    }
    for row in days:
        if row["period"] == day:
            for name, sums in told.items():
                sums[row["currency"],] += row[f"{name}_minor"]
    assert told["wagered"] == settled
    assert told["payout"] == payout
    assert told["voided_wagered"] == refunded
    assert told["voided_payout"] == reversed_
    held = balances_of(transfers)
    for row in waiting:
        wagered[row["currency"]] += 1
        assert row["in_play_minor"] == held.get((row["currency"], "escrow"), 0)
        assert row["held_minor"] == held.get((row["currency"], "held"), 0)
    assert set(wagered) == {"USD", "JPY"}


def test_wal_14_liability_is_what_the_transfers_leave_with_receivables(
    people: People, transfers: Transfers
) -> None:
    held = balances_of(transfers)
    days, now = report(people, "liability")
    assert {row["currency"] for row in now} == {"USD", "JPY"}
    assert any(row["receivable_minor"] for row in now)
    last = days[-1]["period"]
    for row in [*now, *(row for row in days if row["period"] == last)]:
        kinds = {
            kind: held.get((row["currency"], kind), 0)
            for kind in ("cash", "escrow", "held", "receivable")
        }
        assert {kind: row[f"{kind}_minor"] for kind in kinds} == kinds
        owed = kinds["cash"] + kinds["escrow"] + kinds["held"]
        assert row["liability_minor"] == owed
        assert row["liability_minor"] + row["receivable_minor"] == sum(kinds.values())


def test_wal_14_a_receivable_that_differs_from_its_transfers_is_a_variance(
    people: People, evening: list[Person], dba: psycopg.Connection
) -> None:
    dba.execute("UPDATE wallets_account SET balance_minor = -7 WHERE kind = 'receivable'")
    answer = people.operator.get("reports/liability").json
    assert answer["variance_minor"] > 0


def test_rep_03_each_players_activity_is_that_of_his_transfers(
    people: People, transfers: Transfers
) -> None:
    (table,) = report(people, "player_activity")
    by_code = sums_of(transfers, "player_id", "code")
    assert {row["player_id"] for row in table} == {row["player_id"] for row in transfers}
    for row in table:
        of = {code: by_code.get((row["player_id"], code), 0) for _, code in by_code}
        assert row["deposits_minor"] == of["deposit"]
        assert row["withdrawals_minor"] == of["withdrawal"]
        assert row["wagered_minor"] == of["settlement"]
        assert row["payout_minor"] == of["payout"] + of["hold"]
        assert row["net_minor"] == of["payout"] + of["hold"] - of["settlement"]


def test_wal_06_each_statement_ends_with_what_the_transfers_leave(
    people: People, evening: list[Person], transfers: Transfers
) -> None:
    for player in evening:
        own = [row for row in transfers if row["player_id"] == str(player.id)]
        (table,) = report(people, "statement", player_id=player.id)
        assert [row["transfer_id"] for row in table] == [row["transfer_id"] for row in own]
        assert [row["amount_minor"] for row in table] == [row["amount_minor"] for row in own]
        assert table[-1]["balance_after_minor"] == balances_of(own)[player.currency, "cash"]


def test_wal_09_adjustments_and_voids_are_those_of_the_transfers(
    people: People, transfers: Transfers
) -> None:
    (made,) = report(people, "adjustments")
    assert sums_of(made, "currency", "debit", "credit") == sums_of(
        transfers, "currency", "debit", "credit", code="adjustment"
    )
    voided, of_malfunctions = report(people, "voids")
    refunded = sums_of(transfers, "round_id", code="refund")
    reversed_ = sums_of(transfers, "round_id", code="reversal")
    assert {(row["round_id"],) for row in voided} == set(refunded)
    for row in voided:
        assert row["wagered_minor"] == refunded[row["round_id"],]
        assert row["payout_minor"] == reversed_[row["round_id"],]
    assert sum(row["rounds"] for row in of_malfunctions) == len(voided)
