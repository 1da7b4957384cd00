"""What commands read from the command line, and how they say what they cannot read."""

from argparse import ArgumentTypeError
from collections.abc import Callable
from datetime import date
from typing import Final

COUNT_MAX: Final = 10**12  # months of play


def count_from(least: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from the least that is of use, `1e8` too."""

    def read(text: str) -> int:
        try:
            number = float(text)
        except ValueError:
            number = -1
        if not least <= number <= COUNT_MAX or number != int(number):
            message = f"a whole number from {least:,} to {COUNT_MAX:,}, such as 1e8, not {text!r}"
            raise ArgumentTypeError(message)
        return int(number)

    return read


def read_date(text: str) -> date:
    """Read a day of the calendar."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"a day such as 2026-01-31, not {text!r}") from None
