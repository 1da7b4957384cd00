"""The chain of the checkpoints: each was signed after one other, which has to be there still."""

import json
from collections.abc import Iterator, Sequence

from audit import tree
from audit.events import Event
from audit.models import Checkpoint, Entry
from audit.tree import Link, NoteError, PublicKey


def linked_from() -> int | None:
    """Return from which size on checkpoints have links, as the log itself says; None: from none."""
    bodies = Entry.objects.filter(event=Event.LOG_KEYS_CHANGED).values_list("body", flat=True)
    return min((size for body in bodies if (size := _told(body))), default=None)


def _told(body: str) -> int | None:
    """Return what an entry says; nothing, if it was spoilt: that is found by its leaf."""
    try:
        size = json.loads(body)["payload"].get("links_from")
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return size if isinstance(size, int) else None


class Chain:
    """The checkpoints, one after the other from the first, each held against its link."""

    def __init__(self, keys: Sequence[PublicKey]) -> None:
        self._keys = keys
        self._from = linked_from()
        self._before = (0, "")
        self._count = 0
        self._missed = 0

    def faults(self, kept: Checkpoint) -> Iterator[str]:
        """Yield what does not hold of the next checkpoint's link."""
        self._count += 1
        if kept.link:
            try:
                yield from self._faults_of(kept, self._open(kept))
            except NoteError as error:
                yield f"checkpoint {kept.size} has a link that does not hold: {error}"
        elif self._from is not None and kept.size >= self._from:
            yield f"checkpoint {kept.size} has no link to the one before it"
        if kept.link:
            self._from = min(kept.size, self._from or kept.size)
        self._before = kept.size, kept.note

    def _open(self, kept: Checkpoint) -> Link:
        note = tree.parse_note(kept.link)
        link = tree.parse_link(note.text)
        ours = [key for key in self._keys if key.name == link.origin]
        if len(tree.signers(note, ours)) != len(note.signatures):
            raise NoteError("a signature is of nobody that is known")
        if not kept.note.startswith(f"{link.origin}\n{link.size}\n") or link.size != kept.size:
            raise NoteError("it is another checkpoint's")
        return link

    def _faults_of(self, kept: Checkpoint, link: Link) -> Iterator[str]:
        size, note = self._before
        missed, self._missed = self._missed, link.number - self._count
        if link.before_size != size:
            yield f"checkpoint {link.before_size} is gone: {kept.size} was signed after it"
        elif link.before_hash != tree.note_hash(note):
            yield f"checkpoint {size} is another than that after which {kept.size} was signed"
        elif missed != self._missed:
            yield f"checkpoint {kept.size} is number {link.number}, and {self._count} are there"
