"""What the ledger says of a time: money by code and by kind of account, in buckets of time.

Buckets are cut by `edges`: bucket n begins at the nth edge, 0 is all before the first. Test
players are left out (ACC-10).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from audit.services import NIL
from wallets.models import Transfer


class Moved(NamedTuple):
    """What moved in a bucket under a code, and between which kinds of account."""

    currency: str
    bucket: int
    code: str
    debit: str
    credit: str
    transfer_count: int
    amount_minor: int


class Flow(NamedTuple):
    """What a player's transfers of one code came to."""

    player_id: UUID
    currency: str
    code: str
    transfer_count: int
    amount_minor: int


_MOVED_SQL = """
SELECT t.currency, width_bucket(t.at, %(edges)s::timestamptz[]), t.code,
       coalesce(d.kind, h.kind), coalesce(c.kind, g.kind), count(*), sum(t.amount_minor)::bigint
  FROM wallets_transfer t
  LEFT JOIN wallets_account d ON d.player_id = t.player_id AND d.id = t.debit_account_id
  LEFT JOIN wallets_account c ON c.player_id = t.player_id AND c.id = t.credit_account_id
  LEFT JOIN wallets_account h ON h.player_id = %(nil)s::uuid AND h.id = t.debit_account_id
  LEFT JOIN wallets_account g ON g.player_id = %(nil)s::uuid AND g.id = t.credit_account_id
 WHERE t.at < %(end)s::timestamptz AND t.player_id <> ALL(%(without)s::uuid[])
   AND (%(currency)s::text IS NULL OR t.currency = %(currency)s)
 GROUP BY 1, 2, 3, 4, 5
"""
_FLOWS_SQL = """
SELECT t.player_id, t.currency, t.code, count(*), sum(t.amount_minor)::bigint
  FROM wallets_transfer t
 WHERE t.at >= %(begin)s::timestamptz AND t.at < %(end)s::timestamptz
   AND t.player_id <> ALL(%(without)s::uuid[])
   AND (%(currency)s::text IS NULL OR t.currency = %(currency)s)
 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""
_STORED_SQL = """
SELECT a.currency, a.kind, sum(a.balance_minor)::bigint
  FROM wallets_account a
 WHERE a.balance_minor IS NOT NULL AND a.player_id <> ALL(%(without)s::uuid[])
   AND (%(currency)s::text IS NULL OR a.currency = %(currency)s)
 GROUP BY 1, 2
"""


def moved(
    edges: Sequence[datetime], end: datetime, *, without: Sequence[UUID], currency: str | None
) -> list[Moved]:
    """Return what moved before `end`, by currency, bucket, code and kinds of account."""
    asked = {"edges": edges, "end": end, "without": without, "currency": currency}
    return [Moved(*row) for row in _rows(_MOVED_SQL, asked | {"nil": NIL})]


def flows(
    begin: datetime, end: datetime, *, without: Sequence[UUID], currency: str | None
) -> list[Flow]:
    """Return what each player's transfers came to in a time, by code."""
    asked = {"begin": begin, "end": end, "without": without, "currency": currency}
    return [Flow(*row) for row in _rows(_FLOWS_SQL, asked)]


def stored(*, without: Sequence[UUID], currency: str | None) -> dict[tuple[str, str], int]:
    """Return what all players hold now, by (currency, kind of account), from stored balances."""
    found = _rows(_STORED_SQL, {"without": without, "currency": currency})
    return {(currency_, kind): minor for currency_, kind, minor in found}


def of_code(
    code: str, begin: datetime, end: datetime, *, without: Sequence[UUID], currency: str | None
) -> list[Transfer]:
    """Return the transfers of one code in a time, oldest first."""
    chosen = Transfer.objects.filter(code=code, at__gte=begin, at__lt=end)
    chosen = chosen.exclude(player_id__in=without)
    chosen = chosen.filter(currency=currency) if currency else chosen
    return list(chosen.order_by("at", "player_id", "version"))


def _rows(statement: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {name: _plain(value) for name, value in parameters.items()})
        return list(cursor.fetchall())


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple | set) else value
