"""Corrections by hand (WAL-09): one person of the staff asks, with a reason; another decides."""

from dataclasses import dataclass, replace
from typing import Any, Literal
from uuid import UUID, uuid5

from django.db import IntegrityError
from psycopg.errors import UniqueViolation

from audit import services as audit
from audit.errors import StaleReadError
from audit.events import Event
from casino.players import queries as players
from casino.reasons import require_reason
from casino.staff.errors import AlreadyDecidedError
from casino.staff.roles import require_other
from wallets import queries
from wallets.errors import AmountAboveMaximumError
from wallets.ledger import Kind, Move
from wallets.models import Adjusting
from wallets.services.amounts import require_amount, require_room
from wallets.services.moves import after, postings, require_funds, retrying

ACCOUNTS: dict[str, tuple[Kind, Kind]] = {
    "credit": ("house", "cash"),
    "debit": ("cash", "house"),
    "settle": ("cash", "receivable"),
    "write_off": ("house", "receivable"),
}
"""From where to where each kind moves money. What a player owes is settled from his cash, or the
house writes it off.
"""


@dataclass(frozen=True, slots=True)
class Correction:
    """What somebody asks for; `key` is his own name for the act, `round_id` what it corrects."""

    player_id: UUID
    kind: Literal["credit", "debit", "settle", "write_off"]
    amount_minor: int
    reason: str
    key: str
    round_id: UUID | None = None


def raise_adjustment(actor: str, *, correction: Correction) -> UUID:
    """Ask for an adjustment, which moves nothing yet; return its id, the same for the same key.

    Errors: AmountError, InvalidError, InsufficientFundsError, PlayerNotFoundError.
    """
    why = require_reason(correction.reason)
    require_amount(correction.amount_minor)
    player = players.standing(correction.player_id)
    adjustment_id = uuid5(correction.player_id, f"adjustment:{actor}:{correction.key}")
    retrying(
        lambda: _raise_once(actor, adjustment_id, replace(correction, reason=why), player.currency),
        player_of=lambda: correction.player_id,
    )
    return adjustment_id


def _raise_once(actor: str, adjustment_id: UUID, correction: Correction, currency: str) -> None:
    if queries.find_adjustment(adjustment_id):
        return
    seen = queries.read_wallet(correction.player_id, currency)
    _require_possible(seen, correction.kind, correction.amount_minor)
    row = {
        "player_id": correction.player_id,
        "id": adjustment_id,
        "kind": correction.kind,
        "amount_minor": correction.amount_minor,
        "currency": currency,
        "reason": correction.reason,
        "round_id": correction.round_id,
        "raised_by": actor,
        "raised_at": seen.at,
    }
    told = {name: row[name] for name in ("kind", "amount_minor", "currency", "round_id")}
    entry = audit.entry(
        Event.ADJUSTMENT_RAISED,
        subject=f"adjustment:{adjustment_id}",
        actor=actor,
        at=seen.at,
        player_id=correction.player_id,
        payload={
            "reason": correction.reason,
            "currency": currency,
            "before": None,
            "after": _plain(told),
        },
    )
    _commit("wallet_raise_adjustment", {"adjustment": row, "entry": entry})


def approve_adjustment(actor: str, *, adjustment_id: UUID, reason: str) -> None:
    """Let an adjustment be made, once, as another person than who asked for it.

    Errors: AdjustmentNotFoundError, SamePersonError, AlreadyDecidedError,
    InsufficientFundsError, AmountAboveMaximumError, InvalidError without a reason.
    """
    _decide("approved", actor, adjustment_id, reason)


def decline_adjustment(actor: str, *, adjustment_id: UUID, reason: str) -> None:
    """Say that an adjustment is not made. Errors: as `approve_adjustment`."""
    _decide("declined", actor, adjustment_id, reason)


def _decide(
    verdict: Literal["approved", "declined"], actor: str, adjustment_id: UUID, reason: str
) -> None:
    why, player_id = require_reason(reason), queries.adjustment(adjustment_id).player_id
    retrying(lambda: _decide_once(verdict, actor, adjustment_id, why), player_of=lambda: player_id)


