"""Sending what is due: many at once, each player's in order, no endpoint in another's way.

The database says what is due, and each try is counted there before it is made. Threads do the
HTTP and nothing else; one loop reads and writes the rows.
"""

import logging
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from time import monotonic
from uuid import UUID

from cryptography.fernet import InvalidToken
from django.db import transaction

from audit import services
from audit.events import Event
from audit.models import Attempt, Delivery, Endpoint, Outbox
from audit.webhooks import wire
from audit.webhooks.endpoints import disable, secrets_of
from audit.webhooks.outbox import fill, lock_outbox
from audit.webhooks.wire import Outcome

WAITS = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 30, 120, 600, 3600, 6 * 3600, 12 * 3600, 24 * 3600, 24 * 3600)
)
TRIES_MAX = len(WAITS) + 1
"""Almost three days, with the first."""

DISABLED_AFTER = timedelta(days=3)
PROBE_WAIT_MAX = timedelta(minutes=10)
FAILING_AT = 3
"""After so many failures in a row an endpoint is only asked whether it is there again."""

THREADS = 32
THREADS_EACH = 16
LEASE = timedelta(seconds=60)
FILL_EACH_S = 0.5
POLL_S = 0.2
GATHER_S = 0.01
GONE = 410

log = logging.getLogger(__name__)

_CLAIM_SQL = """
WITH due AS (
    SELECT d.number FROM audit_endpoint e
     CROSS JOIN LATERAL (
        SELECT w.number FROM audit_delivery w
         WHERE w.endpoint_id = e.id AND w.state = 'waiting' AND w.due_at <= %(at)s
           AND NOT EXISTS (SELECT FROM audit_delivery p
                            WHERE p.endpoint_id = e.id AND p.player_id = w.player_id
                              AND p.state = 'waiting' AND p.number < w.number)
         ORDER BY w.due_at, w.number
         LIMIT CASE WHEN e.failures < %(failing_at)s THEN %(each)s ELSE 1 END
           FOR NO KEY UPDATE SKIP LOCKED) d
     WHERE e.state = 'active' AND NOT e.id = ANY(%(full)s::uuid[])
       AND (e.failures < %(failing_at)s OR e.due_at <= %(at)s)
     LIMIT %(count)s
)
UPDATE audit_delivery SET tries = tries + 1, due_at = %(until)s
  FROM due WHERE audit_delivery.number = due.number
RETURNING audit_delivery.*
"""

Flight = dict[Future[Outcome], Delivery]


def deliver(*, within: timedelta = timedelta(seconds=20)) -> int:
    """Tell what is due, for about so long; return how many tries that were.

    One at a time: who comes while another is at it does nothing.
    """
    if not _begin():
        return 0
    pool = ThreadPoolExecutor(THREADS, thread_name_prefix="webhook")
    try:
        return _loop(pool, monotonic() + within.total_seconds())
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        Outbox.objects.filter(id=1).update(busy_until=services.now())


def _begin() -> bool:
    with transaction.atomic(durable=True):
        outbox, at = lock_outbox(), services.now()
        if outbox.busy_until > at:
            return False
        Outbox.objects.filter(id=1).update(busy_until=at + LEASE)
    return True


def _loop(pool: ThreadPoolExecutor, until: float) -> int:
    flight: Flight = {}
    count, filled_at = 0, 0.0
    while True:
        if monotonic() < until:
            if monotonic() - filled_at > FILL_EACH_S:
                fill()
                filled_at = monotonic()
            for delivery, sent in _send_due(pool, flight):
                flight[sent] = delivery
                count += 1
        if not flight:
            return count
        wait(flight, timeout=POLL_S, return_when=FIRST_COMPLETED)
        done, _ = wait(flight, timeout=GATHER_S)
        if done:
            _note([(flight.pop(future), future.result()) for future in done])
        elif monotonic() > until + wire.TOTAL_TIMEOUT_S + wire.CONNECT_TIMEOUT_S:
            return count  # a name server that never answers: their lease ends by itself


