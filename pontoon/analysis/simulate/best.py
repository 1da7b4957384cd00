"""The best strategy by total, from the exact analysis, as the kernel plays it."""

from pontoon.analysis.composition import PAIR_OF_TENS, TEN, full_shoe
from pontoon.analysis.exact_round import RoundPlay
from pontoon.analysis.kernel.automaton import Spot, Strategy
from pontoon.analysis.rules import Variant
from pontoon.analysis.strategy_total import Entry, Table, find_by_total
from pontoon.engine import Action
from pontoon.engine.cards import RANKS

_UNKNOWN = (Action.STAND, Action.HIT)
"""What the analysis does with a hand that the table does not know."""


def find_best(variant: Variant) -> tuple[Strategy, float]:
    """Return the strategy, and its exact net result a round in stakes; takes some seconds."""
    table, play = find_by_total(RoundPlay(variant, full_shoe(variant.decks)))
    return _adapt(table), play.win


def _adapt(table: Table) -> Strategy:
    def choose(spot: Spot) -> Action:
        facts = spot.cards, spot.total, spot.soft
        if Action.SPLIT in spot.options and spot.pair:
            rank = RANKS.index(spot.pair)
            pair = Entry(*facts, False, rank if rank < TEN else PAIR_OF_TENS)
            if table.get(pair, _UNKNOWN)[0] is Action.SPLIT:
                return Action.SPLIT
        ranking = table.get(Entry(*facts, spot.doubled), _UNKNOWN)
        return next(action for action in ranking if action in spot.options)

    return choose
