"""The dashboard: what an operator runs a shift from, now and every five seconds anew."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from audit import queries as audit
from audit import services as clock
from casino.desk import charts
from casino.desk.broker import queue_depths
from casino.shown import badge, money, reference, when
from casino.staff.roles import Act, may, require
from pontoon import queries as table
from pontoon.admin.scoping import scope_text
from pontoon.reports.returns import returns
from pontoon.reports.tally import Minute, Tally, read_tally

MINUTES = 60
WINS_SHOWN = 10
STOPS_SHOWN = 20
UNSEALED_MAX = 10_000
SEAL_LATE_S = 60
BEAT_LATE_S = 60

PARTS = ("health", "suspensions", "figures", "wins", "rounds", "money", "returns")
"""The parts of the page, each a template of its own: what is renewed while somebody watches."""


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return what the panel's first page shows. Who may not watch the floor sees the way on."""
    more: dict[str, Any] = {"heading": _("Dashboard"), "title": _("Dashboard")}
    if may(request.user, Act.LOOK_OPERATIONS):
        more |= {"board": _board(), "parts": [f"panel/board/{name}.html" for name in PARTS]}
    return context | more


@never_cache
@admin.site.admin_view
def live(request: HttpRequest) -> JsonResponse:
    """Return each part of the dashboard as it is now, by its name."""
    require(request.user, Act.LOOK_OPERATIONS)
    board = _board()
    shown = {"board": board, "user": request.user}
    parts = {name: render_to_string(f"panel/board/{name}.html", shown, request) for name in PARTS}
    return JsonResponse({"at": board["now"].isoformat(), "parts": parts})


def _board() -> dict[str, Any]:
    now = clock.now()
    hour = (now - timedelta(minutes=MINUTES - 1)).replace(second=0, microsecond=0)
    day = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    tally = read_tally(min(hour, day), summed_until=hour)
    waiting = table.waiting()
    return {
        "now": now,
        "at": when(now),
        "zone": settings.TIME_ZONE,
        "health": _health(now, tally),
        "suspensions": [_stopped(one) for one in table.suspensions(is_standing=True)[:STOPS_SHOWN]],
        "waiting": waiting,
        "open_since": waiting.open_since and when(waiting.open_since),
        "rounds": _rounds(tally.minutes, hour),
        "money": _money(tally.minutes, day, hour),
        "returns": [one._asdict() | {"badge": badge(one.state)} for one in returns()],
        "wins": [_win(win, now) for win in table.large_wins(WINS_SHOWN)],
    }


def _health(now: datetime, tally: Tally) -> dict[str, Any]:
    """Return what works and what does not: the queue, the periodic work, and the log."""
    seal = audit.sealing(UNSEALED_MAX)
    depths = queue_depths()
    failed = audit.failed_work()
    beat_s = None if tally.counted_at is None else int((now - tally.counted_at).total_seconds())
    return {
        "seal": seal,
        "sealed_at": when(seal.sealed_at),
        "waited": age(seal.waiting_s),
        "depth": None if depths is None else sum(depths.values()),
        "queues": sorted((depths or {}).items()),
        "failed": failed,
        "beat": None if beat_s is None else age(beat_s),
        "lamps": [
            (_("Database"), True),
            (_("Queue"), depths is not None),
            (_("Periodic work"), beat_s is not None and beat_s < BEAT_LATE_S),
            (_("Log sealed"), seal.waiting_s < SEAL_LATE_S),
            (_("Work"), failed.dead == 0),
        ],
    }


def _rounds(minutes: Iterable[Minute], hour: datetime) -> dict[str, Any]:
    counts = _series(minutes, hour, "round_count")
    at = [hour + timedelta(minutes=place) for place in range(MINUTES)]
    told = [
        f"{timezone.localtime(one):%H:%M}: {count}" for one, count in zip(at, counts, strict=True)
    ]
    return {
        "bars": charts.bars(counts, told),
        "top": max(counts),
        "now": counts[-2],
        "sum": sum(counts),
        "ticks": [f"{timezone.localtime(at[place]):%H:%M}" for place in (0, 15, 30, 45, 59)],
    }


def _money(minutes: Iterable[Minute], day: datetime, hour: datetime) -> list[dict[str, Any]]:
    """Return each currency's day, largest turnover first of all that have the same decimals."""
    by_currency: dict[str, list[Minute]] = defaultdict(list)
    for one in minutes:
        by_currency[one.currency].append(one)
    return [_of_currency(code, by_currency[code], day, hour) for code in sorted(by_currency)]


def _of_currency(
    currency: str, minutes: list[Minute], day: datetime, hour: datetime
) -> dict[str, Any]:
    today = [one for one in minutes if one.minute >= day]
    turnover_minor = sum(one.wagered_minor for one in today)
    payout_minor = sum(one.payout_minor for one in today)
    wagered = _series(minutes, hour, "wagered_minor")
    paid = _series(minutes, hour, "payout_minor")
    kept = [turnover - payout for turnover, payout in zip(wagered, paid, strict=True)]
    return {
        "currency": currency,
        "rounds": sum(one.round_count for one in today),
        "turnover": money(turnover_minor, currency),
        "payouts": money(payout_minor, currency),
        "ggr": money(turnover_minor - payout_minor, currency),
        "is_loss": payout_minor > turnover_minor,
        "rtp": f"{100 * payout_minor / turnover_minor:.2f}" if turnover_minor > 0 else None,
        "hour_turnover": money(sum(wagered), currency),
        "hour_ggr": money(sum(kept), currency),
        "turnover_line": charts.line(wagered),
        "ggr_line": charts.line(_running(kept)),
    }


def _running(values: Iterable[int]) -> list[int]:
    total, sums = 0, []
    for value in values:
        total += value
        sums.append(total)
    return sums


def _series(minutes: Iterable[Minute], hour: datetime, column: str) -> list[int]:
    """Return a column's sum in each of the last minutes, the oldest first."""
    sums = [0] * MINUTES
    for one in minutes:
        place = int((one.minute - hour).total_seconds() // 60)
        if 0 <= place < MINUTES:
            sums[place] += getattr(one, column)
    return sums


def _stopped(one: Any) -> dict[str, Any]:
    return {
        "link": reverse("admin:pontoon_suspension_change", args=[one.id]),
        "what": scope_text(one.scope),
        "reason": one.reason,
        "since": when(one.raised_at),
        "is_fault": one.malfunction_id is not None,
    }


def _win(win: table.LargeWin, now: datetime) -> dict[str, Any]:
    return {
        "round": reference("round_id", win.round_id),
        "player": reference("player_id", win.player_id),
        "win": money(win.payout_minor - win.wagered_minor, win.currency),
        "since": when(win.settled_at),
        "age": age(int((now - win.settled_at).total_seconds())),
    }


def age(seconds: int) -> str:
    """Return how long ago something was: 42 s, 5 min, 3 h 10 min, 2 d 4 h."""
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if days:
        return f"{days} d {hours % 24} h"
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{max(0, seconds)} s"
