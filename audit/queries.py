"""Reading the log."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models.functions import Now

from audit.log import inclusion_of as inclusion_of
from audit.models import Entry, Work


@contextmanager
def one_moment() -> Iterator[None]:
    """Let everything that is read in the block be of one moment; nothing can be written in it."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        # Unlike a bet, what asks for one moment reads whole tables.
        cursor.execute("SET LOCAL enable_seqscan = on")
        cursor.execute("SET LOCAL plan_cache_mode = auto")
        yield


def read_row(statement: str, parameters: Sequence[Any]) -> tuple[Any, ...] | None:
    """Return the first row of a SELECT, or None.

    A connection that died since its last use (the server was started anew) is replaced, once:
    nothing has been decided yet, so nobody need be told.
    """
    try:
        return _first(statement, parameters)
    except (OperationalError, InterfaceError):
        if connection.in_atomic_block or connection.is_usable():
            raise
        connection.close()
    return _first(statement, parameters)


def _first(statement: str, parameters: Sequence[Any]) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


def faults_in(file: Path) -> Iterator[str]:
    """Yield each row of each statement in a file: a sentence for what does not hold.

    Streams: call it in one moment, and its statements speak of the same.
    """
    for statement in file.read_text().split(";\n"):
        if statement.strip():
            with connection.cursor() as cursor:
                cursor.execute(statement)
                yield from (row[0] for row in cursor)


def entries_of(subject: str, *, player_id: UUID) -> list[dict[str, Any]]:
    """Return a subject's entries, oldest first, each with its leaf hash (hex)."""
    rows = Entry.objects.filter(player_id=player_id, subject=subject).order_by("id")
    return [
        json.loads(body) | {"leaf_hash": bytes(leaf).hex()}
        for body, leaf in rows.values_list("body", "leaf_hash")
    ]


_SEALING_SQL = """
WITH last AS (SELECT * FROM audit_leaf ORDER BY index DESC LIMIT 1)
SELECT (SELECT count(*) FROM (
         SELECT FROM audit_entry e
          WHERE (e.xid, e.id) > (coalesce((SELECT xid FROM last), '0'),
                                 coalesce((SELECT entry_id FROM last), audit_first_id('epoch')))
            AND e.cluster = coalesce((SELECT cluster FROM last), e.cluster)
          LIMIT %s) waiting),
       audit_waiting_s(), c.size, c.at
  FROM (SELECT) nothing LEFT JOIN (SELECT size, at FROM audit_checkpoint
                                    ORDER BY size DESC LIMIT 1) c ON true
"""


class Sealing(NamedTuple):
    """How many entries wait to be sealed, for how long, and what the last checkpoint was."""

    waiting_count: int
    waiting_s: int
    size: int | None
    sealed_at: datetime | None


def sealing(count_max: int) -> Sealing:
    """Return how far the sealer is; nobody counts further than `count_max`."""
    row = read_row(_SEALING_SQL, [count_max])
    assert row is not None  # noqa: S101  a SELECT without a condition
    return Sealing(*row)


_LAST_MANIFEST_SQL = """
SELECT e.body::jsonb->'payload'->>'after', m.content
  FROM audit_entry e
  JOIN audit_manifest m ON m.digest = decode(e.body::jsonb->'payload'->>'after', 'hex')
 WHERE e.subject = 'software' ORDER BY e.id DESC LIMIT 1
"""


def last_manifest() -> tuple[str, str] | None:
    """Return what the software last was, the digest of its manifest and the manifest, or None."""
    return read_row(_LAST_MANIFEST_SQL, [])


_LAST_IN_CUT_SQL = """
SELECT e.subject, bool_and(c.is_in),
       CASE WHEN NOT bool_and(c.is_in)
            THEN (array_agg(e.body ORDER BY l.index DESC) FILTER (WHERE c.is_in))[1] END
  FROM audit_entry e LEFT JOIN audit_leaf l ON l.entry_id = e.id
 CROSS JOIN LATERAL (SELECT coalesce(l.index < %(size)s::bigint, false)
                        AND (%(end)s::timestamptz IS NULL OR e.at < %(end)s) AS is_in) c
 WHERE e.subject = ANY(%(subjects)s::text[])
 GROUP BY e.subject
"""


