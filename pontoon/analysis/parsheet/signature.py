"""A detached Ed25519 signature (RFC 8032) of the bytes of a file, which plain openssl verifies."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)


class KeyFileError(Exception):
    """A file is not the private key that signs; the message says why."""


def make_key(path: Path) -> None:
    """Write a new private key that its owner alone may read; one that is there stays."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600, exist_ok=False)
    key = Ed25519PrivateKey.generate()
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def read_key(path: Path) -> Ed25519PrivateKey:
    """Read a private key from PEM; raises KeyFileError."""
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise KeyFileError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise KeyFileError(f"{path} is not a private key in PEM without a password.") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(f"{path} is a private key, but not of Ed25519.")
    return key


def public_pem(key: Ed25519PrivateKey) -> bytes:
    """Return the public key as PEM."""
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def fingerprint(key: Ed25519PrivateKey) -> str:
    """Name a key: lower-case hexadecimal SHA-256 of its public half as DER."""
    form = Encoding.DER, PublicFormat.SubjectPublicKeyInfo
    return sha256(key.public_key().public_bytes(*form)).hexdigest()


def sign(key: Ed25519PrivateKey, content: bytes) -> bytes:
    """Return the signature in base64, a line."""
    return b64encode(key.sign(content)) + b"\n"
