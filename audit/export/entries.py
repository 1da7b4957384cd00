"""The entries of an export, and the hashes that make one tree of them and of what is left out.

`entries.jsonl` has each entry's body as it was written, in the order of the tree: line by line
the bytes that were hashed. `tree.jsonl` covers the whole tree from its first leaf to its last by
nodes: one for each entry, and for what lies between them the largest subtrees that fit. So the
root of the checkpoint can be put together, whatever part of the log an export holds.
"""

from collections.abc import Iterator
from typing import Any

from audit import log, tree
from audit.export.parts import Chunk, Column, Cut, Part, Place, select

WINDOW = 2000

# A leaf whose entry is archived, or not asked for, has no body here.
_LEAVES_SQL = """
SELECT l.index, l.hash, e.id, e.body
  FROM audit_leaf l LEFT JOIN audit_entry e ON e.id = l.entry_id
   AND (%(begin)s::timestamptz IS NULL OR e.at >= %(begin)s)
   AND (%(end)s::timestamptz IS NULL OR e.at < %(end)s)
   AND (%(player_id)s::uuid IS NULL OR e.player_id = %(player_id)s)
   AND (%(currency)s::text IS NULL OR e.body::jsonb #>> '{payload,currency}' = %(currency)s)
 WHERE l.index >= %(first)s::bigint AND l.index < %(last)s::bigint
 ORDER BY l.index
"""


def _read(cut: Cut, after: Place | None) -> Chunk:
    """Read a window of leaves. The place is [first leaf not read, first leaf not covered]."""
    first, covered = after or [0, 0]
    last = min(first + WINDOW, cut.size)
    rows = select(_LEAVES_SQL, cut.parameters | {"first": first, "last": last})
    bodies: list[bytes] = []
    nodes: list[bytes] = []
    for row in rows:
        if row["id"] is None:
            continue
        nodes += _cover(covered, row["index"], cut)
        nodes.append(_node(row["index"], 1, bytes(row["hash"]), entry_id=str(row["id"])))
        bodies.append(row["body"].encode())
        covered = row["index"] + 1
    if last == cut.size:
        nodes += _cover(covered, cut.size, cut)
    return Chunk(
        {"entries.jsonl": bodies, "tree.jsonl": nodes},
        after=None if last == cut.size else [last, covered],
    )


def _cover(begin: int, end: int, cut: Cut) -> Iterator[bytes]:
    """Yield the largest nodes that cover [begin, end); none lies across the older size."""
    subtree = tree.subtree_of(log.hashes)
    for stop in sorted({end, min(max(cut.asked.old_size or 0, begin), end)}):
        while begin < stop:
            width = _width(begin, stop)
            yield _node(begin, width, subtree(begin, begin + width))
            begin += width


def _width(begin: int, end: int) -> int:
    """Return how wide the largest subtree is that begins here and does not reach beyond the end."""
    fits = 1 << (end - begin).bit_length() - 1
    return min(fits, begin & -begin) if begin else fits


def _node(begin: int, width: int, hash_: bytes, **more: Any) -> bytes:
    return tree.canonical({"begin": begin, "width": width, "hash": hash_.hex()} | more)


ENTRIES = Part(
    "entries",
    (
        Column("id", "id", "the entry, a UUID version 7"),
        Column("at", "time", "when it happened, by the database's clock"),
        Column("event", "text", "what happened, such as round.settled"),
        Column("subject", "text", "to what, such as round:… or player:…"),
        Column("actor", "text", "who did it: player:…, key:…, staff:…, house, command:…"),
        Column("player_id", "id", "whose record it belongs to; all zeros: nobody's"),
        Column("payload", "json", "the facts, before and after"),
    ),
    _read,
)
