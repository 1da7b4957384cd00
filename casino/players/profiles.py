"""Currencies and jurisdiction profiles: versioned data that every room above the door reads.

A number that changes gets a new VERSION; rounds store the version under which they were played.
These are engineering readings of the rules of each place, not legal advice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

from audit.errors import InvalidError
from casino.players.errors import UnknownCurrencyError

VERSION = "2"


@dataclass(frozen=True, slots=True)
class Currency:
    """What may be staked in a currency, in minor units of its ISO 4217 exponent.

    `large_win_minor` is the line from which a round's win waits for a person (rulebook H17), and
    `large_wins_minor` the same for what a player has won over a gaming day, where a profile sets
    no others. Stakes are multiples of the step between the two ends, both included (H19).
    """

    code: str
    exponent: int
    stake_minor_min: int
    stake_minor_max: int
    stake_minor_step: int
    chips_minor: tuple[int, ...]
    large_win_minor: int
    large_wins_minor: int


class LargeWinLine(NamedTuple):
    """From which win of a round, and which sum over a gaming day, a person verifies (WIN-01).

    `day_minor` is None where days are not added up.
    """

    currency: str
    win_minor: int
    day_minor: int | None


@dataclass(frozen=True, slots=True)
class Profile:
    """What a jurisdiction asks of play.

    `min_cycle_s` is the least time from deal to deal. `large_win_basis` is what is held against
    a line: the win, or the payout with the wagers in it. `large_win_lines` take the place of the
    currency's own; `gaming_day_zone` says when a day begins. A win that waits longer than one of
    `decide_within_h` is escalated, once more for each.

    `hint_allowed` lets the best play be asked for during a round. Autoplay is offered nowhere
    (RGT-03). `reality_check_default_min` is after how many minutes a player is told how long he
    has played, until he says otherwise.
    """

    name: str
    min_cycle_s: int = 0
    client_seed_allowed: bool = True
    large_win_basis: Literal["win", "payout"] = "win"
    hint_allowed: bool = True
    autoplay_allowed: Literal[False] = False
    reality_check_default_min: int | None = None
    large_win_lines: tuple[LargeWinLine, ...] = ()
    gaming_day_zone: str = "UTC"
    decide_within_h: tuple[int, ...] = (4, 24)

    @property
    def version(self) -> str:
        """Name the profile as a round stores it: `uk/1`."""
        return f"{self.name}/{VERSION}"


def get_currency(code: str) -> Currency:
    """Return a currency that is offered. Errors: UnknownCurrencyError."""
    try:
        return CURRENCIES[code]
    except KeyError:
        raise UnknownCurrencyError(currency=code) from None


def get_profile(name: str) -> Profile:
    """Return a profile by its name. Errors: InvalidError."""
    try:
        return PROFILES[name]
    except KeyError:
        raise InvalidError(fields={"profile": ["unknown"]}) from None


def large_win_line(profile: Profile, currency: Currency) -> LargeWinLine:
    """Return the lines of a profile in a currency: its own, or else the currency's."""
    for line in profile.large_win_lines:
        if line.currency == currency.code:
            return line
    return LargeWinLine(currency.code, currency.large_win_minor, currency.large_wins_minor)


def _with_cents(code: str, *, large_win: int) -> Currency:
    """Return a currency of two decimals with the table's default stakes and chips."""
    return Currency(
        code=code,
        exponent=2,
        stake_minor_min=1_00,
        stake_minor_max=1_000_00,
        stake_minor_step=1_00,
        chips_minor=(1_00, 5_00, 25_00, 100_00, 500_00),
        large_win_minor=large_win * 100,
        large_wins_minor=large_win * 250,
    )


CURRENCIES: Mapping[str, Currency] = MappingProxyType(
    {
        currency.code: currency
        for currency in (
            _with_cents("USD", large_win=10_000),
            _with_cents("EUR", large_win=10_000),
            _with_cents("GBP", large_win=10_000),
            _with_cents("BRL", large_win=50_000),
            _with_cents("SEK", large_win=100_000),
            Currency(
                code="JPY",
                exponent=0,
                stake_minor_min=100,
                stake_minor_max=100_000,
                stake_minor_step=100,
                chips_minor=(100, 500, 2_500, 10_000, 50_000),
                large_win_minor=1_500_000,
                large_wins_minor=3_750_000,
            ),
            Currency(
                code="CLP",
                exponent=0,
                stake_minor_min=1_000,
                stake_minor_max=1_000_000,
                stake_minor_step=1_000,
                chips_minor=(1_000, 5_000, 25_000, 100_000, 500_000),
                large_win_minor=10_000_000,
                large_wins_minor=25_000_000,
            ),
            Currency(
                code="KWD",
                exponent=3,
                stake_minor_min=1_000,
                stake_minor_max=300_000,
                stake_minor_step=1_000,
                chips_minor=(1_000, 5_000, 10_000, 25_000, 100_000),
                large_win_minor=3_000_000,
                large_wins_minor=7_500_000,
            ),
        )
    }
)

PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            Profile("default"),
            Profile("uk", min_cycle_s=5, reality_check_default_min=60),  # RTS 13B, 14G
            Profile("mga", reality_check_default_min=60),  # PPD 18A
        )
    }
)
