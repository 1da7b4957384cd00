"""What a single-rule fault does to the return, and how long it takes the return to tell.

Every fault is one that a programmer might make, named by the rule that it breaks. Its return is
exact, as a change of the rule set that is analysed: with the player going on as house/1 is played
best, which is what an operator would see, and with the best play against the fault.

    python -m pontoon.analysis faults
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from math import ceil, log
from typing import Any, Final

from pontoon.analysis.composition import NAMES, PAIR_OF_TENS, TEN, full_shoe
from pontoon.analysis.exact import DONE, find_play, format_json, show_progress
from pontoon.analysis.exact_round import RoundPlay
from pontoon.analysis.rules import find_variant
from pontoon.analysis.strategy import read_strategy
from pontoon.analysis.strategy_total import ByTotal, Entry, Ranking
from pontoon.engine.game import Action

RULES_ID: Final = "house/1"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: the rule it breaks, what goes wrong, and the change that has the same effect.

    No change means that the return of the best strategy does not move: only a rule test tells.
    What a player could make of such a fault is reckoned only where that is nothing.
    """

    name: str
    rule: str
    what: str
    changes: Mapping[str, object] = field(default_factory=dict)
    is_reckoned: bool = True


FAULTS: Final = (
    Fault("six_decks", "H1", "the shoe has six decks", {"decks": 6}),
    Fault("no_look", "H4", "the dealer's pontoon comes out at the end", {"dealer_looks": False}),
    Fault("pontoons_tie", "H4", "pontoon against pontoon is a tie", {"pontoons_tie": True}),
    Fault("six_card_trick", "H5", "a trick needs six cards", {"trick_cards": 6}),
    Fault("open_pontoon", "H6", "a pontoon may be hit and doubled", {"pontoon_completes": False}),
    Fault("stand_on_12", "H7", "a hand may stand on 12", {"stand_points_min": 12}),
    Fault("stand_on_17", "H7", "a hand may stand on 17 only", {"stand_points_min": 17}),
    Fault("double_no_card", "H9", "a double draws no card", {"double_draws": False}),
    Fault("double_stands", "H9", "a doubled hand is complete", {"double_plays_on": False}),
    Fault("double_two_cards", "H9", "double on two cards only", {"double_cards_max": 2}),
    Fault("double_three_cards", "H9", "double on two or three cards", {"double_cards_max": 3}),
    Fault("double_twice", "H9", "a hand may be doubled again and again", is_reckoned=False),
    Fault("two_hands", "H10", "no hand of a split is split again", {"hands_max": 2}),
    Fault("four_hands", "H10", "a round may have four hands", {"hands_max": 4}),
    Fault("split_aces_stop", "H10", "split aces get one card", {"split_aces_play_on": False}),
    Fault("split_tens", "H10", "any two cards worth ten may be split"),
    Fault("split_21", "H11", "ace and ten after a split are 21", {"split_pontoon": False}),
    Fault("soft_17", "H12", "the dealer stands on a soft 17", {"dealer_hits_soft_17": False}),
    Fault("stand_on_16", "H12", "the dealer stands on 16", {"dealer_stands_min": 16}),
    Fault("hit_17", "H12", "the dealer draws on a hard 17", {"dealer_stands_min": 18}),
    Fault("needless_draw", "H12", "the dealer draws when no hand is left"),
    Fault("no_dealer_trick", "H13", "the dealer has no trick", {"dealer_trick": False}),
    Fault("ties", "H14", "a tie gives the wager back", {"dealer_wins_ties": False}),
    Fault("pontoon_3_to_2", "H15", "a pontoon pays 3 to 2", {"pontoon_odds": 1.5}),
    Fault("pontoon_even", "H15", "a pontoon pays 1 to 1", {"pontoon_odds": 1}),
    Fault("trick_even", "H15", "a trick pays 1 to 1", {"trick_odds": 1}),
    Fault("twenty_one", "H15", "any 21 pays 2 to 1", {"twenty_one_odds": 2}),
    Fault("double_win", "H15", "a win is reckoned on the stake", {"double_wins": False}),
)
"""Single-rule faults, in the order of the rules that they break."""


