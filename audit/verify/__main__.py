"""python -m audit.verify EXPORT [--old-checkpoint FILE] [--key PUBKEY]..."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from audit.verify.check import Check
from audit.verify.package import UnreadableError
from audit.verify.tables import has_parquet

HOLDS, BROKEN, UNREADABLE = 0, 1, 2


def main(arguments: list[str] | None = None) -> int:
    """Check an export and say what does not hold; return 0, 1, or 2 for what cannot be checked."""
    asked = _parse(arguments)
    try:
        old = asked.old_checkpoint.read_text() if asked.old_checkpoint else None
        check = Check(asked.export, keys=[_read_key(key) for key in asked.key], old=old)
        fault_count = 0
        for fault in check.faults():
            _say(str(fault))
            fault_count += 1
    except (UnreadableError, OSError, UnicodeDecodeError) as error:
        print(f"cannot be checked: {error}", file=sys.stderr)  # noqa: T201
        return UNREADABLE
    _say(_summary(check, trusts_itself=not asked.key))
    _say(f"{fault_count} faults" if fault_count else "everything holds")
    return BROKEN if fault_count else HOLDS


def _parse(arguments: list[str] | None) -> Namespace:
    parser = ArgumentParser(prog="python -m audit.verify", description="Check an export, offline.")
    parser.add_argument("export", type=Path, help="a zip, or the folder that was in it")
    parser.add_argument("--old-checkpoint", type=Path, help="a checkpoint of earlier")
    parser.add_argument(
        "--key", action="append", default=[], help="a key of the log, or a file of them"
    )
    return parser.parse_args(arguments)


def _read_key(key: str) -> str:
    path = Path(key)
    return path.read_text() if "+" not in key and path.exists() else key


def _summary(check: Check, *, trusts_itself: bool) -> str:
    looked_at = ", ".join(f"{count} {part}" for part, count in check.counts.items())
    size = check.manifest["size"]
    lines = [f"{looked_at or 'nothing'} looked at; the checkpoint has {size} entries"]
    if trusts_itself:
        lines.append("the log's keys were taken from the export itself; compare them with --key:")
        lines += [f"  {key}" for key in check.keys]
    if "parquet" in check.manifest["request"]["formats"] and not has_parquet():
        lines.append("the Parquet files were not read: that needs the package pyarrow")
    return "\n".join(lines)


def _say(text: str) -> None:
    print(text)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
