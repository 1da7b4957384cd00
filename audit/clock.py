"""Whether the clock that stamps everything was set (CLK-01).

All times on record are PostgreSQL's clock. From one look to the next it must go as far as this
machine's monotonic clock does, which nobody can set. Where it does not, somebody or something
moved it, and that is an entry.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction

from audit import services
from audit.events import Event
from audit.models import Entry
from casino.days import format_time

TOLERANCE_S = 2.0
"""What a time server may correct between two looks, and nobody need hear of."""

_SUBJECT = "clock:database"
_TOLD_ALREADY = timedelta(minutes=5)


def _since_boot_s() -> float:
    """Return seconds since this machine started, those that it slept too."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


@dataclass(frozen=True, slots=True)
class Look:
    """The database's clock, and between which two readings of the monotonic one it was read."""

    before_s: float
    at: datetime
    after_s: float


class Watch:
    """Looks at the clock again and again; `passed_s` reads seconds of a clock that only runs."""

    def __init__(self, passed_s: Callable[[], float] = _since_boot_s) -> None:
        self._passed_s = passed_s
        self._last: Look | None = None

    def look(self) -> float:
        """Record it if the clock was moved since the last look; return by how much, seconds.

        Several processes watch, and each finds what the others found: it is told once. Steps
        that are equal to the tolerance and within five minutes of each other count as one.
        """
        last, this = self._last, self._read()
        step_s = _step(last, this) if last else 0.0
        if last and step_s:
            _tell(last, this, step_s)
        self._last = this  # not before it is told: else who fails to tell never would
        return step_s

    def _read(self) -> Look:
        before_s = self._passed_s()
        at = services.now()
        return Look(before_s, at, self._passed_s())


def _step(last: Look, this: Look) -> float:
    """Return the least step of the clock that both looks allow; 0 within the tolerance."""
    moved_s = (this.at - last.at).total_seconds()
    least_s = moved_s - (this.after_s - last.before_s)
    most_s = moved_s - (this.before_s - last.after_s)
    if least_s > TOLERANCE_S:
        return least_s
    return most_s if most_s < -TOLERANCE_S else 0.0


def _tell(last: Look, this: Look, step_s: float) -> None:
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext('audit_clock'))")
        if not _is_told(this.at, step_s):
            services.record(
                Event.CLOCK_CHANGED,
                subject=_SUBJECT,
                actor="system:clock",
                payload={
                    "before": {"at": format_time(this.at - timedelta(seconds=step_s))},
                    "after": {"at": format_time(this.at)},
                    "step_ms": round(step_s * 1000),
                    "last_look": format_time(last.at),
                },
            )


def _is_told(at: datetime, step_s: float) -> bool:
    about_now = (at - _TOLD_ALREADY, at + _TOLD_ALREADY)
    told = Entry.objects.filter(
        subject=_SUBJECT, event=Event.CLOCK_CHANGED, at__range=about_now
    ).values_list("body", flat=True)
    steps_s = (json.loads(body)["payload"]["step_ms"] / 1000 for body in told)
    return any(abs(step_s - other_s) <= TOLERANCE_S for other_s in steps_s)
