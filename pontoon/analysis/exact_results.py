"""How rounds come out: the probability of every net result, in stakes.

A round that is not split is exact. The hands of a split are each exact, too, with every end of the
dealer, and so is the mean of their sum. Only for how they come out together they are taken as
independent once the dealer's end is known; docs/mathematics.md says how little that leaves out.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import TypeAlias

from pontoon.analysis.composition import Stock
from pontoon.analysis.exact_hand import HandPlay, State, find_ends
from pontoon.analysis.exact_round import RoundPlay
from pontoon.analysis.exact_split import Ending, find_endings, find_weights, make_deal

Results: TypeAlias = Mapping[float, float]
"""Probabilities of net results: payouts less wagers, in stakes."""


def find_results(play: RoundPlay) -> dict[float, float]:
    """Return the probability of every result of a round, the lowest first."""
    whole = find_ends(play.first, play.whole)
    shown = {-1.0: play.dealer_pontoon - play.even_pontoons, 0.0: play.even_pontoons}
    parts = [shown, *_list_results(play.first, whole)]
    for pair, chance in play.pairs:
        parts += [_scale(part, chance) for part in _Split(play, pair).results()]
    return _add(parts)


def _list_results(hands: HandPlay, ends: Mapping[State, float]) -> list[Results]:
    """Return the results of one hand for each end of the dealer."""
    results: list[dict[float, float]] = [defaultdict(float) for _ in hands.strengths]
    for state, chance in ends.items():
        law = hands.law(state[0])
        for result, net, part in zip(results, hands.results(state), law, strict=True):
            result[net] += chance * part
    return list(results)


class _Split:
    """The rounds in which a pair of one rank is split."""

    def __init__(self, play: RoundPlay, pair: Stock) -> None:
        self._play = play
        self._pair = pair
        self._hands_max = play.hands_max(pair)
        self._ends = {
            hands.hand_count: find_ends(hands, hands.first_draws(1)) for hands in play.split(pair)
        }
        self._known: dict[tuple[int, tuple[int, ...]], list[Results]] = {}

    def results(self) -> list[Results]:
        """List the results for each way to end the split, and each end of the dealer."""
        return [part for ending in find_endings(self._hands_max) for part in self._join(ending)]

    def _join(self, ending: Ending) -> list[Results]:
        hands = [self._hand(ending, index) for index in range(len(ending))]
        return [_multiply(results) for results in zip(*hands, strict=True)]

    def _hand(self, ending: Ending, index: int) -> list[Results]:
        """Return the results of one hand of an ending, for each end of the dealer."""
        key = ending[index], find_weights(ending, self._hands_max, index)
        if key not in self._known:
            hands = self._play.play(make_deal(self._pair, self._hands_max, *key))
            self._known[key] = _list_results(hands, self._ends[ending[index]])
        return self._known[key]


def _multiply(hands: Iterable[Results]) -> Results:
    """Add up the results of hands that are independent in a case of some probability."""
    first, *others = hands
    chance = sum(first.values())
    if not chance:
        return {}
    return reduce(lambda sums, hand: _convolve(sums, _scale(hand, 1 / chance)), others, first)


def _convolve(left: Results, right: Results) -> Results:
    sums: dict[float, float] = defaultdict(float)
    for a, chance in left.items():
        for b, part in right.items():
            sums[a + b] += chance * part
    return sums


def _scale(results: Results, factor: float) -> Results:
    return {result: factor * chance for result, chance in results.items()}


def _add(parts: Iterable[Results]) -> dict[float, float]:
    sums: dict[float, float] = defaultdict(float)
    for part in parts:
        for result, chance in part.items():
            sums[result] += chance
    return {result: sums[result] for result in sorted(sums) if sums[result]}
