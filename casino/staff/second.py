"""The second factor: a phone that shows codes (RFC 6238), and codes on paper for when it is lost.

A code is taken once. A wrong one is a refused log-in like a wrong password, counted with it; only a
log-in that is whole forgets the failures before it, so that a known password buys no more guesses.
"""

import base64
import hashlib
import secrets
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import transaction
from django_otp.oath import TOTP

from audit import services as audit
from audit.events import Event
from casino.staff import sessions, vault
from casino.staff.errors import HelpedAlreadyError
from casino.staff.models import Device, RecoveryCode, StaffSession, StaffUser
from casino.staff.roles import require_other
from casino.staff.services import forget_failures, refuse, require_row

DIGITS = 6
STEPS_OFF = 1  # how many steps of thirty seconds a phone's clock may be off
SECRET_BYTES = 20
RECOVERY_CODES = 10
RECOVERY_BYTES = 10


def is_enrolled(user: StaffUser) -> bool:
    """Say whether a user's phone has shown its first code."""
    return Device.objects.filter(user=user, confirmed_at__isnull=False).exists()


def begin(user: StaffUser) -> str:
    """Make a secret for a user who has no phone yet; return it as base32, to be shown once."""
    secret = secrets.token_bytes(SECRET_BYTES)
    with transaction.atomic(durable=True):
        require_row(user.username)
        device = Device.objects.filter(user=user).first() or Device(user=user)
        if device.confirmed_at is not None:
            raise ValueError("a phone that is in use is reset by another person first")
        device.secret = vault.seal(secret, owner=user.urn)
        device.made_at = audit.now()
        device.save()
    return base64.b32encode(secret).decode()


def waiting_secret(user: StaffUser) -> str:
    """Return the secret of a phone that has not shown its first code, to show it again."""
    return secret_of(Device.objects.get(user=user, confirmed_at=None))


def secret_of(device: Device) -> str:
    """Return a phone's secret as base32. No page shows it of a phone that is in use."""
    return base64.b32encode(vault.unseal(device.secret, owner=device.user.urn)).decode()


def uri(user: StaffUser, *, secret: str) -> str:
    """Return what a QR code says to a phone."""
    issuer = settings.OPERATOR_NAME
    label = quote(f"{issuer}:{user.username}")
    return f"otpauth://totp/{label}?{urlencode({'secret': secret, 'issuer': issuer})}"


def code_at(secret: str, *, unix_s: float) -> str:
    """Return what a phone with a secret shows at a time."""
    totp = TOTP(base64.b32decode(secret), digits=DIGITS)
    totp.time = unix_s
    return str(totp.token()).zfill(DIGITS)


def confirm(user: StaffUser, *, code: str, address: str) -> list[str] | None:
    """Take a phone's first code; return the recovery codes, to show once; None if it is wrong."""
    with transaction.atomic(durable=True):
        user = require_row(user.username)
        device = Device.objects.get(user=user)
        if device.confirmed_at is not None or not _take(device, user, code):
            return None
        device.confirmed_at = audit.now()
        device.save(update_fields=["confirmed_at", "last_step"])
        codes = _make_recovery_codes(user)
        audit.record(
            Event.STAFF_DEVICE_ENROLLED,
            subject=user.urn,
            actor=user.urn,
            payload={
                "before": {"has_device": False},
                "after": {"has_device": True, "recovery_codes": len(codes)},
                "address": address,
            },
        )
    return codes


def pass_by(
    user: StaffUser, *, session: StaffSession, code: str, address: str
) -> StaffSession | None:
    """Take a phone's code or a recovery code; return the session that is whole (AUT-02, AUT-10)."""
    with transaction.atomic(durable=True):
        user = require_row(user.username)
        means = "" if user.locked_at or not user.is_active else _means(user, code)
        if not means:
            refuse(user, reason="wrong_code", address=address)
            return None
        return _verify(user, session, means=means, address=address)


