"""Signed notes: a text with lines under it, each somebody's signature.

A key of ours signs in two ways: the text alone, and the text with a time (a cosignature), so
that when a checkpoint was made is signed too.

Source: C2SP signed-note, tlog-cosignature; Ed25519 is RFC 8032.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

PLAIN = 0x01
TIMED = 0x04

_LINE = re.compile("— (?P<name>[^\\s+]+) (?P<data>[A-Za-z0-9+/]+=*)")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_TIME_BYTES = 8
_ID_BYTES = 4
SIGNATURES_MAX = 64


class NoteError(ValueError):
    """The text is no signed note, or a signature that counts is missing or wrong."""


class Signature(NamedTuple):
    """One line under a note: whose it says it is, the key's id, and what that key made."""

    name: str
    key_id: bytes
    data: bytes


class Note(NamedTuple):
    """A text, which ends in a newline, and the signatures under it."""

    text: str
    signatures: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class PublicKey:
    """An Ed25519 public key and the name under which it signs."""

    name: str
    data: bytes

    def id_for(self, kind: int) -> bytes:
        """Return the four bytes by which its signatures of a kind are recognised."""
        told = self.name.encode() + bytes([0x0A, kind]) + self.data
        return hashlib.sha256(told).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        """Write it as a verifier key: `name+id+base64`, the form that other tools read."""
        data = base64.b64encode(bytes([PLAIN]) + self.data).decode()
        return f"{self.name}+{self.id_for(PLAIN).hex()}+{data}"

    @classmethod
    def parse(cls, text: str) -> "PublicKey":
        """Read a verifier key. Errors: NoteError."""
        name, _, rest = text.partition("+")
        data = _decode(rest.partition("+")[2])
        key = cls(name, data[1:])
        if len(data) != 33 or str(key) != text:
            raise NoteError("no Ed25519 verifier key")
        return key

    def has_signed(self, text: str, signature: Signature) -> int | None:
        """Return the time that a signature of this key tells, 0 for a plain one.

        None when it is another key's. Errors: NoteError, when it is this key's and wrong.
        """
        if signature.name != self.name:
            return None
        if signature.key_id == self.id_for(PLAIN):
            self._require(signature.data, text.encode())
            return 0
        if signature.key_id == self.id_for(TIMED):
            at = int.from_bytes(signature.data[:_TIME_BYTES], "big")
            self._require(signature.data[_TIME_BYTES:], _timed(text, at))
            return at
        return None

    def _require(self, signed: bytes, message: bytes) -> None:
        try:
            Ed25519PublicKey.from_public_bytes(self.data).verify(signed, message)
        except InvalidSignature:
            raise NoteError(f"the signature of {self.name} is wrong") from None


@dataclass(frozen=True, slots=True)
class SigningKey:
    """An Ed25519 private key and the name under which it signs."""

    name: str
    seed: bytes

    @classmethod
    def parse(cls, name: str, text: str) -> "SigningKey":
        """Read the base64 of the 32 bytes that are the key. Errors: NoteError."""
        seed = _decode(text)
        if len(seed) != 32:
            raise NoteError("a signing key is the base64 of 32 bytes")
        return cls(name, seed)

    @property
    def public(self) -> PublicKey:
        """What its signatures are checked by."""
        return PublicKey(self.name, self._key.public_key().public_bytes_raw())

    @property
    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)

    def sign(self, text: str, at: int) -> tuple[Signature, Signature]:
        """Sign a text: by itself, and with a time in seconds since 1970."""
        plain = self._key.sign(text.encode())
        timed = at.to_bytes(_TIME_BYTES, "big") + self._key.sign(_timed(text, at))
        return (
            Signature(self.name, self.public.id_for(PLAIN), plain),
            Signature(self.name, self.public.id_for(TIMED), timed),
        )


def _timed(text: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def format_note(note: Note) -> str:
    """Write a note."""
    lines = (
        f"— {name} {base64.b64encode(key_id + data).decode()}\n"
        for name, key_id, data in note.signatures
    )
    return f"{note.text}\n{''.join(lines)}"


def parse_note(text: str) -> Note:
    """Read a note; its signatures are not checked. Errors: NoteError."""
    body, separator, lines = text.rpartition("\n\n")
    if not separator or not lines.endswith("\n") or _CONTROL.search(text):
        raise NoteError("no signed note")
    signatures = tuple(_signature(line) for line in lines[:-1].split("\n"))
    if len(signatures) > SIGNATURES_MAX:
        raise NoteError("more signatures than anybody needs")
    return Note(f"{body}\n", signatures)


def _signature(line: str) -> Signature:
    match = _LINE.fullmatch(line)
    data = _decode(match["data"]) if match else b""
    if match is None or len(data) <= _ID_BYTES:
        raise NoteError("no signature line")
    return Signature(match["name"], data[:_ID_BYTES], data[_ID_BYTES:])


def _decode(text: str) -> bytes:
    """Return what a base64 text stands for; only its one right spelling will do."""
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise NoteError("no base64") from None
    if base64.b64encode(data).decode() != text:
        raise NoteError("no base64 in its one spelling")
    return data


def signers(note: Note, keys: Iterable[PublicKey]) -> list[tuple[PublicKey, int]]:
    """Return which of these keys signed a note, and the time that each signature tells.

    Signatures of other keys are passed over. Errors: NoteError, when one of a known key is wrong.
    """
    found = []
    for key in keys:
        for signature in note.signatures:
            at = key.has_signed(note.text, signature)
            if at is not None:
                found.append((key, at))
    return found
