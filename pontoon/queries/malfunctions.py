"""Suspensions and malfunctions: what stands, what one touched, and how far the work is."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet

from pontoon.errors import MalfunctionNotFoundError, SuspensionNotFoundError
from pontoon.lifecycle import FAULT_OVER
from pontoon.models import Malfunction, MalfunctionAct, Round, Suspension


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
    with connection.cursor() as cursor:
        cursor.execute("SELECT pontoon_is_outdated(%s)", [malfunction_id])
        return bool(cursor.fetchone()[0])


def player_of_scope(scope: Mapping[str, Any]) -> str | None:
    """Return the player whom alone a scope can cover, if there is only one."""
    if "player" in scope or "round" not in scope:
        return scope.get("player")
    player_id = Round.objects.filter(id=scope["round"]).values_list("player_id", flat=True).first()
    return str(player_id) if player_id else None
