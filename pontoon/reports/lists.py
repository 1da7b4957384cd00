"""Reports that list: players, transfers and rounds one by one."""

from collections import defaultdict
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_noop as _

from audit import queries as audit
from audit.events import Event
from casino.days import format_time
from casino.players.profiles import CURRENCIES
from pontoon.reports import read
from pontoon.reports.asked import Asked, Row
from pontoon.reports.tables import Column, Report, Table
from wallets import queries as wallets
from wallets import reports as ledger


def player_activity(asked: Asked) -> Report:
    """What each player did in the range: deposits, withdrawals, rounds, and what they came to."""
    rounds = read.by_player(asked)
    flows: dict[tuple[UUID, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for flow in ledger.flows(asked.begin, asked.end, **asked.chosen):
        flows[flow.player_id, flow.currency][flow.code] += flow.amount_minor
    rows = [
        _activity(*who, rounds.get(who, (0, 0, 0)), flows.get(who, {}))
        for who in sorted(rounds.keys() | flows.keys())
        if asked.player_id in {None, who[0]}
    ]
    return Report(
        "player_activity", "Player activity", asked, (Table(_("Players"), _ACTIVITY, rows),),
        variance_minor=sum(row["variance_minor"] for row in rows),
    )  # fmt: skip


_ACTIVITY = (
    Column("player_id", _("Player")),
    Column("currency", _("Currency")),
    Column("deposits_minor", _("Deposits"), "minor"),
    Column("withdrawals_minor", _("Withdrawals"), "minor"),
    Column("rounds", _("Rounds"), "whole"),
    Column("wagered_minor", _("Wagers"), "minor"),
    Column("payout_minor", _("Payouts"), "minor"),
    Column("net_minor", _("Won less lost"), "minor"),
    Column("variance_minor", _("Variance to the ledger"), "minor"),
)


def _activity(
    player_id: UUID, currency: str, played: tuple[int, int, int], codes: dict[str, int]
) -> Row:
    count, wagered, payout = played
    ledger_payout = codes.get("payout", 0) + codes.get("hold", 0)
    return {
        "player_id": str(player_id),
        "currency": currency,
        "deposits_minor": codes.get("deposit", 0),
        "withdrawals_minor": codes.get("withdrawal", 0),
        "rounds": count,
        "wagered_minor": wagered,
        "payout_minor": payout,
        "net_minor": payout - wagered,
        "variance_minor": abs(wagered - codes.get("settlement", 0)) + abs(payout - ledger_payout),
    }


def statement(asked: Asked) -> Report:
    """A player's transfers, with the balance before and after each (WAL-06)."""
    rows: list[Row] = []
    if asked.player_id is not None:
        transfers = wallets.statement(asked.player_id).filter(at__gte=asked.begin, at__lt=asked.end)
        rows = [wallets.line(transfer) for transfer in transfers.order_by("version")]
    return Report("statement", "Statement", asked, (Table(_("Transfers"), _STATEMENT, rows),))


_STATEMENT = (
    Column("at", _("Time"), "time"),
    Column("version", _("Number"), "whole"),
    Column("code", _("Kind")),
    Column("debit", _("From")),
    Column("credit", _("To")),
    Column("amount_minor", _("Amount"), "minor"),
    Column("currency", _("Currency")),
    Column("balance_before_minor", _("Balance before"), "minor"),
    Column("balance_after_minor", _("Balance after"), "minor"),
    Column("round_id", _("Round")),
    Column("reference", _("Reference")),
    Column("actor", _("By")),
    Column("transfer_id", _("Transfer")),
)


def adjustments(asked: Asked) -> Report:
    """Corrections that people of the house made by hand (WAL-09)."""
    made = ledger.of_code("adjustment", asked.begin, asked.end, **asked.chosen)
    rows = [{"player_id": str(one.player_id)} | wallets.line(one) for one in made]
    columns = (Column("player_id", _("Player")), *_STATEMENT)
    return Report("adjustments", "Adjustments", asked, (Table(_("Adjustments"), columns, rows),))


def large_wins(asked: Asked) -> Report:
    """Wins from the line on (WIN-01), and who released them (WIN-03)."""
    lines = {code: currency.large_win_minor for code, currency in CURRENCIES.items()}
    rows = [
        {
            "settled_at": format_time(settled_at),
            "round_id": str(round_id),
            "player_id": str(player_id),
            "currency": currency,
            "rules": rules,
            "state": state,
            "wagered_minor": wagered,
            "payout_minor": payout,
            "win_minor": payout - wagered,
            "line_minor": lines[currency],
            "released_at": released_at and format_time(released_at),
            "released_by": _who_did(Event.ROUND_RELEASED, round_id, player_id)[0],
        }
        for (
            settled_at, round_id, player_id, currency, rules, state, wagered, payout, released_at,
        ) in read.large_wins(asked, lines)
    ]  # fmt: skip
    return Report("large_wins", "Large wins", asked, (Table(_("Rounds"), _LARGE, rows),))


_ROUND = (
    Column("round_id", _("Round")),
    Column("player_id", _("Player")),
    Column("currency", _("Currency")),
    Column("rules", _("Rules")),
    Column("wagered_minor", _("Wagers"), "minor"),
    Column("payout_minor", _("Payout"), "minor"),
)
_LARGE = (
    Column("settled_at", _("Time"), "time"),
    *_ROUND,
    Column("win_minor", _("Win"), "minor"),
    Column("line_minor", _("Line"), "minor"),
    Column("state", _("State")),
    Column("released_at", _("Released"), "time"),
    Column("released_by", _("Released by")),
)


def voids(asked: Asked) -> Report:
    """Rounds that were voided (MAL-03): what was given back, what was taken back, by whom, why.

    And what that came to for each malfunction.
    """
    rows = [
        {
            "voided_at": format_time(at),
            "round_id": str(round_id),
            "player_id": str(player_id),
            "currency": currency,
            "rules": rules,
            "wagered_minor": wagered,
            "payout_minor": payout or 0,
            "malfunction_id": malfunction_id and str(malfunction_id),
            "voided_by": actor,
            "reason": reason,
        }
        for (
            at, round_id, player_id, currency, rules, wagered, payout, malfunction_id, reason,
            actor,
        ) in read.voids(asked)
    ]  # fmt: skip
    columns = (
        Column("voided_at", _("Time"), "time"), *_ROUND, Column("malfunction_id", _("Malfunction")),
        Column("voided_by", _("By")), Column("reason", _("Reason")),
    )  # fmt: skip
    tables = (
        Table(_("Rounds"), columns, rows),
        Table(_("Malfunctions"), _FAULT, _by_malfunction(rows)),
    )
    return Report("voids", "Voided rounds", asked, tables)


def _by_malfunction(rows: list[Row]) -> list[Row]:
    """Return what was voided for each malfunction, by currency, in the order of the first void."""
    sums: dict[tuple[Any, Any], dict[str, Any]] = {}
    for row in rows:
        one = sums.setdefault(
            (row["malfunction_id"], row["currency"]),
            {"malfunction_id": row["malfunction_id"], "reason": row["reason"]}
            | {"currency": row["currency"], "rounds": 0, "wagered_minor": 0, "payout_minor": 0},
        )
        one["rounds"] += 1
        one["wagered_minor"] += row["wagered_minor"]
        one["payout_minor"] += row["payout_minor"]
    return list(sums.values())


_FAULT = (
    Column("malfunction_id", _("Malfunction")),
    Column("reason", _("Reason")),
    Column("currency", _("Currency")),
    Column("rounds", _("Rounds"), "whole"),
    Column("wagered_minor", _("Wagers"), "minor"),
    Column("payout_minor", _("Payout"), "minor"),
)


def _who_did(event: Event, round_id: UUID, player_id: UUID) -> tuple[str | None, str | None]:
    """Return who did something to a round, and the reason that was given."""
    for entry in audit.entries_of(f"round:{round_id}", player_id=player_id):
        if entry["event"] == event:
            return entry["actor"], entry["payload"].get("reason")
    return None, None
