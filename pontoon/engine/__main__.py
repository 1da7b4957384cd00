"""What outsiders run: `check` compares rounds with another implementation, `verify` checks a proof.

    python -m pontoon.engine check ROUNDS.jsonl
    python -m pontoon.engine verify PROOF.json [--commitment HEX]

The exit code is 0 if everything agrees, 1 if something does not, 2 if the file cannot be used.
"""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path

from pontoon.engine.documents import parse_document
from pontoon.engine.errors import NotationError, PontoonError
from pontoon.engine.proof import Finding, check_proof
from pontoon.engine.vectors import check_rounds

AGREES, DIFFERS, UNUSABLE = range(3)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    options = _make_parser().parse_args(arguments)
    try:
        content = Path(options.file).read_bytes()
    except OSError as error:
        return _give_up(f"{options.file} cannot be read: {error.strerror}.")
    if options.command == "check":
        return check(content)
    return verify(content, shown=options.commitment)


def _make_parser() -> ArgumentParser:
    parser = ArgumentParser(
        "python -m pontoon.engine",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="replay rounds").add_argument("file")
    proof = commands.add_parser("verify", help="check the proof of a round")
    proof.add_argument("file")
    proof.add_argument("--commitment", metavar="HEX", help="the one you were shown before you bet")
    return parser


def check(content: bytes) -> int:
    """Replay rounds, one a line, and write every difference and how many rounds agree."""
    agree_count = differ_count = 0
    for number, differences in check_rounds(content.splitlines()):
        agree_count += not differences
        differ_count += bool(differences)
        for difference in differences:
            _write(f"line {number}: {difference}")
    _write(f"{agree_count} agree, {differ_count} differ")
    return DIFFERS if differ_count else AGREES


def verify(content: bytes, *, shown: str | None = None) -> int:
    """Check a proof, and write each of its statements and whether it holds.

    `shown` is the commitment that the player kept, if he kept it: else the proof's own is taken.
    """
    try:
        proof = parse_document(content)
        round_id = proof.member("round_id").read(str)
        findings = list(check_proof(proof, shown=shown and shown.lower()))
    except NotationError as error:
        return _give_up(f"This is not the proof of a round: {error.reason}.")
    except PontoonError as error:
        return _give_up(f"This proof cannot be checked: {error}")
    for finding in findings:
        _write(_format_finding(finding))
    failed = [finding.name for finding in findings if finding.problem]
    _write(f"Round {round_id}: " + _sum_up(failed, len(findings)))
    return DIFFERS if failed else AGREES


def _format_finding(finding: Finding) -> str:
    if finding.problem:
        return f"FAILS  {finding.name}: {finding.problem}"
    return f"holds  {finding.name}"


def _sum_up(failed: list[str], count: int) -> str:
    if failed:
        return f"{len(failed)} of {count} statements do not hold: {', '.join(failed)}."
    return f"all {count} statements hold."


def _write(line: str) -> None:
    sys.stdout.write(_escape(line) + "\n")


def _give_up(sentence: str) -> int:
    sys.stderr.write(_escape(sentence) + "\n")
    return UNUSABLE


def _escape(line: str) -> str:
    """Keep what a file brings along from steering the terminal."""
    return line.encode("unicode_escape").decode("ascii")


if __name__ == "__main__":
    sys.exit(main())
