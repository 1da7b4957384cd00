"""The command: write the PAR sheet of a rule set, and sign it.

python -m pontoon.analysis parsheet house/1 --out build/parsheet --key var/parsheet-key.pem

It writes parsheet-house-1.html, parsheet-house-1.json and, with a key, the JSON file's signature
(.json.sig, base64) and the public key (.pub.pem). The same date, seed and key give the same bytes.
"""

import json
import os
import sys
import tomllib
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import Progress

from pontoon.analysis.arguments import count_from, read_date
from pontoon.analysis.parsheet.page import format_page
from pontoon.analysis.parsheet.sheet import make_sheet
from pontoon.analysis.parsheet.signature import (
    KeyFileError,
    fingerprint,
    make_key,
    public_pem,
    read_key,
    sign,
)
from pontoon.analysis.rules import SettingError, Variant, add_arguments, digest, read_variant

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

DONE, UNUSABLE = 0, 2
ROOT = Path(__file__).resolve().parents[3]


def add_parser(commands: Any) -> None:
    """Add `parsheet` to the commands."""
    parser: ArgumentParser = commands.add_parser("parsheet", help="write the PAR sheet, signed")
    add_arguments(parser)
    parser.add_argument("--out", type=Path, metavar="FOLDER", default=Path("build/parsheet"))
    parser.add_argument(
        "--rounds", type=count_from(0), default=10**7, help="to simulate; 0 for none"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the simulation; 1 by default")
    parser.add_argument("--date", type=read_date, help="the sheet's; else today, in UTC")
    parser.add_argument(
        "--key",
        type=Path,
        metavar="FILE",
        help="an Ed25519 private key in PEM that signs; else the file that PARSHEET_KEY names",
    )
    parser.add_argument("--make-key", action="store_true", help="make the key if it is missing")
    parser.set_defaults(run=run)


def run(options: Namespace) -> int:
    """Run the command; returns the exit code."""
    if options.rounds == 1:
        return _give_up("One round has no variance; --rounds 0 simulates none.")
    try:
        variant = read_variant(options)
        key = _find_key(options)
        contents = _make(options, variant, key)
        _write(options.out, contents)
    except (SettingError, KeyFileError) as error:
        return _give_up(str(error))
    except OSError as error:
        return _give_up(f"{error.filename} cannot be written: {error.strerror}.")
    if key is None:
        sys.stderr.write("Not signed: there is no --key and no PARSHEET_KEY.\n")
    sys.stdout.write("".join(f"{options.out / name}\n" for name in contents))
    return DONE


def _give_up(sentence: str) -> int:
    sys.stderr.write(sentence + "\n")
    return UNUSABLE


def _find_key(options: Namespace) -> "Ed25519PrivateKey | None":
    named = os.environ.get("PARSHEET_KEY")
    path: Path | None = options.key or (Path(named) if named else None)
    if path is None:
        return None
    if options.make_key:
        make_key(path)
    return read_key(path)


def _make(
    options: Namespace, variant: Variant, key: "Ed25519PrivateKey | None"
) -> dict[str, bytes]:
    """Return the files of the sheet by name."""
    software = identify_software() | {"signed_by": fingerprint(key) if key else ""}
    today = options.date or datetime.now(UTC).date()
    played = _simulate(options, variant) if options.rounds else None
    sheet = make_sheet(options.rules, variant, software, today.isoformat(), played)
    name = "parsheet-" + options.rules.replace("/", "-")
    if sheet["identification"]["changed"]:
        name += "-" + digest(variant)[:8]
    page = format_page(sheet, name).encode()
    sheet["document"] = {"file": f"{name}.html", "sha256": sha256(page).hexdigest()}
    data = (json.dumps(sheet, indent=1, ensure_ascii=False) + "\n").encode()
    files = {f"{name}.html": page, f"{name}.json": data}
    if key:
        files |= {f"{name}.json.sig": sign(key, data), f"{name}.pub.pem": public_pem(key)}
    return files


def identify_software() -> dict[str, str]:
    """Name what makes the sheet: its version, and the hash of the engine's source files.

    The hash is of the lines `<SHA-256 of the file>  <name>`, as sha256sum writes them, by name.
    """
    project = ROOT / "pyproject.toml"
    read = tomllib.loads(project.read_text(encoding="utf-8")) if project.exists() else {}
    engine = sorted((ROOT / "pontoon" / "engine").rglob("*.py"))
    lines = "".join(
        f"{sha256(path.read_bytes()).hexdigest()}  {path.relative_to(ROOT).as_posix()}\n"
        for path in engine
    )
    return {
        "software_version": read.get("project", {}).get("version", "not known"),
        "engine_sha256": sha256(lines.encode()).hexdigest(),
    }


def _simulate(options: Namespace, variant: Variant) -> dict[str, Any] | None:
    try:
        from pontoon.analysis.parsheet.simulated import simulate
    except ImportError as error:
        sys.stderr.write(f"Not simulated: the extra `analysis` is missing ({error.name}).\n")
        return None
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("rounds", total=options.rounds)
        return simulate(
            variant,
            options.rounds,
            options.seed,
            lambda done: progress.update(task, completed=done),
        )


def _write(folder: Path, contents: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
