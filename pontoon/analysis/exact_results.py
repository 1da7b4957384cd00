"""How rounds come out: the probability of every net result, in stakes.

A round that is not split is reckoned by its end and the dealer's. The hands of a split take cards
from each other and from the dealer; they are put together as `exact_shares` says: for given shares
of the ranks each hand draws for itself, and so does the dealer.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from pontoon.analysis.composition import Stock, count_of, one, ranks_of
from pontoon.analysis.exact_hand import HandPlay, State, find_ends
from pontoon.analysis.exact_round import RoundPlay
from pontoon.analysis.exact_shares import ORDER, Shares, find_powers, find_shares
from pontoon.analysis.exact_terms import Term, TermSums

Results: TypeAlias = Mapping[float, complex]
"""Probabilities of net results: payouts less wagers, in stakes."""

Sums: TypeAlias = defaultdict[float, complex]
"""Results that more is added to."""

LEAST: Final = 1e-12
"""No result is told to be rarer: with few decks and many hands the sum may come out below zero."""


def find_results(play: RoundPlay, order: int = ORDER) -> dict[float, float]:
    """Return the probability of every result of a round, the lowest first.

    `order` says how exactly splits are reckoned (see `exact_shares`).
    """
    sums: Sums = defaultdict(complex)
    _add(sums, {-1.0: play.dealer_pontoon - play.even_pontoons, 0.0: play.even_pontoons})
    _add_whole(sums, play.first, find_ends(play.first, play.whole))
    for pair, chance in play.pairs:
        split = _Split(play, pair)
        for shares, weight in find_shares(split.counts, order):
            _add(sums, split.results(shares), chance * weight)
    return {result: max(sums[result].real, LEAST) for result in sorted(sums) if sums[result]}


def _add_whole(sums: Sums, hands: HandPlay, ends: Mapping[State, float]) -> None:
    """Add the results of one hand, with every end of the dealer."""
    for state, chance in ends.items():
        for net, part in zip(hands.results(state), hands.law(state[0]), strict=True):
            sums[net] += chance * part


class _Split:
    """The rounds in which a pair of one rank is split, for given shares of the ranks."""

    def __init__(self, play: RoundPlay, pair: Stock) -> None:
        self._dealer = play.dealer
        self._rank = pair.pair
        pair_cards = 2 * one(pair.pair)
        self.counts = [count - count_of(pair_cards, rank) for rank, count in enumerate(pair.counts)]
        self._hands_max = min(play.hands_max(pair), pair.counts[pair.pair])
        self._places: dict[tuple[int, tuple[float, ...]], int] = {}
        terms = [term for hands in play.split(pair) for term in self._find_terms(hands, pair)]
        self._cards_max = max(sum(1 for _ in ranks_of(term.cards)) for term in terms)
        self._terms = TermSums(terms, len(self._places), self._cards_max)

    def _find_terms(self, hands: HandPlay, pair: Stock) -> Iterator[Term]:
        """List the ends of hands that are played among equally many, without their first card."""
        card = one(pair.pair)
        for state, chance in find_ends(hands, hands.first_draws(1)).items():
            cards = state[0] - card
            place = hands.hand_count, hands.results(state)
            orders = round(chance / pair.chance(cards, 2 * card))
            yield Term(cards, orders, self._places.setdefault(place, len(self._places)))

    def results(self, shares: Shares) -> Results:
        """Return how the splits come out."""
        chances = self._terms.evaluate([find_powers(share, self._cards_max) for share in shares])
        sums: Sums = defaultdict(complex)
        for index, chance in enumerate(self._dealer.law_of(shares)):
            laws = self._list_laws(chances, index)
            _add(sums, self._join(laws, shares[self._rank]), chance)
        return sums

    def _list_laws(self, chances: list[complex], index: int) -> Mapping[int, Results]:
        """Return how a hand comes out against an end of the dealer, by the number of hands."""
        laws: dict[int, dict[float, complex]] = defaultdict(lambda: defaultdict(complex))
        for (hand_count, nets), place in self._places.items():
            laws[hand_count][nets[index]] += chances[place]
        return laws

    def _join(self, laws: Mapping[int, Results], again: complex) -> Results:
        """Return the sums of all hands; a hand that is next is split `again`, or is played (H10).

        When there are `hands_max` hands, whatever they have is played.
        """
        sums: list[Results] = []  # of what comes with one hand more, by how many are unplayed
        for hands in range(self._hands_max, 1, -1):
            more, sums = sums, [{0: 1}]
            for unplayed in range(1, hands + 1):
                played = _convolve(laws[hands], sums[-1])
                if more:
                    _add(played, more[unplayed + 1], again)
                sums.append(played)
        return sums[2]


def _convolve(left: Results, right: Results) -> Sums:
    """Return the results of two hands together that draw each for itself."""
    sums: Sums = defaultdict(complex)
    for a, chance in left.items():
        for b, part in right.items():
            sums[a + b] += chance * part
    return sums


def _add(sums: Sums, results: Results, factor: complex = 1) -> None:
    for result, chance in results.items():
        sums[result] += factor * chance
