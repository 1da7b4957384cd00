"""The best strategy of a rule set as a document, a grid, and a command.

    python -m pontoon.analysis strategy house/1 --by total

The document lists what to do by total, and the hands whose cards make another action better: both
together are the best strategy by composition.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pontoon.analysis.composition import NAMES, NO_PAIR, spell
from pontoon.analysis.exact import (
    DONE,
    STRATEGIES,
    UNUSABLE,
    find_play,
    format_json,
    make_report,
    show_progress,
)
from pontoon.analysis.exact_round import RoundPlay
from pontoon.analysis.rules import SettingError, Variant, add_arguments, read_variant
from pontoon.analysis.strategy_total import (
    Entry,
    Table,
    draw_freely,
    entry_of,
    find_by_total,
    rank_actions,
)
from pontoon.engine.game import Action

_EQUAL: Final = 1e-12
"""Two actions that differ by no more, in stakes, are as good."""


def add_parser(commands: Any) -> None:
    """Offer `strategy`: what the best play does with every hand."""
    parser: ArgumentParser = commands.add_parser("strategy", help="the best strategy")
    add_arguments(parser)
    parser.add_argument("--by", choices=list(STRATEGIES), default="composition")
    parser.add_argument("--json", action="store_true", help="write JSON")
    parser.set_defaults(run=run)


def run(options: Namespace) -> int:
    """Write the best strategy of a rule set."""
    try:
        variant = read_variant(options)
    except SettingError as error:
        sys.stderr.write(f"{error}\n")
        return UNUSABLE
    document = make_document(options.rules, variant, options.by)
    write = format_json if options.json else format_text
    sys.stdout.write(write(document))
    return DONE


def make_document(rules_id: str, variant: Variant, by: str) -> dict[str, Any]:
    """Return a strategy and its figures; a strategy by total has no exceptions."""
    best = find_play(variant, watch=show_progress)
    table, by_total = find_by_total(best)
    own_cards = by == "composition"
    play = best if own_cards else by_total
    return {
        **make_report(rules_id, by, play),
        "pairs": list(_list_pairs(play)),
        "totals": [
            _write_entry(entry) | {"actions": list(ranking)}
            for entry, ranking in table.items()
            if entry.pair == NO_PAIR
        ],
        "exceptions": list(_list_exceptions(best, table)) if own_cards else [],
    }


def _write_entry(entry: Entry) -> dict[str, Any]:
    return {
        "count": entry.count,
        "total": entry.total,
        "soft": entry.soft,
        "doubled": entry.doubled,
    }


def _list_pairs(play: RoundPlay) -> Iterator[dict[str, Any]]:
    """List what to do with every pair that may be split."""
    for start in play.starts:
        options = play.options(start)
        if Action.SPLIT in options:
            split, *others = _split_first(rank_actions(options))
            ranking = [split, *others] if play.is_split(start) else [*others, split]
            yield {"pair": NAMES[start.rank], "actions": ranking}


def _split_first(ranking: Iterable[Action]) -> list[Action]:
    return sorted(ranking, key=lambda action: action is not Action.SPLIT)


def _list_exceptions(best: RoundPlay, table: Table) -> Iterator[dict[str, Any]]:
    """List the hands whose own cards make another action better than their total does."""
    halves = [hands for pair, _ in best.pairs for hands in best.split(pair)]
    for hands in [best.first, *halves]:
        for state, _ in draw_freely(hands):
            spot, worths = hands.spot(state), hands.options(state)
            ranking = rank_actions(worths)
            by_total = next(action for action in table[entry_of(spot)] if action in worths)
            if worths[ranking[0]] - worths[by_total] > _EQUAL * hands.chance(state[0]):
                yield {
                    "pair": NAMES[spot.pair] if hands.hand_count > 1 else "",
                    "hands": hands.hand_count,
                    "cards": spell(state[0]),
                    "doubled": spot.doubled,
                    "actions": list(ranking),
                }


def format_text(document: Mapping[str, Any]) -> str:
    """Write a strategy as a grid: a row for each total, a column for each number of cards."""
    cells = {
        (row["soft"], row["total"], row["count"]): code_of(row["actions"])
        for row in document["totals"]
        if not row["doubled"]
    }
    counts = sorted({count for _, _, count in cells}, reverse=True)
    rows = [
        f"{'soft' if soft else 'hard'} {total:<3}"
        + "".join(f"{cells.get((soft, total, count), ''):>5}" for count in counts)
        for soft, total in sorted(
            {cell[:2] for cell in cells}, key=lambda cell: (cell[0], -cell[1])
        )
    ]
    splits = " ".join(row["pair"] for row in document["pairs"] if row["actions"][0] == "split")
    head = f"{'cards':<8}" + "".join(f"{count:>5}" for count in counts)
    notes = [f"split    {splits or 'none'}", *map(_format_exception, document["exceptions"])]
    return "\n".join([_LEGEND, "", head, *rows, "", *notes]) + "\n"


_LEGEND = "S stand, H hit, D double else hit, Ds double else stand"


def _format_exception(row: Mapping[str, Any]) -> str:
    where = f" after a split to {row['hands']} of {row['pair']}" if row["pair"] else ""
    doubled = ", doubled" if row["doubled"] else ""
    return f"but      {row['cards']}{doubled}{where}: {row['actions'][0]}"


def code_of(actions: Iterable[str]) -> str:
    """Write the best actions as published strategies do: S, H, D (else hit) or Ds."""
    first, *others = (action for action in actions if action != Action.SPLIT)
    if first != Action.DOUBLE:
        return first[0].upper()
    return "Ds" if others[0] == Action.STAND else "D"
