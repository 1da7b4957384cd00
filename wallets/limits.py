"""What a player may still deposit, wager and lose, measured on the ledger (LIM-01 … LIM-10)."""

from collections.abc import Iterable, Mapping
from typing import Any

from wallets.errors import LimitReachedError

KINDS = ("deposit", "wager", "loss")
PERIODS = ("day", "week", "month")
SETTERS = ("player", "operator")


def require_within(
    limits: Iterable[Mapping[str, Any]] | None, *, kinds: tuple[str, ...], amount_minor: int
) -> None:
    """Refuse an amount that would exceed any limit of these kinds: the strictest decides (LIM-02).

    `limits` is what `wallet_limits` returned with the wallet. Errors: LimitReachedError.
    """
    for limit in limits or ():
        if limit["kind"] in kinds and limit["used_minor"] + amount_minor > limit["amount_minor"]:
            raise LimitReachedError(
                kind=limit["kind"],
                period=limit["period"],
                limit_minor=limit["amount_minor"],
                used_minor=limit["used_minor"],
                needed_minor=amount_minor,
            )