@dataclass(frozen=True, slots=True)
class Return:
    """What a fault does: returns in per cent of the stake, rounds until the return tells."""

    name: str
    rule: str
    what: str
    unchanged_percent: float
    best_percent: float | None
    rounds: int | None


def find_return(fault: Fault) -> Return:
    """Reckon the returns of a fault; takes some seconds."""
    stored = read_strategy(RULES_ID)
    variant = find_variant(RULES_ID, fault.changes)
    best = find_play(variant)
    played = RoundPlay(variant, full_shoe(variant.decks), stored_strategy(), best.dealer)
    return Return(
        name=fault.name,
        rule=fault.rule,
        what=fault.what,
        unchanged_percent=100 * (1 + played.win),
        best_percent=100 * (1 + best.win) if fault.is_reckoned else None,
        rounds=count_rounds(played.win + stored["house_edge"], stored["variance"]),
    )


def stored_strategy(rules_id: str = RULES_ID) -> ByTotal:
    """Return the stored strategy of a rule set as one for the analysis."""
    stored = read_strategy(rules_id)
    table = {
        Entry(row["count"], row["total"], row["soft"], row["doubled"]): _read_actions(row)
        for row in stored["totals"]
    }
    return ByTotal(table | dict(map(_read_pair, stored["pairs"])))


def _read_pair(row: Mapping[str, Any]) -> tuple[Entry, Ranking]:
    rank = NAMES.index(row["pair"])
    total = 12 if rank == 0 else 2 * (rank + 1)
    pair = PAIR_OF_TENS if rank == TEN else rank
    return Entry(2, total, rank == 0, False, pair), _read_actions(row)


def _read_actions(row: Mapping[str, Any]) -> Ranking:
    return tuple(Action(name) for name in row["actions"])


def count_rounds(difference: float, variance: float, error: float = 0.01) -> int | None:
    """Return how many rounds a sequential test of the return takes on average to find a fault.

    Wald's test between the mean result of the rules and that of the fault, each answer wrong with
    probability `error`; a fault that does not move the return is never found.
    """
    if abs(difference) < _EQUAL:
        return None
    boundary = (1 - 2 * error) * log((1 - error) / error)
    return ceil(2 * variance * boundary / difference**2)


_EQUAL: Final = 1e-12


def add_parser(commands: Any) -> None:
    """Offer `faults`: what single-rule faults do to the return."""
    parser: ArgumentParser = commands.add_parser("faults", help="single-rule faults and the return")
    parser.add_argument("--json", action="store_true", help="write JSON")
    parser.set_defaults(run=run)


def run(options: Namespace) -> int:
    """Write the returns of all faults."""
    returns = [find_return(fault) for fault in show_progress(FAULTS)]
    report = {"rules": RULES_ID, "faults": list(map(asdict, returns))}
    sys.stdout.write(format_json(report) if options.json else _format_text(returns))
    return DONE


def _format_text(returns: Sequence[Return]) -> str:
    head = f"{'rule':<5}{'fault':<40}{'unchanged':>11}{'best play':>11}{'rounds':>16}\n"
    return head + "".join(map(_format_line, returns))


def _format_line(line: Return) -> str:
    best = "not known" if line.best_percent is None else f"{line.best_percent:.4f} %"
    unchanged = f"{line.unchanged_percent:.4f} %"
    return f"{line.rule:<5}{line.what:<40}{unchanged:>11}{best:>11}{line.rounds or 'never':>16}\n"


@cache
def read_returns() -> tuple[Return, ...]:
    """Return what was found of all faults."""
    stored = files("pontoon.analysis") / "data" / "faults.json"
    return tuple(Return(**line) for line in json.loads(stored.read_text("utf-8"))["faults"])
