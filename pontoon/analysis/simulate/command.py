"""The command: play many rounds and say what they return."""

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from pontoon.analysis.arguments import count_from
from pontoon.analysis.rules import SettingError, Variant, add_arguments, read_variant

if TYPE_CHECKING:
    from pontoon.analysis.simulate.tally import Summary

DONE, DIFFERS, UNUSABLE = range(3)


def add_parser(commands: Any) -> None:
    """Add `simulate` to the commands."""
    parser: ArgumentParser = commands.add_parser("simulate", help="play rounds at random")
    add_arguments(parser)
    parser.add_argument(
        "--rounds", type=count_from(1), default=10**8, help="such as 1e8, the default"
    )
    parser.add_argument("--seed", type=int, default=1, help="a whole number; 1 by default")
    parser.add_argument("--workers", type=count_from(1), default=1, help="threads, one a core")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep, and take up, the state")
    parser.add_argument(
        "--strategy",
        choices=["best", "published"],
        default="best",
        help="the best by total, as the exact analysis finds it, or the published one",
    )
    parser.add_argument("--json", action="store_true", help="write JSON")
    parser.add_argument(
        "--engine", action="store_true", help="compare the production engine, round by round"
    )
    parser.set_defaults(run=run)


def run(options: Namespace) -> int:
    """Run the command; returns the exit code."""
    try:
        from pontoon.analysis.simulate.runs import StateError
    except ImportError as error:
        return _give_up(f"This needs the extra `analysis` ({error.name} is missing).")
    try:
        variant = read_variant(options)
        return _compare(options) if options.engine else _simulate(options, variant)
    except (SettingError, StateError, ValueError) as error:
        return _give_up(str(error))
    except OSError as error:
        return _give_up(f"{options.resume} cannot be used: {error.strerror}.")
    except KeyboardInterrupt:
        return _give_up("Interrupted; a run with --resume goes on where it was.")


def _give_up(sentence: str) -> int:
    sys.stderr.write(sentence + "\n")
    return UNUSABLE


def _simulate(options: Namespace, variant: Variant) -> int:
    from pontoon.analysis.kernel.automaton import Strategy, build
    from pontoon.analysis.simulate import best, published, runs, tally

    strategy: Strategy = published.play_as_published
    exact = None
    if options.strategy == "best":
        strategy, exact = best.find_best(variant)
    job = runs.Run(build(variant, strategy), options.seed, options.rounds)
    state = runs.load(job, options.resume)
    with _progress() as progress:
        task = progress.add_task("rounds", total=job.rounds, completed=state.rounds)
        for _ in runs.play(state, options.workers, options.resume):
            progress.update(task, completed=state.rounds)
    summary = tally.summarize(job.automaton, state.tally)
    if options.json:
        named = {name: getattr(options, name) for name in ("rules", "set", "strategy", "seed")}
        document = named | {"run": job.digest} | summary.document(exact)
        sys.stdout.write(json.dumps(document, indent=2) + "\n")
    else:
        _print(summary, exact)
    return DONE


def _compare(options: Namespace) -> int:
    """Compare in stretches, each with other rules and another strategy."""
    from pontoon.analysis.simulate.agreement import STRETCH, find_differences, make_plan

    if options.set:
        raise SettingError("--engine changes the rules itself; --set does not go with it.")
    differ_count = 0
    with _progress() as progress:
        task = progress.add_task("rounds", total=options.rounds)
        for number, first in enumerate(range(0, options.rounds, STRETCH)):
            rounds = range(first, min(first + STRETCH, options.rounds))
            for difference in find_differences(make_plan(number), rounds):
                differ_count += 1
                sys.stdout.write(difference + "\n")
            progress.update(task, completed=rounds.stop)
    sys.stdout.write(f"{options.rounds - differ_count} rounds agree, {differ_count} differ\n")
    return DIFFERS if differ_count else DONE


def _progress() -> Progress:
    return Progress(console=Console(stderr=True))


def _print(summary: "Summary", exact: float | None) -> None:
    low, high = summary.interval
    console = Console()
    console.print(
        f"{summary.rounds:,} rounds return {1 + summary.net:.4%} ± {summary.standard_error:.4%} of"
        f" the initial wager (standard error), at 99 % between {low:.4%} and {high:.4%}."
    )
    if exact is not None:
        console.print(
            f"The exact return is {1 + exact:.4%}; this is {summary.deviation(exact):+.2f} standard"
            " errors from it."
        )
    table = Table("net result, stakes", "rounds", "share")
    for net, count in summary.by_net.items():
        table.add_row(f"{net:+g}", f"{count:,}", f"{count / summary.rounds:.5%}")
    console.print(table)
    for name, count in summary.counts.items():
        console.print(f"{name.replace('_', ' ')}: {count:,}, {count / summary.rounds:.5f} a round")