def _send_due(pool: ThreadPoolExecutor, flight: Flight) -> list[tuple[Delivery, Future[Outcome]]]:
    at = services.now()
    busy = Counter(delivery.endpoint_id for delivery in flight.values())
    claimed = _claim(at, count=THREADS - len(flight), busy=busy)
    endpoints = Endpoint.objects.in_bulk({delivery.endpoint_id for delivery in claimed})
    sent = []
    for delivery in claimed:
        endpoint = endpoints[delivery.endpoint_id]
        message = f"msg_{delivery.entry_id.hex}"
        try:
            secrets = secrets_of(endpoint, at)
        except InvalidToken:
            future: Future[Outcome] = Future()
            future.set_result(Outcome(None, "no key of ours opens the secret", 0))
        else:
            headers = wire.signed(message, delivery.body, secrets=secrets, at=at)
            future = pool.submit(wire.post, endpoint.url, delivery.body, headers)
        sent.append((delivery, future))
    return sent


def _claim(at: datetime, *, count: int, busy: Counter[UUID]) -> list[Delivery]:
    """Take what is due, the first of each player; a try is counted before it is made."""
    if count <= 0:
        return []
    full = [endpoint_id for endpoint_id, number in busy.items() if number >= THREADS_EACH]
    with transaction.atomic(durable=True):
        return list(
            Delivery.objects.raw(
                _CLAIM_SQL,
                {
                    "at": at,
                    "until": at + LEASE,
                    "failing_at": FAILING_AT,
                    "each": THREADS_EACH,
                    "full": full,
                    "count": count,
                },
            )
        )


def _note(done: list[tuple[Delivery, Outcome]]) -> None:
    """Write down what came of some tries, and what follows for their endpoints."""
    with transaction.atomic(durable=True):
        at = services.now()
        Outbox.objects.filter(id=1).update(busy_until=at + LEASE)
        Attempt.objects.bulk_create(
            [Attempt(delivery=delivery, at=at, **outcome._asdict()) for delivery, outcome in done]
        )
        heard = [delivery for delivery, outcome in done if outcome.is_heard]
        Delivery.objects.filter(number__in=[one.number for one in heard]).update(
            state="delivered", done_at=at
        )
        ids = sorted({delivery.endpoint_id for delivery, _ in done})
        rows = Endpoint.objects.select_for_update(no_key=True).filter(id__in=ids)
        endpoints = {endpoint.id: endpoint for endpoint in rows.order_by("id")}
        for delivery, outcome in done:
            if outcome.is_heard:
                _recover(endpoints[delivery.endpoint_id], at)
            else:
                _put_off(delivery, outcome, at)
                _suspect(endpoints[delivery.endpoint_id], outcome, at)


def _put_off(delivery: Delivery, outcome: Outcome, at: datetime) -> None:
    if delivery.tries < TRIES_MAX:
        delivery.due_at = at + WAITS[delivery.tries - 1]
        delivery.save(update_fields=["due_at"])
        return
    delivery.state, delivery.done_at = "dead", at
    delivery.save(update_fields=["state", "done_at"])
    services.record(
        Event.WORK_DIED,
        subject=f"delivery:{delivery.id}",
        actor="system:webhooks",
        player_id=delivery.player_id,
        payload={
            "before": {"state": "waiting"},
            "after": {
                "state": "dead",
                "kind": "webhook",
                "tries": delivery.tries,
                "error": outcome.error or f"HTTP {outcome.status}",
            },
        },
    )


def _recover(endpoint: Endpoint, at: datetime) -> None:
    """Forget an endpoint's failures; if it was away, what waits for it is due now."""
    if not endpoint.failures:
        return
    if endpoint.failures >= FAILING_AT:
        Delivery.objects.filter(
            endpoint_id=endpoint.id, state="waiting", due_at__gt=at + LEASE
        ).update(due_at=at)
    endpoint.failures, endpoint.failing_since, endpoint.due_at = 0, None, at
    endpoint.save(update_fields=["failures", "failing_since", "due_at"])


def _suspect(endpoint: Endpoint, outcome: Outcome, at: datetime) -> None:
    """Count a failure of an endpoint; ask it less and less, and leave it alone in the end."""
    if endpoint.state != "active":
        return
    endpoint.failures += 1
    endpoint.failing_since = endpoint.failing_since or at
    step = min(max(endpoint.failures - FAILING_AT, 0), len(WAITS) - 1)
    endpoint.due_at = at + min(WAITS[step], PROBE_WAIT_MAX)
    endpoint.save(update_fields=["failures", "failing_since", "due_at"])
    if outcome.status == GONE:
        disable(endpoint, reason="gone")
    elif at - endpoint.failing_since >= DISABLED_AFTER:
        disable(endpoint, reason="has not answered for three days")
