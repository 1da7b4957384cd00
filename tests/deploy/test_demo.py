"""The demo's way of telling money."""

import pytest

from deploy.local.demo import Currency


@pytest.mark.parametrize(
    ("code", "exponent", "amount_minor", "told"),
    [
        ("EUR", 2, 100_05, "100.05 EUR"),
        ("EUR", 2, -5, "-0.05 EUR"),
        ("JPY", 0, 150_000, "150000 JPY"),
        ("KWD", 3, 1_050, "1.050 KWD"),
    ],
)
def test_an_amount_has_as_many_decimals_as_its_currency(
    code: str, exponent: int, amount_minor: int, told: str
) -> None:
    assert Currency(code, exponent, stake_minor=100).told(amount_minor) == told