def last_in_cut(
    subjects: Sequence[str], *, size: int, end: datetime | None
) -> dict[str, tuple[dict[str, Any] | None, bool]]:
    """Say of subjects whether all their entries are among the first leaves, and before `end`.

    (None, True) if so; else the last entry that is, or None, and False. A subject without any
    entry is left out.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LAST_IN_CUT_SQL, {"subjects": list(subjects), "size": size, "end": end})
        return {
            subject: (body and json.loads(body), is_all)
            for subject, is_all, body in cursor.fetchall()
        }


def has_entry(entry_id: UUID) -> bool:
    """Say whether there is an entry with this id."""
    return Entry.objects.filter(id=entry_id).exists()


def entries_between(
    begin: datetime, end: datetime, *, events: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield the entries of some kinds in a time, oldest first."""
    rows = Entry.objects.filter(at__gte=begin, at__lt=end, event__in=events).order_by("id")
    yield from (json.loads(body) for body in rows.values_list("body", flat=True).iterator())


def begun_work(kind: str, *, count_max: int) -> list[tuple[UUID, str]]:
    """Return (player, subject) of units that are due again, oldest first.

    Some of them are done: their worker died after the commit. Trying such a one finds nothing to
    do, and takes its row away.
    """
    begun = Work.objects.filter(kind=kind, state="waiting", due_at__lte=Now()).order_by("due_at")
    return list(begun.values_list("player_id", "subject")[:count_max])


_LOG_FAULT_SQL = """
SELECT e.id FROM audit_entry e
 WHERE e.subject = %s AND e.event = 'log.broken'
   AND e.at >= coalesce((SELECT max(at) FROM audit_checkpoint), '-infinity')
 ORDER BY e.id DESC LIMIT 1
"""


class Failed(NamedTuple):
    """How much work has failed: what is due again, what waits for its turn, and what has died."""

    due: int
    waiting: int
    dead: int


def failed_work() -> Failed:
    """Return how much work has failed; what is being done at its first try is not in it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FILTER (WHERE state = 'waiting' AND due_at <= now()),"
            "       count(*) FILTER (WHERE state = 'waiting' AND due_at > now() AND error <> ''),"
            "       count(*) FILTER (WHERE state = 'dead') FROM audit_work"
        )
        return Failed(*cursor.fetchone())


def dead_work(*, count_max: int) -> list[UUID]:
    """Return the work that has died, oldest first."""
    dead = Work.objects.filter(state="dead").order_by("id")
    return list(dead.values_list("id", flat=True)[:count_max])


def log_fault() -> str | None:
    """Return the entry that says that the sealer refuses the log, if nothing was signed since."""
    row = read_row(_LOG_FAULT_SQL, [f"log:{settings.LOG_ORIGIN}"])
    return str(row[0]) if row else None


_FIGURES_SQL = """
SELECT audit_waiting_s(), audit_months_ahead(),
       (SELECT count(*) FROM audit_delivery WHERE state = 'waiting'),
       (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)
          FROM audit_delivery WHERE state = 'waiting'),
       (SELECT count(*) FROM audit_delivery WHERE state = 'dead')
"""


def figures() -> dict[str, dict[tuple[str, ...], float]]:
    """Return what people watch of the log, the work and the webhooks: name → labels → figure."""
    with connection.cursor() as cursor:
        cursor.execute(_FIGURES_SQL)
        waiting_s, months_ahead, backlog, oldest_s, dead = cursor.fetchone()
        cursor.execute("SELECT kind, state, count(*) FROM audit_work GROUP BY kind, state")
        work: dict[tuple[str, ...], float] = {
            (kind, state): float(count) for kind, state, count in cursor.fetchall()
        }
        cursor.execute("SELECT state, count(*) FROM audit_endpoint GROUP BY state")
        endpoints: dict[tuple[str, ...], float] = {
            (state,): float(count) for state, count in cursor.fetchall()
        }
    return {
        "log_waiting_seconds": {(): float(waiting_s)},
        "log_months_ahead": {(): float(months_ahead)},
        "work": work,
        "webhooks": endpoints,
        "webhook_backlog": {(): float(backlog)},
        "webhook_oldest_seconds": {(): float(oldest_s)},
        "webhook_dead": {(): float(dead)},
    }
