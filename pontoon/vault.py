"""Where the seeds of rounds to come are made and kept shut (GAM-05).

A seed is 32 bytes of the operating system's entropy. Until its round is over it is stored under
Fernet with a key from the environment; the first of SEED_KEYS seals, all of them open.
"""

import secrets

from casino import fernet


def make_seed() -> bytes:
    """Return a new server seed, 32 bytes (RNG-01, RNG-02, RNG-06)."""
    return secrets.token_bytes(32)


def seal(seed: bytes) -> str:
    """Return a seed as it is stored."""
    return fernet.seal(seed, keys="SEED_KEYS")


def unseal(sealed: str) -> bytes:
    """Return a stored seed. Errors: InvalidToken when no key opens it."""
    return fernet.unseal(sealed, keys="SEED_KEYS")
