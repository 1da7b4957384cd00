"""The staff's comings and goings: a user, his password, what a log-in leaves behind.

Each act is an entry. Two persons stand behind what makes anybody mightier: see `changes`.
"""

import hashlib
import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction

from audit import services as audit
from audit.events import Event
from casino.staff import sessions
from casino.staff.errors import (
    HelpedAlreadyError,
    LinkOverError,
    StaffNotFoundError,
    TakenNameError,
)
from casino.staff.models import StaffSession, StaffUser
from casino.staff.roles import require_other

# AUT-02, OPR-03.
FAILURES_MAX = 3
FAILING_FOR = timedelta(minutes=30)

LINK_FOR = timedelta(hours=24)


def create_user(
    actor: str, *, username: str, password: str | None = None, role: str = ""
) -> StaffUser:
    """Make a staff user. Only from the shell has he a role at once: in the panel two give it.

    Errors: TakenNameError.
    """
    try:
        with transaction.atomic(durable=True):
            user = StaffUser.objects.create_user(username, password, role=role)
            after = {"username": username, "role": role}
            audit.record(
                Event.STAFF_CREATED,
                subject=user.urn,
                actor=actor,
                payload={"before": None, "after": after},
            )
    except IntegrityError as error:
        raise TakenNameError(username=username) from error
    return user


def make_link(actor: str, *, username: str) -> str:
    """Return a token with which a user gives himself a password, once and within a day.

    Errors: StaffNotFoundError, SamePersonError, HelpedAlreadyError.
    """
    token = secrets.token_urlsafe(32)
    with transaction.atomic(durable=True):
        user = require_row(username)
        require_other(actor, user.urn)
        if user.reset_by == actor:
            raise HelpedAlreadyError(by=actor)
        user.link_hash, user.link_until = _hash(token), audit.now() + LINK_FOR
        user.linked_by = actor
        user.save(update_fields=["link_hash", "link_until", "linked_by"])
        audit.record(
            Event.STAFF_LINK_MADE,
            subject=user.urn,
            actor=actor,
            payload={
                "before": {"has_password": user.has_usable_password()},
                "after": {"until": user.link_until.isoformat()},
            },
        )
    return token


def user_of_link(token: str) -> StaffUser | None:
    """Return whose link a token is, if it is still good."""
    return StaffUser.objects.filter(
        link_hash=_hash(token), link_until__gt=audit.now(), is_active=True
    ).first()


def use_link(*, token: str, password: str) -> StaffUser:
    """Give the user of a link the password that he chose. Errors: LinkOverError."""
    with transaction.atomic(durable=True):
        user = user_of_link(token)
        user = user and lock_row(user.username)
        if user is None or bytes(user.link_hash or b"") != _hash(token):
            raise LinkOverError
        _set_password(user.urn, user, password)
    return user


def set_password(
    actor: str, *, username: str, password: str, session: StaffSession | None = None
) -> StaffUser:
    """Give a user a new password, which ends his log-ins but the one in which he does it.

    Errors: StaffNotFoundError.
    """
    with transaction.atomic(durable=True):
        user = require_row(username)
        _set_password(actor, user, password, session=session)
    return user


def _set_password(
    actor: str, user: StaffUser, password: str, *, session: StaffSession | None = None
) -> None:
    before = {"has_password": user.has_usable_password()}
    user.set_password(password)
    user.password_changed_at = audit.now()
    user.link_hash = user.link_until = None
    user.save(update_fields=["password", "password_changed_at", "link_hash", "link_until"])
    sessions.end_all(actor, user=user, because="password_changed", but=session)
    audit.record(
        Event.STAFF_PASSWORD_CHANGED,
        subject=user.urn,
        actor=actor,
        payload={"before": before, "after": {"has_password": True}},
    )


def is_password(user: StaffUser, *, password: str, address: str) -> bool:
    """Say whether a password is a user's own; a wrong one counts like a refused log-in."""
    with transaction.atomic(durable=True):
        user = require_row(user.username)
        is_right = user.locked_at is None and user.check_password(password)
        if not is_right:
            refuse(user, reason="wrong_old_password", address=address)
    return is_right


def unlock(actor: str, *, username: str) -> StaffUser:
    """Let a locked user try again. Errors: StaffNotFoundError, SamePersonError."""
    with transaction.atomic(durable=True):
        user = require_row(username)
        require_other(actor, user.urn)
        if user.locked_at is not None:
            before = {"locked_at": user.locked_at.isoformat()}
            forget_failures(user)
            audit.record(
                Event.STAFF_UNLOCKED,
                subject=user.urn,
                actor=actor,
                payload={"before": before, "after": {"locked_at": None}},
            )
    return user


def deactivate(actor: str, *, username: str, reason: str) -> StaffUser:
    """Shut a user out at once; only a role that two persons give lets him in again.

    Errors: StaffNotFoundError, SamePersonError.
    """
    with transaction.atomic(durable=True):
        user = require_row(username)
        require_other(actor, user.urn)
        if user.is_active:
            user.is_active, user.link_hash, user.link_until = False, None, None
            user.save(update_fields=["is_active", "link_hash", "link_until"])
            sessions.end_all(actor, user=user, because="deactivated")
            audit.record(
                Event.STAFF_DEACTIVATED,
                subject=user.urn,
                actor=actor,
                payload={
                    "before": {"is_active": True},
                    "after": {"is_active": False},
                    "reason": reason,
                },
            )
    return user


def require_row(username: str) -> StaffUser:
    """Return a user's row, locked. Errors: StaffNotFoundError."""
    user = lock_row(username)
    if user is None:
        raise StaffNotFoundError(username=username)
    return user


def lock_row(username: str) -> StaffUser | None:
    """Return a user, whose row nobody else changes until the transaction is over."""
    return StaffUser.objects.select_for_update(no_key=True).filter(username=username).first()


def accept_password(user: StaffUser, *, address: str) -> None:
    """Record that a password was right. The failures before it stay: the log-in is half done."""
    audit.record(
        Event.STAFF_PASSWORD_ACCEPTED,
        subject=user.urn,
        actor=user.urn,
        payload={"address": address, "failures": len(user.failed_at)},
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
        sessions.end_all("nobody", user=user, because="locked")
    user.save(update_fields=["failed_at", "locked_at"])


def forget_failures(user: StaffUser) -> None:
    """Begin to count anew, of a row that is locked for it."""
    user.failed_at, user.locked_at = [], None
    user.save(update_fields=["failed_at", "locked_at"])


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
