"""Who is told, and with which secret it is signed. Each act is an entry; no secret is in one."""

import base64
import json
import secrets
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import QuerySet

from audit import services, vault
from audit.errors import WebhookConflictError, WebhookNotFoundError
from audit.events import Event
from audit.models import Attempt, Delivery, Endpoint, WebhookAnswer
from audit.services import NIL
from audit.webhooks import wire
from audit.webhooks.outbox import lock_outbox
from casino.days import format_time

_SECRET_BYTES = 32

Answer = dict[str, Any]


def register(
    actor: str, *, url: str, types: Collection[str], key: str | None = None
) -> dict[str, Any]:
    """Tell somebody of some types from now on; return the endpoint with its secret, this once.

    The same `key` again is the same act, and gets the same answer. Errors:
    WebhookUrlRefusedError, WebhookConflictError.
    """

    def act() -> Answer:
        wire.find_target(url)
        lock_outbox()  # from here on the log is read
        at, secret = services.now(), _make_secret()
        endpoint = Endpoint.objects.create(
            id=services.new_id(at),
            url=url,
            types=sorted(types),
            secrets=[{"sealed": vault.seal(secret), "until": None}],
            created_by=actor,
            created_at=at,
            due_at=at,
        )
        after = {"url": url, "types": endpoint.types}
        record(Event.WEBHOOK_REGISTERED, actor, endpoint, before=None, after=after)
        return show(endpoint) | {"secret": secret}

    return once(actor, key, {"register": url, "types": sorted(types)}, act)


def rotate(
    actor: str, *, endpoint_id: UUID, overlap: timedelta, key: str | None = None
) -> dict[str, Any]:
    """Give an endpoint a new secret; what is sent is signed by the old one too, for a while.

    Errors: WebhookNotFoundError, WebhookConflictError.
    """

    def act() -> Answer:
        endpoint, secret, at = lock(endpoint_id), _make_secret(), services.now()
        until = (at + overlap).isoformat()
        former = [
            one | {"until": min(one["until"] or until, until)} for one in _valid(endpoint, at)
        ]
        endpoint.secrets = [{"sealed": vault.seal(secret), "until": None}, *former[:1]]
        endpoint.save(update_fields=["secrets"])
        told = {"old_secret_until": until}
        record(Event.WEBHOOK_ROTATED, actor, endpoint, before=None, after=told)
        return show(endpoint) | told | {"secret": secret}

    asked = {"rotate": str(endpoint_id), "overlap_s": int(overlap.total_seconds())}
    return once(actor, key, asked, act)


def enable(actor: str, *, endpoint_id: UUID) -> Endpoint:
    """Tell an endpoint again that was disabled; what waits is due now. Errors:
    WebhookNotFoundError.
    """
    with transaction.atomic(durable=True):
        endpoint = lock(endpoint_id)
        if endpoint.state != "active":
            _change(actor, endpoint, "active", Event.WEBHOOK_ENABLED)
    return endpoint


def pause(actor: str, *, endpoint_id: UUID) -> Endpoint:
    """Leave an endpoint alone for a while; what it is to be told waits. Errors:
    WebhookNotFoundError.
    """
    with transaction.atomic(durable=True):
        endpoint = lock(endpoint_id)
        if endpoint.state == "active":
            _change(actor, endpoint, "disabled", Event.WEBHOOK_DISABLED, reason="asked for")
    return endpoint


def remove(actor: str, *, endpoint_id: UUID) -> None:
    """Tell an endpoint nothing more. Errors: WebhookNotFoundError."""
    with transaction.atomic(durable=True):
        _change(actor, lock(endpoint_id), "removed", Event.WEBHOOK_REMOVED)


def disable(endpoint: Endpoint, *, reason: str) -> None:
    """Leave an endpoint alone that has not answered for long; what waits for it stays."""
    _change("system:webhooks", endpoint, "disabled", Event.WEBHOOK_DISABLED, reason=reason)


