"""Rounds simulated a second on one core, and the exact analysis, beside what others publish."""

import statistics
import time

import numpy as np

from pontoon.analysis.exact import analyse
from pontoon.analysis.kernel.automaton import build
from pontoon.analysis.kernel.compiled import play_rounds
from pontoon.analysis.rules import find_variant
from pontoon.analysis.simulate.published import play_as_published
from pontoon.analysis.simulate.tally import Tally

STANDARD_ERROR = 1e-5
"""Of the return, in stakes: the figure that a simulation is asked for beside the exact one."""

PUBLISHED = {
    "DavideDelli/blackjack-simulator, Python, 24 threads": 810_635,
    "the fastest open one in Python, 48 hands a shuffle": 7_000_000,
    "plain C": 19_000_000,
    "C with AVX-512": 80_000_000,
}
"""Hands of blackjack a second as their authors state them, on machines of their own."""


def measure(round_count: int = 8_000_000, repeats: int = 7) -> dict[str, float]:
    """Return rounds a second of processor time, the median and the best of some repeats.

    Every round is complete, from a shoe of its own of eight decks. Compiling is left out.
    """
    automaton = build(find_variant("house/1"), play_as_published)
    rates = []
    for repeat in range(-1, repeats):
        tally = Tally.empty(automaton)
        stretch = np.uint64(7), max(0, repeat) * round_count, round_count if repeat >= 0 else 1
        tables = automaton.table, automaton.pay, automaton.decks
        started = time.process_time()
        play_rounds(*tables, stretch, tally.rounds, tally.hands)
        if repeat >= 0:
            rates.append(round_count / (time.process_time() - started))
    return {"rate": statistics.median(rates), "best": max(rates)}


def measure_exact(rate: float, repeats: int = 3) -> dict[str, float]:
    """Return processor seconds of the exact analysis, and of as precise a simulation at a rate."""
    seconds, variance = [], 0.0
    for _ in range(repeats):
        started = time.process_time()
        variance = analyse(find_variant("house/1")).variance
        seconds.append(time.process_time() - started)
    exact, simulated = statistics.median(seconds), variance / STANDARD_ERROR**2 / rate
    return {"exact_s": exact, "simulated_s": simulated, "times_faster": simulated / exact}


def format_rates(rates: dict[str, float]) -> str:
    """Say what was measured, and what others say."""
    others = "; ".join(f"{name} {rate:,}" for name, rate in PUBLISHED.items())
    return (
        f"simulation: {rates['rate']:,.0f} rounds a second on one core, {rates['best']:,.0f} at"
        f" best\npublished of blackjack, hands a second, not measured here: {others}"
    )


def format_exact(exact: dict[str, float]) -> str:
    """Say how long the exact analysis takes, and how long chance would take to say as much."""
    return (
        f"exact analysis of house/1: {exact['exact_s']:.2f} s on one core; a simulation takes"
        f" {exact['simulated_s']:,.0f} s to a standard error of {STANDARD_ERROR:g} of the stake:"
        f" {exact['times_faster']:,.0f} times as long"
    )


if __name__ == "__main__":
    measured = measure()
    print(format_rates(measured))  # noqa: T201
    print(format_exact(measure_exact(measured["rate"])))  # noqa: T201
