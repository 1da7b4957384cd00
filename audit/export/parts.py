"""What an export is made of: parts, each a file of one kind of record, read piece by piece.

A part belongs to the room that owns the records; `EXPORT_PARTS` in the settings names them all,
so the eye need not know the rooms above it. A part is a function of the cut alone: read at any
later time, it gives the same lines, so a build that was killed goes on where it was.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple

from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

from audit import tree
from audit.export.asked import Asked

CHUNK = 1000

Place = list[Any]
"""How far a part has been read, as JSON keeps it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What an export depends on: what was asked, and the checkpoint at which it is answered.

    `cluster` and `xid` are of the last transaction whose entries that checkpoint has.
    """

    asked: Asked
    size: int
    cluster: int
    xid: str

    @property
    def parameters(self) -> dict[str, Any]:
        """For statements: the bounds of the export by their names."""
        asked = self.asked
        return {
            "size": self.size,
            "cluster": self.cluster,
            "xid": self.xid,
            "begin": asked.span.begin,
            "end": asked.span.end,
            "player_id": asked.player_id,
            "currency": asked.currency,
        }


@dataclass(frozen=True, slots=True)
class Column:
    """A member of a part's lines: its name, its type, and what it says (the data dictionary)."""

    name: str
    kind: Literal["text", "id", "time", "whole", "minor", "json"]
    meaning: str


class Chunk(NamedTuple):
    """Lines for a part's files, by name, and where to read on; None when that was all.

    `sums` is what the lines add to the totals: (group …) → (count, sum …).
    """

    lines: Mapping[str, list[bytes]]
    after: Place | None
    sums: Mapping[tuple[str, ...], list[int]] = {}


@dataclass(frozen=True, slots=True)
class Part:
    """A kind of record: `name` is its file's, and the word by which it is asked for."""

    name: str
    columns: tuple[Column, ...]
    read: Callable[[Cut, Place | None], Chunk]
    group: tuple[str, ...] = ()
    sums: tuple[str, ...] = ()


@cache
def parts() -> dict[str, Part]:
    """Return every part by its name, in the order in which they are written."""
    found: list[Part] = [import_string(path) for path in settings.EXPORT_PARTS]
    return {part.name: part for part in found}


def select(statement: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a SELECT as dictionaries."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        names = [column.name for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def chunk_of(part_name: str, rows: list[dict[str, Any]], **rest: Any) -> Chunk:
    """Return rows as a part's lines: canonical JSON, one a line."""
    return Chunk({f"{part_name}.jsonl": [tree.canonical(row) for row in rows]}, **rest)


def tally(
    rows: list[dict[str, Any]], group: tuple[str, ...], sums: tuple[str, ...]
) -> dict[tuple[str, ...], list[int]]:
    """Count rows and add members up, by the values of others."""
    totals: dict[tuple[str, ...], list[int]] = {}
    for row in rows:
        total = totals.setdefault(tuple(row[name] for name in group), [0] * (len(sums) + 1))
        total[0] += 1
        for place, name in enumerate(sums, 1):
            total[place] += row[name] or 0
    return totals
