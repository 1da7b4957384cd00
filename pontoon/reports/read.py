"""What the round records say of a time. Test players are left out (ACC-10)."""

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from pontoon.reports.asked import Asked, Sums

_CHOSEN = """r.player_id <> ALL(%(without)s::uuid[])
   AND (%(currency)s::text IS NULL OR r.currency = %(currency)s)"""

# By the time at which rounds were over; what a void takes back is counted when it is voided.
_SETTLED_SQL = f"""
SELECT r.currency, r.rules, width_bucket(r.settled_at, %(edges)s::timestamptz[]),
       count(*), sum(r.stake_minor)::bigint, sum(r.wagered_minor)::bigint,
       sum(r.payout_minor)::bigint, 0, 0, 0, 0
  FROM pontoon_round r
 WHERE r.settled_at < %(end)s::timestamptz AND {_CHOSEN} GROUP BY 1, 2, 3
 UNION ALL
SELECT r.currency, r.rules, width_bucket(m.at, %(edges)s::timestamptz[]),
       0, 0, 0, 0, count(*), sum(r.wagered_minor)::bigint,
       coalesce(sum(r.wagered_minor) FILTER (WHERE r.settled_at IS NOT NULL), 0)::bigint,
       coalesce(sum(r.payout_minor) FILTER (WHERE r.settled_at IS NOT NULL), 0)::bigint
  FROM pontoon_roundmark m
  JOIN pontoon_round r ON r.player_id = m.player_id AND r.id = m.round_id
 WHERE m.mark = 'voided' AND m.at < %(end)s::timestamptz AND {_CHOSEN} GROUP BY 1, 2, 3
"""  # noqa: S608
NUMBERS = (
    "rounds", "stake_minor", "wagered_minor", "payout_minor", "voided_rounds",
    "voided_wagered_minor", "voided_turnover_minor", "voided_payout_minor",
)  # fmt: skip

_WAITING_SQL = f"""
SELECT r.currency, r.rules, r.state, count(*),
       sum(CASE r.state WHEN 'open' THEN r.wagered_minor ELSE r.payout_minor END)::bigint
  FROM pontoon_round r
 WHERE r.state IN ('open', 'held') AND {_CHOSEN} GROUP BY 1, 2, 3
"""  # noqa: S608

_PLAYERS_SQL = f"""
SELECT r.player_id, r.currency, count(*), sum(r.wagered_minor)::bigint, sum(r.payout_minor)::bigint
  FROM pontoon_round r
 WHERE r.settled_at >= %(begin)s::timestamptz AND r.settled_at < %(end)s::timestamptz AND {_CHOSEN}
 GROUP BY 1, 2 ORDER BY 1, 2
"""  # noqa: S608

_VOIDS_SQL = f"""
SELECT m.at, r.id, r.player_id, r.currency, r.rules, r.wagered_minor, r.payout_minor,
       n.malfunction_id, n.reason,
       (SELECT e.actor FROM audit_entry e
         WHERE e.player_id = m.player_id AND e.subject = 'round:' || m.round_id AND e.at = m.at
           AND e.event = 'round.voided')
  FROM pontoon_roundmark m
  JOIN pontoon_round r ON r.player_id = m.player_id AND r.id = m.round_id
  LEFT JOIN pontoon_notice n ON n.player_id = m.player_id AND n.round_id = m.round_id
   AND n.kind = 'round_voided'
 WHERE m.mark = 'voided' AND m.at >= %(begin)s::timestamptz AND m.at < %(end)s::timestamptz
   AND {_CHOSEN} ORDER BY m.at, r.id
"""  # noqa: S608

