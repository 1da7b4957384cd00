"""The cage's verbs. Those of a round return the moves that the table commits with the round;
`deposit`, `withdraw` and `set_limit` are acts of the cage itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, TypeVar
from uuid import UUID, uuid5

from django.db import transaction

from audit import services as audit
from audit.errors import StaleReadError
from audit.events import Event
from casino.players import admission
from casino.players import queries as players
from wallets import ledger, limits, queries
from wallets.errors import (
    AmountAboveMaximumError,
    AmountBelowMinimumError,
    AmountNotWholeError,
    CurrencyMismatchError,
    InsufficientFundsError,
    TransferConflictError,
)
from wallets.ledger import Kind, Wallet
from wallets.ledger import Move as Move
from wallets.models import Transfer
from wallets.money import AMOUNT_MINOR_MAX

LOOSER_AFTER = timedelta(hours=24)

Answer = TypeVar("Answer")


# --- The verbs of a round -----------------------------------------------------------------------


def take_wager(
    wallet: Wallet,
    allowance: list[dict[str, Any]] | None,
    *,
    round_id: UUID,
    wager_index: int,
    amount_minor: int,
    actor: str,
) -> Move:
    """Take the wager of a deal, a double or a split from cash, at that moment (WAL-02).

    Errors: InsufficientFundsError, LimitReachedError (LIM-10).
    """
    require_funds(wallet, amount_minor)
    limits.require_within(allowance, kinds=("wager", "loss"), amount_minor=amount_minor)
    return _round_move(round_id, f"wager:{wager_index}", "cash", "escrow", amount_minor, actor)


def pay(*, round_id: UUID, wagered_minor: int, payout_minor: int, actor: str) -> list[Move]:
    """Settle a round: its wagers go to the house, its payout to the player's cash."""
    return _settlement(round_id, wagered_minor, actor) + _some(
        round_id, "payout", "house", "cash", payout_minor, actor
    )


def hold(*, round_id: UUID, wagered_minor: int, payout_minor: int, actor: str) -> list[Move]:
    """Settle a round whose payout waits for somebody's word: it goes to the held account."""
    return _settlement(round_id, wagered_minor, actor) + _some(
        round_id, "hold", "house", "held", payout_minor, actor
    )


def release(*, round_id: UUID, payout_minor: int, actor: str) -> list[Move]:
    """Pay out what was held."""
    return _some(round_id, "release", "held", "cash", payout_minor, actor)


def refund(*, round_id: UUID, wagered_minor: int, was_settled: bool, actor: str) -> list[Move]:
    """Give every wager of a voided round back, from escrow or from the house (MAL-02)."""
    source: Kind = "house" if was_settled else "escrow"
    return _some(round_id, "refund", source, "cash", wagered_minor, actor)


def reverse(
    *, round_id: UUID, payout_minor: int, was_held: bool, cash_minor: int, actor: str
) -> list[Move]:
    """Take a voided round's payout back; what the cash does not cover becomes a receivable.

    `cash_minor` is the balance once the refund has arrived.
    """
    if was_held:
        return _some(round_id, "reversal", "held", "house", payout_minor, actor)
    taken_minor = min(payout_minor, cash_minor)
    return _some(round_id, "reversal", "cash", "house", taken_minor, actor) + _some(
        round_id, "reversal", "receivable", "house", payout_minor - taken_minor, actor
    )


def require_funds(wallet: Wallet, amount_minor: int) -> None:
    """Refuse what the cash does not cover. Errors: InsufficientFundsError."""
    if wallet.balance_minor < amount_minor:
        raise InsufficientFundsError(
            needed_minor=amount_minor,
            balance_minor=wallet.balance_minor,
            currency=wallet.currency,
        )


def after(wallet: Wallet, moves: list[Move]) -> int:
    """Return the cash that a wallet will hold when these moves are made, minor units."""
    return wallet.balance_minor + sum(move.cash_minor for move in moves)


def postings(wallet: Wallet, moves: list[Move]) -> list[dict[str, Any]]:
    """Return moves as the commit functions take them."""
    return [ledger.posting(wallet, move) for move in moves]


