"""How a split comes out: which hands there may be, and what is known of the others' cards.

A pair is split every time it may be, or never, and each hand is played on its own cards. The draws
of one hand then say nothing of another's: cards that nobody looks at are exchangeable, and it makes
no difference how many of them are passed over. So a split hand has the law of a hand that is dealt
alone from the same shoe, but for what the number of hands tells: second cards of other hands that
are of the split rank, or are not. The first are taken out of the shoe; the second are reckoned by
inclusion and exclusion, as whole numbers of cases in which more cards are of that rank.
"""

from collections import defaultdict
from collections.abc import Iterator
from math import comb
from typing import TypeAlias

from pontoon.analysis.composition import Stock, one
from pontoon.analysis.exact_hand import Deal

Ending: TypeAlias = tuple[int, ...]
"""The hands that a split ends with, in order: how many there were when each was played."""


def find_endings(
    hands_max: int, hands: int = 2, unplayed: int = 2, played: Ending = ()
) -> Iterator[Ending]:
    """List how a split may end: the hand that is next has the split rank again, or is played.

    When there are `hands_max` hands, whatever they have is played (H10).
    """
    if hands == hands_max or not unplayed:
        yield played + (hands,) * unplayed
    else:
        yield from find_endings(hands_max, hands + 1, unplayed + 1, played)
        yield from find_endings(hands_max, hands, unplayed - 1, (*played, hands))


def find_weights(ending: Ending, hands_max: int, hand: int) -> list[int]:
    """Tell of one hand of an ending what is hidden in the other hands (see `Deal.weights`).

    A hand played before there were `hands_max` has a second card that is not of the split rank:
    all cases, less those in which it is. The weights of *k* such hands are those of (1 - x)^k.
    """
    resplits = len(ending) - 2  # each of a second card that is of the rank
    others = sum(count < hands_max for index, count in enumerate(ending) if index != hand)
    return [0] * resplits + [(-1) ** more * comb(others, more) for more in range(others + 1)]


def find_deals(stock: Stock, hands_max: int) -> list[Deal]:
    """Return the deals of all hands of a split, those played among as many hands as one deal.

    Each has one card of the pair; the other is gone.
    """
    weights: dict[int, list[int]] = defaultdict(lambda: [0] * 2 * hands_max)
    for ending in find_endings(hands_max):
        for hand, hand_count in enumerate(ending):
            for times, weight in enumerate(find_weights(ending, hands_max, hand)):
                weights[hand_count][times] += weight
    card = one(stock.pair)
    return [
        Deal(stock, card, card, tuple(weights[hand_count]), hand_count, hand_count < hands_max)
        for hand_count in sorted(weights)
    ]
