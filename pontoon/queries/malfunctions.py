"""Suspensions and malfunctions: what stands, what one touched, and how far the work is."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from casino.days import format_time
from pontoon.errors import MalfunctionNotFoundError, SuspensionNotFoundError
from pontoon.lifecycle import FAULT_OVER
from pontoon.models import Malfunction, MalfunctionAct, MalfunctionRound, Round, Suspension
from pontoon.queries.voids import progress


def suspension(suspension_id: UUID) -> Suspension:
    """Return a suspension. Errors: SuspensionNotFoundError."""
    found = Suspension.objects.filter(id=suspension_id).first()
    if found is None:
        raise SuspensionNotFoundError
    return found


def suspensions(*, is_standing: bool | None = None) -> QuerySet[Suspension]:
    """Return suspensions, newest first: all, those that stand, or those that were lifted."""
    rows = Suspension.objects.order_by("-id")
    return rows if is_standing is None else rows.filter(lifted_at__isnull=is_standing)


def malfunction(malfunction_id: UUID) -> Malfunction:
    """Return a malfunction. Errors: MalfunctionNotFoundError."""
    found = Malfunction.objects.filter(id=malfunction_id).first()
    if found is None:
        raise MalfunctionNotFoundError
    return found


def malfunctions() -> QuerySet[Malfunction]:
    """Return malfunctions, newest first."""
    return Malfunction.objects.order_by("-id")


def known_malfunction(id_: UUID, fault_key: str | None) -> Malfunction | None:
    """Return the malfunction with this id, or the one that stands under this key, if there is."""
    same = Q(id=id_)
    if fault_key is not None:
        same |= Q(fault_key=fault_key) & ~Q(state__in=[state.value for state in FAULT_OVER])
    return Malfunction.objects.filter(same).first()


def acts_of(malfunction_id: UUID) -> QuerySet[MalfunctionAct]:
    """Return what was done about a malfunction, in order."""
    return MalfunctionAct.objects.filter(malfunction_id=malfunction_id).order_by("number")


def last_count(malfunction_id: UUID) -> dict[str, Any]:
    """Return what the last count of a malfunction's rounds came to; empty before the first."""
    act = acts_of(malfunction_id).filter(state="counted").last()
    return dict(act.facts) if act else {}


def is_outdated(malfunction_id: UUID) -> bool:
    """Say whether a round came into a malfunction's scope that is not on its list."""
    with transaction.atomic(), connection.cursor() as cursor:
        # Unlike a bet, this compares long lists. What is set for it ends with the block.
        cursor.execute("SET LOCAL enable_nestloop = off")
        cursor.execute("SET LOCAL enable_seqscan = on")
        cursor.execute("SELECT pontoon_is_outdated(%s)", [malfunction_id])
        found = bool(cursor.fetchone()[0])
        transaction.set_rollback(True)
    return found


def player_of_scope(scope: Mapping[str, Any]) -> str | None:
    """Return the player whom alone a scope can cover, if there is only one."""
    if "player" in scope or "round" not in scope:
        return scope.get("player")
    player_id = Round.objects.filter(id=scope["round"]).values_list("player_id", flat=True).first()
    return str(player_id) if player_id else None


# --- As JSON ------------------------------------------------------------------------------------


def show_suspension(row: Suspension) -> dict[str, Any]:
    """Return a suspension as an operator sees it."""
    return {
        "suspension_id": str(row.id),
        "scope": row.scope,
        "reason": row.reason,
        "malfunction_id": row.malfunction_id and str(row.malfunction_id),
        "raised_by": row.raised_by,
        "raised_at": format_time(row.raised_at),
        "lifted_by": row.lifted_by,
        "lifted_at": row.lifted_at and format_time(row.lifted_at),
        "lift_reason": row.lift_reason,
    }


def show_malfunction(row: Malfunction) -> dict[str, Any]:
    """Return a malfunction as an operator sees it, without what it takes a count to know."""
    return {
        "malfunction_id": str(row.id),
        "state": row.state,
        "scope": row.scope,
        "cause": row.cause,
        "evidence": row.evidence,
        "raised_by": row.raised_by,
        "raised_at": format_time(row.raised_at),
        "state_at": format_time(row.state_at),
    }


def show_whole_malfunction(row: Malfunction) -> dict[str, Any]:
    """Return a malfunction with its dry run, how far the void is, and what was done about it."""
    listed, done = progress(row.id)
    acts = [
        {"state": act.state, "actor": act.actor, "at": format_time(act.at), "facts": act.facts}
        for act in acts_of(row.id)
    ]
    return show_malfunction(row) | {
        "count": last_count(row.id) or None,
        "progress": {"listed": listed, "voided": done},
        "acts": acts,
    }


def rounds_listed(malfunction_id: UUID) -> QuerySet[MalfunctionRound]:
    """Return the rounds of a malfunction's list."""
    return MalfunctionRound.objects.filter(malfunction_id=malfunction_id)


def states_now(rows: Iterable[MalfunctionRound]) -> dict[tuple[UUID, UUID], str]:
    """Return the state that rounds of a list have now, by player and round."""
    keys = [(row.player_id, row.round_id) for row in rows]
    found = Round.objects.filter(
        player_id__in={player for player, _ in keys}, id__in=[round_ for _, round_ in keys]
    )
    return {(row.player_id, row.id): row.state for row in found.only("player_id", "id", "state")}


def malfunctions_of_round(player_id: UUID, round_id: UUID) -> QuerySet[Malfunction]:
    """Return the malfunctions on whose list a round is, newest first."""
    # The slice is written as the list writes it (sql/suspension.sql), so that its key finds it.
    return malfunctions().extra(
        where=[
            "EXISTS (SELECT FROM pontoon_malfunctionround w"
            " WHERE w.malfunction_id = pontoon_malfunction.id"
            " AND w.slice = hashtextextended(%s::text, 0) & 63"
            " AND w.player_id = %s AND w.round_id = %s)"
        ],
        params=[str(player_id), player_id, round_id],
    )


def show_listed(row: MalfunctionRound) -> dict[str, Any]:
    """Return a round of a list: as it was when it was counted, and what its void moves."""
    is_settled = row.state == "settled"
    return {
        "round_id": str(row.round_id),
        "player_id": str(row.player_id),
        "state": row.state,
        "currency": row.currency,
        "to_give_minor": row.wagered_minor,
        "to_take_minor": row.payout_minor if is_settled else 0,
        "held_minor": row.payout_minor if row.state == "held" else 0,
    }
