"""The wallets of an export, reckoned again from its transfers."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid5

from audit.verify.package import Fault
from wallets.money import AMOUNT_MINOR_MAX

# By the kind of an adjustment: from where to where it moves money.
ADJUSTMENTS: dict[str, tuple[str, str]] = {
    "credit": ("house", "cash"),
    "debit": ("cash", "house"),
    "settle": ("cash", "receivable"),
    "write_off": ("house", "receivable"),
}
PLAYERS = {"cash", "escrow", "held", "receivable"}
HOUSE = {"house", "cashier"}
NIL = UUID(int=0)
WAGERS_MAX = 64
"""More than any round has."""

# By code: from which kind of account to which money may have gone.
WAYS: dict[str, set[tuple[str, str]]] = {
    "deposit": {("cashier", "cash")},
    "withdrawal": {("cash", "cashier")},
    "wager": {("cash", "escrow")},
    "settlement": {("escrow", "house")},
    "payout": {("house", "cash")},
    "hold": {("house", "held")},
    "release": {("held", "cash")},
    "refund": {("escrow", "cash"), ("house", "cash")},
    "reversal": {("cash", "house"), ("held", "house"), ("receivable", "house")},
    "adjustment": set(ADJUSTMENTS.values()),
}
ANY_WAY = {"rake"}


@dataclass(slots=True)
class Wallet:
    """A player's money at a version; `is_whole` when it is known from its first transfer on."""

    currency: str
    version: int
    is_whole: bool
    at: str = ""
    balances: dict[str, int] = field(default_factory=dict)


class Ledger:
    """Every wallet and every round's money, as the transfers leave them."""

    def __init__(self, *, is_from_the_first: bool) -> None:
        self.wallets: dict[str, Wallet] = {}
        self.rounds: dict[str, dict[str, int]] = {}
        self._is_from_the_first = is_from_the_first
        self._last = ("", 0)

    def post(self, row: dict[str, Any]) -> Iterator[str]:
        """Apply a transfer; yield what does not hold of it. Errors: KeyError, TypeError."""
        yield from _shape_faults(row)
        player_id, version, amount_minor = row["player_id"], row["version"], row["amount_minor"]
        cash_minor = amount_minor * ((row["credit"] == "cash") - (row["debit"] == "cash"))
        before_minor = row["balance_after_minor"] - cash_minor
        if (player_id, version) <= self._last:
            yield "stands out of its order"
        self._last = (player_id, version)
        wallet = self.wallets.get(player_id)
        if wallet is None:
            wallet = self._open(row, before_minor)
        if version != wallet.version + 1:
            yield f"its version is {version}, the one before it has {wallet.version}"
        if row["at"] < wallet.at:
            yield "is earlier than the one before it"
        wallet.version, wallet.at = version, row["at"]
        self._move(wallet, row)
        yield from _balance_faults(wallet, row)
        if row["round_id"]:
            self._move_round(row, before_minor)

    def _open(self, row: dict[str, Any], before_minor: int) -> Wallet:
        is_whole = self._is_from_the_first or row["version"] == 1
        wallet = Wallet(row["currency"], 0 if is_whole else row["version"] - 1, is_whole)
        wallet.balances["cash"] = 0 if is_whole else before_minor
        self.wallets[row["player_id"]] = wallet
        return wallet

    def _move(self, wallet: Wallet, row: dict[str, Any]) -> None:
        for kind, sign in ((row["debit"], -1), (row["credit"], 1)):
            wallet.balances[kind] = wallet.balances.get(kind, 0) + sign * row["amount_minor"]

    def _move_round(self, row: dict[str, Any], before_minor: int) -> None:
        """Keep what a round moved, a receivable as the cash that it stands for."""
        money = self.rounds.setdefault(row["round_id"], {"before": before_minor})
        for kind, sign in ((row["debit"], -1), (row["credit"], 1)):
            kind_ = "cash" if kind == "receivable" else kind
            money[kind_] = money.get(kind_, 0) + sign * row["amount_minor"]

    def accounts(self) -> Iterator[str]:
        """Yield the ids of the accounts that a wallet with transfers has, and the house's."""
        for owner, wallet in self.wallets.items():
            for kind in PLAYERS | HOUSE:
                yield str(account_id(owner, kind, wallet.currency))

    def account_faults(self, row: dict[str, Any]) -> Iterator[str]:
        """Yield how an account is not as the transfers leave it. Errors: KeyError, TypeError."""
        owner, kind = row["player_id"], row["kind"]
        if row["account_id"] != str(account_id(owner, kind, row["currency"])):
            yield "is not named for its owner, kind and currency"
        if kind in HOUSE:
            if (owner, row["balance_minor"], row["version"]) != (str(NIL), None, None):
                yield "the house's side is nobody's, and stores no balance and no version"
            return
        wallet = self.wallets.get(owner)
        if wallet is None and not self._is_from_the_first:
            return
        wallet = wallet or Wallet(row["currency"], 0, is_whole=True)
        if wallet.is_whole or kind == "cash":
            minor = wallet.balances.get(kind, 0)
            if row["balance_minor"] != minor:
                yield f"its balance is {row['balance_minor']}, its transfers leave {minor}"
        version = wallet.version if kind == "cash" else None
        if row["version"] != version:
            yield f"its version is {row['version']}, its last transfer has {version}"


