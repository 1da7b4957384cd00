"""Setting a limit."""

from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

from django.db import transaction

from audit import services as audit
from audit.events import Event
from casino.days import format_time
from casino.players import queries as players
from wallets import ledger, queries
from wallets.services.amounts import require_amount

LOOSER_AFTER = timedelta(hours=24)


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
        require_amount(amount_minor)
    with transaction.atomic(durable=True):
        queries.lock_wallet(player_id)  # of two at once, one comes after the other
        seen = queries.read_wallet(player_id, player.currency)
        before = _limit_now(seen.limits, kind, period, set_by)
        must_wait = set_by == "player" and _is_looser(before, amount_minor)
        effective_at = seen.at + (LOOSER_AFTER if must_wait else timedelta())
        named = {"kind": kind, "period": period, "set_by": set_by}
        told = {"amount_minor": amount_minor, "effective_at": format_time(effective_at)}
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
