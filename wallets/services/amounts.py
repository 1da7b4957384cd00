"""What is an amount, and how much of it a wallet has room for."""

from typing import Any

from wallets.errors import (
    AmountAboveMaximumError,
    AmountBelowMinimumError,
    AmountNotWholeError,
)
from wallets.ledger import Wallet
from wallets.money import AMOUNT_MINOR_MAX


def require_amount(amount_minor: Any) -> None:
    """Refuse what is no amount of money. Errors: AmountError."""
    if type(amount_minor) is not int:
        raise AmountNotWholeError(amount=str(amount_minor)[:40])
    if amount_minor < 1:
        raise AmountBelowMinimumError(minimum_minor=1)
    if amount_minor > AMOUNT_MINOR_MAX:
        raise AmountAboveMaximumError(maximum_minor=AMOUNT_MINOR_MAX)


def require_room(wallet: Wallet, amount_minor: int) -> None:
    """Refuse what no wallet could hold. Errors: AmountAboveMaximumError."""
    room_minor = AMOUNT_MINOR_MAX // 2 - wallet.balance_minor
    if amount_minor > room_minor:
        raise AmountAboveMaximumError(maximum_minor=max(room_minor, 0))
