"""The staff's comings: a user, his password, what a log-in leaves behind. Each act is an entry."""

from datetime import timedelta

from django.db import transaction

from audit import services as audit
from audit.events import Event
from casino.staff.errors import StaffNotFoundError
from casino.staff.models import StaffUser

# AUT-02, OPR-03.
FAILURES_MAX = 3
FAILING_FOR = timedelta(minutes=30)


def create_user(
    actor: str, *, username: str, password: str | None = None, role: str = ""
) -> StaffUser:
    """Make a staff user. Only from the shell has he a role at once: in the panel two give it."""
    with transaction.atomic(durable=True):
        user = StaffUser.objects.create_user(username, password, role=role)
        after = {"username": username, "role": role}
        audit.record(
            Event.STAFF_CREATED,
            subject=user.urn,
            actor=actor,
            payload={"before": None, "after": after},
        )
    return user


def set_password(actor: str, *, username: str, password: str) -> StaffUser:
    """Give a user a new password, which ends his other log-ins. Errors: StaffNotFoundError."""
    with transaction.atomic(durable=True):
        user = _require_row(username)
        before = {"has_password": user.has_usable_password()}
        user.set_password(password)
        user.save(update_fields=["password"])
        audit.record(
            Event.STAFF_PASSWORD_CHANGED,
            subject=user.urn,
            actor=actor,
            payload={"before": before, "after": {"has_password": True}},
        )
    return user


def unlock(actor: str, *, username: str) -> StaffUser:
    """Let a locked user try again. Errors: StaffNotFoundError."""
    with transaction.atomic(durable=True):
        user = _require_row(username)
        if user.locked_at is not None:
            before = {"locked_at": user.locked_at.isoformat()}
            _forget_failures(user)
            audit.record(
                Event.STAFF_UNLOCKED,
                subject=user.urn,
                actor=actor,
                payload={"before": before, "after": {"locked_at": None}},
            )
    return user


def _require_row(username: str) -> StaffUser:
    user = lock_row(username)
    if user is None:
        raise StaffNotFoundError(username=username)
    return user


def lock_row(username: str) -> StaffUser | None:
    """Return a user, whose row nobody else changes until the transaction is over."""
    return StaffUser.objects.select_for_update(no_key=True).filter(username=username).first()


def log_in(user: StaffUser, *, address: str) -> None:
    """Record that a password opened, and forget the failures before it."""
    before = {"failures": len(user.failed_at)}
    _forget_failures(user)
    audit.record(
        Event.STAFF_LOGGED_IN,
        subject=user.urn,
        actor=user.urn,
        payload={"before": before, "after": {"failures": 0}, "address": address},
    )


def refuse(user: StaffUser | None, *, reason: str, address: str) -> None:
    """Record a log-in that failed; the third in half an hour locks (AUT-02, AUT-10).

    Of an unknown user nothing is kept: people type passwords into the wrong field.
    """
    if user is not None and user.locked_at is None:
        _count_failure(user)
    audit.record(
        Event.STAFF_REFUSED,
        subject=user.urn if user else "nobody",
        actor="nobody",
        payload={
            "address": address,
            "reason": reason,
            "is_locked": user is not None and user.locked_at is not None,
        },
    )


def _count_failure(user: StaffUser) -> None:
    at = audit.now()
    user.failed_at = [*(then for then in user.failed_at if then > at - FAILING_FOR), at]
    if len(user.failed_at) >= FAILURES_MAX:
        user.locked_at = at
    user.save(update_fields=["failed_at", "locked_at"])


def _forget_failures(user: StaffUser) -> None:
    user.failed_at, user.locked_at = [], None
    user.save(update_fields=["failed_at", "locked_at"])
