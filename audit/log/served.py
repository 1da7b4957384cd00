"""What the log serves: tiles and bundles, and proofs for those who would rather not reckon."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db import connection

from audit import tree
from audit.log.kept import hashes, last_checkpoint, root_at
from audit.models import Checkpoint, Entry, Leaf
from audit.tree import Tile

_BODIES_SQL = """
SELECT e.body FROM audit_leaf l JOIN audit_entry e ON e.id = l.entry_id
 WHERE l.index >= %s AND l.index < %s ORDER BY l.index
"""


def tile_of(tile: Tile) -> bytes | None:
    """Return a tile's hashes, one after the other; None for what is not published."""
    if tile.level is None or not _is_published(tile):
        return None
    return b"".join(hashes(tile.level, tile.begin, tile.end))


def bundle_of(tile: Tile) -> bytes | None:
    """Return the entries beside a tile of leaves; None for what is not published, or archived."""
    if tile.level is not None or not _is_published(tile):
        return None
    with connection.cursor() as cursor:
        cursor.execute(_BODIES_SQL, [tile.begin, tile.end])
        bodies = [body.encode() for (body,) in cursor.fetchall()]
    return tree.format_bundle(bodies) if len(bodies) == tile.width else None


def _is_published(tile: Tile) -> bool:
    last = last_checkpoint()
    return last is not None and tile.is_in(last.size)


def entries_of(subject: str) -> list[UUID]:
    """Return the ids of a subject's entries, oldest first."""
    return list(Entry.objects.filter(subject=subject).order_by("id").values_list("id", flat=True))


def inclusion_of(entry_ids: Collection[UUID]) -> list[dict[str, Any]]:
    """Return the proof of each of these entries that is sealed, in the newest checkpoint."""
    last = last_checkpoint()
    if last is None:
        return []
    leaves = Leaf.objects.filter(entry_id__in=entry_ids, index__lt=last.size).order_by("index")
    return [_inclusion(leaf, last) for leaf in leaves]


def _inclusion(leaf: Leaf, last: Checkpoint) -> dict[str, Any]:
    proof = tree.inclusion_proof(leaf.index, last.size, tree.subtree_of(hashes))
    return {
        "entry_id": str(leaf.entry_id),
        "index": leaf.index,
        "size": last.size,
        "leaf_hash": bytes(leaf.hash).hex(),
        "root_hash": bytes(last.root).hex(),
        "hashes": [step.hex() for step in proof],
        "tlog_proof": tree.format_proof(leaf.index, proof, last.note),
    }


def consistency_of(old: int, new: int) -> dict[str, Any] | None:
    """Return the proof that the tree of one size is where a later one begins.

    None for sizes that are in no order, or not published.
    """
    last = last_checkpoint()
    if last is None or not 0 <= old <= new <= last.size:
        return None
    proof = tree.consistency_proof(old, new, tree.subtree_of(hashes))
    return {
        "old": old,
        "new": new,
        "old_root": root_at(old).hex(),
        "new_root": root_at(new).hex(),
        "hashes": [step.hex() for step in proof],
    }
