"""The bytes of an entry, and the hash of its leaf.

Source: RFC 8785 (canonical JSON), RFC 6962 section 2.1 (leaf hash).
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import rfc8785

_NUMBER_MAX = 2**53 - 1


def canonical(value: Any) -> bytes:
    """Return the RFC 8785 bytes of an entry: one spelling for one meaning."""
    return rfc8785.dumps(value)


def leaf_hash(body: bytes) -> bytes:
    """Return the 32-byte RFC 6962 hash of a leaf: SHA-256 of 0x00 and the entry's bytes."""
    return hashlib.sha256(b"\x00" + body).digest()


def recordable(value: Any) -> Any:
    """Return what a caller sent in a form that canonical JSON can hold.

    Fractions and numbers beyond 2^53 - 1 become strings: RFC 8785 would round them.
    """
    if isinstance(value, Mapping):
        return {str(key): recordable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [recordable(item) for item in value]
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int) and abs(value) > _NUMBER_MAX:
        return str(value)
    return value