def retrying(attempt: Callable[[], Answer], *, player_of: Callable[[], UUID | None]) -> Answer:
    """Try an act that reads, decides and commits; if somebody was faster, again under the lock.

    The first try takes no lock before it commits, so nobody waits for anybody's thinking. Who
    lost a race holds the wallet while he reads again: the second try is the last one.
    """
    try:
        return attempt()
    except StaleReadError:
        player_id = player_of()
        if player_id is None:
            raise
    with transaction.atomic(durable=True):
        queries.lock_wallet(player_id)
        return attempt()


def _settlement(round_id: UUID, wagered_minor: int, actor: str) -> list[Move]:
    return [_round_move(round_id, "settlement", "escrow", "house", wagered_minor, actor)]


def _some(
    round_id: UUID, mark: str, debit: Kind, credit: Kind, amount_minor: int, actor: str
) -> list[Move]:
    if not amount_minor:
        return []
    name = f"{mark}:{debit}" if mark == "reversal" else mark
    return [_round_move(round_id, name, debit, credit, amount_minor, actor)]


def _round_move(
    round_id: UUID, name: str, debit: Kind, credit: Kind, amount_minor: int, actor: str
) -> Move:
    return Move(
        id=uuid5(round_id, name),
        code=name.partition(":")[0],
        debit=debit,
        credit=credit,
        amount_minor=amount_minor,
        actor=actor,
        round_id=round_id,
    )


# --- Acts of the cage ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Banking:
    """What an operator's cashier asks for; `reference` is his own name of the payment."""

    player_id: UUID
    amount_minor: Any
    currency: str
    reference: str
    request_key: str | None = None


def deposit(actor: str, *, banking: Banking) -> dict[str, Any]:
    """Credit a player with what the cashier took in, once per reference (F05).

    A retry with the same reference, or the same request key, returns the same transfer.
    Errors: AmountError, CurrencyMismatchError, TransferConflictError, PlayerNotFoundError,
    SelfExcludedError, CoolingOffError (EXC-01), LimitReachedError.
    """
    return _bank(_move(actor, "deposit", "cashier", "cash", banking), banking)


def withdraw(actor: str, *, banking: Banking) -> dict[str, Any]:
    """Debit a player with what the cashier paid out; open to the excluded too (EXC-02).

    As `deposit`, but for exclusions and limits. Errors: also InsufficientFundsError.
    """
    return _bank(_move(actor, "withdrawal", "cash", "cashier", banking), banking)


def _move(actor: str, code: str, debit: Kind, credit: Kind, banking: Banking) -> Move:
    _require_amount(banking.amount_minor)
    return Move(
        id=uuid5(banking.player_id, f"{code}:{banking.reference}"),
        code=code,
        debit=debit,
        credit=credit,
        amount_minor=banking.amount_minor,
        actor=actor,
        reference=banking.reference,
        request_key=banking.request_key,
    )


def _bank(move: Move, banking: Banking) -> dict[str, Any]:
    player_id = banking.player_id
    return retrying(
        lambda: _bank_once(move, player_id, banking.currency), player_of=lambda: player_id
    )


def _bank_once(move: Move, player_id: UUID, currency: str) -> dict[str, Any]:
    player = players.standing(player_id)
    if currency != player.currency:
        raise CurrencyMismatchError(currency=currency, expected=player.currency)
    # The wallet first: what another commits between the two is then found, or makes this stale.
    seen = queries.read_wallet(player_id, player.currency)
    if made := queries.find_transfer(player_id, move.id, move.request_key):
        return queries.line(_require_same(made, move))
    if move.code == "deposit":
        admission.require_not_excluded(player)
        limits.require_within(seen.limits, kinds=("deposit",), amount_minor=move.amount_minor)
        _require_room(seen.wallet, move.amount_minor)
    else:
        require_funds(seen.wallet, move.amount_minor)
    _commit(seen, move)
    made = queries.find_transfer(player_id, move.id, None)
    assert made is not None  # noqa: S101  it was committed above, and nothing is deleted
    return queries.line(made)


