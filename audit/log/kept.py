"""What is kept of the tree: in the database, and of its last checkpoint elsewhere."""

import os
from pathlib import Path

from django.conf import settings
from django.db import connection

from audit import tree
from audit.errors import LogBrokenError
from audit.models import Checkpoint
from audit.tree import PublicKey

_LEAVES_SQL = "SELECT hash FROM audit_leaf WHERE index >= %s AND index < %s ORDER BY index"
_ROOTS_SQL = (
    "SELECT root FROM audit_tile WHERE level = %s AND index >= %s AND index < %s ORDER BY index"
)


def hashes(level: int, begin: int, end: int) -> list[bytes]:
    """Return hashes of the tree: of leaves (level 0), or the roots of full tiles one level below.

    Errors: LogBrokenError, when one is not there.
    """
    if begin == end:
        return []
    with connection.cursor() as cursor:
        if level == 0:
            cursor.execute(_LEAVES_SQL, [begin, end])
        else:
            cursor.execute(_ROOTS_SQL, [level - 1, begin, end])
        found = [bytes(row[0]) for row in cursor.fetchall()]
    if len(found) != end - begin:
        raise LogBrokenError(reason="hashes_missing", level=level, begin=begin, end=end)
    return found


def root_at(size: int) -> bytes:
    """Return the root that the tree had at a size. Errors: LogBrokenError."""
    return tree.edge_of(size, hashes).root


def last_checkpoint() -> Checkpoint | None:
    """Return the newest checkpoint; None before the first."""
    return Checkpoint.objects.first()


def checkpoint_at(size: int) -> Checkpoint | None:
    """Return the checkpoint of a size, if there is one."""
    return Checkpoint.objects.filter(size=size).first()


def timestamp_of(size: int) -> bytes | None:
    """Return the timestamp authority's answer for the checkpoint of a size, if it was asked."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT answer FROM audit_timestamp WHERE size = %s", [size])
        row = cursor.fetchone()
    return bytes(row[0]) if row else None


def public_keys(origin: str | None = None) -> list[PublicKey]:
    """Return the keys that have ever signed under the log's name, or an earlier one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT verifier FROM audit_key ORDER BY verifier")
        keys = [PublicKey.parse(verifier) for (verifier,) in cursor.fetchall()]
    return [key for key in keys if key.name == (origin or settings.LOG_ORIGIN)]


def read_witness() -> tree.Checkpoint | None:
    """Return the checkpoint that is kept elsewhere, if there is one of this log.

    Errors: LogBrokenError, when what is kept there is none.
    """
    path = settings.LOG_WITNESS_FILE
    if not path or not Path(path).exists():
        return None
    try:
        kept = tree.parse_checkpoint(tree.parse_note(Path(path).read_text()).text)
    except ValueError as error:
        raise LogBrokenError(reason="witness_unreadable", file=path) from error
    return kept if kept.origin == settings.LOG_ORIGIN else None


def write_witness(note: str) -> None:
    """Keep a checkpoint elsewhere. Errors: LogBrokenError, when that cannot be done."""
    if not settings.LOG_WITNESS_FILE:
        return
    try:
        _write_whole(Path(settings.LOG_WITNESS_FILE), note)
    except OSError as error:
        raise LogBrokenError(reason="witness_unwritable", error=str(error)) from error


def _write_whole(path: Path, text: str) -> None:
    """Write beside the file and move, so that a full disk or a kill leaves the old one."""
    unfinished = path.with_name(f"{path.name}.new")
    with unfinished.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
