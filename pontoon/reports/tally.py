"""What was settled minute by minute, so that the floor can watch it whatever there is to watch.

A minute is counted once, when nothing can be added to it any more; what came after the last one
that is counted is read from the rounds themselves. A void takes back what its round was counted
with, in the minute of the void. Test players are left out (ACC-10).
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection, transaction

from audit import services as clock
from casino.players import queries as players

# An act is committed within 5 s of the time that it bears.
SETTLED_BY = timedelta(seconds=60)

_COUNT_SQL = """
SELECT date_trunc('minute', at), currency, rules, sum(n)::bigint, sum(n * stake_minor)::bigint,
       sum(n * wagered_minor)::bigint, sum(n * payout_minor)::bigint
  FROM (SELECT r.settled_at AS at, r.player_id, r.currency, r.rules, 1 AS n, r.stake_minor,
               r.wagered_minor, r.payout_minor
          FROM pontoon_round r
         WHERE r.settled_at >= %(since)s::timestamptz AND r.settled_at < %(until)s::timestamptz
         UNION ALL
        SELECT m.at, r.player_id, r.currency, r.rules, -1, r.stake_minor, r.wagered_minor,
               r.payout_minor
          FROM pontoon_roundmark m
          JOIN pontoon_round r ON r.player_id = m.player_id AND r.id = m.round_id
         WHERE m.mark = 'voided' AND r.settled_at IS NOT NULL
           AND m.at >= %(since)s::timestamptz AND m.at < %(until)s::timestamptz) seen
 WHERE player_id <> ALL(%(without)s::uuid[])
 GROUP BY 1, 2, 3
"""
_KEEP_SQL = f"INSERT INTO pontoon_minute {_COUNT_SQL} ON CONFLICT DO NOTHING"
_DONE_SQL = """
INSERT INTO pontoon_tally (until, at) VALUES (%(until)s, %(at)s)
    ON CONFLICT (id) DO UPDATE SET until = excluded.until, at = excluded.at
"""
_KEPT_SQL = """
SELECT CASE WHEN minute < %(summed_until)s THEN %(begin)s ELSE minute END AS at, currency, rules,
       sum(round_count)::bigint, sum(stake_minor)::bigint, sum(wagered_minor)::bigint,
       sum(payout_minor)::bigint
  FROM pontoon_minute WHERE minute >= %(begin)s
 GROUP BY at, currency, rules ORDER BY at
"""
_EVER = datetime.fromisoformat("2000-01-01T00:00:00+00:00")
_NEVER = datetime.fromisoformat("3000-01-01T00:00:00+00:00")


class Minute(NamedTuple):
    """What was settled in a minute under a rule set in a currency."""

    minute: datetime
    currency: str
    rules: str
    round_count: int
    stake_minor: int
    wagered_minor: int
    payout_minor: int


class Tally(NamedTuple):
    """The minutes since a moment, and when they were last counted: None before the first time."""

    minutes: list[Minute]
    counted_at: datetime | None


def tally_minutes() -> None:
    """Count the minutes that are over. Harmless when it comes twice, late, or at once."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('pontoon_tally'))")
        now = clock.now()
        until = (now - SETTLED_BY).replace(second=0, microsecond=0)
        since, _ = _counted(cursor)
        asked: dict[str, Any] = {"since": since, "until": until, "at": now, "without": _without()}
        if since < until:
            cursor.execute(_KEEP_SQL, asked)
        cursor.execute(_DONE_SQL, asked | {"until": max(since, until)})


def read_tally(begin: datetime, *, summed_until: datetime = _EVER) -> Tally:
    """Return what was settled since a moment, minute by minute, to this one.

    What is earlier than `summed_until` comes as one sum, which stands at the beginning.
    """
    with connection.cursor() as cursor:
        since, counted_at = _counted(cursor)
        cursor.execute(_KEPT_SQL, {"begin": begin, "summed_until": summed_until})
        kept = _minutes(cursor.fetchall())
        tail: dict[str, Any] = {"since": max(since, begin), "until": _NEVER}
        cursor.execute(_COUNT_SQL, tail | {"without": _without()})
        return Tally([*kept, *_minutes(cursor.fetchall())], counted_at)


def _counted(cursor: Any) -> tuple[datetime, datetime | None]:
    cursor.execute("SELECT until, at FROM pontoon_tally")
    return cursor.fetchone() or (_EVER, None)


def _without() -> list[Any]:
    return players.ids_of_test_players()


def _minutes(rows: Iterable[tuple[Any, ...]]) -> list[Minute]:
    return [Minute(*row) for row in rows]
