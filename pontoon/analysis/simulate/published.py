"""The basic strategy as published for eight decks, the dealer hitting soft 17 (Wizard of Odds)."""

from collections.abc import Iterator
from typing import Final

from pontoon.analysis.kernel.automaton import Spot
from pontoon.engine import Action

_HARD = """
    18-21  S S S
    17     H S S
    15-16  D S S
    12-14  D H H
    10-11  D D D
    9      D D H
    8      D H H
    4-7    H H H
"""
_SOFT = """
    19-21  D D S
    12-18  D H H
"""
_SPLIT: Final = frozenset("A8")


def play_as_published(spot: Spot) -> Action:
    """Choose by the table; where it says what is not allowed, hit."""
    if spot.pair in _SPLIT and Action.SPLIT in spot.options:
        return Action.SPLIT
    wanted = _TABLE[spot.soft, spot.total, min(spot.cards, 4)]
    return wanted if wanted in spot.options else Action.HIT


def _read(soft: bool, table: str) -> Iterator[tuple[tuple[bool, int, int], Action]]:
    """Read rows of totals, with a column each for four, three and two cards."""
    actions = {"S": Action.STAND, "H": Action.HIT, "D": Action.DOUBLE}
    for row in table.strip().splitlines():
        totals, *letters = row.split()
        low, _, high = totals.partition("-")
        for total in range(int(low), int(high or low) + 1):
            for cards, letter in zip((4, 3, 2), letters, strict=True):
                yield (soft, total, cards), actions[letter]


_TABLE: Final = dict([*_read(False, _HARD), *_read(True, _SOFT)])
