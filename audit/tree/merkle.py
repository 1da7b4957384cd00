"""The tree's hashes, and what proves that something is in it and that nothing left it.

A proof is a list of hashes of subtrees. Which ones it takes follows from numbers alone; whoever
makes one says by `subtree` how the hash of the leaves [begin, end) is found. The subtrees that
are asked for begin at a multiple of the power of two that their leaves fill or begin to fill.

Source: RFC 6962 sections 2.1.1 and 2.1.2 (making), RFC 9162 sections 2.1.3.2 and 2.1.4.2
(checking).
"""

import hashlib
from collections.abc import Callable, Sequence

EMPTY_ROOT = hashlib.sha256().digest()

Subtree = Callable[[int, int], bytes]


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two subtrees under one node: SHA-256 of 0x01 and both."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_of(hashes: Sequence[bytes]) -> bytes:
    """Return the root over these leaf hashes, or over equally large subtrees and a last smaller."""
    row = list(hashes)
    while len(row) > 1:
        left_over = row[-1:] if len(row) % 2 else []
        pairs = zip(row[::2], row[1::2], strict=False)
        row = [node_hash(left, right) for left, right in pairs] + left_over
    return row[0] if row else EMPTY_ROOT


def inclusion_proof(index: int, size: int, subtree: Subtree) -> list[bytes]:
    """Return the hashes that lead from a leaf to the root of a tree, from below."""
    if not 0 <= index < size:
        raise ValueError(f"no leaf {index} in a tree of {size}")
    proof, begin, end = [], 0, size
    while end - begin > 1:
        split = begin + _left_count(end - begin)
        if index < split:
            proof.append(subtree(split, end))
            end = split
        else:
            proof.append(subtree(begin, split))
            begin = split
    return proof[::-1]


def consistency_proof(old: int, new: int, subtree: Subtree) -> list[bytes]:
    """Return the hashes that show that a tree of `old` leaves is where one of `new` begins."""
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {old} is no beginning of one of {new}")
    if old in {0, new}:
        return []
    proof, begin, end = [], 0, new
    while end != old:
        split = begin + _left_count(end - begin)
        if old <= split:
            proof.append(subtree(split, end))
            end = split
        else:
            proof.append(subtree(begin, split))
            begin = split
    if begin:  # else it is the old root itself, which the checker has
        proof.append(subtree(begin, end))
    return proof[::-1]


def _left_count(count: int) -> int:
    """Return how many leaves stand left of a node over `count`: the largest power of two below."""
    return 1 << (count - 1).bit_length() - 1


def is_included(leaf: bytes, index: int, size: int, *, proof: Sequence[bytes], root: bytes) -> bool:
    """Say whether a proof leads from a leaf hash at its index to a root."""
    if not 0 <= index < size:
        return False
    place, last, reached = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            reached = node_hash(sibling, reached)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            reached = node_hash(reached, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and reached == root


def is_consistent(
    old: int, new: int, *, proof: Sequence[bytes], old_root: bytes, new_root: bytes
) -> bool:
    """Say whether a proof shows that one tree is where another begins."""
    if not 0 <= old <= new:
        return False
    if old in {0, new}:
        return not proof and old_root == (EMPTY_ROOT if old == 0 else new_root)
    path = [old_root, *proof] if old & (old - 1) == 0 else list(proof)
    if not path:
        return False
    return _roots(old - 1, new - 1, path) == (old_root, new_root)


def _roots(place: int, last: int, path: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """Return the old and the new root to which a consistency proof leads; None if to no node."""
    while place & 1:
        place, last = place >> 1, last >> 1
    old = new = path[0]
    for sibling in path[1:]:
        if last == 0:
            return None
        if place & 1 or place == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        place, last = place >> 1, last >> 1
    return (old, new) if last == 0 else None
