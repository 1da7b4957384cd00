"""Reports of money: each is reckoned twice, from the ledger and from the round records."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext_noop as _

from pontoon.reports import read
from pontoon.reports.asked import Asked, Row, Sums, add_up, edges_of, periods_of
from pontoon.reports.tables import Column, Report, Table
from pontoon.reports.theory import percent, theory_of
from wallets import reports as ledger

_PERIOD = (Column("period", _("Period")), Column("currency", _("Currency")))


def ggr(asked: Asked) -> Report:
    """Gross gaming revenue: turnover less payouts; a void takes both back when it is made."""
    periods = periods_of(asked)
    edges = edges_of(periods)
    rounds, moves = _by_currency(read.settled(asked, edges)), _moves(asked, edges)
    rows = []
    for period in periods:
        told, kept = add_up(rounds, period, edges), add_up(moves, period, edges)
        for currency in sorted(told.keys() | kept.keys()):
            rows.append(
                {"period": period.name, "currency": currency[0]}
                | _revenue(told.get(currency, [0, 0]), kept.get(currency, [0, 0]))
            )
    return Report(
        "ggr", "Gross gaming revenue", asked, (Table(_("By day and currency"), _GGR, rows),),
        variance_minor=_variance(rows),
    )  # fmt: skip


_GGR = (
    *_PERIOD,
    Column("turnover_minor", _("Turnover"), "minor"),
    Column("payout_minor", _("Payouts"), "minor"),
    Column("ggr_minor", _("Gross gaming revenue"), "minor"),
    Column("ledger_turnover_minor", _("Turnover by the ledger"), "minor"),
    Column("ledger_payout_minor", _("Payouts by the ledger"), "minor"),
    Column("variance_minor", _("Variance"), "minor"),
)


def _revenue(told: Sequence[int], kept: Sequence[int]) -> Row:
    return {
        "turnover_minor": told[0],
        "payout_minor": told[1],
        "ggr_minor": told[0] - told[1],
        "ledger_turnover_minor": kept[0],
        "ledger_payout_minor": kept[1],
        "variance_minor": abs(told[0] - kept[0]) + abs(told[1] - kept[1]),
    }


def _by_currency(sums: Sums) -> Sums:
    """Return turnover and payouts of the round records, what was voided taken off."""
    found: dict[tuple[str, ...], dict[int, list[int]]] = defaultdict(dict)
    for (currency, _rules), by_bucket in sums.items():
        for bucket, numbers in by_bucket.items():
            of = dict(zip(read.NUMBERS, numbers, strict=True))
            before = found[(currency,)].get(bucket, [0, 0])
            found[(currency,)][bucket] = [
                before[0] + of["wagered_minor"] - of["voided_turnover_minor"],
                before[1] + of["payout_minor"] - of["voided_payout_minor"],
            ]
    return found


def _moves(asked: Asked, edges: Sequence[datetime]) -> Sums:
    """Return turnover and payouts of the ledger: what the house took in wagers, and gave."""
    found: dict[tuple[str, ...], dict[int, list[int]]] = defaultdict(dict)
    for move in ledger.moved(edges, asked.end, **asked.chosen):
        turnover, payout = found[(move.currency,)].setdefault(move.bucket, [0, 0])
        if move.code == "settlement":
            turnover += move.amount_minor
        elif move.code == "refund" and move.debit == "house":
            turnover -= move.amount_minor
        elif move.code in {"payout", "hold"}:
            payout += move.amount_minor
        elif move.code == "reversal":
            payout -= move.amount_minor
        else:
            continue
        found[(move.currency,)][move.bucket] = [turnover, payout]
    return found


def _variance(rows: Sequence[Row]) -> int:
    return sum(row["variance_minor"] for row in rows)


# --- Game performance ---------------------------------------------------------------------------


def game_performance(asked: Asked) -> Report:
    """How each rule set did (REP-02): rounds, money, return as it was and as it should be."""
    periods = periods_of(asked)
    edges = edges_of(periods)
    rounds = read.settled(asked, edges)
    rows = [
        {"period": period.name, "currency": currency, "rules": rules} | _performance(rules, numbers)
        for period in periods
        for (currency, rules), numbers in sorted(add_up(rounds, period, edges).items())
    ]
    return Report(
        "game_performance",
        "Game performance",
        asked,
        (
            Table(_("By day, currency and rules"), _PERFORMANCE, rows),
            Table(_("In open and held rounds now"), _WAITING, _waiting(asked)),
        ),
        variance_minor=ggr(asked).variance_minor,
    )


_PERFORMANCE = (
    *_PERIOD,
    Column("rules", _("Rules")),
    Column("status", _("Status")),
    Column("rounds", _("Rounds"), "whole"),
    Column("stake_minor", _("Stakes"), "minor"),
    Column("wagered_minor", _("Wagers"), "minor"),
    Column("payout_minor", _("Payouts"), "minor"),
    Column("rtp_actual", _("Actual RTP, of wagers"), "percent"),
    Column("rtp_theoretical", _("Theoretical RTP, of wagers"), "percent"),
    Column("rtp_stake_actual", _("Actual RTP, of stakes"), "percent"),
    Column("rtp_stake_theoretical", _("Theoretical RTP, of stakes"), "percent"),
    Column("voided_rounds", _("Voided rounds"), "whole"),
    Column("voided_wagered_minor", _("Wagers given back"), "minor"),
    Column("voided_payout_minor", _("Payouts taken back"), "minor"),
)
_WAITING = (
    Column("currency", _("Currency")),
    Column("rules", _("Rules")),
    Column("open_rounds", _("Open rounds"), "whole"),
    Column("in_play_minor", _("Wagers in them"), "minor"),
    Column("held_rounds", _("Held rounds"), "whole"),
    Column("held_minor", _("Payouts in them"), "minor"),
)


def _performance(rules: str, numbers: Sequence[int]) -> Row:
    of = dict(zip(read.NUMBERS, numbers, strict=True))
    theory = theory_of(rules)
    wagered, payout, stake = of["wagered_minor"], of["payout_minor"], of["stake_minor"]
    return of | {
        "status": "offered",
        "rtp_actual": percent(payout, wagered),
        "rtp_theoretical": theory and percent(1 - theory.turnover_edge),
        "rtp_stake_actual": percent(stake + payout - wagered, stake),
        "rtp_stake_theoretical": theory and percent(1 - theory.edge),
    }


def _waiting(asked: Asked) -> list[Row]:
    found = read.waiting(asked)
    return [
        {
            "currency": currency,
            "rules": rules,
            "open_rounds": found.get((currency, rules, "open"), (0, 0))[0],
            "in_play_minor": found.get((currency, rules, "open"), (0, 0))[1],
            "held_rounds": found.get((currency, rules, "held"), (0, 0))[0],
            "held_minor": found.get((currency, rules, "held"), (0, 0))[1],
        }
        for currency, rules in sorted({(currency, rules) for currency, rules, _ in found})
    ]


# --- Liability ----------------------------------------------------------------------------------


def liability(asked: Asked) -> Report:
    """What the operator owes its players (WAL-14) at the end of each day, and now."""
    periods = periods_of(asked)[: -len(("range", "month", "year", "life"))]
    edges = edges_of(periods)
    owed: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(_KINDS, 0))
    moves = sorted(ledger.moved(edges, asked.end, **asked.chosen), key=lambda move: move.bucket)
    rows: list[Row] = []
    for period in periods:
        last = edges.index(period.end)
        while moves and moves[0].bucket <= last:
            move = moves.pop(0)
            for kind, sign in ((move.debit, -1), (move.credit, 1)):
                if kind in _KINDS:
                    owed[move.currency][kind] += sign * move.amount_minor
        rows += [_owed(period.name, currency, owed[currency]) for currency in sorted(owed)]
    now, variance_minor = _liability_now(asked)
    return Report(
        "liability",
        "Operator liability",
        asked,
        (Table(_("At the end of each day"), _LIABILITY, rows), Table(_("Now, twice"), _TWICE, now)),
        variance_minor=variance_minor,
    )


_KINDS = ("cash", "escrow", "held", "receivable")
_AMOUNTS = (
    Column("cash_minor", _("Balances"), "minor"),
    Column("withdrawals_minor", _("Pending withdrawals"), "minor"),
    Column("escrow_minor", _("In play"), "minor"),
    Column("held_minor", _("Held"), "minor"),
    Column("receivable_minor", _("Receivable (not set off)"), "minor"),
    Column("liability_minor", _("Liability"), "minor"),
)
_LIABILITY = (*_PERIOD, *_AMOUNTS)
_TWICE = (
    Column("currency", _("Currency")),
    *_AMOUNTS,
    Column("ledger_minor", _("Liability by all transfers"), "minor"),
    Column("rounds_minor", _("In play and held by the rounds"), "minor"),
    Column("variance_minor", _("Variance"), "minor"),
)


def _owed(period: str, currency: str, by_kind: dict[str, int]) -> Row:
    """A withdrawal is paid when it is asked for, so none is ever pending."""
    return {
        "period": period,
        "currency": currency,
        **{f"{kind}_minor": by_kind[kind] for kind in _KINDS},
        "withdrawals_minor": 0,
        "liability_minor": by_kind["cash"] + by_kind["escrow"] + by_kind["held"],
    }


def _liability_now(asked: Asked) -> tuple[list[Row], int]:
    """Return what the stored balances, all transfers and the rounds say of this moment."""
    stored = ledger.stored(**asked.chosen)
    transfers: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for move in ledger.moved([], datetime.max.replace(tzinfo=asked.end.tzinfo), **asked.chosen):
        transfers[move.currency][move.debit] -= move.amount_minor
        transfers[move.currency][move.credit] += move.amount_minor
    in_rounds: dict[str, int] = defaultdict(int)
    for (currency, *_rest), (_count, minor) in read.waiting(asked).items():
        in_rounds[currency] += minor
    rows = []
    for currency in sorted({currency for currency, _kind in stored}):
        row = _owed("now", currency, {kind: stored.get((currency, kind), 0) for kind in _KINDS})
        kept = _owed("now", currency, {kind: transfers[currency][kind] for kind in _KINDS})
        rows.append(
            row
            | {
                "ledger_minor": kept["liability_minor"],
                "rounds_minor": in_rounds[currency],
                "variance_minor": sum(
                    abs(row[f"{kind}_minor"] - kept[f"{kind}_minor"]) for kind in _KINDS
                )
                + abs(row["escrow_minor"] + row["held_minor"] - in_rounds[currency]),
            }
        )
    return rows, _variance(rows)
