"""Money as whole minor units of a currency, in words. Pure."""

AMOUNT_MINOR_MAX = 2**53 - 1
"""The largest amount: every JSON reader holds it exactly."""


def format_minor(amount_minor: int, exponent: int) -> str:
    """Return an amount in the currency's major unit, for people: (-1250, 2) → "-12.50"."""
    sign, digits = "-" * (amount_minor < 0), str(abs(amount_minor)).rjust(exponent + 1, "0")
    if not exponent:
        return sign + digits
    return f"{sign}{digits[:-exponent]}.{digits[-exponent:]}"