def _decide_once(
    verdict: Literal["approved", "declined"], actor: str, adjustment_id: UUID, reason: str
) -> None:
    asked = queries.adjustment(adjustment_id)
    seen = queries.read_wallet(asked.player_id, asked.currency)
    asked = _require_undecided(queries.adjustment(adjustment_id), actor)
    moves: list[Move] = []
    if verdict == "approved":
        _require_possible(seen, asked.kind, asked.amount_minor)
        moves = [_move(actor, asked)]
    wallet = seen.wallet
    decision = {
        "player_id": asked.player_id,
        "adjustment_id": asked.id,
        "verdict": verdict,
        "decided_by": actor,
        "reason": reason,
        "decided_at": seen.at,
    }
    act = {
        "decision": decision,
        "version": wallet.version,
        "limit_count": wallet.limit_count,
        "transfers": postings(wallet, moves),
        "entry": _entry(actor, asked, decision, seen, moves),
    }
    _commit("wallet_decide_adjustment", act)


def _commit(function: str, act: dict[str, Any]) -> None:
    """Commit; somebody may have asked or decided by the same name since it was looked for."""
    try:
        audit.commit(function, act)
    except IntegrityError as error:
        cause = error.__cause__
        if isinstance(cause, UniqueViolation) and cause.diag.table_name in _ASKED_OR_DECIDED:
            raise StaleReadError from error
        raise


_ASKED_OR_DECIDED = {"wallets_adjustment", "wallets_adjustmentdecision"}


def _require_undecided(asked: Adjusting, actor: str) -> Adjusting:
    require_other(actor, asked.raised_by)
    if asked.state != "raised":
        raise AlreadyDecidedError(state=asked.state)
    return asked


def _require_possible(seen: queries.Seen, kind: str, amount_minor: int) -> None:
    """Refuse what would leave an account below zero, or a debt above it."""
    debit, credit = ACCOUNTS[kind]
    if debit == "cash":
        require_funds(seen.wallet, amount_minor)
    if credit == "cash":
        require_room(seen.wallet, amount_minor)
    if credit == "receivable":
        owed_minor = -queries.balances(seen.wallet.player_id).get("receivable", 0)
        if amount_minor > owed_minor:
            raise AmountAboveMaximumError(maximum_minor=owed_minor)


def _move(actor: str, asked: Adjusting) -> Move:
    debit, credit = ACCOUNTS[asked.kind]
    return Move(
        id=uuid5(asked.id, "adjustment"),
        code="adjustment",
        debit=debit,
        credit=credit,
        amount_minor=asked.amount_minor,
        actor=actor,
        reference=str(asked.id),
    )


def _entry(
    actor: str,
    asked: Adjusting,
    decision: dict[str, Any],
    seen: queries.Seen,
    moves: list[Move],
) -> dict[str, Any]:
    is_approved = decision["verdict"] == "approved"
    before = {"state": "raised", "balance_minor": seen.wallet.balance_minor}
    balance_minor = after(seen.wallet, moves)
    return audit.entry(
        Event.ADJUSTMENT_APPROVED if is_approved else Event.ADJUSTMENT_DECLINED,
        subject=f"adjustment:{asked.id}",
        actor=actor,
        at=seen.at,
        player_id=asked.player_id,
        payload={
            "raised_by": asked.raised_by,
            "authorised_by": actor,
            "reason": decision["reason"],
            "kind": asked.kind,
            "amount_minor": asked.amount_minor,
            "currency": asked.currency,
            "round_id": asked.round_id and str(asked.round_id),
            "transfers": [str(move.id) for move in moves],
            "before": before,
            "after": {"state": decision["verdict"], "balance_minor": balance_minor},
        },
    )


def _plain(told: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value if value is None or isinstance(value, int) else str(value)
        for name, value in told.items()
    }
