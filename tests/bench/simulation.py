"""Rounds simulated a second on one core, beside what is published of blackjack simulators."""

import statistics
import time

import numpy as np

from pontoon.analysis.kernel.automaton import build
from pontoon.analysis.kernel.compiled import play_rounds
from pontoon.analysis.rules import find_variant
from pontoon.analysis.simulate.published import play_as_published
from pontoon.analysis.simulate.tally import Tally

PUBLISHED = {
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


def format_rates(rates: dict[str, float]) -> str:
    """Say what was measured, and what others say."""
    others = "; ".join(f"{name} {rate:,}" for name, rate in PUBLISHED.items())
    return (
        f"simulation: {rates['rate']:,.0f} rounds a second on one core, {rates['best']:,.0f} at"
        f" best\npublished of blackjack, hands a second, not measured here: {others}"
    )


if __name__ == "__main__":
    print(format_rates(measure()))  # noqa: T201
