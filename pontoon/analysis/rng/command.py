"""The command: write shoes for a laboratory, and check them."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from pontoon.analysis.arguments import count_from

if TYPE_CHECKING:
    from pontoon.analysis.rng.checks import Finding
    from pontoon.analysis.rng.shuffles import Folder, Shoes

FAIR, REFUTED, UNUSABLE = range(3)
CONFIDENCE = 0.99
SHOES_MIN = 2_000  # for the central limit theorem, and some coupons in every bin


def add_parser(commands: Any) -> None:
    """Add `rng` to the commands."""
    parser: ArgumentParser = commands.add_parser("rng", help="write shuffled shoes and check them")
    parser.add_argument(
        "--shoes", type=count_from(0), default=240_385, help="10^8 cards by default"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="keep the shoes there")
    parser.add_argument("--seed", type=int, help="a whole number; else the system's entropy")
    parser.add_argument("--json", action="store_true", help="write JSON")
    parser.set_defaults(run=run)


def run(options: Namespace) -> int:
    """Run the command; returns the exit code."""
    if options.shoes < SHOES_MIN:
        return _give_up(f"The checks need {SHOES_MIN} shoes or more.")
    try:
        from pontoon.analysis.rng import checks, shuffles
    except ImportError as error:
        return _give_up(f"This needs the extra `analysis` ({error.name} is missing).")
    try:
        folder = shuffles.Folder(options.out) if options.out else None
        findings = checks.examine(_make(options, folder))
        refuted = checks.find_refuted(findings)
        report = _format(options, findings, refuted)
        if folder:
            folder.write("report.json", report.encode())
            folder.close(options.shoes, options.seed)
    except OSError as error:
        return _give_up(f"{options.out} cannot be written: {error.strerror}.")
    if options.json:
        sys.stdout.write(report)
    else:
        _print(findings, refuted)
    return REFUTED if refuted else FAIR


def _give_up(sentence: str) -> int:
    sys.stderr.write(sentence + "\n")
    return UNUSABLE


def _make(options: Namespace, folder: "Folder | None") -> Iterator["Shoes"]:
    """Shuffle, write where asked, and pass the shoes on."""
    from pontoon.analysis.rng.shuffles import make_parts

    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("shoes", total=options.shoes)
        for part in make_parts(options.shoes, options.seed):
            if folder:
                folder.add(part)
            progress.advance(task, len(part.shoes))
            yield part.shoes


def _format(options: Namespace, findings: Sequence["Finding"], refuted: Sequence["Finding"]) -> str:
    report = {
        "shoes": options.shoes,
        "seed": options.seed,
        "confidence": CONFIDENCE,
        "fair": not refuted,
        "findings": [asdict(finding) for finding in findings],
        "refuted": [finding.name for finding in refuted],
    }
    return json.dumps(report, indent=2) + "\n"


def _print(findings: Sequence["Finding"], refuted: Sequence["Finding"]) -> None:
    table = Table("check", "statistic", "degrees of freedom", "p", "")
    for finding in findings:
        verdict = "refuted" if finding in refuted else ""
        cells = f"{finding.statistic:,.1f}", f"{finding.dof:,}", f"{finding.p:.4g}"
        table.add_row(finding.name, *cells, verdict)
    console = Console()
    console.print(table)
    verdict = f"{len(refuted)} checks refute it" if refuted else "nothing refutes it"
    console.print(f"Fair shuffling, all checks together at 99 % confidence: {verdict}.")
