"""What is kept shut at rest, by the keys of a setting: the first seals, all of them open.

A leaf that imports no app; each room's vault says what it keeps, and under which setting.
"""

from functools import cache

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def seal(content: bytes, *, keys: str) -> str:
    """Return what is stored. `keys` is the name of the setting."""
    return _fernet(keys).encrypt(content).decode()


def unseal(sealed: str, *, keys: str) -> bytes:
    """Return what was sealed. Errors: InvalidToken when no key opens it."""
    return _fernet(keys).decrypt(sealed.encode())


def _fernet(keys: str) -> MultiFernet:
    if not getattr(settings, keys):
        raise ImproperlyConfigured(f"{keys} is empty: nothing is kept without a key to shut it.")
    return _of(*getattr(settings, keys))


@cache
def _of(*keys: str) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])
