"""The games of the house as pure functions: no framework, no clock, no dice, no disk.

The caller brings the seeds and the time. A round is a frozen value, and its record always replays
to the same round. Every game has the five verbs of `Game`: deal, legal_actions, act, view, settle.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from pontoon.engine import house
from pontoon.engine.cards import (
    DECK,
    FACE_DOWN,
    Card,
    face_down,
    face_up,
    format_cards,
    parse_cards,
)
from pontoon.engine.errors import (
    IllegalActionError,
    NotationError,
    PontoonError,
    ShoeExhaustedError,
    UnknownGameError,
    WagerError,
)
from pontoon.engine.game import Action, Game, Move, Option, Outcome, Payout, Status, View
from pontoon.engine.hands import Kind, Value, evaluate
from pontoon.engine.house import Over, Playing, Round, Rules
from pontoon.engine.notation import (
    GoldenRound,
    Record,
    Seeds,
    format_end,
    format_record,
    parse_golden,
    parse_record,
)
from pontoon.engine.shoe import Shoe, arrange, commitment, shoe_seed, shuffle

GAMES: Final[Mapping[str, Game[Any, Any, Any]]] = MappingProxyType({"house": house})
"""Every game by its name. A new one is a module with the five verbs, and one entry here."""


def find_game(rules_id: str) -> Game[Any, Any, Any]:
    """Find the game that a rule set, such as `house/1`, belongs to; raises UnknownGameError."""
    for game in GAMES.values():
        if rules_id in game.RULES:
            return game
    raise UnknownGameError(rules_id)


def find_rules(rules_id: str) -> Any:
    """Find a published rule set by its name; raises UnknownGameError."""
    return find_game(rules_id).RULES[rules_id]


def replay(record: Record) -> Round:
    """Play a record again.

    Raises UnknownGameError, WagerError, ShoeExhaustedError, and IllegalActionError if the actions
    are none that the game would have taken.
    """
    game = find_game(record.rules)
    rules = game.RULES[record.rules]
    round_: Round = game.deal(rules, make_shoe(rules, record), record.wager)
    for action in record.actions:
        round_ = game.act(round_, action)
    return round_


def make_shoe(rules: Rules, record: Record) -> Shoe:
    """Put the shoe of a record together, no card drawn yet."""
    source = record.source
    if isinstance(source, Seeds):
        return shuffle(rules.decks, shoe_seed(source.server_seed, source.client_seed))
    return arrange(source)


__all__ = [
    "DECK",
    "FACE_DOWN",
    "GAMES",
    "Action",
    "Card",
    "Game",
    "GoldenRound",
    "IllegalActionError",
    "Kind",
    "Move",
    "NotationError",
    "Option",
    "Outcome",
    "Over",
    "Payout",
    "Playing",
    "PontoonError",
    "Record",
    "Round",
    "Rules",
    "Seeds",
    "Shoe",
    "ShoeExhaustedError",
    "Status",
    "UnknownGameError",
    "Value",
    "View",
    "WagerError",
    "arrange",
    "commitment",
    "evaluate",
    "face_down",
    "face_up",
    "find_game",
    "find_rules",
    "format_cards",
    "format_end",
    "format_record",
    "house",
    "make_shoe",
    "parse_cards",
    "parse_golden",
    "parse_record",
    "replay",
    "shoe_seed",
    "shuffle",
]
