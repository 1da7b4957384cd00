"""Telling again: what was delivered once, has died, or happened before the endpoint was there."""

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from audit import services
from audit.errors import ReplayTooLargeError
from audit.events import Event
from audit.models import Delivery, Endpoint, Entry
from audit.webhooks.endpoints import find, lock, once, record
from audit.webhooks.outbox import make
from audit.webhooks.told import SOURCES

COUNT_MAX = 10_000


def deliveries_of(endpoint_id: UUID) -> QuerySet[Delivery]:
    """Return what an endpoint is told. Errors: WebhookNotFoundError."""
    return Delivery.objects.filter(endpoint_id=find(endpoint_id).id).prefetch_related("attempts")


def replay(
    actor: str,
    *,
    endpoint_id: UUID,
    span: tuple[datetime, datetime] | None = None,
    delivery_ids: Collection[UUID] = (),
    key: str | None = None,
) -> dict[str, Any]:
    """Tell an endpoint again: all of its types in a time, or some deliveries. Return how many.

    Each keeps its id, by which a receiver knows that it has it. Errors: WebhookNotFoundError,
    ReplayTooLargeError, WebhookConflictError.
    """
    asked = {
        "replay": str(endpoint_id),
        "from": span and span[0].isoformat(),
        "to": span and span[1].isoformat(),
        "delivery_ids": sorted(map(str, delivery_ids)),
    }

    def act() -> dict[str, Any]:
        endpoint, at = lock(endpoint_id), services.now()
        if span:
            _make_missing(endpoint, span, at)
        mine = Delivery.objects.filter(endpoint_id=endpoint.id)
        chosen = (
            mine.filter(at__gte=span[0], at__lt=span[1])
            if span
            else mine.filter(id__in=delivery_ids)
        )
        count = chosen.update(state="waiting", tries=0, due_at=at, done_at=None)
        record(Event.WEBHOOK_REPLAYED, actor, endpoint, before=None, after=asked | {"count": count})
        return {"count": count}

    return once(actor, key, asked, act)


def _make_missing(endpoint: Endpoint, span: tuple[datetime, datetime], at: datetime) -> None:
    """Make the deliveries of entries of a time that have none, as if it had been there."""
    entries = Entry.objects.filter(
        id__gte=_first_id(span[0]), id__lt=_first_id(span[1]), event__in=SOURCES
    ).order_by("id")
    bodies = list(entries.values_list("body", flat=True)[: COUNT_MAX + 1])
    if len(bodies) > COUNT_MAX:
        raise ReplayTooLargeError(count_max=COUNT_MAX)
    endpoint.created_at = min(endpoint.created_at, span[0])  # in memory only
    made = [one for body in bodies for one in make(json.loads(body), [endpoint], at)]
    Delivery.objects.bulk_create(made, ignore_conflicts=True, batch_size=1000)


def _first_id(at: datetime) -> UUID:
    """Return the first id of a time: entries are found by it, and are partitioned by it."""
    return UUID(int=max(0, int(at.timestamp() * 1000)) << 80)
