"""The best strategy of a published rule set: stored, served, and asked for one action.

It was computed once, by `python -m pontoon.analysis strategy house/1 --json`, and is tied to the
numbers of the rule set by their hash; nothing is computed here.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from pontoon.engine.cards import RANKS
from pontoon.engine.errors import UnknownGameError
from pontoon.engine.game import Action, HandView, View


@cache
def read_strategy(rules_id: str) -> Mapping[str, Any]:
    """Return the strategy of a rule set and its figures; raises UnknownGameError."""
    stored = files("pontoon.analysis") / "data" / f"{rules_id.replace('/', '-')}.json"
    if not stored.is_file():
        raise UnknownGameError(rules_id)
    document: Mapping[str, Any] = json.loads(stored.read_text(encoding="utf-8"))
    return document


def advise(view: View, rules_id: str = "house/1") -> Action:
    """Say what the best strategy does now, of what the view allows; needs an open round."""
    if view.active_hand is None:
        raise ValueError("a round that is over takes no advice")
    allowed = {option.action for option in view.options}
    ranking = _rank(_read_tables(rules_id), view.hands[view.active_hand], len(view.hands))
    if Action.SPLIT in allowed:
        ranking = _read_tables(rules_id).pairs[_ranks(view.hands[view.active_hand])[0]]
    return next(action for action in ranking if action in allowed)


Ranking: TypeAlias = tuple[Action, ...]
"""Actions from best to worst: the first that is allowed is taken."""


@dataclass(frozen=True, slots=True)
class _Tables:
    """A stored strategy by what it looks at: pairs, own cards where they matter, else totals."""

    pairs: Mapping[str, Ranking]
    cards: Mapping[tuple[str, int, str, bool], Ranking]
    totals: Mapping[tuple[int, int, bool, bool], Ranking]


def _rank(tables: _Tables, hand: HandView, hand_count: int) -> Ranking:
    ranks = _ranks(hand)
    pair = ranks[0] if hand.from_split else ""
    own = (pair, hand_count, "".join(sorted(ranks, key=RANKS.index)), hand.doubled)
    by_total = len(ranks), hand.total, hand.soft, hand.doubled
    return tables.cards.get(own) or tables.totals[by_total]


def _ranks(hand: HandView) -> list[str]:
    """Return the ranks of a hand as the strategy names them: all tens are T."""
    return [RANKS[min(RANKS.index(card[0]), RANKS.index("T"))] for card in hand.cards]


@cache
def _read_tables(rules_id: str) -> _Tables:
    stored = read_strategy(rules_id)
    return _Tables(
        {row["pair"]: _read_actions(row) for row in stored["pairs"]},
        {
            (row["pair"], row["hands"], row["cards"], row["doubled"]): _read_actions(row)
            for row in stored["exceptions"]
        },
        {
            (row["count"], row["total"], row["soft"], row["doubled"]): _read_actions(row)
            for row in stored["totals"]
        },
    )


def _read_actions(row: Mapping[str, Any]) -> Ranking:
    return tuple(Action(name) for name in row["actions"])