def _commit(seen: queries.Seen, move: Move) -> None:
    wallet = seen.wallet
    event = Event.MONEY_DEPOSITED if move.code == "deposit" else Event.MONEY_WITHDRAWN
    entry = audit.entry(
        event,
        subject=f"transfer:{move.id}",
        actor=move.actor,
        at=seen.at,
        player_id=wallet.player_id,
        payload={
            "amount_minor": move.amount_minor,
            "currency": wallet.currency,
            "reference": move.reference,
            "request_key": move.request_key,
            "before": {"balance_minor": wallet.balance_minor, "version": wallet.version},
            "after": {"balance_minor": after(wallet, [move]), "version": wallet.version + 1},
        },
    )
    act = {
        "player_id": str(wallet.player_id),
        "version": wallet.version,
        "limit_count": wallet.limit_count,
        "at": seen.at.isoformat(),
        "code": move.code,
        "open": [] if wallet.version else ledger.opening(wallet.player_id, wallet.currency),
        "transfers": postings(wallet, [move]),
        "entry": entry,
    }
    audit.commit("wallet_commit", act)


def _require_amount(amount_minor: Any) -> None:
    if type(amount_minor) is not int:
        raise AmountNotWholeError(amount=str(amount_minor)[:40])
    if amount_minor < 1:
        raise AmountBelowMinimumError(minimum_minor=1)
    if amount_minor > AMOUNT_MINOR_MAX:
        raise AmountAboveMaximumError(maximum_minor=AMOUNT_MINOR_MAX)


def _require_room(wallet: Wallet, amount_minor: int) -> None:
    room_minor = AMOUNT_MINOR_MAX // 2 - wallet.balance_minor
    if amount_minor > room_minor:
        raise AmountAboveMaximumError(maximum_minor=max(room_minor, 0))


def _require_same(made: Transfer, move: Move) -> Transfer:
    """Return the transfer if it is the one that is asked for. Errors: TransferConflictError."""
    then = (made.id, made.code, made.amount_minor, made.reference)
    if then != (move.id, move.code, move.amount_minor, move.reference):
        raise TransferConflictError(transfer_id=str(made.id))
    if move.request_key is not None and made.request_key not in {None, move.request_key}:
        raise TransferConflictError(transfer_id=str(made.id))
    return made


# --- Limits -------------------------------------------------------------------------------------

LIMIT_KINDS, LIMIT_PERIODS, LIMIT_SETTERS = limits.KINDS, limits.PERIODS, limits.SETTERS
"""What a limit may be of, over which time, and whose; for the rooms above."""


def set_limit(
    actor: str,
    *,
    player_id: UUID,
    kind: str,
    period: str,
    amount_minor: int | None,
    set_by: Literal["player", "operator"],
) -> dict[str, Any]:
    """Set what a player may deposit, wager or lose in a period; None lifts the limit.

    A tighter limit is in force at once, a looser one of the player's own after 24 hours (LIM-03).
    """
    player = players.standing(player_id)
    if amount_minor is not None and amount_minor != 0:
        _require_amount(amount_minor)
    with transaction.atomic(durable=True):
        queries.lock_wallet(player_id)  # of two at once, one comes after the other
        seen = queries.read_wallet(player_id, player.currency)
        before = _limit_now(seen.limits, kind, period, set_by)
        must_wait = set_by == "player" and _is_looser(before, amount_minor)
        effective_at = seen.at + (LOOSER_AFTER if must_wait else timedelta())
        named = {"kind": kind, "period": period, "set_by": set_by}
        told = {"amount_minor": amount_minor, "effective_at": _iso(effective_at)}
        row = {"id": audit.new_id(seen.at), "player_id": player_id, "at": seen.at}
        entry = audit.entry(
            Event.LIMIT_SET,
            subject=f"player:{player_id}",
            actor=actor,
            at=seen.at,
            player_id=player_id,
            payload={**named, "before": {"amount_minor": before}, "after": told},
        )
        limit = {**named, **told, "currency": player.currency}
        opening = ledger.opening(player_id, player.currency)
        act = {"open": opening, "limit": {**row, **limit}, "entry": entry}
        audit.commit("wallet_set_limit", act)
    return limit


def _limit_now(
    allowance: list[dict[str, Any]] | None, kind: str, period: str, set_by: str
) -> int | None:
    for limit in allowance or ():
        if (limit["kind"], limit["period"], limit["set_by"]) == (kind, period, set_by):
            return int(limit["amount_minor"])
    return None


def _is_looser(before: int | None, amount_minor: int | None) -> bool:
    return before is not None and (amount_minor is None or amount_minor > before)


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="microseconds")