def verify_enrolled(user: StaffUser, *, session: StaffSession, address: str) -> StaffSession | None:
    """Verify the log-in in which a phone has just shown its first code."""
    with transaction.atomic(durable=True):
        return _verify(require_row(user.username), session, means="enrolment", address=address)


def reset(actor: str, *, username: str) -> StaffUser:
    """Take a lost phone off a user: he enrols another at his next log-in (OPR-02).

    Errors: StaffNotFoundError, SamePersonError, HelpedAlreadyError.
    """
    with transaction.atomic(durable=True):
        user = require_row(username)
        require_other(actor, user.urn)
        if user.linked_by == actor:
            raise HelpedAlreadyError(by=actor)
        had = is_enrolled(user)
        Device.objects.filter(user=user).delete()
        RecoveryCode.objects.filter(user=user).delete()
        user.reset_by = actor
        user.save(update_fields=["reset_by"])
        sessions.end_all(actor, user=user, because="device_reset")
        audit.record(
            Event.STAFF_DEVICE_RESET,
            subject=user.urn,
            actor=actor,
            payload={"before": {"has_device": had}, "after": {"has_device": False}},
        )
    return user


def _verify(
    user: StaffUser, session: StaffSession, *, means: str, address: str
) -> StaffSession | None:
    """Make a log-in whole, and forget the failures before it; None if it has ended meanwhile.

    It goes on under another id: who knew the cookie of its first half is not let in with it.
    """
    whole = sessions.verify(session)
    if whole is None:
        return None
    before = {
        "failures": len(user.failed_at),
        "last_access_at": user.last_access_at and user.last_access_at.isoformat(),
        "last_address": user.last_address,
    }
    forget_failures(user)
    user.last_access_at, user.last_address = whole.verified_at, address
    user.linked_by = user.reset_by = ""
    user.save(update_fields=["last_access_at", "last_address", "linked_by", "reset_by"])
    audit.record(
        Event.STAFF_LOGGED_IN,
        subject=user.urn,
        actor=user.urn,
        payload={
            "before": before,
            "after": {"failures": 0, "last_address": address},
            "address": address,
            "by": means,
            "session": str(whole.id),
        },
    )
    return whole


def _means(user: StaffUser, code: str) -> str:
    """Return what a code is of, and take it, so that it is nothing the next time; "" if nothing."""
    device = Device.objects.filter(user=user, confirmed_at__isnull=False).first()
    if device is not None and _take(device, user, code):
        device.save(update_fields=["last_step"])
        return "code"
    rows = RecoveryCode.objects.filter(user=user, used_at=None, code_hash=_hash(code))
    return "recovery_code" if rows.update(used_at=audit.now()) else ""


def _take(device: Device, user: StaffUser, code: str) -> bool:
    """Say whether a code is the phone's, of now and newer than any that was taken; take it."""
    code = code.replace(" ", "")
    if not (code.isascii() and code.isdigit() and len(code) == DIGITS):
        return False
    totp = TOTP(vault.unseal(device.secret, owner=user.urn), digits=DIGITS)
    totp.time = audit.now().timestamp()
    if not totp.verify(int(code), tolerance=STEPS_OFF, min_t=device.last_step + 1):
        return False
    device.last_step = totp.t()
    return True


def _make_recovery_codes(user: StaffUser) -> list[str]:
    RecoveryCode.objects.filter(user=user).delete()
    made = [secrets.token_bytes(RECOVERY_BYTES) for _ in range(RECOVERY_CODES)]
    codes = [_grouped(base64.b32encode(each).decode().lower()) for each in made]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(user=user, code_hash=_hash(code)) for code in codes
    )
    return codes


def _grouped(text: str) -> str:
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))


def _hash(code: str) -> bytes:
    plain = "".join(letter for letter in code.lower() if letter.isalnum())
    return hashlib.sha256(plain.encode()).digest()
