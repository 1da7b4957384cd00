"""The manifest of an export: what it holds, how much of it, and the log's signature over that.

`manifest.note` is a signed note (C2SP) whose text names the log and the manifest's SHA-256, in
the form that `sha256sum -c` reads; the manifest has the SHA-256 of every other file.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from audit import tree
from audit.export import files
from audit.export.parts import parts
from audit.models import Export
from audit.tree import Note, SigningKey
from casino.days import format_time

FORMAT = "pontoon-export/1"
MANIFEST, NOTE, SUMS = "manifest.json", "manifest.note", "SHA256SUMS"


def write_manifest(folder: Path, export: Export) -> None:
    """Write manifest, note and checksums beside the files of an export."""
    for name in (MANIFEST, NOTE, SUMS):
        (folder / name).unlink(missing_ok=True)
    listed = [_file(folder, path, export) for path in files.walk(folder)]
    manifest = {
        "format": FORMAT,
        "export_id": str(export.id),
        "requested_by": export.requested_by,
        "requested_at": format_time(export.requested_at),
        "request": export.asked,
        "origin": settings.LOG_ORIGIN,
        "build": settings.BUILD,
        "size": export.cursor["cut"]["size"],
        "archived_to": _archived_to(),
        "files": listed,
        "totals": {name: _totals(name, rows) for name, rows in export.cursor["sums"].items()},
    }
    text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text)
    (folder / NOTE).write_text(sign(files.digest(folder / MANIFEST)))
    sums = "".join(f"{file['sha256']}  {file['name']}\n" for file in listed)
    (folder / SUMS).write_text(sums)


def _archived_to() -> str | None:
    """Return the time before which the log's entries have been archived, out of the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_id FROM audit_archive ORDER BY to_id DESC LIMIT 1")
        row = cursor.fetchone()
    if row is None:
        return None
    at = datetime.fromtimestamp((row[0].int >> 80) / 1000, UTC)
    return format_time(at)


def _file(folder: Path, path: Path, export: Export) -> dict[str, Any]:
    name = path.relative_to(folder).as_posix()
    told = {"name": name, "size": path.stat().st_size, "sha256": files.digest(path)}
    count = export.cursor["counts"].get(name)
    return told if count is None else told | {"count": count}


def _totals(part_name: str, rows: list[list[Any]]) -> list[dict[str, Any]]:
    part = parts()[part_name]
    names = (*part.group, "count", *part.sums)
    return [dict(zip(names, row, strict=True)) for row in sorted(rows, key=repr)]


def sign(sha256: str) -> str:
    """Return the note that vouches for a manifest of this digest."""
    text = f"{settings.LOG_ORIGIN}/export\n{sha256}  {MANIFEST}\n"
    keys = [SigningKey.parse(settings.LOG_ORIGIN, key) for key in settings.LOG_KEYS]
    return tree.format_note(Note(text, tuple(key.sign(text, 0)[0] for key in keys)))
