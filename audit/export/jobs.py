"""Exports as work: asked for, built step by step, taken away.

A step is one transaction that holds the export's row: it reads a piece, writes it to the files,
and saves how far that is. Whoever is killed has written nothing that counts, and whoever comes
next goes on; two at once never work on one export.
"""

import logging
import shutil
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from audit import log, seal, services
from audit.errors import (
    ExportConflictError,
    ExportCurrencyError,
    ExportNotFoundError,
    LogBrokenError,
)
from audit.events import Event
from audit.export.asked import Asked, parse_asked
from audit.export.files import LostFileError
from audit.export.parts import Cut
from audit.export.steps import begin, folder_of, packed_of, take_step
from audit.models import Export, Leaf
from casino.days import format_time

FAULTS_MAX = 5
DUE = ("waiting", "running")

logger = logging.getLogger(__name__)


def request(actor: str, *, asked: Asked, key: str | None = None) -> Export:
    """Ask for an export; the same key again is the same export.

    Errors: ExportConflictError, ExportCurrencyError.
    """
    if asked.currency and asked.currency not in import_string(settings.EXPORT_CURRENCIES):
        raise ExportCurrencyError(currency=asked.currency)
    with transaction.atomic(durable=True):
        at = services.now()
        id_ = services.id_of(actor, what="export", key=key, at=at)
        export, is_new = Export.objects.get_or_create(
            id=id_,
            defaults={"requested_by": actor, "requested_at": at, "asked": asked.as_json},
        )
        if is_new:
            _record(Event.EXPORT_REQUESTED, actor, export, before=None, after=export.asked)
    if export.asked != asked.as_json:
        raise ExportConflictError(export_id=str(export.id))
    return export


def find(export_id: UUID) -> Export:
    """Return an export. Errors: ExportNotFoundError."""
    export = Export.objects.filter(id=export_id).first()
    if export is None:
        raise ExportNotFoundError
    return export


def download(actor: str, *, export_id: UUID) -> Path:
    """Return the file of an export, on record that it was taken. Errors: ExportNotFoundError."""
    export = find(export_id)
    path = packed_of(export)
    if export.state != "done" or not path.exists():
        raise ExportNotFoundError
    sha256 = export.cursor["sha256"]
    _record(Event.EXPORT_DOWNLOADED, actor, export, before=None, after={"sha256": sha256})
    return path


def build(*, within: timedelta = timedelta(seconds=60), only: UUID | None = None) -> bool:
    """Build what is due for about so long, the begun first; return whether more is to do.

    Harmless when it comes twice, late, or at once with another.
    """
    until = monotonic() + within.total_seconds()
    while monotonic() < until:
        if _due(only).filter(state="waiting").exists():
            _seal()
        if not _build_once(only):
            break
    return _due(only).exists()


def _seal() -> None:
    """Seal what a new export shall have; when the sealer refuses, those that run go on."""
    try:
        seal.seal()
    except LogBrokenError as error:
        logger.error("no export can begin: %s", error.facts)


def _due(only: UUID | None) -> QuerySet[Export]:
    due = Export.objects.filter(state__in=DUE).order_by("fault_count", "state", "requested_at")
    return due if only is None else due.filter(id=only)


def _build_once(only: UUID | None) -> bool:
    """Take the next step of an export; return whether there was one to take."""
    export = None
    try:
        with transaction.atomic(durable=True):
            export = _due(only).select_for_update(skip_locked=True, no_key=True).first()
            return export is not None and _step(export)
    except (OperationalError, InterfaceError):
        raise  # the database is away, and not the export's fault
    except Exception as error:
        if export is None:
            raise
        logger.exception("export %s", export.id)
        _fail(export.id, error)
        return True


def _step(export: Export) -> bool:
    """Take one step; return False when its entry has to be sealed first."""
    with connection.cursor() as cursor:  # packing a large one talks to nobody for minutes
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = '30min'")
    if export.state == "waiting":
        if not _begin(export):
            return False
    else:
        take_step(export)
    if export.state == "done":
        export.finished_at = services.now()
        after = {name: export.cursor[name] for name in ("sha256", "size", "counts")}
        _record(Event.EXPORT_BUILT, "system:export", export, before=None, after=after)
    export.save()
    return True


def _begin(export: Export) -> bool:
    """Fix the checkpoint at which an export is answered: one that has its own request."""
    last = log.last_checkpoint()
    leaf = Leaf.objects.filter(index=last.size - 1).first() if last else None
    if last is None or leaf is None or not _is_sealed(export, last.size):
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT cluster, xid::text FROM audit_leaf WHERE index = %s", [leaf.index])
        cluster, xid = cursor.fetchone()
    begin(export, Cut(parse_asked(export.asked), last.size, cluster, xid), note=last.note)
    return True


def _is_sealed(export: Export, size: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM audit_entry e JOIN audit_leaf l ON l.entry_id = e.id"
            " WHERE e.subject = %s AND l.index < %s)",
            [_urn(export), size],
        )
        return bool(cursor.fetchone()[0])


def _fail(export_id: UUID, error: Exception) -> None:
    """Note what came between; begin anew if a file was lost, give up when it happens too often."""
    with transaction.atomic(durable=True):
        export = Export.objects.select_for_update(no_key=True).get(id=export_id)
        told = str(error) if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
        export.fault, export.fault_count = told[:500], export.fault_count + 1
        if isinstance(error, LostFileError):
            export.state, export.cursor, export.progress_percent = "waiting", {}, 0
        if export.fault_count >= FAULTS_MAX:
            export.state = "failed"
            shutil.rmtree(folder_of(export), ignore_errors=True)
            _record(Event.EXPORT_FAILED, "system:export", export, before=None, after=export.fault)
        export.save()


def _record(event: Event, actor: str, export: Export, **payload: Any) -> None:
    services.record(event, subject=_urn(export), actor=actor, payload=payload)


def _urn(export: Export) -> str:
    return f"export:{export.id}"


def asked_for() -> QuerySet[Export]:
    """Return all exports that were asked for, newest first."""
    return Export.objects.all()


def show(export: Export) -> dict[str, Any]:
    """Return an export as JSON: what was asked, how far it is, and what was built."""
    return {
        "export_id": str(export.id),
        "requested_by": export.requested_by,
        "requested_at": format_time(export.requested_at),
        "request": parse_asked(export.asked).as_json,
        "state": export.state,
        "progress_percent": export.progress_percent,
        "checkpoint_size": export.cursor.get("cut", {}).get("size"),
        "counts": export.cursor.get("counts", {}),
        "size": export.cursor.get("size"),
        "sha256": export.cursor.get("sha256"),
        "fault": export.fault,
        "finished_at": export.finished_at and format_time(export.finished_at),
    }
