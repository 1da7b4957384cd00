"""Money in words: whole minor units, and no fraction of one anywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallets.money import AMOUNT_MINOR_MAX, format_minor


@pytest.mark.parametrize(
    ("amount_minor", "exponent", "text"),
    [
        (0, 2, "0.00"),
        (5, 2, "0.05"),
        (-5, 2, "-0.05"),
        (100, 2, "1.00"),
        (-1250, 2, "-12.50"),
        (1234567, 2, "12345.67"),
        (0, 0, "0"),
        (1500, 0, "1500"),
        (-3, 0, "-3"),
        (1, 3, "0.001"),
        (-12345, 3, "-12.345"),
        (AMOUNT_MINOR_MAX, 2, "90071992547409.91"),
    ],
)
def test_jur_02_an_amount_in_its_currencys_major_unit(
    amount_minor: int, exponent: int, text: str
) -> None:
    assert format_minor(amount_minor, exponent) == text


@given(st.integers(-AMOUNT_MINOR_MAX, AMOUNT_MINOR_MAX), st.integers(0, 4))
def test_f17_no_digit_is_lost(amount_minor: int, exponent: int) -> None:
    text = format_minor(amount_minor, exponent)
    assert int(text.replace(".", "")) == amount_minor
    assert len(text.partition(".")[2]) == exponent


def test_the_largest_amount_is_whole_in_every_reader_of_json() -> None:
    assert int(float(AMOUNT_MINOR_MAX)) == AMOUNT_MINOR_MAX
    assert int(float(AMOUNT_MINOR_MAX + 2)) != AMOUNT_MINOR_MAX + 2
