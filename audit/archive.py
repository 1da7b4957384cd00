"""Taking a month of entries out of the database, for good: a superuser's act, and on record.

The entries go into a file first, each beside its place in the tree, and every one is held against
its leaf on the way. The leaves stay: whatever was proven of the month stays provable.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from psycopg import Connection, sql

from audit import services, tree
from audit.errors import ArchiveRefusedError, LogBrokenError
from audit.events import Event

_SEALED_SQL = """
SELECT l.index, e.cluster, e.xid::text, e.body, l.hash
  FROM {} e LEFT JOIN audit_leaf l ON l.entry_id = e.id ORDER BY l.index
"""
_RANGE_SQL = """
SELECT audit_first_id(%s::date), audit_first_id((%s::date + interval '1 month')::date)
"""
_ARCHIVE_SQL = """
INSERT INTO audit_archive (from_id, to_id, entry_count, digest, entry_id)
VALUES (%s, %s, %s, %s, %s)
"""


@dataclass(frozen=True, slots=True)
class Archive:
    """A month that was taken out: its file, how many entries that has, and its SHA-256."""

    path: Path
    entry_count: int
    digest: bytes


def archive(dba: Connection, *, month: date, folder: Path, reason: str, actor: str) -> Archive:
    """Write a month's entries into a file, and detach its partition; the table is left to drop.

    `dba` is a superuser's connection. Errors: ArchiveRefusedError, when the month is not over,
    not there or not wholly sealed; LogBrokenError, when an entry is not its leaf's.
    """
    table = f"audit_entry_{month:%Y_%m}"
    with dba.transaction(), _maintenance(dba, reason):
        _require_over(dba, month, table)
        made = _write(dba, table, folder / f"{table}.tsv")
        dba.execute(sql.SQL("ALTER TABLE audit_entry DETACH PARTITION {}").format(_name(table)))
        _require_all(dba, table, made)
        _unfinished(made.path).replace(made.path)
        _record(dba, month, made, reason=reason, actor=actor)
    return made


@contextmanager
def _maintenance(dba: Connection, reason: str) -> Iterator[None]:
    """Lift the guard for this transaction, and wait for nobody long: bets wait behind a detach."""
    dba.execute("SELECT set_config('pontoon.maintenance', %s, true)", [reason])
    dba.execute("SET LOCAL lock_timeout = '3s'")
    yield


def _require_over(dba: Connection, month: date, table: str) -> None:
    now = _one(dba, "SELECT now() AT TIME ZONE 'UTC'")
    if (month.year, month.month) >= (now.year, now.month):
        raise ArchiveRefusedError(reason="not_over", month=f"{month:%Y-%m}")
    is_there = _one(
        dba,
        "SELECT EXISTS (SELECT FROM pg_inherits WHERE inhparent = 'audit_entry'::regclass"
        " AND inhrelid = to_regclass(%s))",
        table,
    )
    if not is_there:
        raise ArchiveRefusedError(reason="not_there", month=f"{month:%Y-%m}")


def _write(dba: Connection, table: str, path: Path) -> Archive:
    """Write a line an entry, in the order of the tree: index, cluster, xid, body."""
    seen, count = hashlib.sha256(), 0
    with _unfinished(path).open("wb") as file, dba.cursor("archive") as rows:
        rows.execute(sql.SQL(_SEALED_SQL).format(_name(table)))
        for index, cluster, xid, body, leaf in rows:
            _require_sealed(index, body, leaf)
            line = f"{index}\t{cluster}\t{xid}\t{body}\n".encode()
            file.write(line)
            seen.update(line)
            count += 1
        file.flush()
        os.fsync(file.fileno())
    return Archive(path, count, seen.digest())


def _unfinished(path: Path) -> Path:
    return path.with_name(f"{path.name}.new")


def _require_sealed(index: int | None, body: str, leaf: bytes | None) -> None:
    if index is None:
        raise ArchiveRefusedError(reason="not_sealed", entry_id=json.loads(body)["id"])
    if tree.leaf_hash(body.encode()) != leaf:
        raise LogBrokenError(reason="entry_differs", index=index)


def _require_all(dba: Connection, table: str, made: Archive) -> None:
    """Require that nobody wrote into the month since it was read: now nobody can."""
    count = _one(dba, sql.SQL("SELECT count(*) FROM {}").format(_name(table)))
    if count != made.entry_count:
        raise ArchiveRefusedError(reason="written_meanwhile", month=table)


def _record(dba: Connection, month: date, made: Archive, *, reason: str, actor: str) -> None:
    at: datetime = _one(dba, "SELECT clock_timestamp()")
    written = services.entry(
        Event.LOG_ARCHIVED,
        subject=f"log:{month:%Y-%m}",
        actor=actor,
        at=at,
        payload={
            "reason": reason,
            "before": {"entry_count": made.entry_count},
            "after": {"file": made.path.name, "sha256": made.digest.hex()},
        },
    )
    dba.execute("SELECT audit_record(%s::jsonb)", [json.dumps(written)])
    span = dba.execute(_RANGE_SQL, [month, month]).fetchone() or ()
    dba.execute(_ARCHIVE_SQL, [*span, made.entry_count, made.digest, written["id"]])


def _name(table: str) -> sql.Identifier:
    return sql.Identifier(table)


def _one(dba: Connection, statement: Any, *parameters: Any) -> Any:
    row = dba.execute(statement, parameters).fetchone()
    return row[0] if row else None
