"""The tree of an export, put together again from its nodes, and its entries held against it."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from audit.events import KEYS, Event
from audit.tree import (
    EMPTY_ROOT,
    Checkpoint,
    NoteError,
    PublicKey,
    leaf_hash,
    node_hash,
    open_checkpoint,
)
from audit.verify.package import Fault, Package, read_line

ENTRY_MEMBERS = {"id", "player_id", "event", "subject", "actor", "at", "payload"}


class Entry(NamedTuple):
    """An entry by its place in the tree."""

    leaf_index: int
    told: dict[str, Any]

    @property
    def where(self) -> str:
        """How a fault names it."""
        return f"entry {self.leaf_index} ({self.told.get('id')})"


class Tree:
    """A tree that grows by subtrees from the left; it keeps one hash for each of its heights."""

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[tuple[int, bytes]] = []

    def add(self, begin: int, width: int, hash_: bytes) -> str | None:
        """Add the next subtree; return what is wrong with its place, if anything is."""
        if begin != self.size or width < 1 or width & (width - 1) or begin % width:
            return (
                f"a node over {width} leaves from {begin} on does not follow leaf {self.size - 1}"
            )
        self.size += width
        while self._peaks and self._peaks[-1][0] == width:
            _, left = self._peaks.pop()
            width, hash_ = 2 * width, node_hash(left, hash_)
        self._peaks.append((width, hash_))
        return None

    @property
    def root(self) -> bytes:
        """The root over all that was added."""
        if not self._peaks:
            return EMPTY_ROOT
        *rest, (_, reached) = self._peaks
        for _, left in reversed(rest):
            reached = node_hash(left, reached)
        return reached


def open_note(text: bytes, keys: Iterable[PublicKey]) -> Checkpoint:
    """Return a checkpoint that one of the keys has signed. Errors: ValueError."""
    return open_checkpoint(text.decode(), list(keys)).checkpoint


class Leaves:
    """The entries of an export in their order; what does not hold of them is in `faults`."""

    def __init__(self, package: Package, old: Checkpoint | None, *, is_whole: bool) -> None:
        """`is_whole` when no leaf may be without its entry."""
        self.faults: list[Fault] = []
        self.count = 0
        self._package = package
        self._old = old
        self._is_whole = is_whole
        self._old_root: bytes | None = None
        self._tree = Tree()
        self._bodies = package.lines("entries.jsonl")

    def entries(self) -> Iterator[Entry]:
        """Yield every entry that can be read, as the tree is put together from them."""
        for number, line in enumerate(self._package.lines("tree.jsonl"), 1):
            try:
                yield from self._node(read_line(line))
            except (ValueError, KeyError, TypeError) as error:
                self._fault(f"tree.jsonl line {number}", f"is no node: {error!r}")
        for line in self._bodies:
            self._fault(_name(line), "stands in no leaf of the tree")

    def _node(self, node: dict[str, Any]) -> Iterator[Entry]:
        begin, width, told = node["begin"], node["width"], bytes.fromhex(node["hash"])
        hash_, entry = told, None
        if "entry_id" in node:
            entry, hash_ = self._entry(begin, told, node["entry_id"])
        elif self._is_whole:
            self._fault(f"entry {begin}", f"and {width - 1} after it are missing")
        if misplaced := self._tree.add(begin, width, hash_):
            self._fault("tree.jsonl", misplaced)
        if self._old and self._tree.size == self._old.size:
            self._old_root = self._tree.root
        if entry:
            yield entry

    def _entry(self, index: int, hash_: bytes, entry_id: str) -> tuple[Entry | None, bytes]:
        """Return the next entry and its own hash, held against its leaf."""
        self.count += 1
        line = next(self._bodies, None)
        if line is None:
            self._fault(f"entry {index} ({entry_id})", "is missing")
            return None, hash_
        own = leaf_hash(line)
        if own != hash_:
            self._fault(
                f"entry {index} ({entry_id})", f"its leaf is of other bytes; here: {_name(line)}"
            )
        try:
            entry = Entry(index, read_line(line))
        except ValueError as error:
            self._fault(f"entry {index} ({entry_id})", str(error))
            return None, own
        self.faults += (Fault(entry.where, what) for what in entry_faults(entry.told, entry_id))
        return entry, own

    def _fault(self, where: str, what: str) -> None:
        self.faults.append(Fault(where, what))

    def tree_faults(self, checkpoint: Checkpoint) -> Iterator[Fault]:
        """Yield what the tree, once it is whole, does not share with the checkpoint."""
        if self._tree.size != checkpoint.size:
            yield Fault(
                "tree.jsonl", f"has {self._tree.size} leaves, the checkpoint {checkpoint.size}"
            )
        elif self._tree.root != checkpoint.root:
            yield Fault("tree.jsonl", "its root is not the one that the checkpoint signs")
        if self._old and self._old.size:
            yield from self._consistency_faults(self._old)

    def _consistency_faults(self, old: Checkpoint) -> Iterator[Fault]:
        where = f"the older checkpoint of {old.size} entries"
        if old.size > self._tree.size:
            yield Fault(where, f"has more than the {self._tree.size} of this export")
        elif self._old_root is None:
            yield Fault(where, f"lies within a node; ask for the export with old_size {old.size}")
        elif self._old_root != old.root:
            yield Fault(where, "is not where this tree begins: the log was changed since")


def _name(line: bytes) -> str:
    try:
        return f"entry {read_line(line)['id']}"
    except (ValueError, KeyError):
        return f"a line that is no entry: {line[:60]!r}"


def entry_faults(told: dict[str, Any], entry_id: str) -> Iterator[str]:
    """Yield what an entry lacks of what each must have."""
    if told.keys() != ENTRY_MEMBERS:
        yield f"has the members {sorted(told)}"
        return
    if told["id"] != entry_id:
        yield f"its leaf is of {entry_id}"
    try:
        missing = KEYS[Event(told["event"])] - told["payload"].keys()
    except ValueError:
        return  # an event of a later version; its bytes are checked all the same
    if missing:
        yield f"its payload lacks {', '.join(sorted(missing))}"


def checkpoint_of(package: Package, keys: list[PublicKey]) -> Checkpoint | Fault:
    """Return the export's checkpoint, or what is wrong with it."""
    try:
        return open_note(package.read("checkpoint"), keys)
    except (NoteError, UnicodeDecodeError) as error:
        return Fault("checkpoint", str(error))
