"""What the cage adds to an export: every transfer in the cut, and the accounts as they were."""

from functools import lru_cache
from typing import Any
from uuid import UUID

from audit.export.parts import CHUNK, Chunk, Column, Cut, Part, Place, chunk_of, select, tally
from audit.services import NIL
from casino.days import format_time
from wallets import ledger

_IS_IN_CUT = """
      (t.cluster <> %(cluster)s::bigint OR t.xid <= %(xid)s::text::xid8)
  AND (%(end)s::timestamptz IS NULL OR t.at < %(end)s)"""

_TRANSFERS_SQL = f"""
SELECT t.id AS transfer_id, t.player_id, t.version, t.code, t.debit_account_id,
       t.credit_account_id, t.amount_minor, t.currency, t.balance_after_minor, t.round_id,
       t.actor, t.at, t.reference, t.request_key
  FROM wallets_transfer t
 WHERE (t.player_id, t.version) > (%(after_player)s::uuid, %(after_version)s::bigint)
   AND (%(begin)s::timestamptz IS NULL OR t.at >= %(begin)s)
   AND (%(player_id)s::uuid IS NULL OR t.player_id = %(player_id)s)
   AND (%(currency)s::text IS NULL OR t.currency = %(currency)s) AND {_IS_IN_CUT}
 ORDER BY t.player_id, t.version LIMIT %(limit)s::integer
"""  # noqa: S608

# What an account held at the cut: what it holds, less what has moved since.
_ACCOUNTS_SQL = f"""
WITH page AS (
    SELECT * FROM wallets_account a
     WHERE (a.player_id, a.id) > (%(after_player)s::uuid, %(after_id)s::uuid)
       AND (%(player_id)s::uuid IS NULL OR a.player_id IN (%(player_id)s, %(nil)s::uuid))
       AND (%(currency)s::text IS NULL OR a.currency = %(currency)s)
     ORDER BY a.player_id, a.id LIMIT %(limit)s::integer
), later AS (
    SELECT t.* FROM wallets_transfer t
     WHERE t.player_id IN (SELECT player_id FROM page) AND NOT ({_IS_IN_CUT})
)
SELECT a.id AS account_id, a.player_id, a.kind, a.currency,
       a.balance_minor - coalesce((
           SELECT sum(CASE a.id WHEN l.credit_account_id THEN l.amount_minor
                                ELSE -l.amount_minor END)
             FROM later l
            WHERE l.player_id = a.player_id
              AND a.id IN (l.debit_account_id, l.credit_account_id)), 0) AS balance_minor,
       CASE a.kind WHEN 'cash' THEN
           a.version - (SELECT count(*) FROM later l WHERE l.player_id = a.player_id) END AS version
  FROM page a ORDER BY a.player_id, a.id
"""  # noqa: S608

_SUMS = ("amount_minor",)
_GROUP = ("currency", "code")


def _read_transfers(cut: Cut, after: Place | None) -> Chunk:
    """Read on after [player, version]."""
    player_id, version = after or [str(NIL), 0]
    rows = select(
        _TRANSFERS_SQL,
        cut.parameters | {"after_player": player_id, "after_version": version, "limit": CHUNK},
    )
    lines = [_transfer(row) for row in rows]
    place = [lines[-1]["player_id"], lines[-1]["version"]] if len(lines) == CHUNK else None
    return chunk_of("transfers", lines, after=place, sums=tally(lines, _GROUP, _SUMS))


def _transfer(row: dict[str, Any]) -> dict[str, Any]:
    names = _kinds(row["player_id"], row["currency"])
    return {name: _plain(value) for name, value in row.items()} | {
        "debit": names.get(row["debit_account_id"], "unknown"),
        "credit": names.get(row["credit_account_id"], "unknown"),
    }


@lru_cache(maxsize=64)
def _kinds(player_id: UUID, currency: str) -> dict[UUID, str]:
    kinds = ledger.PLAYER_KINDS + ledger.HOUSE_KINDS
    return {ledger.account_id(player_id, kind, currency): kind for kind in kinds}


def _read_accounts(cut: Cut, after: Place | None) -> Chunk:
    """Read on after [player, account]."""
    player_id, id_ = after or [str(NIL), str(NIL)]
    rows = select(
        _ACCOUNTS_SQL,
        cut.parameters
        | {"after_player": player_id, "after_id": id_, "limit": CHUNK, "nil": str(NIL)},
    )
    lines = [{name: _plain(value) for name, value in row.items()} for row in rows]
    place = [lines[-1]["player_id"], lines[-1]["account_id"]] if len(lines) == CHUNK else None
    return chunk_of("accounts", lines, after=place)


def _plain(value: Any) -> Any:
    """Return a column's value as JSON has it."""
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, UUID):
        return str(value)
    if hasattr(value, "isoformat"):
        return format_time(value)
    return int(value)  # a sum of the database's


TRANSFERS = Part(
    "transfers",
    (
        Column("transfer_id", "id", "the transfer"),
        Column("at", "time", "when it was made, by the database's clock"),
        Column("player_id", "id", "whose wallet it belongs to"),
        Column("version", "whole", "its number in that wallet, from 1, without a gap"),
        Column("code", "text", "why it was made: deposit, wager, settlement, payout, …"),
        Column("debit", "text", "the kind of account that the money left"),
        Column("credit", "text", "the kind of account at which it arrived"),
        Column("debit_account_id", "id", "that account"),
        Column("credit_account_id", "id", "that account"),
        Column("amount_minor", "minor", "how much"),
        Column("currency", "text", "of what, ISO 4217"),
        Column("balance_after_minor", "minor", "the player's cash after it"),
        Column("round_id", "id", "the round, if it belongs to one"),
        Column("actor", "text", "who made it"),
        Column("reference", "text", "the operator's own name of a payment"),
        Column("request_key", "text", "the key of the request, if it had one"),
    ),
    _read_transfers,
    group=_GROUP,
    sums=_SUMS,
)

ACCOUNTS = Part(
    "accounts",
    (
        Column("account_id", "id", "the account"),
        Column("player_id", "id", "whose it is; all zeros: the house's side"),
        Column("kind", "text", "cash, escrow, held, receivable; house, cashier"),
        Column("currency", "text", "of what, ISO 4217"),
        Column("balance_minor", "minor", "what it held; empty for the house's side"),
        Column("version", "whole", "of cash: how many transfers the wallet had seen"),
    ),
    _read_accounts,
)
