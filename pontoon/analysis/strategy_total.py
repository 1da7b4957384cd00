"""The best strategy that looks at no more than the number of cards, the total, and if it is soft.

It is found by improving it: every entry takes the action that is worth most to all the hands that
come to it, weighted by how often they do, until no entry changes. A hand that the strategy itself
never has is judged as if its cards had just been drawn.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from pontoon.analysis.composition import NO_PAIR
from pontoon.analysis.exact_hand import HandPlay, Spot, State, Worths, find_visits
from pontoon.analysis.exact_round import RoundPlay
from pontoon.engine.game import Action


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """What the strategy looks at; `pair` is the rank of two equal cards where it may be split."""

    count: int
    total: int
    soft: bool
    doubled: bool
    pair: int = NO_PAIR


Ranking: TypeAlias = tuple[Action, ...]
"""Actions from best to worst: the first that is allowed is taken."""

Table: TypeAlias = Mapping[Entry, Ranking]

_UNKNOWN: Final = (Action.STAND, Action.HIT)
"""What to do with a hand that the table does not know, as it is of another rule set."""

_PASSES_MAX: Final = 20
"""Three are usual; entries that are as good either way could change for ever."""

_NEVER: Final = 1e-12
"""The weight of a hand that the strategy never has, beside one that it has."""


def entry_of(spot: Spot) -> Entry:
    """Return the entry of a spot before any split."""
    hand = spot.hand
    return Entry(hand.count, hand.total, hand.soft, spot.doubled)


@dataclass(frozen=True, slots=True)
class ByTotal:
    """A strategy that plays a table; of the actions that are allowed it takes the first."""

    table: Table

    def __call__(self, spot: Spot, worths: Worths) -> Action:
        if Action.SPLIT in worths:
            pair = Entry(2, spot.hand.total, spot.hand.soft, False, spot.pair)
            if self.table.get(pair, _UNKNOWN)[0] is Action.SPLIT:
                return Action.SPLIT
        ranking = self.table.get(entry_of(spot), _UNKNOWN)
        return next(action for action in ranking if action in worths)


def find_by_total(best: RoundPlay) -> tuple[Table, RoundPlay]:
    """Improve the best play by composition to the best by total; returns its table and rounds."""
    play = best
    table: Table = {}
    for _ in range(_PASSES_MAX):
        if (better := _improve(play)) == table:
            break
        table = better
        play = RoundPlay(best.variant, best.shoe, ByTotal(table), best.dealer)
    return table, play


def _improve(play: RoundPlay) -> Table:
    """Rank the actions of every entry by their worth to the hands that come to it."""
    worths: dict[Entry, dict[Action, float]] = defaultdict(lambda: defaultdict(float))
    for entry, weight, options in _list_options(play):
        for action, worth in options.items():
            worths[entry][action] += weight * worth
    return {entry: rank_actions(options) for entry, options in sorted(worths.items())}


def rank_actions(worths: Worths) -> Ranking:
    """Order actions by what they are worth, the best first."""
    return tuple(sorted(worths, key=lambda action: -worths[action]))


def _list_options(play: RoundPlay) -> Iterator[tuple[Entry, float, Worths]]:
    """List every decision: its entry, its weight, and what each action is worth."""
    for hands, starts in play.begin():
        for state, chance in find_visits(hands, starts).items():
            yield from _list_option(hands, state, chance)
    for state, chance in draw_freely(play.first):
        yield from _list_option(play.first, state, chance * _NEVER)
    for start in play.starts:
        options = play.options(start)
        if Action.SPLIT in options:
            hand = play.first.hand(start.cards)
            pair = Entry(2, hand.total, hand.soft, False, start.rank)
            yield pair, start.chance, options


def _list_option(
    hands: HandPlay, state: State, chance: float
) -> Iterator[tuple[Entry, float, Worths]]:
    if options := hands.options(state):
        yield entry_of(hands.spot(state)), chance, options


def draw_freely(hands: HandPlay) -> Iterator[tuple[State, float]]:
    """List all hands of a deal that are not complete, however they came about, doubled or not."""
    chances: dict[int, float] = {hands.start[0]: 1.0}
    while chances:
        drawn: dict[int, float] = defaultdict(float)
        for cards, chance in chances.items():
            for (after, _), part in hands.outcomes((cards, False), Action.HIT):
                drawn[after] += chance * part if hands.is_open(after) else 0
        chances = {cards: chance for cards, chance in drawn.items() if chance}
        for cards, chance in chances.items():
            if hands.hand(cards).count > 1:
                yield from [((cards, doubled), chance) for doubled in (False, True)]
