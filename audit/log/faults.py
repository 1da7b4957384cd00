"""What does not hold of the log: every byte of it that was signed, looked at again.

Whoever changes an entry changes its leaf, whoever changes a leaf changes the root, and the root
is signed. What lies beside it (columns, tiles, keys) must say the same.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection

from audit import tree
from audit.errors import LogBrokenError
from audit.log.kept import hashes, read_witness, root_at
from audit.log.links import Chain
from audit.models import Checkpoint
from audit.tree import Edge, FullTile, PublicKey, SigningKey
from casino.days import format_time

_CHUNK = 2000

_SEALED_SQL = """
SELECT l.index, l.entry_id, l.hash, l.cluster, l.xid::text,
       e.id, e.player_id, e.event, e.subject, e.actor, e.at, e.body, e.leaf_hash, e.cluster,
       e.xid::text
  FROM audit_leaf l LEFT JOIN audit_entry e ON e.id = l.entry_id
 ORDER BY l.index
"""
_UNSEALED_SQL = """
SELECT NULL, e.id, e.leaf_hash, e.cluster, e.xid::text,
       e.id, e.player_id, e.event, e.subject, e.actor, e.at, e.body, e.leaf_hash, e.cluster,
       e.xid::text
  FROM audit_entry e
 WHERE NOT EXISTS (SELECT FROM audit_leaf WHERE entry_id = e.id)
"""
_PASSED_OVER_SQL = """
WITH reached AS (
    SELECT DISTINCT ON (cluster) cluster, xid, entry_id FROM audit_leaf
     ORDER BY cluster, index DESC
)
SELECT e.id FROM audit_entry e JOIN reached r ON r.cluster = e.cluster
 WHERE NOT EXISTS (SELECT FROM audit_leaf WHERE entry_id = e.id)
   AND (r.xid, r.entry_id) > (e.xid, e.id)
"""
_ARCHIVES_SQL = """
SELECT a.from_id, a.to_id, a.digest, a.entry_count,
       (SELECT count(*) FROM audit_leaf
         WHERE entry_id >= a.from_id AND entry_id < a.to_id),
       a.entry_id, e.body
  FROM audit_archive a LEFT JOIN audit_entry e ON e.id = a.entry_id
