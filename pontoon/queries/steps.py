"""A round as its player saw it, step by step: what lay on the table after each action."""

from dataclasses import replace
from typing import Any

from cryptography.fernet import InvalidToken

from pontoon import engine
from pontoon.engine import Action, View
from pontoon.models import Told
from pontoon.queries.place import RoundFacts, facts_of
from pontoon.queries.replay import record_of, view_of


def steps_of(told: Told) -> list[dict[str, Any]]:
    """Return the deal and what followed each action: `action`, `hand`, `by`, `dealer`, `hands`.

    Each is the player's own view of that moment, so a card that lay face down is not told. Nothing
    when no key opens the seed.
    """
    facts = facts_of(told)
    try:
        views = [(None, None, "house", _after(facts, 0))] + [
            (action, hand, by, _after(facts, count))
            for count, (action, hand, by) in enumerate(facts.actions, 1)
        ]
    except InvalidToken:
        return []
    return [
        {"action": action, "hand": hand, "by": by, "dealer": view.dealer, "hands": view.hands}
        | {"active_hand": view.active_hand}
        for action, hand, by, view in views
    ]


def _after(facts: RoundFacts, count: int) -> View:
    """Return what was to be seen after so many actions."""
    if count == len(facts.actions):
        return view_of(facts)
    record = record_of(facts)
    actions = tuple(Action(action) for action, _, _ in facts.actions[:count])
    round_ = engine.replay(replace(record, actions=actions))
    return engine.find_game(facts.rules).view(round_, 0)
