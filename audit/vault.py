"""Where the secrets of webhooks are kept shut: Fernet, with keys from the environment.

The first of WEBHOOK_KEYS seals, all of them open.
"""

from casino import fernet


def seal(text: str) -> str:
    """Return a text as it is stored."""
    return fernet.seal(text.encode(), keys="WEBHOOK_KEYS")


def unseal(sealed: str) -> str:
    """Return a stored text. Errors: InvalidToken when no key opens it."""
    return fernet.unseal(sealed, keys="WEBHOOK_KEYS").decode()