"""
_COLUMNS = ("id", "player_id", "event", "subject", "actor", "at")


class _Row(NamedTuple):
    """A leaf and its entry; `place` is None before it has a leaf, `id` when the entry is gone."""

    place: int | None
    entry_id: UUID
    hash: bytes
    leaf_cluster: int
    leaf_xid: str
    id: UUID | None
    player_id: UUID
    event: str
    subject: str
    actor: str
    at: datetime
    body: str
    leaf_hash: bytes
    cluster: int
    xid: str


def log_faults() -> Iterator[str]:
    """Yield a sentence for everything that is not as it was signed (verify_log).

    Streams: call it in a repeatable-read transaction.
    """
    keys: list[PublicKey] = []
    yield from _key_faults(keys)
    yield from _entry_faults()
    try:
        yield from _tree_faults(keys)
        yield from _witness_faults()
    except LogBrokenError as error:
        yield f"the tree cannot be put together: {error.facts}"


def _rows(statement: str) -> Iterator[tuple[Any, ...]]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(statement)
        yield from cursor


# --- Entries and their leaves -------------------------------------------------------------------


def _entry_faults() -> Iterator[str]:
    archives = list(_rows(_ARCHIVES_SQL))
    yield from _archive_faults(archives)
    for place, row in enumerate(map(_Row._make, _rows(_SEALED_SQL))):
        if row.place != place:
            yield f"leaf {place} is not there: {row.place} follows"
            return
        if row.id is None:
            if not any(begin <= row.entry_id < end for begin, end, *_ in archives):
                yield f"leaf {row.place}: its entry {row.entry_id} is gone"
            continue
        yield from (f"leaf {row.place}: {fault}" for fault in _faults_of(row))
    for row in map(_Row._make, _rows(_UNSEALED_SQL)):
        yield from _faults_of(row)
    yield from (f"entry {id_} was passed over" for (id_,) in _rows(_PASSED_OVER_SQL))


def _archive_faults(archives: list[tuple[Any, ...]]) -> Iterator[str]:
    """Yield the archives that the log does not tell of, or that have other entries than it says."""
    for begin, _, digest, expected_count, leaf_count, entry_id, body in archives:
        told = f"the archive from {begin}"
        is_away = any(first <= entry_id < last for first, last, *_ in archives)
        if (body is None and not is_away) or (body and bytes(digest).hex() not in body):
            yield f"{told} is one of which the log does not tell"
        if expected_count != leaf_count:
            yield f"{told} should have {expected_count} entries and has {leaf_count}"


def _faults_of(row: _Row) -> Iterator[str]:
    told = f"entry {row.entry_id}"
    if tree.leaf_hash(row.body.encode()) != bytes(row.leaf_hash):
        yield f"{told} has a body that is not what its leaf_hash is of"
    if bytes(row.leaf_hash) != bytes(row.hash):
        yield f"{told} has a leaf_hash that is not the leaf's"
    if (row.cluster, row.xid) != (row.leaf_cluster, row.leaf_xid):
        yield f"{told} has another cluster or xid than its leaf"
    says = _said(row.body)
    for column in _COLUMNS:
        if says.get(column) != _text(getattr(row, column)):
            yield f"{told} has a column {column} that its body does not say"


def _said(body: str) -> dict[str, Any]:
    try:
        said = json.loads(body)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _text(value: Any) -> str:
    return format_time(value) if isinstance(value, datetime) else str(value)


# --- The tree and what was signed of it ---------------------------------------------------------


def _tree_faults(keys: list[PublicKey]) -> Iterator[str]:
    """Grow the tree anew, from checkpoint to checkpoint."""
    edge, chain = Edge(), Chain(keys)
    tiles = _rows(
        "SELECT index, level, root FROM audit_tile ORDER BY (index + 1) << 8 * level, level"
    )
    for checkpoint in Checkpoint.objects.order_by("size").iterator(_CHUNK):
        while edge.size < checkpoint.size:
            end = min(checkpoint.size, edge.size + _CHUNK)
            try:
                edge, filled = tree.grow(edge, hashes(0, edge.size, end))
            except LogBrokenError:
                yield f"checkpoint {checkpoint.size} is of leaves that are not there"
                return
            yield from _tile_faults(sorted(filled, key=_moment), tiles)
        yield from _checkpoint_faults(checkpoint, edge, keys)
        yield from chain.faults(checkpoint)
    yield from (f"tile {level}/{index} is full of nothing" for index, level, _ in tiles)
    yield from _rest_faults(edge)
    yield from _signer_faults()


def _moment(tile: FullTile) -> tuple[int, int]:
    """Return when a tile became full: at which size, and there from below."""
    return tile.index + 1 << 8 * tile.level, tile.level


def _tile_faults(filled: list[FullTile], tiles: Iterator[tuple[Any, ...]]) -> Iterator[str]:
    for tile in filled:
        index, level, root = next(tiles, (None, None, b""))
        if (level, index, bytes(root)) != (tile.level, tile.index, tile.root):
            yield f"tile {tile.level}/{tile.index} is not the tile of its hashes"


def _checkpoint_faults(kept: Checkpoint, edge: Edge, keys: list[PublicKey]) -> Iterator[str]:
    told = f"checkpoint {kept.size}"
    if bytes(kept.root) != edge.root:
        yield f"{told} has a root that is not that of its leaves"
    try:
        note = tree.parse_note(kept.note)
        signed = tree.open_checkpoint(kept.note, keys)
    except tree.NoteError as error:
        yield f"{told} has a note that does not hold: {error}"
        return
    if len(tree.signers(note, keys)) != len(note.signatures):
        yield f"{told} has a note with a signature of nobody that is known"
    said = (signed.checkpoint.size, signed.checkpoint.root, signed.at)
    if said != (kept.size, bytes(kept.root), kept.at.timestamp()):
        yield f"{told} has a size, root or time that its note does not say"


def _rest_faults(edge: Edge) -> Iterator[str]:
    for (count,) in _rows("SELECT count(*) FROM audit_leaf"):
        if count != edge.size:
            yield f"{count} leaves are there, {edge.size} are signed"


def _signer_faults() -> Iterator[str]:
    """Hold the newest checkpoint against the keys of this process, where it has them.

    Whoever writes a whole log anew, keys included, cannot sign it with these.
    """
    ours = [SigningKey.parse(settings.LOG_ORIGIN, key).public for key in settings.LOG_KEYS]
    last = Checkpoint.objects.first()
    try:
        if last and ours and not tree.signers(tree.parse_note(last.note), ours):
            yield f"checkpoint {last.size} is signed by none of LOG_KEYS"
    except tree.NoteError:
        yield f"checkpoint {last and last.size} has a signature that is not of LOG_KEYS"


def _key_faults(keys: list[PublicKey]) -> Iterator[str]:
    """Fill in the keys, and yield those that are none."""
    for (verifier,) in _rows("SELECT verifier FROM audit_key"):
        try:
            keys.append(PublicKey.parse(verifier))
        except tree.NoteError:
            yield f"key {verifier} is none"


def _witness_faults() -> Iterator[str]:
    kept, last = read_witness(), Checkpoint.objects.first()
    size = last.size if last else 0
    if kept and kept.size > size:
        yield f"the checkpoint kept elsewhere has {kept.size} leaves, the newest here {size}"
    elif kept and root_at(kept.size) != kept.root:
        yield f"the checkpoint kept elsewhere has another root at {kept.size}"
