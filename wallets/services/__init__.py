"""The cage's verbs. Those of a round return the moves that the table commits with the round;
payments, limits and corrections are acts of the cage itself.
"""

from wallets.ledger import Move
from wallets.limits import KINDS as LIMIT_KINDS
from wallets.limits import PERIODS as LIMIT_PERIODS
from wallets.limits import SETTERS as LIMIT_SETTERS
from wallets.services.adjustments import (
    Correction,
    approve_adjustment,
    decline_adjustment,
    raise_adjustment,
)
from wallets.services.banking import Banking, deposit, withdraw
from wallets.services.limiting import set_limit
from wallets.services.moves import (
    after,
    hold,
    moved_on,
    pay,
    postings,
    refund,
    release,
    require_funds,
    retrying,
    reverse,
    take_wager,
)

__all__ = [
    "LIMIT_KINDS",
    "LIMIT_PERIODS",
    "LIMIT_SETTERS",
    "Banking",
    "Correction",
    "Move",
    "after",
    "approve_adjustment",
    "decline_adjustment",
    "deposit",
    "hold",
    "moved_on",
    "pay",
    "postings",
    "raise_adjustment",
    "refund",
    "release",
    "require_funds",
    "retrying",
    "reverse",
    "set_limit",
    "take_wager",
    "withdraw",
]
