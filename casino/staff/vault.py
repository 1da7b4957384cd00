"""Where the secrets of the staff's phones are kept shut (ACC-07).

A secret is sealed together with whose it is, by the first of STAFF_KEYS; all of them open. A dump
of the database opens none, and a row that is moved to another user opens nothing either.
"""

from cryptography.fernet import InvalidToken

from casino import fernet


def seal(secret: bytes, *, owner: str) -> str:
    """Return a secret as it is stored."""
    return fernet.seal(f"{owner}|".encode() + secret, keys="STAFF_KEYS")


def unseal(sealed: str, *, owner: str) -> bytes:
    """Return a stored secret. Errors: InvalidToken when no key opens it, or it is another's."""
    whose, _, secret = fernet.unseal(sealed, keys="STAFF_KEYS").partition(b"|")
    if whose != owner.encode():
        raise InvalidToken
    return secret