def _change(actor: str, endpoint: Endpoint, state: str, event: Event, **why: str) -> None:
    before, at = endpoint.state, services.now()
    endpoint.state, endpoint.failures, endpoint.failing_since = state, 0, None
    endpoint.due_at = at
    endpoint.save(update_fields=["state", "failures", "failing_since", "due_at"])
    if state == "active":
        Delivery.objects.filter(endpoint_id=endpoint.id, state="waiting").update(due_at=at)
    record(event, actor, endpoint, before={"state": before}, after={"state": state} | why)


def endpoints() -> QuerySet[Endpoint]:
    """Return those that were not removed."""
    return Endpoint.objects.exclude(state="removed")


def find(endpoint_id: UUID) -> Endpoint:
    """Return an endpoint. Errors: WebhookNotFoundError."""
    endpoint = endpoints().filter(id=endpoint_id).first()
    if endpoint is None:
        raise WebhookNotFoundError
    return endpoint


def lock(endpoint_id: UUID) -> Endpoint:
    """Return an endpoint that nobody else changes meanwhile. Errors: WebhookNotFoundError."""
    endpoint = endpoints().select_for_update(no_key=True).filter(id=endpoint_id).first()
    if endpoint is None:
        raise WebhookNotFoundError
    return endpoint


def secrets_of(endpoint: Endpoint, at: datetime) -> list[str]:
    """Return the secrets that are valid, the newest first."""
    return [vault.unseal(one["sealed"]) for one in _valid(endpoint, at)]


def _valid(endpoint: Endpoint, at: datetime) -> list[dict[str, Any]]:
    return [
        one
        for one in endpoint.secrets
        if one["until"] is None or datetime.fromisoformat(one["until"]) > at
    ]


def _make_secret() -> str:
    return "whsec_" + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def once(
    actor: str, key: str | None, asked: dict[str, Any], act: Callable[[], Answer]
) -> dict[str, Any]:
    """Do an act once for a caller's key, and answer the same when it comes again.

    Errors: WebhookConflictError, when the key was used for another request.
    """
    at, fingerprint = services.now(), services.fingerprint(asked)
    if key is None:
        with transaction.atomic(durable=True):
            return act()
    with transaction.atomic(durable=True):
        row, is_new = WebhookAnswer.objects.select_for_update(no_key=True).get_or_create(
            id=uuid5(NIL, f"webhook:{actor}:{key}"),
            defaults={"fingerprint": fingerprint, "sealed": "", "at": at},
        )
        if bytes(row.fingerprint) != fingerprint:
            raise WebhookConflictError
        if not is_new:
            told: Answer = json.loads(vault.unseal(row.sealed))
            return told
        told = act()
        row.sealed = vault.seal(json.dumps(told))
        row.save(update_fields=["sealed"])
        return told


def record(event: Event, actor: str, endpoint: Endpoint, **payload: Any) -> None:
    """Record an act on an endpoint."""
    services.record(event, subject=f"webhook:{endpoint.id}", actor=actor, payload=payload)


def show(endpoint: Endpoint) -> dict[str, Any]:
    """Return an endpoint as JSON, without its secrets."""
    return {
        "webhook_id": str(endpoint.id),
        "url": endpoint.url,
        "types": endpoint.types,
        "state": endpoint.state,
        "created_by": endpoint.created_by,
        "created_at": _text(endpoint.created_at),
        "failing_since": _text(endpoint.failing_since),
    }


def show_delivery(delivery: Delivery) -> dict[str, Any]:
    """Return a delivery as JSON, with its attempts."""
    return {
        "delivery_id": str(delivery.id),
        "entry_id": str(delivery.entry_id),
        "type": delivery.type,
        "at": _text(delivery.at),
        "state": delivery.state,
        "tries": delivery.tries,
        "due_at": _text(delivery.due_at) if delivery.state == "waiting" else None,
        "done_at": _text(delivery.done_at),
        "body": json.loads(delivery.body),
        "attempts": [_show_attempt(attempt) for attempt in delivery.attempts.all()],
    }


def _show_attempt(attempt: Attempt) -> dict[str, Any]:
    return {
        "at": _text(attempt.at),
        "status": attempt.status,
        "error": attempt.error,
        "duration_ms": attempt.duration_ms,
    }


def _text(at: datetime | None) -> str | None:
    return format_time(at) if at else None
