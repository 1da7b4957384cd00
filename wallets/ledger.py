"""The pen: what a transfer is, and how the cage's accounts are named. Nothing else moves money."""

from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID, uuid5

from audit.services import NIL

Kind = Literal["cash", "escrow", "held", "receivable", "house", "cashier"]

PLAYER_KINDS: tuple[Kind, ...] = ("cash", "escrow", "held", "receivable")
HOUSE_KINDS: tuple[Kind, ...] = ("house", "cashier")
UNKNOWN = "unknown"
"""What stands for an account of no kind: a fault of the ledger, which is told and not hidden."""

CODES = (
    "deposit", "withdrawal", "wager", "settlement", "payout", "hold", "release", "refund",
    "reversal", "adjustment", "rake",
)  # fmt: skip
"""What a transfer may be for; a CHECK in sql/ledger.sql has the same."""


@dataclass(frozen=True, slots=True)
class Wallet:
    """A player's cash account as it was read; `version` and `limit_count` say of which moment."""

    player_id: UUID
    currency: str
    balance_minor: int
    version: int
    limit_count: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """A transfer to be made: money of one wallet from one kind of account to another."""

    id: UUID
    code: str
    debit: Kind
    credit: Kind
    amount_minor: int
    actor: str
    round_id: UUID | None = None
    reference: str | None = None
    request_key: str | None = None

    @property
    def cash_minor(self) -> int:
        """What the move adds to the player's cash; negative when it takes."""
        return self.amount_minor * ((self.credit == "cash") - (self.debit == "cash"))


def account_id(player_id: UUID, kind: Kind, currency: str) -> UUID:
    """Name an account: derived, so that nobody has to look it up."""
    return uuid5(NIL if kind in HOUSE_KINDS else player_id, f"{kind}:{currency}")


def opening(player_id: UUID, currency: str) -> list[dict[str, str]]:
    """Return a player's accounts and the house's, in his currency, as `wallet_open` takes them."""
    return [
        {
            "player_id": str(NIL if kind in HOUSE_KINDS else player_id),
            "id": str(account_id(player_id, kind, currency)),
            "kind": kind,
            "currency": currency,
        }
        for kind in PLAYER_KINDS + HOUSE_KINDS
    ]


def posting(wallet: Wallet, move: Move) -> dict[str, Any]:
    """Return a move as `wallet_post` takes it."""
    return {
        "id": move.id,
        "debit_account_id": account_id(wallet.player_id, move.debit, wallet.currency),
        "credit_account_id": account_id(wallet.player_id, move.credit, wallet.currency),
        "amount_minor": move.amount_minor,
        "code": move.code,
        "round_id": move.round_id,
        "actor": move.actor,
        "reference": move.reference,
        "request_key": move.request_key,
    }
