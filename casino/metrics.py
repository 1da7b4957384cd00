"""Figures for Prometheus: read from the database and the broker when somebody asks.

Nothing is counted in a process, so it does not matter which of them answers.
"""

import hmac
from collections.abc import Iterator, Mapping

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from audit import queries as audit
from casino.desk.broker import queue_depths
from pontoon import queries as pontoon

Figures = Mapping[tuple[str, ...], float]

_TOLD: dict[str, tuple[str, tuple[str, ...]]] = {
    "log_waiting_seconds": ("For how long the next entry has waited to be sealed.", ()),
    "log_months_ahead": ("Months for which the log has partitions.", ()),
    "work": ("Units of work that wait after a failure, or have died.", ("kind", "state")),
    "webhooks": ("Endpoints that are told by webhook.", ("state",)),
    "webhook_backlog": ("Deliveries that wait.", ()),
    "webhook_oldest_seconds": ("How old the oldest delivery is that waits.", ()),
    "webhook_dead": ("Deliveries that have died and are not forgotten yet.", ()),
    "rounds": ("Rounds that are not over: open, held.", ("state",)),
    "held_oldest_seconds": ("For how long the oldest held win has waited.", ()),
    "suspensions": ("Suspensions that stand.", ()),
    "rtp_excursion": ("1 where the return is not where chance leaves it.", ("rules", "currency")),
    "queue_up": ("Whether the broker answers.", ()),
    "queue_messages": ("Messages that wait in the broker.", ("queue",)),
}


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all figures, to who shows the token; without one set it is not there."""
    given = request.headers.get("Authorization", "")
    expected = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not hmac.compare_digest(given.encode(), expected.encode()):
        raise Http404
    registry = CollectorRegistry()
    registry.register(_House())
    return HttpResponse(
        generate_latest(registry),
        content_type=CONTENT_TYPE_LATEST,
        headers={"Cache-Control": "no-store"},
    )


class _House(Collector):
    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield every figure that can be read; `pontoon_database_up` says whether any can."""
        try:
            found = {**audit.figures(), **pontoon.figures()}
        except DatabaseError:
            connection.close()
            found = None
        up = GaugeMetricFamily("pontoon_database_up", "Whether the database answers.")
        up.add_metric([], int(found is not None))
        yield up
        for name, figures in {**(found or {}), **_broker()}.items():
            told, labels = _TOLD[name]
            family = GaugeMetricFamily(f"pontoon_{name}", told, labels=labels)
            for values, figure in figures.items():
                family.add_metric(values, figure)
            yield family


def _broker() -> dict[str, Figures]:
    """Return how many messages wait; a broker that is away is a figure too."""
    depths = queue_depths()
    if depths is None:
        return {"queue_up": {(): 0}}
    messages: dict[tuple[str, ...], float] = {(name,): float(n) for name, n in depths.items()}
    return {"queue_up": {(): 1}, "queue_messages": messages}
