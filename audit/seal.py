"""Sealing: taking what is new into the tree, and signing what the tree is then.

One transaction a batch, under a lock: entries get leaves, leaves fill tiles, a checkpoint is
signed, kept elsewhere, and committed. Whatever is killed half-way has done nothing, or has only
kept elsewhere a checkpoint that the same entries lead to again.
"""

from datetime import UTC, datetime

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction

from audit import log, services, tree
from audit.errors import LogBrokenError
from audit.events import Event
from audit.models import Checkpoint, Entry
from audit.tree import Edge, FullTile, Link, PublicKey, SigningKey

BATCH = 2000


def seal(*, batch: int = BATCH) -> int:
    """Take everything that is new into the tree; return how many entries that were.

    Harmless when it comes twice, late, or at once with another. Errors: LogBrokenError, when
    the tree is not what was signed of it; it is on record then, and nothing more is signed.
    """
    sealed_count = 0
    try:
        while new_count := _seal_batch(batch):
            sealed_count += new_count
    except LogBrokenError as error:
        _alarm(error)
        raise
    return sealed_count


def _seal_batch(batch: int) -> int:
    """Seal the next entries; return how many."""
    with transaction.atomic(durable=True):
        size = _take(batch)
        last = log.last_checkpoint()
        before = _edge_of(last)
        after, filled = tree.grow(before, log.hashes(0, before.size, size))
        note = _publish(last, after, filled) if size > before.size else None
        _require_witnessed(after)
        if note:
            log.write_witness(note)
    return after.size - before.size


def _take(batch: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT audit_take(%s)", [batch])
        size: int = cursor.fetchone()[0]
    return size


def _edge_of(last: Checkpoint | None) -> Edge:
    """Return the edge of the tree that was signed last. Errors: LogBrokenError, if it differs."""
    if last is None:
        return Edge()
    edge = tree.edge_of(last.size, log.hashes)
    if edge.root != bytes(last.root):
        raise LogBrokenError(reason="tree_differs", size=last.size)
    return edge


def _require_witnessed(edge: Edge) -> None:
    """Require that the tree contains the checkpoint that is kept elsewhere.

    After a restore of an older database it does not: signing would fork the log.
    """
    kept = log.read_witness()
    if kept is None:
        return
    if kept.size > edge.size:
        raise LogBrokenError(reason="witness_ahead", size=edge.size, kept_size=kept.size)
    root = edge.root if kept.size == edge.size else log.root_at(kept.size)
    if root != kept.root:
        raise LogBrokenError(reason="witness_differs", size=edge.size, kept_size=kept.size)


def _publish(last: Checkpoint | None, after: Edge, filled: list[FullTile]) -> str:
    """Sign a tree, write its checkpoint, and return the note."""
    keys = _signing_keys()
    _record_keys(last, [key.public for key in keys], after.size)
    at = max([services.now()] + ([last.at] if last else [])).replace(microsecond=0)
    checkpoint = tree.Checkpoint(settings.LOG_ORIGIN, after.size, after.root)
    note = tree.sign_checkpoint(checkpoint, keys, at=int(at.timestamp()))
    services.commit(
        "audit_publish",
        {
            "size": after.size,
            "root": after.root.hex(),
            "at": at.isoformat(),
            "note": note,
            "link": tree.sign_link(_link(last, after.size), keys),
            "keys": [str(key.public) for key in keys],
            "tiles": [
                {"level": tile.level, "index": tile.index, "root": tile.root.hex()}
                for tile in filled
            ],
        },
    )
    return note


def _link(last: Checkpoint | None, size: int) -> Link:
    """Return what ties a checkpoint to the one before it (docs/log.md).

    Errors: LogBrokenError, when that one has a link that is none.
    """
    if last is None:
        return Link(settings.LOG_ORIGIN, 1, size, 0, tree.note_hash(""))
    number = Checkpoint.objects.count()
    if last.link:
        try:
            number = tree.parse_link(tree.parse_note(last.link).text).number
        except tree.NoteError as error:
            raise LogBrokenError(reason="signature_wrong", size=last.size) from error
    return Link(settings.LOG_ORIGIN, number + 1, size, last.size, tree.note_hash(last.note))


def _signing_keys() -> list[SigningKey]:
    if not settings.LOG_KEYS:
        raise ImproperlyConfigured("LOG_KEYS names no key, so no checkpoint can be signed.")
    return [SigningKey.parse(settings.LOG_ORIGIN, key) for key in settings.LOG_KEYS]


def _record_keys(last: Checkpoint | None, keys: list[PublicKey], size: int) -> None:
    """Record that other keys sign from now on. One of those that signed last has to go along.

    And from which size on checkpoints are linked, so that nobody takes all links away unnoticed.

    Errors: LogBrokenError, when none does: then anybody could have put them there.
    """
    before = _signers(last) if last else []
    links = {} if last and last.link else {"links_from": size}
    if set(before) == set(keys) and not links:
        return
    if before and not set(before) & set(keys):
        raise LogBrokenError(reason="keys_replaced", keys=[str(key) for key in keys])
    services.record(
        Event.LOG_KEYS_CHANGED,
        subject=f"log:{settings.LOG_ORIGIN}",
        actor="system:seal",
        payload={"before": [str(key) for key in before], "after": [str(key) for key in keys]}
        | links,
    )


def _signers(last: Checkpoint) -> list[PublicKey]:
    """Return who of the log's own keys signed last; nobody, if the log had another name then."""
    try:
        note = tree.parse_note(last.note)
        return [key for key in log.public_keys() if tree.signers(note, [key])]
    except tree.NoteError as error:
        raise LogBrokenError(reason="signature_wrong", size=last.size) from error


def _alarm(error: LogBrokenError) -> None:
    """Put it on record that the sealer refuses, once for each checkpoint that it refuses after."""
    subject, last = f"log:{settings.LOG_ORIGIN}", log.last_checkpoint()
    since = last.at if last else datetime.min.replace(tzinfo=UTC)
    known = Entry.objects.filter(subject=subject, event=Event.LOG_BROKEN, at__gte=since)
    if not known.exists():
        services.record(
            Event.LOG_BROKEN,
            subject=subject,
            actor="system:seal",
            payload={"before": last and last.size, "after": error.facts},
        )
