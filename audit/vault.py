"""Where the secrets of webhooks are kept shut: Fernet, with keys from the environment.

The first of WEBHOOK_KEYS seals, all of them open.
"""

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def seal(text: str) -> str:
    """Return a text as it is stored."""
    return _keys().encrypt(text.encode()).decode()


def unseal(sealed: str) -> str:
    """Return a stored text. Errors: InvalidToken when no key opens it."""
    return _keys().decrypt(sealed.encode()).decode()


def _keys() -> MultiFernet:
    if not settings.WEBHOOK_KEYS:
        raise ImproperlyConfigured("WEBHOOK_KEYS is empty: no webhook can be signed without a key.")
    return MultiFernet([Fernet(key) for key in settings.WEBHOOK_KEYS])
