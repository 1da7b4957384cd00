"""The verbs of a round: each returns the moves that the table commits with the round."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar
from uuid import UUID, uuid5

from django.db import transaction

from audit.errors import StaleReadError
from wallets import ledger, limits, queries
from wallets.errors import InsufficientFundsError
from wallets.ledger import Kind, Move, Wallet

Answer = TypeVar("Answer")


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


def moved_on(wallet: Wallet, moves: list[Move]) -> Wallet:
    """Return a wallet as it is once these moves are made."""
    return replace(wallet, balance_minor=after(wallet, moves), version=wallet.version + len(moves))


def postings(wallet: Wallet, moves: list[Move]) -> list[dict[str, Any]]:
    """Return moves as the commit functions take them."""
    return [ledger.posting(wallet, move) for move in moves]


def retrying(
    attempt: Callable[[], Answer],
    *,
    player_of: Callable[[], UUID | None],
    hold: Callable[[], None] = lambda: None,
) -> Answer:
    """Try an act that reads, decides and commits; if somebody was faster, again under the lock.

    `hold` keeps what else the act is decided on, beside the wallet.

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
        hold()
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
