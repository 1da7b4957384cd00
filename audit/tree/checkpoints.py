"""Checkpoints: what a tree is at a size, signed by the log; and a leaf's proof as a file.

Source: C2SP tlog-checkpoint, tlog-cosignature, tlog-proof.
"""

import base64
import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from audit.tree.notes import (
    Note,
    NoteError,
    PublicKey,
    SigningKey,
    format_note,
    parse_note,
    signers,
)

_BODY = re.compile(r"(?P<origin>\S+)\n(?P<size>0|[1-9]\d{0,18})\n(?P<root>[\w+/]{43}=)\n", re.ASCII)


class CheckpointError(NoteError):
    """The note is no checkpoint of this log."""


class Checkpoint(NamedTuple):
    """A tree of a log: how many leaves it has, and their root."""

    origin: str
    size: int
    root: bytes


class SignedCheckpoint(NamedTuple):
    """A checkpoint that was opened: the keys that signed it, and when (seconds since 1970)."""

    checkpoint: Checkpoint
    keys: frozenset[PublicKey]
    at: int


def format_checkpoint(checkpoint: Checkpoint) -> str:
    """Write the text that is signed."""
    root = base64.b64encode(checkpoint.root).decode()
    return f"{checkpoint.origin}\n{checkpoint.size}\n{root}\n"


def parse_checkpoint(text: str) -> Checkpoint:
    """Read the text that was signed. Errors: CheckpointError."""
    match = _BODY.fullmatch(text)
    if match is None:
        raise CheckpointError("no checkpoint")
    checkpoint = Checkpoint(match["origin"], int(match["size"]), base64.b64decode(match["root"]))
    if format_checkpoint(checkpoint) != text:
        raise CheckpointError("no checkpoint in its one spelling")
    return checkpoint


def sign_checkpoint(checkpoint: Checkpoint, keys: Sequence[SigningKey], *, at: int) -> str:
    """Return a checkpoint as a signed note: each key signs it, and when it was made."""
    text = format_checkpoint(checkpoint)
    return format_note(Note(text, tuple(line for key in keys for line in key.sign(text, at))))


def open_checkpoint(text: str, keys: Collection[PublicKey]) -> SignedCheckpoint:
    """Read a checkpoint that at least one of these keys of the log signed, with its time.

    Errors: NoteError, CheckpointError.
    """
    note = parse_note(text)
    checkpoint = parse_checkpoint(note.text)
    found = signers(note, [key for key in keys if key.name == checkpoint.origin])
    times = {at for _, at in found if at}
    if not found or len(times) > 1:
        raise CheckpointError("no key of the log has signed it, or not at one time")
    return SignedCheckpoint(checkpoint, frozenset(key for key, _ in found), max(times, default=0))


def format_proof(index: int, proof: Sequence[bytes], note: str) -> str:
    """Return a leaf's place and inclusion proof with its checkpoint, as a tlog-proof file."""
    lines = [base64.b64encode(step).decode() for step in proof]
    return "\n".join(["c2sp.org/tlog-proof@v1", f"index {index}", *lines, "", note])
