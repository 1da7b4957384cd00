"""A member of the family of rule sets: the numbers of `engine.house.Rules`, any of them changed.

The family also has what no published rule set changes: `Variant` adds those numbers, so that a
single-rule fault can be reckoned like a rule set (docs/mathematics.md).
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from hashlib import sha256
from json import dumps

from pontoon.engine import find_rules
from pontoon.engine.errors import UnknownGameError


class SettingError(Exception):
    """A rule set was asked for that is not in the family; the message says why."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The numbers of a rule set. Odds are what a win pays for each unit of the wager."""

    decks: int  # H1
    stand_points_min: int  # H7
    double_cards_max: int  # H9
    hands_max: int  # H10
    split_aces_play_on: bool  # H10
    trick_cards: int  # H5, H6
    dealer_hits_soft_17: bool  # H12
    dealer_trick: bool  # H13
    dealer_wins_ties: bool  # H14
    pontoon_odds: float  # H15
    trick_odds: float  # H15
    # What follows is the same in every published rule set.
    dealer_looks: bool = True  # H4; if not, his pontoon wins when all hands are complete
    pontoons_tie: bool = False  # H4; if so, pontoon against pontoon gives the stake back
    pontoon_completes: bool = True  # H6; if not, it may be hit and doubled
    double_draws: bool = True  # H9; if not, the wager is raised and no card comes
    double_plays_on: bool = True  # H9; if not, a doubled hand stands on what it has
    split_pontoon: bool = True  # H11; if not, it is 21 in two cards
    dealer_stands_min: int = 17  # H12
    twenty_one_odds: float = 1  # H15, of a 21 that is no pontoon and no trick
    double_wins: bool = True  # H15; if not, a win is reckoned on the stake alone


def find_variant(rules_id: str, changes: Mapping[str, object] | None = None) -> Variant:
    """Return a published rule set, some of its numbers changed; raises UnknownGameError."""
    return Variant(**asdict(find_rules(rules_id)) | dict(changes or {}))


def numbers_of(variant: Variant) -> dict[str, object]:
    """Return the numbers of a rule set by name, leaving out what is as in every published one."""
    return {
        field.name: value
        for field in fields(Variant)
        if (value := getattr(variant, field.name)) != field.default
    }


def digest(variant: Variant) -> str:
    """Name the numbers of a rule set: lower-case hexadecimal SHA-256 of their JSON."""
    return sha256(dumps(numbers_of(variant), sort_keys=True).encode()).hexdigest()


def add_arguments(parser: ArgumentParser) -> None:
    """Let a command take a rule set and changes of it."""
    parser.add_argument("rules", help="a published rule set, such as house/1")
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="change a number; may be given again. The names: " + ", ".join(NUMBERS),
    )


def read_variant(options: Namespace) -> Variant:
    """Return the rule set of a command's arguments; raises SettingError."""
    try:
        return find_variant(options.rules, parse_settings(options.set))
    except UnknownGameError as error:
        raise SettingError(str(error)) from None


def parse_settings(settings: Sequence[str]) -> dict[str, object]:
    """Read changes written NAME=VALUE; of two for one name the last counts."""
    return dict(map(_parse_setting, settings))


def _parse_setting(setting: str) -> tuple[str, object]:
    name, equals, text = setting.partition("=")
    if name not in NUMBERS:
        raise SettingError(f"There is no number {name!r}; there are {', '.join(NUMBERS)}.")
    try:
        return name, NUMBERS[name](text.strip().lower())
    except (ValueError, KeyError, ZeroDivisionError):
        given = f"not {text!r}" if equals else "written NAME=VALUE"
        raise SettingError(f"{name} is {NUMBERS[name].__doc__}, {given}.") from None


def _whole(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        number = int(text)
        if not least <= number <= most:
            raise ValueError(text)
        return number

    parse.__doc__ = f"a whole number from {least} to {most}"
    return parse


def _truth(text: str) -> bool:
    """true or false"""
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text]


def _odds(text: str) -> float:
    """odds to one, such as 2, 1.5 or 3/2"""
    number = Fraction(text.replace(" to ", "/").replace(":", "/"))
    if not 0 <= number <= 100:
        raise ValueError(text)
    return int(number) if number.denominator == 1 else float(number)


NUMBERS: Mapping[str, Callable[[str], object]] = {
    "decks": _whole(1, 8),
    "stand_points_min": _whole(2, 21),
    "double_cards_max": _whole(0, 7),
    "hands_max": _whole(1, 6),
    "split_aces_play_on": _truth,
    "trick_cards": _whole(3, 7),
    "dealer_hits_soft_17": _truth,
    "dealer_trick": _truth,
    "dealer_wins_ties": _truth,
    "pontoon_odds": _odds,
    "trick_odds": _odds,
    "dealer_looks": _truth,
    "pontoons_tie": _truth,
    "pontoon_completes": _truth,
    "double_draws": _truth,
    "double_plays_on": _truth,
    "split_pontoon": _truth,
    "dealer_stands_min": _whole(12, 21),
    "twenty_one_odds": _odds,
    "double_wins": _truth,
}
"""How each number of the family is read."""

if set(NUMBERS) != {field.name for field in fields(Variant)}:
    raise AssertionError("a number of the family cannot be set")
