"""Where the secrets of the staff's phones are kept shut (ACC-07).

A secret is sealed together with whose it is, by the first of STAFF_KEYS; all of them open. A dump
of the database opens none, and a row that is moved to another user opens nothing either.
"""

from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def seal(secret: bytes, *, owner: str) -> str:
    """Return a secret as it is stored."""
    return _keys().encrypt(f"{owner}|".encode() + secret).decode()


def unseal(sealed: str, *, owner: str) -> bytes:
    """Return a stored secret. Errors: InvalidToken when no key opens it, or it is another's."""
    whose, _, secret = _keys().decrypt(sealed.encode()).partition(b"|")
    if whose != owner.encode():
        raise InvalidToken
    return secret


@cache
def _keys() -> MultiFernet:
    if not settings.STAFF_KEYS:
        raise ImproperlyConfigured("STAFF_KEYS is empty: no second factor can be kept without it.")
    return MultiFernet([Fernet(key) for key in settings.STAFF_KEYS])
