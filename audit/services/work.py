"""Units of work that may fail: tried again, ever later, and laid aside in the end, for all to see.

A try is counted before it is made. So a unit that takes its worker down with it is counted too,
waits like any other, and nobody else does it meanwhile. What is done leaves no row.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from audit.errors import WorkNotFoundError
from audit.events import Event
from audit.models import Work
from audit.services.entries import NIL, new_id, now, record

WAITS = (
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=6),
    timedelta(hours=12),
    timedelta(hours=24),
)
TRIES_MAX = len(WAITS) + 1
"""The first try and one after each wait: what a person can mend in two days dies of nothing."""

LEASE = timedelta(seconds=45)
"""For how long a unit that was begun is left alone: after that its worker has died."""

LETTER = "letter"
"""The kind of what came out of the queue and cannot be tried again."""

log = logging.getLogger(__name__)

_BEGIN_SQL = """
INSERT INTO audit_work (id, kind, subject, player_id, state, tries, due_at, error, began_at)
VALUES (%(id)s, %(kind)s, %(subject)s, %(player_id)s, 'waiting', 1, %(at)s::timestamptz + %(lease)s,
        '', %(at)s)
    ON CONFLICT (kind, subject) DO UPDATE
   SET tries = audit_work.tries + 1, due_at = EXCLUDED.due_at
 WHERE audit_work.state = 'waiting' AND audit_work.due_at <= %(at)s
RETURNING tries
"""


def attempt(
    kind: str,
    *,
    subject: str,
    unit: Callable[[], object],
    player_id: UUID = NIL,
    lease: timedelta = LEASE,
) -> bool:
    """Do a unit, unless it is being done, waits or has died; return whether it is done now.

    A sweep leaves out what `audit_is_due(kind, subject)` denies. Whatever the unit raises is a
    failed try; it has to be harmless when it comes twice.
    """
    tries = _begin(kind, subject, player_id, lease)
    if tries is None:
        return False
    if tries > TRIES_MAX:
        _fail(kind, subject, tries, "its worker died with it, again and again")
        return False
    try:
        unit()
    except Exception as error:
        log.exception("%s of %s has failed, try %s", kind, subject, tries)
        _fail(kind, subject, tries, f"{type(error).__name__}: {error}")
        return False
    Work.objects.filter(kind=kind, subject=subject).delete()
    return True


def _begin(kind: str, subject: str, player_id: UUID, lease: timedelta) -> int | None:
    """Count a try and keep others away; None when it is not this caller's turn."""
    at = now()
    named: dict[str, Any] = {
        "id": new_id(at),
        "kind": kind,
        "subject": subject,
        "player_id": player_id,
    }
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(_BEGIN_SQL, named | {"at": at, "lease": lease})
        row = cursor.fetchone()
    return row and int(row[0])


def _fail(kind: str, subject: str, tries: int, error: str) -> None:
    with transaction.atomic(durable=True):
        work = (
            Work.objects.select_for_update(no_key=True)
            .filter(kind=kind, subject=subject, state="waiting", tries=tries)
            .first()
        )
        if work is None:
            return  # a person has revived it meanwhile, or another has begun after this one's time
        work.error = error[:500]
        if tries >= TRIES_MAX:
            _die(work)
        else:
            work.due_at = now() + WAITS[tries - 1]
        work.save(update_fields=["state", "due_at", "error"])


def _die(work: Work) -> None:
    work.state = "dead"
    record(
        Event.WORK_DIED,
        subject=work.subject,
        actor="system:work",
        player_id=work.player_id,
        payload={
            "before": {"state": "waiting"},
            "after": {"state": "dead", "kind": work.kind, "tries": work.tries, "error": work.error},
        },
    )


def bury(kind: str, *, subject: str, error: str) -> None:
    """Lay aside what cannot even be tried: a message that no task of ours takes.

    Once dead it stays one row, which counts; only the first is an entry.
    """
    with transaction.atomic(durable=True):
        at = now()
        work, is_new = Work.objects.select_for_update(no_key=True).get_or_create(
            kind=kind,
            subject=subject[:200],
            defaults={"id": new_id(at), "player_id": NIL, "due_at": at, "began_at": at},
        )
        work.tries, work.error = work.tries + 1, error[:500]
        if is_new or work.state != "dead":
            _die(work)
        work.save(update_fields=["state", "tries", "error"])


def retry_work(actor: str, *, work_id: UUID) -> None:
    """Let what has died, or waits, be tried again, from the first. Errors: WorkNotFoundError.

    A dead letter cannot be: somebody has seen it, and it is put away.
    """
    with transaction.atomic(durable=True):
        work = Work.objects.select_for_update(no_key=True).filter(id=work_id).first()
        if work is None:
            raise WorkNotFoundError
        before = {"state": work.state, "tries": work.tries}
        work.state, work.tries, work.due_at = "waiting", 0, now()
        if work.kind == LETTER:
            work.delete()
        else:
            work.save(update_fields=["state", "tries", "due_at"])
        record(
            Event.WORK_RETRIED,
            subject=work.subject,
            actor=actor,
            player_id=work.player_id,
            payload={"before": before, "after": {"state": "waiting", "kind": work.kind}},
        )
