"""Malfunctions: flagged, counted, decided on by another person; `voiding` does what was approved.

A flag suspends its scope and holds payments; by itself it takes nothing away (MAL-01).
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
from casino.staff.roles import require_other
from pontoon import queries
from pontoon.errors import CountOutdatedError, RequestConflictError
from pontoon.lifecycle import DECIDED, FAULT_TRANSITIONS, FaultState
from pontoon.models import Malfunction, Suspension
from pontoon.services.holding import hold_win
from pontoon.services.suspensions import lift_row, suspension_row
from wallets import queries as wallets


def flag_malfunction(
    actor: str,
    *,
    scope: Mapping[str, Any],
    cause: str,
    evidence: Mapping[str, Any],
    request_key: str | None = None,
    fault_key: str | None = None,
) -> Malfunction:
    """Flag a malfunction: its scope is suspended at once, and what it covers is paid no more.

    The same request key again is the same malfunction. A `fault_key` is the service's own name of
    a fault: while one stands, it is flagged once. May be part of a larger transaction; then it
    comes last, since all deals wait for its end. Errors: InvalidError, RequestConflictError.
    """
    checked, why = queries.require_scope(scope), require_reason(cause, member="cause")
    with transaction.atomic():
        win = _win_of(checked)
        at = audit.now()
        id_ = audit.id_of(actor, what="malfunction", key=request_key, at=at)
        if made := queries.known_malfunction(id_, fault_key):
            return made if fault_key else _require_same(made, checked, why)
        row = {
            "id": str(id_),
            "scope": checked,
            "cause": why,
            "evidence": dict(evidence),
            "fault_key": fault_key,
            "raised_by": actor,
            "raised_at": at.isoformat(),
        }
        audit.commit("pontoon_suspend", _flagging(row, audit.new_id(at), at))
        if win:
            hold_win(actor, player_id=win, round_id=UUID(checked["round"]), malfunction_id=id_)
        audit.wake("pontoon.tasks.count_malfunctions")
    return queries.malfunction(id_)


def _win_of(scope: Mapping[str, Any]) -> UUID | None:
    """Return whose large win a scope names, if it names one that waits; his wallet comes first."""
    player_id = queries.player_of_scope(scope) if "round" in scope else None
    if player_id is None:
        return None
    wallets.lock_wallet(UUID(player_id))
    return UUID(player_id)


def _flagging(row: dict[str, Any], suspension_id: UUID, at: datetime) -> dict[str, Any]:
    """Return the act of a flag: the malfunction, the suspension that it raises, and the entry."""
    stop = suspension_row(
        suspension_id, row["scope"], reason=row["cause"], actor=row["raised_by"], at=at
    )
    told = {name: row[name] for name in ("scope", "cause", "evidence", "fault_key")}
    entry = audit.entry(
        Event.MALFUNCTION_RAISED,
        subject=f"malfunction:{row['id']}",
        actor=row["raised_by"],
        at=at,
        payload=told
        | {"suspension_id": stop["id"], "before": None, "after": FaultState.RAISED.value},
    )
    return {
        "suspension": stop | {"malfunction_id": row["id"]},
        "malfunction": row,
        "entry": entry,
    }


def _require_same(made: Malfunction, scope: Mapping[str, Any], cause: str) -> Malfunction:
    if (made.scope, made.cause) != (scope, cause):
        raise RequestConflictError(malfunction_id=str(made.id))
    return made


def approve_void(actor: str, *, malfunction_id: UUID, list_hash: str, reason: str) -> Malfunction:
    """Have the rounds of a list voided: the list that was shown, by its hash. Players are told why.

    Errors: MalfunctionNotFoundError, AlreadyDecidedError, SamePersonError, CountOutdatedError,
    InvalidError.
    """
    told = require_reason(reason)
    with transaction.atomic(durable=True):
        seen = _read(malfunction_id, FaultState.COUNTED)
        counted = queries.last_count(seen.id)
        if counted["list_hash"] != list_hash or queries.is_outdated(seen.id):
            raise CountOutdatedError(malfunction_id=str(seen.id))
        move_on(actor, seen, FaultState.APPROVED, {"list_hash": list_hash, "reason": told})
        audit.wake("pontoon.tasks.void_malfunctions")
    return queries.malfunction(malfunction_id)


def recount(actor: str, *, malfunction_id: UUID) -> Malfunction:
    """Have the list reckoned again: rounds came into the scope since.

    Errors: MalfunctionNotFoundError, AlreadyDecidedError.
    """
    with transaction.atomic(durable=True):
        seen = _read(malfunction_id, FaultState.COUNTED)
        move_on(actor, seen, FaultState.RAISED, {})
        audit.wake("pontoon.tasks.count_malfunctions")
    return queries.malfunction(malfunction_id)


def refuse_void(actor: str, *, malfunction_id: UUID, reason: str) -> Malfunction:
    """Refuse that anything is voided: what was held is let go, or waits for what it waited before.

    Errors: MalfunctionNotFoundError, AlreadyDecidedError, SamePersonError, InvalidError.
    """
    return _let_go(actor, malfunction_id, FaultState.REFUSED, reason)


def clear_malfunction(actor: str, *, malfunction_id: UUID, reason: str) -> Malfunction:
    """Clear a flag whose cause was disproved or mended without harm: play and payments go on.

    Errors: MalfunctionNotFoundError, AlreadyDecidedError, SamePersonError, InvalidError.
    """
    return _let_go(actor, malfunction_id, FaultState.CLEARED, reason)


def _let_go(actor: str, malfunction_id: UUID, to: FaultState, reason: str) -> Malfunction:
    told = require_reason(reason)
    with transaction.atomic(durable=True):
        seen = _read(malfunction_id, FaultState.RAISED, FaultState.COUNTED)
        move_on(actor, seen, to, {"reason": told}, lift_because=told)
        audit.wake("pontoon.tasks.let_payouts_go")
    return queries.malfunction(malfunction_id)


def _read(malfunction_id: UUID, *states: FaultState) -> Malfunction:
    seen = queries.malfunction(malfunction_id)
    if seen.state not in states:
        raise AlreadyDecidedError(state=seen.state)
    return seen


def move_on(
    actor: str,
    seen: Malfunction,
    to: FaultState,
    facts: Mapping[str, Any],
    lift_because: str | None = None,
) -> None:
    """Move a malfunction on, with its entry; its suspension ends with it if there is a reason to.

    Errors: SamePersonError; StaleReadError, when somebody was faster.
    """
    if to in DECIDED:
        require_other(actor, seen.raised_by)
    at = audit.now()
    event: Event = FAULT_TRANSITIONS[FaultState(seen.state), to]
    entry = audit.entry(
        event,
        subject=f"malfunction:{seen.id}",
        actor=actor,
        at=at,
        payload=_told(actor, seen, to, facts),
    )
    act: dict[str, Any] = {
        "malfunction_id": str(seen.id),
        "from": seen.state,
        "act_count": seen.act_count,
        "to": to.value,
        "actor": actor,
        "at": at.isoformat(),
        "facts": dict(facts),
        "entry": entry,
    }
    if lift_because is not None:
        act |= _lift(seen, actor, at, lift_because)
    audit.commit("pontoon_malfunction_move", act)


def _told(
    actor: str, seen: Malfunction, to: FaultState, facts: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what is told of a move: its facts, and of a decision who raised and authorised it."""
    persons: dict[str, str] = {}
    if to in DECIDED:
        persons = {"raised_by": seen.raised_by, "authorised_by": actor}
    elif to is FaultState.DONE:
        persons = queries.reason_of_void(seen.id)
    return {**facts, **persons, "scope": seen.scope, "before": seen.state, "after": to.value}


def _lift(seen: Malfunction, actor: str, at: datetime, reason: str) -> dict[str, Any]:
    stop = Suspension.objects.filter(malfunction_id=seen.id, lifted_at=None).first()
    return {"lift": lift_row(stop.id, reason=reason, actor=actor, at=at)} if stop else {}