_LARGE_SQL = f"""
SELECT r.settled_at, r.id, r.player_id, r.currency, r.rules, r.state, r.wagered_minor,
       r.payout_minor, (SELECT m.at FROM pontoon_roundmark m WHERE m.player_id = r.player_id
                           AND m.round_id = r.id AND m.mark = 'released')
  FROM pontoon_round r
  JOIN unnest(%(currencies)s::text[], %(lines)s::bigint[]) AS l(currency, line_minor)
    ON l.currency = r.currency
 WHERE r.settled_at >= %(begin)s::timestamptz AND r.settled_at < %(end)s::timestamptz
   AND (r.payout_minor - r.wagered_minor >= l.line_minor
        -- A line of a day or of a profile; what waits for a malfunction alone is no large win.
        OR (r.state IN ('held', 'voided') OR EXISTS (
            SELECT FROM pontoon_roundmark m WHERE m.player_id = r.player_id AND m.round_id = r.id
               AND m.mark = 'released')) AND pontoon_is_large(r.player_id, r.id))
   AND {_CHOSEN} ORDER BY r.settled_at, r.id
"""  # noqa: S608

_WAGERS_SQL = f"""
SELECT e.body
  FROM pontoon_round r
  JOIN unnest(%(currencies)s::text[], %(lines)s::bigint[]) AS l(currency, line_minor)
    ON l.currency = r.currency
  JOIN audit_entry e ON e.player_id = r.player_id AND e.subject = 'round:' || r.id
   AND e.event = 'round.settled'
 WHERE r.settled_at >= %(begin)s::timestamptz AND r.settled_at < %(end)s::timestamptz
   AND r.wagered_minor >= l.line_minor AND {_CHOSEN} ORDER BY e.id
"""  # noqa: S608


def settled(asked: Asked, edges: Sequence[datetime]) -> Sums:
    """Return NUMBERS of what was over before the end, by (currency, rules) and bucket."""
    sums: dict[tuple[str, ...], dict[int, list[int]]] = defaultdict(dict)
    for currency, rules, bucket, *numbers in _rows(_SETTLED_SQL, asked, edges=list(edges)):
        before = sums[currency, rules].get(bucket, [0] * len(NUMBERS))
        sums[currency, rules][bucket] = [
            int(one) + int(more) for one, more in zip(before, numbers, strict=True)
        ]
    return sums


def waiting(asked: Asked) -> dict[tuple[str, str, str], tuple[int, int]]:
    """Return what is in open and held rounds now: (currency, rules, state) → (count, amount)."""
    found = _rows(_WAITING_SQL, asked)
    return {
        (currency, rules, state): (count, minor) for currency, rules, state, count, minor in found
    }


def by_player(asked: Asked) -> dict[tuple[UUID, str], tuple[int, int, int]]:
    """Return each player's rounds of the range: (player, currency) → (count, wagered, paid out)."""
    return {
        (player_id, currency): (count, wagered, payout)
        for player_id, currency, count, wagered, payout in _rows(_PLAYERS_SQL, asked)
    }


def voids(asked: Asked) -> list[tuple[Any, ...]]:
    """Return the rounds that were voided in the range, oldest first."""
    return _rows(_VOIDS_SQL, asked)


def large_wins(asked: Asked, line_minor: dict[str, int]) -> list[tuple[Any, ...]]:
    """Return the rounds of the range whose wins reached their currency's line, or another."""
    lines = {"currencies": list(line_minor), "lines": list(line_minor.values())}
    return _rows(_LARGE_SQL, asked, **lines)


def large_wagers(asked: Asked, line_minor: dict[str, int]) -> list[dict[str, Any]]:
    """Return the entries, oldest first, of rounds whose wagers reached their currency's line."""
    lines = {"currencies": list(line_minor), "lines": list(line_minor.values())}
    return [json.loads(body) for (body,) in _rows(_WAGERS_SQL, asked, **lines)]


def _rows(statement: str, asked: Asked, **more: Any) -> list[tuple[Any, ...]]:
    parameters = {
        "begin": asked.begin,
        "end": asked.end,
        "currency": asked.currency,
        "without": list(asked.without),
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters | more)
        return list(cursor.fetchall())
