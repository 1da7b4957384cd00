"""Deposits and withdrawals: what an operator's cashier took in and paid out."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from audit import services as audit
from audit.events import Event
from casino.players import admission
from casino.players import queries as players
from wallets import ledger, limits, queries
from wallets.errors import CurrencyMismatchError, TransferConflictError
from wallets.ledger import Kind, Move
from wallets.models import Transfer
from wallets.services.amounts import require_amount, require_room
from wallets.services.moves import after, postings, require_funds, retrying


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
    require_amount(banking.amount_minor)
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
        require_room(seen.wallet, move.amount_minor)
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


def _require_same(made: Transfer, move: Move) -> Transfer:
    """Return the transfer if it is the one that is asked for. Errors: TransferConflictError."""
    then = (made.id, made.code, made.amount_minor, made.reference)
    if then != (move.id, move.code, move.amount_minor, move.reference):
        raise TransferConflictError(transfer_id=str(made.id))
    if move.request_key is not None and made.request_key not in {None, move.request_key}:
        raise TransferConflictError(transfer_id=str(made.id))
    return made
