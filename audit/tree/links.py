"""Links: which checkpoint each one was signed after, so that none is taken from the middle.

Ours, and kept beside the checkpoint, whose text is C2SP's and stays as it is. The first line keeps
a link from ever being read as a checkpoint.
"""

import base64
import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

from audit.tree.notes import Note, NoteError, SigningKey, format_note

_TEXT = re.compile(
    r"link of a checkpoint of (?P<origin>\S+)\n"
    r"(?P<number>[1-9]\d{0,18}) (?P<size>[1-9]\d{0,18})\n"
    r"(?P<before_size>0|[1-9]\d{0,18}) (?P<before_hash>[\w+/]{43}=)\n",
    re.ASCII,
)


class Link(NamedTuple):
    """The how-manieth checkpoint one is, of which size, and the size and note of the one before.

    Before the first there is one of no leaves, and its note is empty.
    """

    origin: str
    number: int
    size: int
    before_size: int
    before_hash: bytes


def note_hash(note: str) -> bytes:
    """Return what a link tells of the note before it: its SHA-256."""
    return hashlib.sha256(note.encode()).digest()


def format_link(link: Link) -> str:
    """Write the text that is signed."""
    before_hash = base64.b64encode(link.before_hash).decode()
    return (
        f"link of a checkpoint of {link.origin}\n"
        f"{link.number} {link.size}\n{link.before_size} {before_hash}\n"
    )


def parse_link(text: str) -> Link:
    """Read the text that was signed. Errors: NoteError."""
    match = _TEXT.fullmatch(text)
    if match is None:
        raise NoteError("no link")
    number, size, before_size = (int(match[name]) for name in ("number", "size", "before_size"))
    link = Link(match["origin"], number, size, before_size, base64.b64decode(match["before_hash"]))
    if format_link(link) != text:
        raise NoteError("no link in its one spelling")
    return link


def sign_link(link: Link, keys: Sequence[SigningKey]) -> str:
    """Return a link as a signed note: each key signs it."""
    text = format_link(link)
    return format_note(Note(text, tuple(key.sign(text, 0)[0] for key in keys)))
