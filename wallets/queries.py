"""Reading the ledger: balances, statements, and what does not hold in it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet

from audit import queries as audit
from casino.days import format_time
from wallets import ledger
from wallets.errors import AdjustmentNotFoundError
from wallets.ledger import Wallet as Wallet
from wallets.models import Account, Adjusting, Transfer

_FAULTS_SQL = Path(__file__).with_name("sql") / "faults.sql"
_RECORD_SQL = _FAULTS_SQL.with_name("record.sql")


@dataclass(frozen=True, slots=True)
class Seen:
    """A wallet as one query saw it. A player who never deposited has version 0 and no rows."""

    wallet: Wallet
    limits: list[dict[str, Any]] | None
    at: datetime


def read_wallet(player_id: UUID, currency: str) -> Seen:
    """Return a player's wallet, what his limits leave him, and the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT clock_timestamp(), coalesce(a.balance_minor, 0), coalesce(a.version, 0),"
            "       coalesce(a.limit_count, 0), wallet_limits(%s, clock_timestamp())::json"
            "  FROM (SELECT %s::uuid AS player_id) p"
            "  LEFT JOIN wallets_account a ON a.player_id = p.player_id AND a.kind = 'cash'",
            [player_id, player_id],
        )
        at, balance_minor, version, limit_count, limits = cursor.fetchone()
    wallet = Wallet(player_id, currency, balance_minor, version, limit_count)
    return Seen(wallet, limits, at)


def lock_wallet(player_id: UUID) -> None:
    """Hold a player's wallet until the end of the open transaction: for who lost a race once.

    His gate is held too, so nothing shuts him out between what is read now and its commit.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT wallet_lock(%s)", [player_id])


def balances(player_id: UUID) -> dict[str, int]:
    """Return a player's balances by kind of account, minor units; nothing before he deposits."""
    rows = Account.objects.filter(player_id=player_id).values_list("kind", "balance_minor")
    return dict(rows)  # type: ignore[arg-type]


def find_transfer(player_id: UUID, transfer_id: UUID, request_key: str | None) -> Transfer | None:
    """Return the transfer that an act with this id or this key has made, if it was made."""
    same = Q(id=transfer_id)
    if request_key is not None:
        same |= Q(request_key=request_key)
    return Transfer.objects.filter(same, player_id=player_id).first()


def by_reference(reference: str) -> Transfer | None:
    """Return a payment by the operator's own name of it; the newest, where several have it."""
    named = Transfer.objects.filter(reference=reference, reference__isnull=False)
    return named.order_by("-at").first()


def transfer(transfer_id: UUID) -> Transfer | None:
    """Return a transfer by its id alone, if there is one."""
    return Transfer.objects.filter(id=transfer_id).order_by().first()


def statement(player_id: UUID) -> QuerySet[Transfer]:
    """Return a player's transfers, newest first."""
    return Transfer.objects.filter(player_id=player_id)


def adjustments() -> QuerySet[Adjusting]:
    """Return all corrections by hand, newest first."""
    return Adjusting.objects.all()


def find_adjustment(adjustment_id: UUID) -> Adjusting | None:
    """Return a correction, if somebody asked for it."""
    return Adjusting.objects.filter(id=adjustment_id).first()


def adjustment(adjustment_id: UUID) -> Adjusting:
    """Return a correction that somebody asked for. Errors: AdjustmentNotFoundError."""
    found = find_adjustment(adjustment_id)
    if found is None:
        raise AdjustmentNotFoundError
    return found


def receivables() -> QuerySet[Account]:
    """Return the accounts of players who owe: what a void could not take back. Most first."""
    # Written out: as parameters they would hide the partial index from the planner.
    owing = Account.objects.extra(where=["kind = 'receivable' AND balance_minor < 0"])
    return owing.order_by("balance_minor", "player_id")


def transfers_of_round(player_id: UUID, round_id: UUID) -> QuerySet[Transfer]:
    """Return a round's transfers in the order in which they were made."""
    return Transfer.objects.filter(player_id=player_id, round_id=round_id).order_by("version")


def moved(lines: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return what transfers left in each kind of account, minor units, zeros left out.

    A receivable counts as the cash that it stands for.
    """
    left: dict[str, int] = {}
    for told in lines:
        for kind, sign in ((told["debit"], -1), (told["credit"], 1)):
            kind_ = "cash" if kind == "receivable" else kind
            left[kind_] = left.get(kind_, 0) + sign * told["amount_minor"]
    return {kind: minor for kind, minor in left.items() if minor}


def line(transfer: Transfer) -> dict[str, Any]:
    """Return a transfer as a statement shows it: cash before and after, and what it was for."""
    names = {
        ledger.account_id(transfer.player_id, kind, transfer.currency): kind
        for kind in ledger.PLAYER_KINDS + ledger.HOUSE_KINDS
    }
    # An account that is none is a fault, and not one of whoever reads it here.
    debit = names.get(transfer.debit_account_id, ledger.UNKNOWN)
    credit = names.get(transfer.credit_account_id, ledger.UNKNOWN)
    cash_minor = transfer.amount_minor * ((credit == "cash") - (debit == "cash"))
    return {
        "transfer_id": str(transfer.id),
        "code": transfer.code,
        "status": "confirmed",
        "debit": debit,
        "credit": credit,
        "amount_minor": transfer.amount_minor,
        "currency": transfer.currency,
        "balance_before_minor": transfer.balance_after_minor - cash_minor,
        "balance_after_minor": transfer.balance_after_minor,
        "round_id": transfer.round_id and str(transfer.round_id),
        "reference": transfer.reference,
        "version": transfer.version,
        "actor": transfer.actor,
        "at": format_time(transfer.at),
    }


def sizes() -> dict[str, int]:
    """Return how many wallets and transfers the ledger has."""
    wallet_count = Account.objects.filter(kind="cash").count()
    return {"wallets": wallet_count, "transfers": Transfer.objects.count()}


def net_minor(player_id: UUID, since: datetime) -> int:
    """Return what a player won less what he lost since a moment, held payouts included (RCK-03)."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(CASE WHEN code IN ('wager', 'reversal') THEN -amount_minor"
            "                         ELSE amount_minor END), 0)"
            "  FROM wallets_transfer WHERE player_id = %s AND at >= %s"
            "   AND code IN ('wager', 'payout', 'hold', 'refund', 'reversal')",
            [player_id, since],
        )
        return int(cursor.fetchone()[0])


def net_deposits_minor(player_id: UUID) -> int:
    """Return all that a player ever paid in less all that he was paid out (WAL-08)."""
    with connection.cursor() as cursor:
        # Codes written out: the partial index of rare transfers serves no parameter.
        cursor.execute(
            "SELECT coalesce(sum(CASE code WHEN 'deposit' THEN amount_minor"
            "                    ELSE -amount_minor END), 0)"
            "  FROM wallets_transfer WHERE player_id = %s AND code IN ('deposit', 'withdrawal')",
            [player_id],
        )
        return int(cursor.fetchone()[0])


def ledger_faults() -> Iterator[str]:
    """Yield a sentence for each thing in the ledger that does not hold; nothing when all does.

    Call it in a repeatable-read transaction: its statements then speak of one moment.
    """
    yield from audit.faults_in(_FAULTS_SQL)


def record_faults() -> Iterator[str]:
    """Yield a sentence for each wallet, transfer and limit of which the log does not tell so."""
    yield from audit.faults_in(_RECORD_SQL)
