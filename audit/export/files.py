"""The files of an export while it is built: lines are appended, and the rest is made of them.

Only what the job's row counts is there: a file that a killed build left longer is cut back, so
going on writes each line once.
"""

import csv
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pyarrow as pa
import pyarrow.parquet as pq

from audit.export.parts import Column

LINES_AT_ONCE = 10_000

_READ_BYTES = 1 << 20
_ARROW = {
    "text": pa.string(), "id": pa.string(), "json": pa.string(),
    "whole": pa.int64(), "minor": pa.int64(), "time": pa.timestamp("us", "UTC"),
}  # fmt: skip


class LostFileError(OSError):
    """A file of a build is shorter than its job says: it has to begin anew."""


def append(
    folder: Path, lines: Mapping[str, Sequence[bytes]], sizes: Mapping[str, int]
) -> dict[str, int]:
    """Write lines behind what is counted of their files; return the new sizes, safe on disk.

    Errors: LostFileError.
    """
    return dict(sizes) | {
        name: _append(folder / name, b"".join(line + b"\n" for line in more), sizes.get(name, 0))
        for name, more in lines.items()
    }


def _append(path: Path, data: bytes, size: int) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        if file.tell() < size:
            raise LostFileError(path)
        file.truncate(size)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return size + len(data)


def read_lines(path: Path, offset: int, count: int = LINES_AT_ONCE) -> tuple[list[bytes], int]:
    """Return so many lines from an offset on, and the offset behind them."""
    with path.open("rb") as file:
        file.seek(offset)
        lines = list(islice(file, count))
    return lines, offset + sum(map(len, lines))


# --- CSV ----------------------------------------------------------------------------------------


def as_csv(lines: Sequence[bytes], columns: Sequence[Column], *, has_head: bool) -> list[bytes]:
    """Return lines of JSON as lines of CSV (RFC 4180), under a head if it is the beginning."""
    rows = [[column.name for column in columns]] if has_head else []
    rows += [[cell(json.loads(line).get(column.name)) for column in columns] for line in lines]
    return [_csv_line(row) for row in rows]


def dictionary(columns: Mapping[str, Sequence[Column]]) -> list[bytes]:
    """Return the data dictionary: what each column of each file says."""
    rows = [["file", "column", "type", "meaning"]] + [
        [f"{name}.csv", column.name, column.kind, column.meaning]
        for name, of_file in columns.items()
        for column in of_file
    ]
    return [_csv_line(row) for row in rows]


def cell(value: Any) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, int):
        return str(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return (
        f"'{text}"
        if text.lstrip().startswith(("=", "+", "-", "@")) or text[:1] in "\t\r\n"
        else text
    )


def _csv_line(row: Sequence[str]) -> bytes:
    text = StringIO()
    csv.writer(text, lineterminator="\r").writerow(row)
    return text.getvalue().encode()


# --- Parquet ------------------------------------------------------------------------------------


def write_parquet(path: Path, lines: Sequence[bytes], columns: Sequence[Column]) -> int:
    """Write lines of JSON as one Parquet file; return its size. All of it is there, or none."""
    rows = [json.loads(line) for line in lines]
    table = pa.table(
        {column.name: [_value(row.get(column.name), column) for row in rows] for column in columns},
        schema=pa.schema([(column.name, _ARROW[column.kind]) for column in columns]),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, compression="zstd")
    return path.stat().st_size


def _value(value: Any, column: Column) -> Any:
    if value is not None and column.kind == "json":
        return json.dumps(value, ensure_ascii=False)
    if value is not None and column.kind == "time":
        return datetime.fromisoformat(value)
    return value


# --- The whole ----------------------------------------------------------------------------------


def digest(path: Path) -> str:
    """Return a file's SHA-256, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def pack(folder: Path, target: Path) -> None:
    """Put a folder into one zip, and that in its place when it is whole."""
    unfinished = target.with_name(f"{target.name}.new")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)  # it tells who played what
    with ZipFile(unfinished, "w", ZIP_DEFLATED, compresslevel=1) as packed:
        for path in walk(folder):
            packed.write(path, path.relative_to(folder.parent).as_posix())
    with unfinished.open("rb") as file:
        os.fsync(file.fileno())
    unfinished.replace(target)


def walk(folder: Path) -> Iterator[Path]:
    """Yield the files under a folder, in the order of their names."""
    yield from sorted(path for path in folder.rglob("*") if path.is_file())
