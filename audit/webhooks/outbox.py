"""The outbox: a cursor over the log's entries that makes deliveries of them.

The cursor and the deliveries that it makes are one transaction. It goes in the order of (xid, id)
and never passes a transaction that may still commit, like the sealer's (audit/seal.py); so no act
writes anything for it, and none is left out.
"""

import json
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from django.db import connection, transaction

from audit import services
from audit.models import Delivery, Endpoint, Outbox
from audit.services import NIL
from audit.webhooks.told import SOURCES, body_of, type_of

BATCH = 2000
KEPT = timedelta(days=30)

_MIN_SQL = "SELECT audit_cluster(), pg_snapshot_xmin(pg_current_snapshot())::text::bigint"

# As audit_take reads them; the entries of a former cluster are surely over.
_NEXT_SQL = """
SELECT xid::text::bigint, id, event = ANY(%(sources)s), body FROM audit_entry
 WHERE cluster = %(cluster)s AND xid >= %(xid)s::bigint::text::xid8
   AND (xid, id) > (%(xid)s::bigint::text::xid8, %(entry_id)s::uuid)
   AND (cluster <> audit_cluster() OR xid < pg_snapshot_xmin(pg_current_snapshot()))
 ORDER BY xid, id LIMIT %(count)s
"""


class Read(NamedTuple):
    """An entry as the outbox reads it."""

    xid: int
    id: UUID
    is_source: bool
    body: str


def fill(*, batch: int = BATCH) -> int:
    """Make deliveries of what is new in the log; return how many.

    Harmless when it comes twice, late, or at once with another.
    """
    made_count = 0
    while True:
        is_more, count = _fill_batch(batch)
        made_count += count
        if not is_more:
            return made_count


def _fill_batch(batch: int) -> tuple[bool, int]:
    with transaction.atomic(durable=True):
        outbox = lock_outbox()
        told = list(Endpoint.objects.filter(state__in=["active", "disabled"]).order_by("id"))
        read = _read(outbox, batch) if told else []
        made = [
            delivery
            for one in read
            if one.is_source
            for delivery in make(json.loads(one.body), told, services.now())
        ]
        Delivery.objects.bulk_create(made, ignore_conflicts=True)
        is_more = _move(outbox, read, is_told=bool(told))
        outbox.save(update_fields=["cluster", "xid", "entry_id"])
    return is_more, len(made)


def _read(outbox: Outbox, count: int) -> list[Read]:
    with connection.cursor() as cursor:
        cursor.execute(
            _NEXT_SQL,
            {
                "sources": list(SOURCES),
                "cluster": outbox.cluster,
                "xid": outbox.xid,
                "entry_id": outbox.entry_id,
                "count": count,
            },
        )
        return [Read(*row) for row in cursor.fetchall()]


def _move(outbox: Outbox, read: list[Read], *, is_told: bool) -> bool:
    """Move the cursor behind what was read; return whether there may be more."""
    cluster, xid = _horizon()
    if read:
        outbox.xid, outbox.entry_id = read[-1].xid, read[-1].id
    elif not is_told:  # nobody listens: what is over is passed
        outbox.cluster, outbox.xid, outbox.entry_id = cluster, xid, NIL
    elif outbox.cluster != cluster:  # a dump was restored: the former cluster's are all told
        outbox.cluster, outbox.xid, outbox.entry_id = cluster, 0, NIL
        return True
    return bool(read)


def make(entry: dict[str, Any], told: list[Endpoint], at: datetime) -> list[Delivery]:
    """Return the deliveries of an entry: to those who asked for its type, before it happened."""
    type_ = type_of(entry)
    happened_at = datetime.fromisoformat(entry["at"])
    return [
        Delivery(
            id=uuid5(endpoint.id, entry["id"]),
            endpoint_id=endpoint.id,
            entry_id=entry["id"],
            player_id=entry["player_id"],
            type=type_,
            at=happened_at,
            body=body_of(type_, entry),
            due_at=at,
        )
        for endpoint in told
        if type_ is not None and type_ in endpoint.types and happened_at >= endpoint.created_at
    ]


def lock_outbox() -> Outbox:
    """Return the one row, made at the first call, and keep others from it."""
    rows = Outbox.objects.select_for_update(no_key=True)
    outbox = rows.filter(id=1).first()
    if outbox is None:
        cluster, xid = _horizon()
        Outbox.objects.bulk_create(
            [Outbox(id=1, cluster=cluster, xid=xid, entry_id=NIL, busy_until=services.now())],
            ignore_conflicts=True,
        )
        outbox = rows.get(id=1)
    return outbox


def _horizon() -> tuple[int, int]:
    """Return this cluster, and the oldest transaction that may still commit."""
    with connection.cursor() as cursor:
        cursor.execute(_MIN_SQL)
        cluster, xid = cursor.fetchone()
    return int(cluster), int(xid)


def forget() -> None:
    """Take away what was delivered, or died, a month ago: the record is the log."""
    over = Delivery.objects.filter(done_at__lt=services.now() - KEPT)
    while numbers := list(over.values_list("number", flat=True)[:1000]):
        Delivery.objects.filter(number__in=numbers).delete()
