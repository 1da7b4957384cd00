"""A change of role, which takes two persons beside him whose role it is (OPR-02, OPR-05)."""

from django.db import IntegrityError, transaction

from audit import services as audit
from audit.events import Event
from casino.staff import sessions
from casino.staff.errors import ChangeWaitsError, RoleFixedError
from casino.staff.models import RoleChange, StaffUser
from casino.staff.roles import Act, Role, require, require_other
from casino.staff.services import require_row


def ask(asker: StaffUser, *, username: str, role: Role, reason: str) -> RoleChange:
    """Ask that a user be given a role: another person with the right has to confirm.

    Errors: PermissionDenied, StaffNotFoundError, SamePersonError, RoleFixedError, ChangeWaitsError.
    """
    require(asker, Act.MANAGE_STAFF)
    try:
        with transaction.atomic(durable=True):
            user = require_row(username)
            require_other(asker.urn, user.urn)
            if user.role == Role.AUDITOR and role != Role.AUDITOR:
                raise RoleFixedError(role=user.role)
            change = RoleChange.objects.create(
                user=user, role=role.value, reason=reason, asked_by=asker, asked_at=audit.now()
            )
            audit.record(
                Event.STAFF_ROLE_ASKED,
                subject=user.urn,
                actor=asker.urn,
                payload={
                    "before": {"role": user.role, "is_active": user.is_active},
                    "after": {"role": role.value, "is_active": True},
                    "reason": reason,
                    "change": change.id,
                },
            )
    except IntegrityError as error:
        raise ChangeWaitsError(username=username) from error
    return change


def decide(decider: StaffUser, *, change_id: int, is_confirmed: bool) -> RoleChange:
    """Give the role that somebody else has asked for, or refuse it; once, whoever comes second.

    Errors: PermissionDenied, SamePersonError, RoleFixedError, ChangeWaitsError.
    """
    require(decider, Act.MANAGE_STAFF)
    with transaction.atomic(durable=True):
        change = (
            RoleChange.objects.select_for_update(no_key=True)
            .filter(id=change_id, outcome="")
            .first()
        )
        if change is None:
            raise ChangeWaitsError(change=change_id)
        user = require_row(change.user.username)
        require_other(decider.urn, f"staff:{change.asked_by_id}")
        require_other(decider.urn, user.urn)
        change.decided_by, change.decided_at = decider, audit.now()
        change.outcome = "confirmed" if is_confirmed else "refused"
        change.save(update_fields=["decided_by", "decided_at", "outcome"])
        _record(decider, change, user)
        if is_confirmed:
            _give(decider, change, user)
    return change


def _give(decider: StaffUser, change: RoleChange, user: StaffUser) -> None:
    if user.role == Role.AUDITOR and change.role != Role.AUDITOR:
        raise RoleFixedError(role=user.role)
    user.role, user.is_active = change.role, True
    user.save(update_fields=["role", "is_active"])
    sessions.end_all(decider.urn, user=user, because="role_changed")


def _record(decider: StaffUser, change: RoleChange, user: StaffUser) -> None:
    is_confirmed = change.outcome == "confirmed"
    before = {"role": user.role, "is_active": user.is_active}
    audit.record(
        Event.STAFF_ROLE_CHANGED if is_confirmed else Event.STAFF_ROLE_REFUSED,
        subject=user.urn,
        actor=decider.urn,
        payload={
            "before": before,
            "after": {"role": change.role, "is_active": True} if is_confirmed else before,
            "reason": change.reason,
            "change": change.id,
            "raised_by": f"staff:{change.asked_by_id}",
            "authorised_by": decider.urn,
        },
    )
