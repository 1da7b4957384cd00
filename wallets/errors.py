"""Why money does not move.

WalletError
├─ AmountError
│  ├─ AmountNotWholeError
│  ├─ AmountBelowMinimumError
│  └─ AmountAboveMaximumError
├─ CurrencyMismatchError
├─ InsufficientFundsError
├─ LimitReachedError
├─ TransferConflictError    the same id or reference, for another act
└─ AdjustmentNotFoundError

Who decides on what he raised, or on what is decided, is told so by casino/staff/errors.py.
"""

from audit.errors import HouseError


class WalletError(HouseError):
    """Money does not move."""


class AmountError(WalletError):
    """The amount is no amount."""


class AmountNotWholeError(AmountError):
    """An amount is a whole number of minor units."""

    code = "amount_not_whole"


class AmountBelowMinimumError(AmountError):
    """The amount is below the minimum."""

    code = "amount_below_minimum"


class AmountAboveMaximumError(AmountError):
    """The amount is above the maximum."""

    code = "amount_above_maximum"


class CurrencyMismatchError(WalletError):
    """The wallet is kept in another currency."""

    code = "currency_mismatch"


class InsufficientFundsError(WalletError):
    """The balance does not cover the amount."""

    code = "insufficient_funds"


class LimitReachedError(WalletError):
    """The amount would exceed a limit of the account."""

    code = "limit_reached"


class TransferConflictError(WalletError):
    """The id or reference was used for another act."""

    code = "idempotency_conflict"


class AdjustmentNotFoundError(WalletError):
    """Nobody asked for such an adjustment."""

    code = "not_found"
