"""The tree in pieces of 256 hashes, by which it is kept, grown and served.

A tile of level 0 holds leaf hashes; one of level n holds the roots of full tiles of level n - 1.
What fills no tile yet is the tree's right edge: it is all that growing the tree needs.

Source: C2SP tlog-tiles.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count, takewhile

from audit.tree.merkle import Subtree, node_hash, root_of

TILE_WIDTH = 256
_BITS = 8

_PATH = re.compile(
    r"(?P<level>0|[1-9]\d?|entries)/(?P<index>(?:x\d{3}/)*\d{3})"
    r"(?:\.p/(?P<width>[1-9]\d{0,2}))?",
    re.ASCII,
)
_LEVEL_MAX = 63

Hashes = Callable[[int, int, int], Sequence[bytes]]
"""(level, begin, end) → hashes of a level's nodes, whichever tiles they lie in."""


@dataclass(frozen=True, slots=True)
class FullTile:
    """A tile that has become full, and its root, which is a hash of the level above."""

    level: int
    index: int
    root: bytes


@dataclass(frozen=True, slots=True)
class Tile:
    """Which tile is meant: `level` is None for the entries beside the leaves of level 0."""

    level: int | None
    index: int
    width: int = TILE_WIDTH

    @property
    def begin(self) -> int:
        """The index, within the level, of its first hash."""
        return self.index * TILE_WIDTH

    @property
    def end(self) -> int:
        """The index, within the level, after its last hash."""
        return self.begin + self.width

    @property
    def path(self) -> str:
        """Its place under `/log/tile/`: `0/x001/x234/067.p/8`."""
        digits = f"{self.index:03d}"
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        place = "/".join([f"x{group}" for group in groups[:-1]] + groups[-1:])
        part = "" if self.width == TILE_WIDTH else f".p/{self.width}"
        return f"{'entries' if self.level is None else self.level}/{place}{part}"

    def is_in(self, size: int) -> bool:
        """Say whether a tree of so many leaves has all its hashes."""
        return self.end <= size >> _BITS * (self.level or 0)


def parse_tile(path: str) -> Tile | None:
    """Return the tile of a path, or None if it is no tile's one and only path."""
    match = _PATH.fullmatch(path)
    if match is None:
        return None
    level = None if match["level"] == "entries" else int(match["level"])
    index = int(match["index"].replace("/", "").replace("x", ""))
    tile = Tile(level, index, int(match["width"] or TILE_WIDTH))
    return tile if tile.path == path and (level or 0) <= _LEVEL_MAX else None


@dataclass(frozen=True, slots=True)
class Edge:
    """A tree by its size and its right edge: of each level the hashes that fill no tile yet."""

    size: int = 0
    rows: tuple[tuple[bytes, ...], ...] = ()

    @property
    def root(self) -> bytes:
        """The root of the whole tree."""
        ragged: tuple[bytes, ...] = ()
        for row in self.rows:
            hashes = row + ragged
            ragged = (root_of(hashes),) if hashes else ()
        return root_of(ragged)


def edge_of(size: int, hashes: Hashes) -> Edge:
    """Return the edge of a tree whose hashes are kept somewhere."""
    ends = takewhile(bool, (size >> _BITS * level for level in count()))
    rows = (hashes(level, end - end % TILE_WIDTH, end) for level, end in enumerate(ends))
    return Edge(size, tuple(map(tuple, rows)))


def grow(edge: Edge, leaves: Iterable[bytes]) -> tuple[Edge, list[FullTile]]:
    """Return the edge after more leaf hashes, and the tiles that they filled, from below."""
    rows: list[tuple[bytes, ...]] = []
    filled: list[FullTile] = []
    new = tuple(leaves)
    size = edge.size + len(new)
    while new or len(rows) < len(edge.rows):
        level = len(rows)
        row = (edge.rows[level] if level < len(edge.rows) else ()) + new
        first_index = edge.size >> _BITS * (level + 1)
        ends = range(TILE_WIDTH, len(row) + 1, TILE_WIDTH)
        new = tuple(root_of(row[end - TILE_WIDTH : end]) for end in ends)
        filled += [FullTile(level, index, root) for index, root in enumerate(new, first_index)]
        rows.append(row[len(new) * TILE_WIDTH :])
    return Edge(size, tuple(rows)), filled


def subtree_of(hashes: Hashes) -> Subtree:
    """Return how the hash of a subtree is found among hashes that are kept by level."""

    def subtree(begin: int, end: int) -> bytes:
        found: list[bytes] = []
        while begin < end:
            height = (end - begin).bit_length() - 1
            found.append(_perfect(hashes, height, begin >> height))
            begin += 1 << height
        *left, reached = found
        for sibling in reversed(left):
            reached = node_hash(sibling, reached)
        return reached

    return subtree


def _perfect(hashes: Hashes, height: int, index: int) -> bytes:
    """Return the hash of a subtree of 2 ** height leaves, the index-th of its kind."""
    level, rest = divmod(height, _BITS)
    return root_of(hashes(level, index << rest, index + 1 << rest))


def format_bundle(entries: Iterable[bytes]) -> bytes:
    """Return entries as tlog-tiles serves them: each after its length in two bytes."""
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)


def parse_bundle(data: bytes) -> list[bytes]:
    """Return the entries of a bundle. Errors: ValueError, when it is cut short."""
    entries, at = [], 0
    while at < len(data):
        begin = at + 2
        at = begin + int.from_bytes(data[at:begin], "big")
        if begin > len(data) or at > len(data):
            raise ValueError("the bundle is cut short")
        entries.append(data[begin:at])
    return entries
