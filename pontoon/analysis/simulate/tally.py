"""What many rounds came to, and the figures that follow; amounts are in stakes."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pontoon.analysis.kernel.automaton import (
    BUST,
    DOUBLED,
    LIVE,
    PONTOON,
    STRENGTHS,
    TRICK,
    Automaton,
)

CONFIDENCE = 0.99


@dataclass(frozen=True)
class Tally:
    """Counts, as the kernel makes them: rounds by code, hands by [final state, dealer's strength].

    Whole numbers, so that parts may be added in any order.
    """

    rounds: NDArray[np.int64]
    hands: NDArray[np.int64]

    @classmethod
    def empty(cls, automaton: Automaton) -> "Tally":
        """Nothing counted yet."""
        rounds = np.zeros(automaton.wagers * automaton.nets, np.int64)
        return cls(rounds, np.zeros((LIVE, STRENGTHS), np.int64))

    def add(self, other: "Tally") -> None:
        """Count another's rounds too."""
        np.add(self.rounds, other.rounds, out=self.rounds)
        np.add(self.hands, other.hands, out=self.hands)


@dataclass(frozen=True)
class Summary:
    """The figures of a tally."""

    results: Mapping[tuple[int, float], int]  # (wager, net result): rounds
    counts: Mapping[str, int]

    @property
    def rounds(self) -> int:
        """Count the rounds."""
        return sum(self.results.values())

    @property
    def wagered(self) -> float:
        """The mean wager of a round."""
        return sum(wager * count for (wager, _), count in self.results.items()) / self.rounds

    @property
    def net(self) -> float:
        """The mean net result of a round; below zero if the house wins."""
        return sum(net * count for (_, net), count in self.results.items()) / self.rounds

    @property
    def variance(self) -> float:
        """The variance of a round's net result."""
        squares = sum(net * net * count for (_, net), count in self.results.items())
        return squares / self.rounds - self.net**2

    @property
    def standard_error(self) -> float:
        """The standard error of the mean net result."""
        return sqrt(self.variance / self.rounds)

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds of the return per initial stake, at `CONFIDENCE`."""
        reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * self.standard_error
        return 1 + self.net - reach, 1 + self.net + reach

    @property
    def by_net(self) -> dict[float, int]:
        """Rounds by net result, the lowest first."""
        found: dict[float, int] = {}
        for (_, net), count in sorted(self.results.items(), key=lambda item: item[0][1]):
            found[net] = found.get(net, 0) + count
        return found

    def deviation(self, exact: float) -> float:
        """Tell how many standard errors the mean net result is above an exact one."""
        return (self.net - exact) / self.standard_error

    def document(self, exact: float | None) -> dict[str, Any]:
        """Return all of it for JSON, beside the exact net result if there is one."""
        compared = {"return": 1 + exact, "deviation": self.deviation(exact)} if exact else None
        return {
            "exact": compared,
            "rounds": self.rounds,
            "return": 1 + self.net,
            "standard_error": self.standard_error,
            "confidence": CONFIDENCE,
            "interval": list(self.interval),
            "return_per_unit_wagered": 1 + self.net / self.wagered,
            "wagered_per_round": self.wagered,
            "variance": self.variance,
            "counts": dict(self.counts),
            "by_net": {f"{net:g}": count for net, count in self.by_net.items()},
            "by_wager_and_net": [[*key, count] for key, count in sorted(self.results.items())],
        }


def summarize(automaton: Automaton, tally: Tally) -> Summary:
    """Work out the figures."""
    hands = tally.hands.reshape(STRENGTHS, 4, STRENGTHS)  # a final state is strength × 4 + flags
    hand_count, round_count = int(hands.sum()), int(tally.rounds.sum())
    counts = {
        "hands": hand_count,
        "splits": hand_count - round_count,
        "doubles": int(hands[:, [DOUBLED, 3]].sum()),
        "busts": int(hands[BUST].sum()),
        "tricks": int(hands[TRICK].sum()),
        "pontoons": int(hands[PONTOON].sum()),
        "dealer_pontoons": int(hands[:, :, PONTOON].sum()),
    }
    return Summary(_read_results(automaton, tally), counts)


def _read_results(automaton: Automaton, tally: Tally) -> dict[tuple[int, float], int]:
    """Take wager and net result out of the codes of rounds."""
    results = {}
    for code in np.flatnonzero(tally.rounds).tolist():
        wager, net = divmod(code - automaton.net_min, automaton.nets)
        key = wager, (net + automaton.net_min) / automaton.unit
        results[key] = int(tally.rounds[code])
    return results
