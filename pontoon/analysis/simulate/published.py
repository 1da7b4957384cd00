"""The published basic strategy, as the kernel plays it."""

from typing import Final

from pontoon.analysis.kernel.automaton import Spot
from pontoon.analysis.published import published_cells, read_published
from pontoon.engine import Action

_CELLS: Final = published_cells()
_SPLITS: Final = frozenset(read_published()["splits"])
_WANTED: Final = {
    "S": (Action.STAND,),
    "H": (Action.HIT,),
    "D": (Action.DOUBLE, Action.HIT),
    "Ds": (Action.DOUBLE, Action.STAND),
}


def play_as_published(spot: Spot) -> Action:
    """Choose by the table, to the letter; where it has nothing that is allowed, hit.

    To the letter it hits a doubled soft 21 of three cards: "double, else hit".
    """
    if spot.pair in _SPLITS and Action.SPLIT in spot.options:
        return Action.SPLIT
    code = _CELLS.get((spot.soft, spot.total, min(spot.cards, 4)), "H")
    return next((action for action in _WANTED[code] if action in spot.options), Action.HIT)
