"""The steps by which an export is built: collect each part, convert it, sign and pack the whole.

`cursor` of the export's row is all that a step knows of those before it:

    cut     {size, cluster, xid}     the checkpoint at which it is answered
    step    which step is next
    after   where its part is to be read on
    sizes   file → bytes that count
    counts  file → lines
    sums    part → [[group …, count, sum …], …]
"""

import shutil
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

from audit import log
from audit.export import files
from audit.export.asked import Asked, parse_asked
from audit.export.manifest import write_manifest
from audit.export.parts import Chunk, Cut, parts
from audit.models import Export


class Step(NamedTuple):
    """One of: collect, csv, parquet (of a part), pack."""

    verb: str
    part: str = ""


def steps_of(asked: Asked) -> list[Step]:
    """Return the steps in their order."""
    collected = [Step("collect", name) for name in parts() if name in asked.kinds]
    converted = [
        Step(verb, name)
        for verb in ("csv", "parquet")
        if verb in asked.formats
        for name in asked.kinds
    ]
    return [*collected, *converted, Step("pack")]


def begin(export: Export, cut: Cut, *, note: str) -> None:
    """Make the folder of an export with the checkpoint and the log's keys in it."""
    folder = folder_of(export)
    shutil.rmtree(folder, ignore_errors=True)
    packed_of(export).unlink(missing_ok=True)
    folder.mkdir(parents=True, mode=0o700)
    (folder / "checkpoint").write_text(note)
    (folder / "keys").write_text("".join(f"{key}\n" for key in log.public_keys()))
    export.state = "running"
    export.cursor = {
        "cut": {"size": cut.size, "cluster": cut.cluster, "xid": cut.xid},
        "step": 0, "after": None, "sizes": {}, "counts": {}, "sums": {},
    }  # fmt: skip


def folder_of(export: Export) -> Path:
    """Return where an export is built."""
    return Path(settings.EXPORT_DIR) / str(export.id)


def packed_of(export: Export) -> Path:
    """Return where the file of an export lies, when it is built."""
    return Path(settings.EXPORT_DIR) / f"{export.id}.zip"


def take_step(export: Export) -> None:
    """Take the next step, or a piece of it. Errors: OSError."""
    steps = steps_of(parse_asked(export.asked))
    cursor = export.cursor
    step = steps[cursor["step"]]
    _VERBS[step.verb](export, step.part)
    if cursor["after"] is None:
        cursor["step"] += 1
    if cursor["step"] == len(steps):
        export.state = "done"
    export.progress_percent = 100 * cursor["step"] // len(steps)


def _collect(export: Export, part_name: str) -> None:
    cursor = export.cursor
    part = parts()[part_name]
    cut = Cut(asked=parse_asked(export.asked), **cursor["cut"])
    chunk = part.read(cut, cursor["after"])
    cursor["sizes"] = files.append(folder_of(export), chunk.lines, cursor["sizes"])
    for name, lines in chunk.lines.items():
        cursor["counts"][name] = cursor["counts"].get(name, 0) + len(lines)
    _add_up(cursor["sums"].setdefault(part_name, []), chunk)
    cursor["after"] = chunk.after


def _add_up(totals: list[list[Any]], chunk: Chunk) -> None:
    """Add what a chunk sums up to the lists [group …, count, sum …]."""
    for group, numbers in chunk.sums.items():
        total = next((row for row in totals if row[: len(group)] == list(group)), None)
        if total is None:
            totals.append([*group, *numbers])
        else:
            total[len(group) :] = [
                before + more for before, more in zip(total[len(group) :], numbers, strict=True)
            ]


def _csv(export: Export, part_name: str) -> None:
    cursor, folder = export.cursor, folder_of(export)
    name, columns = f"csv/{part_name}.csv", parts()[part_name].columns
    offset = cursor["after"] or 0
    lines, behind = files.read_lines(folder / f"{part_name}.jsonl", offset)
    made = {name: files.as_csv(lines, columns, has_head=not offset)}
    if part_name == parse_asked(export.asked).kinds[0] and not offset:
        named = {name: parts()[name].columns for name in parse_asked(export.asked).kinds}
        made["csv/dictionary.csv"] = files.dictionary(named)
    cursor["sizes"] = files.append(folder, made, cursor["sizes"])
    cursor["after"] = behind if len(lines) == files.LINES_AT_ONCE else None


def _parquet(export: Export, part_name: str) -> None:
    cursor, folder = export.cursor, folder_of(export)
    offset, number = cursor["after"] or [0, 0]
    lines, behind = files.read_lines(folder / f"{part_name}.jsonl", offset)
    name = f"parquet/{part_name}/{number:05d}.parquet"
    columns = parts()[part_name].columns
    cursor["sizes"][name] = files.write_parquet(folder / name, lines, columns)
    is_more = len(lines) == files.LINES_AT_ONCE
    cursor["after"] = [behind, number + 1] if is_more else None


def _pack(export: Export, _: str) -> None:
    """Sign what was built, put it into one file, and remove the folder.

    The file is there as a whole or not at all, so it tells whether this was done before.
    """
    folder, cursor = folder_of(export), export.cursor
    target = packed_of(export)
    if not target.exists():
        _require_whole(folder, cursor["sizes"])
        write_manifest(folder, export)
        files.pack(folder, target)
    cursor["size"], cursor["sha256"] = target.stat().st_size, files.digest(target)
    shutil.rmtree(folder, ignore_errors=True)


def _require_whole(folder: Path, sizes: dict[str, int]) -> None:
    for name, size in sizes.items():
        path = folder / name
        if not path.exists() or path.stat().st_size != size:
            raise files.LostFileError(path)


_VERBS = {"collect": _collect, "csv": _csv, "parquet": _parquet, "pack": _pack}
