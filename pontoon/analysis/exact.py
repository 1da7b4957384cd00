"""The exact analysis of a rule set, as figures and as a command.

python -m pontoon.analysis edge house/1 --set dealer_hits_soft_17=false --json
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any, Final, TypeAlias, TypeVar

from rich.console import Console
from rich.progress import track

from pontoon.analysis.composition import NAMES, full_shoe
from pontoon.analysis.exact_results import find_results
from pontoon.analysis.exact_round import RoundPlay, Start
from pontoon.analysis.rules import (
    SettingError,
    Variant,
    add_arguments,
    digest,
    find_variant,
    numbers_of,
    read_variant,
)
from pontoon.analysis.strategy_total import find_by_total

DONE, UNUSABLE = 0, 2

STRATEGIES: Final = {
    "composition": "best play on the cards of each hand: a pair is split whenever it may be or "
    "never, a split hand is played on its own cards and the number of hands",
    "total": "best play on each hand's number of cards and total, soft or hard, doubled or not",
}
"""What the strategies look at, in words (RTP-02)."""

SPLIT_METHOD: Final = (
    "the return, wagers and each split hand are exact; how the hands of one split come out "
    "together is reckoned with the cards that they take from each other, to the third order"
)

StepT = TypeVar("StepT")

Watch: TypeAlias = Callable[[Sequence[Start]], Iterable[Start]]
"""What goes through the steps of an analysis, and may show how far it is."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a rule set returns; amounts are in stakes, shares are of all rounds."""

    house_edge: float
    element_of_risk: float
    rtp_percent: float
    average_wager: float
    average_hands: float
    variance: float
    standard_deviation: float
    win_rate: float
    even_rate: float
    loss_rate: float
    dealer_pontoon_rate: float
    largest_win: float
    splits: tuple[str, ...]
    results: dict[float, float]


def analyse(variant: Variant, by: str = "composition", watch: Watch = iter) -> Figures:
    """Analyse a rule set under its best strategy, by `composition` or by `total`.

    The house edge is of the first stake, the element of risk of all that is wagered.
    """
    return summarize(find_play(variant, by, watch))


def find_play(variant: Variant, by: str = "composition", watch: Watch = iter) -> RoundPlay:
    """Return the rounds of a rule set, played by its best strategy."""
    play = RoundPlay(variant, full_shoe(variant.decks))
    for start in watch(play.starts):
        play.options(start)  # what takes time
    return find_by_total(play)[1] if by == "total" else play


def summarize(play: RoundPlay) -> Figures:
    """Reckon the figures of rounds that are played by some strategy."""
    results = find_results(play)
    variance = sum(chance * (result - play.win) ** 2 for result, chance in results.items())
    return Figures(
        house_edge=-play.win,
        element_of_risk=-play.win / play.wager,
        rtp_percent=100 * (1 + play.win),
        average_wager=play.wager,
        average_hands=play.hand_count,
        variance=variance,
        standard_deviation=variance**0.5,
        win_rate=sum(chance for result, chance in results.items() if result > 0),
        even_rate=results.get(0, 0.0),
        loss_rate=sum(chance for result, chance in results.items() if result < 0),
        dealer_pontoon_rate=play.dealer_pontoon,
        largest_win=max(results),
        splits=tuple(sorted({NAMES[pair.pair] for pair, _ in play.pairs})),
        results=results,
    )


def add_parser(commands: Any) -> None:
    """Offer `edge`: the figures of a rule set."""
    parser: ArgumentParser = commands.add_parser("edge", help="the exact house edge of a rule set")
    add_arguments(parser)
    parser.add_argument("--by", choices=list(STRATEGIES), default="composition")
    parser.add_argument("--json", action="store_true", help="write JSON")
    parser.set_defaults(run=run)


def run(options: Namespace) -> int:
    """Write the figures of a rule set."""
    begun = perf_counter()
    try:
        variant = read_variant(options)
    except SettingError as error:
        sys.stderr.write(f"{error}\n")
        return UNUSABLE
    play = find_play(variant, options.by, show_progress)
    report = make_report(options.rules, options.by, play)
    report["seconds"] = round(perf_counter() - begun, 3)
    write = format_json if options.json else format_text
    sys.stdout.write(write(report))
    return DONE


def make_report(rules_id: str, by: str, play: RoundPlay) -> dict[str, Any]:
    """Return the figures of a rule set with what they are figures of."""
    variant = play.variant
    figures = asdict(summarize(play))
    results = figures.pop("results")
    published = numbers_of(find_variant(rules_id))
    numbers = numbers_of(variant)
    return {
        "rules": rules_id,
        "changed": {name: value for name, value in numbers.items() if value != published.get(name)},
        "numbers": numbers,
        "sha256": digest(variant),
        "strategy": by,
        "strategy_is": STRATEGIES[by],
        **figures,
        "results": {f"{result:+g}": chance for result, chance in results.items()},
        "split_method": SPLIT_METHOD,
    }


def show_progress(steps: Sequence[StepT]) -> Iterable[StepT]:
    """Go through steps, with a bar on a terminal."""
    console = Console(stderr=True)
    return track(
        steps, "Analysing", console=console, transient=True, disable=not console.is_terminal
    )


def format_json(report: Mapping[str, Any]) -> str:
    """Write a report as JSON, each line of a list on a line."""
    members = ",\n".join(f"  {json.dumps(key)}: {_format(value)}" for key, value in report.items())
    return f"{{\n{members}\n}}\n"


def _format(value: object) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"    {json.dumps(line)}" for line in value) + "\n  ]"
    return json.dumps(value)


def format_text(report: Mapping[str, Any]) -> str:
    """Write a report for people, one figure a line."""
    changed = ", ".join(f"{name}={value}" for name, value in report["changed"].items())
    lines = [
        ("rules", report["rules"] + (f" with {changed}" if changed else "")),
        ("strategy", report["strategy_is"]),
        ("house edge", f"{report['house_edge']:.5%} of the stake"),
        ("element of risk", f"{report['element_of_risk']:.5%} of all wagers"),
        ("return", f"{report['rtp_percent']:.5f} % of the stake"),
        ("average wager", f"{report['average_wager']:.6f} stakes"),
        ("average hands", f"{report['average_hands']:.6f}"),
        ("variance", f"{report['variance']:.6f}"),
        ("standard deviation", f"{report['standard_deviation']:.6f} stakes"),
        ("won, even, lost", _format_rates(report)),
        ("largest win", f"{report['largest_win']:g} stakes"),
        ("splits", " ".join(report["splits"]) or "none"),
        *((f"result {result}", f"{chance:.10f}") for result, chance in report["results"].items()),
    ]
    return "".join(f"{name:<20} {value}\n" for name, value in lines)


def _format_rates(report: Mapping[str, Any]) -> str:
    return ", ".join(f"{report[name]:.4%}" for name in ("win_rate", "even_rate", "loss_rate"))
