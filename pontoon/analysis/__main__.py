"""What a test lab runs, without a framework and without a database.

    python -m pontoon.analysis edge house/1 --set dealer_hits_soft_17=false --json

Every command is a module of this package with `add_parser(commands)`, which makes its parser and
sets `run`, a function from the options to the exit code: 0 done, 1 not as it should be, 2 cannot
be used.
"""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence

from pontoon.analysis import exact, mutation, parsheet, rng, simulate, strategy_tables

COMMANDS = (exact, strategy_tables, mutation, simulate, rng, parsheet)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    options = _make_parser().parse_args(arguments)
    code: int = options.run(options)
    return code


def _make_parser() -> ArgumentParser:
    parser = ArgumentParser(
        "python -m pontoon.analysis",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
