"""Stopping play, and letting it go on: the kill switch (INT-06), and what a malfunction suspends.

A suspension is committed alone: no deal and no settlement that was decided before it is committed
after it (sql/suspension.sql).
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from audit import services as audit
from audit.events import Event
from casino.reasons import require_reason
from casino.staff.errors import AlreadyDecidedError
from pontoon import queries
from pontoon.errors import RequestConflictError
from pontoon.lifecycle import FAULT_OVER
from pontoon.models import Suspension
from pontoon.queries.scopes import Scope


def suspend(
    actor: str, *, scope: Mapping[str, Any], reason: str, request_key: str | None = None
) -> Suspension:
    """Stop play in a scope: nothing of it is dealt, open rounds go on and are paid (INT-06).

    The same request key again is the same suspension. Errors: InvalidError,
    RequestConflictError.
    """
    checked, why = queries.require_scope(scope), require_reason(reason)
    with transaction.atomic():
        at = audit.now()
        id_ = audit.id_of(actor, what="suspension", key=request_key, at=at)
        if made := Suspension.objects.filter(id=id_).first():
            return _require_same(made, checked, why)
        row = suspension_row(id_, checked, reason=why, actor=actor, at=at)
        entry = audit.entry(
            Event.SUSPENSION_RAISED,
            subject=f"suspension:{id_}",
            actor=actor,
            at=at,
            payload={"scope": checked, "reason": why, "before": None, "after": "standing"},
        )
        audit.commit("pontoon_suspend", {"suspension": row, "entry": entry})
    return queries.suspension(id_)


def lift(actor: str, *, suspension_id: UUID, reason: str) -> Suspension:
    """Let a stopped scope go on. What a malfunction suspends waits until that is over.

    Errors: SuspensionNotFoundError, AlreadyDecidedError, InvalidError.
    """
    why = require_reason(reason)
    with transaction.atomic(durable=True):
        seen, at = queries.suspension(suspension_id), audit.now()
        if seen.lifted_at is not None:
            raise AlreadyDecidedError(state="lifted")
        if seen.malfunction_id is not None:
            malfunction = queries.malfunction(seen.malfunction_id)
            if malfunction.state not in FAULT_OVER:
                raise AlreadyDecidedError(state=malfunction.state)
        entry = audit.entry(
            Event.SUSPENSION_LIFTED,
            subject=f"suspension:{seen.id}",
            actor=actor,
            at=at,
            payload={
                "scope": seen.scope,
                "raised_by": seen.raised_by,
                "authorised_by": actor,
                "reason": why,
                "before": "standing",
                "after": "lifted",
            },
        )
        lifting = lift_row(seen.id, reason=why, actor=actor, at=at)
        audit.commit("pontoon_lift", {"lift": lifting, "entry": entry})
    return queries.suspension(suspension_id)


def suspension_row(
    id_: UUID, scope: Scope, *, reason: str, actor: str, at: datetime
) -> dict[str, Any]:
    """Return a suspension as `pontoon_suspend` takes it."""
    return {
        "id": str(id_),
        "scope": scope,
        "player_id": queries.player_of_scope(scope),
        "reason": reason,
        "raised_by": actor,
        "raised_at": at.isoformat(),
    }


def lift_row(suspension_id: UUID, *, reason: str, actor: str, at: datetime) -> dict[str, Any]:
    """Return the end of a suspension as the commit functions take it."""
    return {
        "id": str(suspension_id),
        "lifted_by": actor,
        "lifted_at": at.isoformat(),
        "lift_reason": reason,
    }


def _require_same(made: Suspension, scope: Scope, reason: str) -> Suspension:
    if (made.scope, made.reason) != (scope, reason):
        raise RequestConflictError(suspension_id=str(made.id))
    return made
