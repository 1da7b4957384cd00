"""The cross-check: rounds at random by the compiled simulator, and how their return converges.

Needs the extra `analysis`; the sheet is made without it, and says so.
"""

from collections.abc import Callable, Iterator
from math import sqrt
from typing import Any, Final

from pontoon.analysis.exact import STRATEGIES
from pontoon.analysis.kernel.automaton import build
from pontoon.analysis.rules import Variant
from pontoon.analysis.simulate.best import find_best
from pontoon.analysis.simulate.runs import CHUNK, Run, load, play
from pontoon.analysis.simulate.tally import Summary, summarize

FIRST: Final = 1_000
STEP: Final = 10 ** (1 / 8)
"""The return is noted after so many rounds, and then at each multiple by so much."""


def simulate(
    variant: Variant, rounds: int, seed: int, watch: Callable[[int], None] = lambda _: None
) -> dict[str, Any]:
    """Play rounds, and return what they came to beside the exact return.

    `watch` is told how many rounds are played.
    """
    strategy, exact = find_best(variant)
    run = Run(build(variant, strategy), seed, rounds)
    noted = list(_converge(run, watch))
    last = noted[-1]
    return {
        "rounds": rounds,
        "seed": seed,
        "run": run.digest,
        "strategy": "total",
        "strategy_is": STRATEGIES["total"],
        "exact_rtp_percent": 100 * (1 + exact),
        "rtp_percent": 100 * (1 + last.net),
        "rtp_per_unit_wagered_percent": 100 * (1 + last.net / last.wagered),
        "deviation_per_unit_wagered": _find_ratio_deviation(last),
        "standard_error_percent": 100 * last.standard_error,
        "z": last.deviation(exact),
        "variance": last.variance,
        "results": [{"net": net, "rounds": count} for net, count in last.by_net.items()],
        "convergence": [
            {"rounds": summary.rounds, "rtp_percent": 100 * (1 + summary.net)} for summary in noted
        ],
    }


def _find_ratio_deviation(summary: Summary) -> float:
    """Return the deviation of payouts over wagers, times the root of the rounds: to first order."""
    ratio = summary.net / summary.wagered
    squares = sum(
        (net - ratio * wager) ** 2 * count for (wager, net), count in summary.results.items()
    )
    return sqrt(squares / summary.rounds) / summary.wagered


def _converge(run: Run, watch: Callable[[int], None]) -> Iterator[Summary]:
    """Yield the figures after more and more rounds of one run, all of them at last.

    A shorter run is the beginning of a longer one; within the first chunk it is played anew.
    """
    mark = float(FIRST)
    while round(mark) < min(CHUNK, run.rounds):
        yield _play(Run(run.automaton, run.seed, round(mark)))
        mark *= STEP
    for state in play(load(run, None)):
        watch(state.rounds)
        if state.rounds >= mark or state.rounds == run.rounds:
            yield summarize(run.automaton, state.tally)
            mark = state.rounds * STEP


def _play(run: Run) -> Summary:
    *_, state = play(load(run, None))
    return summarize(run.automaton, state.tally)
