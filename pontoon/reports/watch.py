"""The watch over returns (RTP-04): is what was paid what the rules promise, but for chance?

It is a sequential test: it may be looked at after every round, for ever, and is wrong with at
most the stated probability in all that time. Of n rounds with stakes s the players' excess

    S = Σ (net + edge · s)      has the mean 0 with best play, and spreads by
    V = variance · Σ s²

and by Robbins' mixture |S| ever reaches sqrt((V + r) · ln((V + r) / (r · e²))) with probability
at most e, whatever r > 0 was fixed before. (Exact for normal sums; ours have thousands of terms.)
Nobody plays better than best, so an excess above it is the house's fault, whoever played; an
excess below is one only when it is more than bad play explains, so the lower side is allowed
RTP_PLAY_MARGIN of the stakes.

Source: H. Robbins, Statistical methods related to the law of the iterated logarithm, 1970.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import log, sqrt
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from audit import services as audit
from audit.events import Event
from casino.players.profiles import get_currency
from pontoon.models import ReturnWatch
from pontoon.reports.theory import Theory, percent, theory_of

logger = logging.getLogger(__name__)

# An act is committed within 5 s of the time that it bears.
SETTLED_BY = timedelta(seconds=60)
ROUNDS_MIN = 1000
TUNED_TO_ROUNDS = 10_000

_EVER = datetime.min.replace(tzinfo=UTC)

_LOOK_SQL = """
SELECT rules, currency, sum(n)::bigint, sum(n * stake_minor),
       sum(n * (payout_minor - wagered_minor)), sum(n * stake_minor::numeric * stake_minor)
  FROM (SELECT r.player_id, r.rules, r.currency, r.stake_minor, r.payout_minor, r.wagered_minor,
               1 AS n
          FROM pontoon_round r
         WHERE r.settled_at >= %(since)s::timestamptz AND r.settled_at < %(until)s::timestamptz
         UNION ALL  -- what was voided since counts no more
        SELECT r.player_id, r.rules, r.currency, r.stake_minor, r.payout_minor, r.wagered_minor,
               -1
          FROM pontoon_roundmark m
          JOIN pontoon_round r ON r.player_id = m.player_id AND r.id = m.round_id
         WHERE m.mark = 'voided' AND r.settled_at IS NOT NULL
           AND m.at >= %(since)s::timestamptz AND m.at < %(until)s::timestamptz) seen
 WHERE player_id NOT IN (SELECT id FROM players_player WHERE is_test)
 GROUP BY rules, currency
"""


@dataclass(frozen=True, slots=True)
class Sums:
    """What a number of rounds came to, in minor units."""

    round_count: int
    stake_minor: int
    net_minor: int
    stake_minor_square: int

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            self.round_count + other.round_count,
            self.stake_minor + other.stake_minor,
            self.net_minor + other.net_minor,
            self.stake_minor_square + other.stake_minor_square,
        )


def judge(sums: Sums, theory: Theory, *, stake_minor: int, error_rate: float, margin: float) -> str:
    """Say where a return is: `inside` what chance explains, `above` or `below` it.

    The bound is narrowest after so many rounds of `stake_minor`; its error is the same for any.
    """
    if sums.round_count < ROUNDS_MIN:
        return "inside"
    bound = bound_of(sums, theory, stake_minor=stake_minor, error_rate=error_rate)
    if sums.net_minor + theory.edge * sums.stake_minor > bound:
        return "above"
    if sums.net_minor + (theory.edge + margin) * sums.stake_minor < -bound:
        return "below"
    return "inside"


def bound_of(sums: Sums, theory: Theory, *, stake_minor: int, error_rate: float) -> float:
    """Return how far chance may carry the players' excess, minor units."""
    spread = theory.variance * sums.stake_minor_square
    room = theory.variance * TUNED_TO_ROUNDS * stake_minor**2
    return sqrt((spread + room) * (log((spread + room) / room) - 2 * log(error_rate)))


def watch_returns() -> list[ReturnWatch]:
    """Count what was settled since the last look; return the watches that have changed.

    A return that leaves its bounds is an entry, once, a line of the log, and a notice in the
    panel. Harmless when it comes twice, late, or at once with another.
    """
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext('pontoon_returnwatch'))")
        now = audit.now()
        watches = {(watch.rules, watch.currency): watch for watch in ReturnWatch.objects.all()}
        since = max((watch.until for watch in watches.values()), default=_EVER)
        until = now - SETTLED_BY
        if since >= until:
            return []
        seen = _look(since, until)
        watches = {key: watches.get(key) or _new(*key, now) for key in watches.keys() | seen}
        return [
            watch
            for key, watch in sorted(watches.items())
            if _carry_on(watch, seen.get(key, Sums(0, 0, 0, 0)), until=until, now=now)
        ]


def _look(since: datetime, until: datetime) -> Mapping[tuple[str, str], Sums]:
    with connection.cursor() as cursor:
        cursor.execute(_LOOK_SQL, {"since": since, "until": until})
        return {
            (rules, currency): Sums(*map(int, numbers))
            for rules, currency, *numbers in cursor.fetchall()
        }


def _new(rules: str, currency: str, now: datetime) -> ReturnWatch:
    return ReturnWatch(
        id=f"{rules}:{currency}", rules=rules, currency=currency, until=now, state="inside",
        round_count=0, stake_minor=0, net_minor=0, stake_minor_square=0, changed_at=now,
    )  # fmt: skip


def _carry_on(watch: ReturnWatch, more: Sums, *, until: datetime, now: datetime) -> bool:
    """Add to a watch and judge it; return whether it is judged otherwise than before."""
    sums = sums_of(watch) + more
    before = watch.state
    watch.until = until
    watch.round_count, watch.stake_minor = sums.round_count, sums.stake_minor
    watch.net_minor, watch.stake_minor_square = sums.net_minor, sums.stake_minor_square
    if theory := theory_of(watch.rules):
        watch.state = _judge(watch.currency, sums, theory)
        if watch.state != before:
            watch.changed_at = now
            _raise_alarm(watch, sums, theory, before)
    watch.save()
    return watch.state != before


def sums_of(watch: ReturnWatch) -> Sums:
    """Return what a watch has counted."""
    return Sums(
        watch.round_count,
        int(watch.stake_minor),
        int(watch.net_minor),
        int(watch.stake_minor_square),
    )


def _judge(currency: str, sums: Sums, theory: Theory) -> str:
    return judge(
        sums,
        theory,
        stake_minor=get_currency(currency).stake_minor_min,
        error_rate=settings.RTP_ERROR_RATE,
        margin=settings.RTP_PLAY_MARGIN,
    )


def _raise_alarm(watch: ReturnWatch, sums: Sums, theory: Theory, before: str) -> None:
    facts: dict[str, Any] = {
        "rules": watch.rules,
        "currency": watch.currency,
        "round_count": sums.round_count,
        "stake_minor": sums.stake_minor,
        "net_minor": sums.net_minor,
        "rtp_actual": percent(sums.stake_minor + sums.net_minor, sums.stake_minor),
        "rtp_theoretical": percent(1 - theory.edge),
        "error_rate": str(settings.RTP_ERROR_RATE),
    }
    logger.error("rtp.excursion %s %s: %s", watch.rules, watch.currency, watch.state)
    audit.record(
        Event.RTP_EXCURSION,
        subject=f"rules:{watch.rules}",
        actor="system:watch",
        payload=facts | {"before": {"state": before}, "after": {"state": watch.state}},
    )