def account_id(owner: str, kind: str, currency: str) -> UUID:
    """Name an account, as the cage does."""
    return uuid5(NIL if kind in HOUSE else UUID(owner), f"{kind}:{currency}")


def _shape_faults(row: dict[str, Any]) -> Iterator[str]:
    for side in ("debit", "credit"):
        named = str(account_id(row["player_id"], row[side], row["currency"]))
        if row[f"{side}_account_id"] != named:
            yield f"its {side} account is not its player's {row[side]}"
    if row["code"] not in WAYS and row["code"] not in ANY_WAY:
        yield f"the ledger has no code {row['code']!r}"
    elif (row["debit"], row["credit"]) not in WAYS.get(
        row["code"], {(row["debit"], row["credit"])}
    ):
        yield f"a {row['code']} does not go from {row['debit']} to {row['credit']}"
    if row["round_id"] and row["request_key"]:
        yield "belongs to a round, and has a request's key"
    if row["round_id"] and not _is_named_for_round(row):
        yield f"is not named as the {row['code']} of its round"
    if type(row["amount_minor"]) is not int or not 1 <= row["amount_minor"] <= AMOUNT_MINOR_MAX:
        yield f"its amount is {row['amount_minor']}"


def _is_named_for_round(row: dict[str, Any]) -> bool:
    """Say whether an id follows from the round and from what was done, as the cage derives it."""
    code, named = row["code"], UUID(row["round_id"])
    marks = (
        (f"{code}:{index}" for index in range(WAGERS_MAX))
        if code == "wager"
        else (f"{code}:{row['debit']}" if code == "reversal" else code,)
    )
    return any(str(uuid5(named, mark)) == row["transfer_id"] for mark in marks)


def _balance_faults(wallet: Wallet, row: dict[str, Any]) -> Iterator[str]:
    cash_minor = wallet.balances["cash"]
    if row["balance_after_minor"] != cash_minor:
        yield f"its balance after it is {row['balance_after_minor']}, reckoned {cash_minor}"
        wallet.balances["cash"] = row["balance_after_minor"]  # one fault is told once
    for kind in (row["debit"], row["credit"]) if wallet.is_whole else ():
        minor = wallet.balances[kind] * (-1 if kind == "receivable" else 1)
        if kind not in HOUSE and minor < 0:
            yield f"leaves {wallet.balances[kind]} in {kind}"


def left_of(state: str, wagered_minor: int, payout_minor: int) -> dict[str, int]:
    """Return what a round in a state must have left in each kind of account, zeros left out."""
    left = {
        "open": {"cash": -wagered_minor, "escrow": wagered_minor},
        "settled": {"cash": payout_minor - wagered_minor, "house": wagered_minor - payout_minor},
        "held": {
            "cash": -wagered_minor, "held": payout_minor, "house": wagered_minor - payout_minor,
        },
        "voided": {},
    }[state]  # fmt: skip
    return {kind: minor for kind, minor in left.items() if minor}


def named(where: str, faults: Iterator[str]) -> Iterator[Fault]:
    """Give sentences their place."""
    return (Fault(where, what) for what in faults)
