"""CSV and Parquet of an export, held cell by cell against the lines that they were made of.

Read anew, not written anew: nothing here is shared with what wrote them.
"""

import csv
import json
from collections.abc import Iterator
from datetime import datetime
from importlib.util import find_spec
from io import BytesIO, TextIOWrapper
from itertools import zip_longest
from typing import Any

from audit.verify.package import Fault, Package, UnreadableError, read_line

IDS = {
    "entries": "id",
    "transfers": "transfer_id",
    "accounts": "account_id",
    "rounds": "round_id",
}

Row = dict[str, Any]


def table_faults(package: Package, part: str, formats: set[str]) -> Iterator[Fault]:
    """Yield what a part's tables say that its lines do not; `formats` were asked for."""
    names = package.names()
    csv_name, folder = f"csv/{part}.csv", f"parquet/{part}/"
    pieces = sorted(name for name in names if name.startswith(folder))
    for form, found in (("csv", {csv_name} & names), ("parquet", set(pieces))):
        if bool(found) != (form in formats):
            is_or_not = "is here, and was not" if found else "is missing, and was"
            yield Fault(f"{form} of {part}", f"{is_or_not} asked for")
    if csv_name in names:
        yield from _faults(csv_name, part, package, _csv_rows(package, csv_name))
    if pieces and has_parquet():
        yield from _faults(folder, part, package, _parquet_rows(package, pieces))


def has_parquet() -> bool:
    """Say whether Parquet can be read here: `pyarrow` is the one package not asked for."""
    return find_spec("pyarrow") is not None


def _faults(where: str, part: str, package: Package, rows: Iterator[Row]) -> Iterator[Fault]:
    lines = package.lines(f"{part}.jsonl")
    try:
        for number, (row, line) in enumerate(zip_longest(rows, lines), 1):
            if row is None or line is None:
                yield Fault(where, f"row {number}: its lines are not as many as {part}.jsonl has")
                return
            told = read_line(line)
            for what in _row_faults(row, told):
                yield Fault(where, f"row {number} ({told.get(IDS[part])}): {what}")
    except (ValueError, UnreadableError, csv.Error) as error:
        yield Fault(where, f"cannot be held against {part}.jsonl: {error}")


def _row_faults(row: Row, told: Row) -> Iterator[str]:
    if row.keys() != told.keys():
        yield f"has the columns {sorted(map(str, row))}"
        return
    for name, value in told.items():
        if not _is_said(row[name], value):
            yield f"{name} is {row[name]!r}, not {value!r}"


def _is_said(cell: Any, value: Any) -> bool:
    """Say whether a cell says what a line does. Text may have a `'` before it, against formulas."""
    if cell is None or value is None:
        return value is None and cell in {None, ""}
    if isinstance(cell, datetime):
        return bool(cell.isoformat(timespec="microseconds") == value)
    if isinstance(cell, int) or isinstance(value, int):
        return str(cell) == str(value)
    text = str(cell)
    if isinstance(value, str):
        return text in {value, f"'{value}"}
    return _canonical(json.loads(text)) == _canonical(value)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _csv_rows(package: Package, name: str) -> Iterator[Row]:
    with package.open(name) as file, TextIOWrapper(file, "utf-8", newline="") as text:
        rows = csv.reader(text, strict=True)
        head = next(rows, [])
        for row in rows:
            yield dict(zip_longest(head, row))


def _parquet_rows(package: Package, names: list[str]) -> Iterator[Row]:
    from pyarrow.parquet import ParquetFile  # only where it is

    for name in names:
        with ParquetFile(BytesIO(package.read(name)), pre_buffer=False) as file:
            for batch in file.iter_batches(batch_size=1000, use_threads=False):
                yield from batch.to_pylist()
