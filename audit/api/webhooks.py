"""Webhooks over HTTP: an operator says where he wants to be told of what, and looks how it goes."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from audit import webhooks
from audit.models import Delivery
from casino.answers import private
from casino.requests import (
    IDEMPOTENCY_KEY,
    PAGE,
    SPAN,
    Body,
    Id,
    Moment,
    Page,
    Text,
    Whole,
    filtered,
    idempotency_key,
    operator_urn,
    read_body,
    read_page,
)

_STATES = ("waiting", "delivered", "dead")
_OVERLAP_H = 24


class WebhookBody(serializers.Serializer[Any]):
    """An endpoint that is told of what happens."""

    webhook_id = serializers.UUIDField(help_text="The endpoint's id.")
    url = serializers.URLField(help_text="Where it is told.")
    types = serializers.ListField(
        child=serializers.ChoiceField(webhooks.TYPES), help_text="Of what it is told."
    )
    state = serializers.ChoiceField(
        ["active", "disabled"],
        help_text="`disabled`: all that it is to be told waits, because an operator asked for that,"
        " or nothing has answered there for three days, or what did said 410 Gone.",
    )
    created_by = serializers.CharField(help_text="Who registered it: `key:` and an id.")
    created_at = serializers.DateTimeField(help_text="When, RFC 3339 in UTC.")
    failing_since = serializers.DateTimeField(
        allow_null=True, help_text="Since when nothing was heard by it; null if all is well."
    )


class WebhookMadeBody(WebhookBody):
    """An endpoint, and its secret: it is shown this once."""

    secret = serializers.CharField(help_text="What signs: `whsec_` and base64. Keep it shut.")


class WebhookRotatedBody(WebhookMadeBody):
    """An endpoint, and its new secret: it is shown this once."""

    old_secret_until = serializers.DateTimeField(help_text="Until when the former signs too.")


class WebhooksBody(serializers.Serializer[Any]):
    """All endpoints."""

    results = WebhookBody(many=True, help_text="The newest first.")


class WebhookAskedBody(Body):
    """Where somebody wants to be told, and of what."""

    url = Text(max_length=1000, help_text="HTTPS, at a host of the public internet.")
    types = serializers.MultipleChoiceField(
        choices=webhooks.TYPES, allow_empty=False, help_text="Of what it is told, from now on."
    )


class WebhooksView(APIView):
    """The endpoints of the operator."""

    who, scope = "operator", "webhooks:write"
    recorded = ("url", "types")

    @extend_schema(
        request=WebhookAskedBody, responses={201: WebhookMadeBody}, parameters=[IDEMPOTENCY_KEY]
    )
    def post(self, request: Request) -> Response:
        """Register an endpoint; its secret is told this once."""
        told = read_body(WebhookAskedBody, request)
        made = webhooks.register(
            operator_urn(request),
            url=told["url"],
            types=told["types"],
            key=idempotency_key(request),
        )
        return private(made, status=201)

    @extend_schema(responses=WebhooksBody)
    def get(self, request: Request) -> Response:
        """List the endpoints."""
        shown = [webhooks.show(endpoint) for endpoint in webhooks.endpoints()]
        return private({"results": shown})


class WebhookView(APIView):
    """An endpoint."""

    who, scope = "operator", "webhooks:write"

    @extend_schema(responses=WebhookBody)
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """Tell of an endpoint."""
        return private(webhooks.show(webhooks.find(webhook_id)))

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        """Remove an endpoint: it is told nothing more."""
        webhooks.remove(operator_urn(request), endpoint_id=webhook_id)
        return private(None, status=204)


class WebhookRotationBody(Body):
    """For how long the former secret signs too."""

    overlap_hours = Whole(
        required=False, min_value=0, max_value=168, default=_OVERLAP_H, help_text="24 if not given."
    )


class WebhookSecretView(APIView):
    """An endpoint's secret."""

    who, scope = "operator", "webhooks:write"

    @extend_schema(
        request=WebhookRotationBody, responses=WebhookRotatedBody, parameters=[IDEMPOTENCY_KEY]
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Rotate the secret; for a while both sign."""
        told = read_body(WebhookRotationBody, request)
        rotated = webhooks.rotate(
            operator_urn(request),
            endpoint_id=webhook_id,
            overlap=timedelta(hours=told["overlap_hours"]),
            key=idempotency_key(request),
        )
        return private(rotated)


class WebhookStateBody(Body):
    """Whether an endpoint is told."""

    state = serializers.ChoiceField(
        ["active", "disabled"],
        help_text="`active`: what waited is due now. `disabled`: everything waits.",
    )


class WebhookStateView(APIView):
    """Whether an endpoint is told."""

    who, scope = "operator", "webhooks:write"

    @extend_schema(request=WebhookStateBody, responses=WebhookBody)
    def put(self, request: Request, webhook_id: UUID) -> Response:
        """Let an endpoint be told again, or let everything wait."""
        told = read_body(WebhookStateBody, request)
        act = webhooks.enable if told["state"] == "active" else webhooks.pause
        endpoint = act(operator_urn(request), endpoint_id=webhook_id)
        return private(webhooks.show(endpoint))


class AttemptLine(serializers.Serializer[Any]):
    """One try to deliver."""

    at = serializers.DateTimeField(help_text="When it was over.")
    status = serializers.IntegerField(allow_null=True, help_text="The answer's; null if none came.")
    error = serializers.CharField(allow_blank=True, help_text="What went wrong; else empty.")
    duration_ms = serializers.IntegerField(help_text="How long it took.")


class DeliveryLine(serializers.Serializer[Any]):
    """One thing that the endpoint is told."""

    delivery_id = serializers.UUIDField(help_text="The delivery's id.")
    entry_id = serializers.UUIDField(
        help_text="The log's entry; `webhook-id` is `msg_` and its 32 hexadecimal digits."
    )
    type = serializers.ChoiceField(webhooks.TYPES, help_text="Of what it is told.")
    at = serializers.DateTimeField(help_text="When it happened.")
    state = serializers.ChoiceField(_STATES, help_text="`dead`: it is not tried any more.")
    tries = serializers.IntegerField(help_text="How often it was tried since it was last due.")
    due_at = serializers.DateTimeField(allow_null=True, help_text="When it is tried next.")
    done_at = serializers.DateTimeField(allow_null=True, help_text="When it was heard, or died.")
    body = serializers.DictField(help_text="What is told: `type`, `timestamp`, `data`.")
    attempts = AttemptLine(many=True, help_text="Oldest first.")


class DeliveriesPage(Page):
    """Deliveries, the newest first."""

    results = DeliveryLine(many=True, help_text="The deliveries of this page.")


class WebhookDeliveriesView(APIView):
    """What an endpoint is told, and how that went."""

    who, scope = "operator", "webhooks:write"

    @extend_schema(responses=DeliveriesPage, parameters=[*PAGE, *SPAN])
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """List deliveries with their attempts."""
        rows = filtered(
            webhooks.deliveries_of(webhook_id),
            request,
            time="at",
            choices={"state": _STATES, "type": webhooks.TYPES},
        )
        page = read_page(rows, request, order="-number", show=_show)
        return private(page)


def _show(delivery: Delivery) -> dict[str, Any]:
    return webhooks.show_delivery(delivery)


class ReplayBody(Body):
    """What to tell again: a time, or some deliveries."""

    to = Moment(required=False, help_text="Before this time (RFC 3339).")
    delivery_ids = serializers.ListField(
        child=Id(), required=False, max_length=1000, help_text="These deliveries."
    )

    def get_fields(self) -> dict[str, Any]:
        """Return the members; `from` is a word of Python's."""
        begin = Moment(required=False, help_text="Not before this time (RFC 3339).")
        return {"from": begin} | super().get_fields()


class ReplayedBody(serializers.Serializer[Any]):
    """How much is told again."""

    count = serializers.IntegerField(help_text="How many deliveries are due again.")


class WebhookReplayView(APIView):
    """Telling again."""

    who, scope = "operator", "webhooks:write"

    @extend_schema(request=ReplayBody, responses=ReplayedBody, parameters=[IDEMPOTENCY_KEY])
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Tell again what happened in a time, or some deliveries; each keeps its `webhook-id`."""
        told = read_body(ReplayBody, request)
        begin, end, ids = told.get("from"), told.get("to"), told.get("delivery_ids", [])
        if (begin is None) != (end is None) or bool(ids) == (begin is not None):
            raise _wrong("from", "one_of_two")
        if begin is not None and end <= begin:
            raise _wrong("to", "too_early")
        replayed = webhooks.replay(
            operator_urn(request),
            endpoint_id=webhook_id,
            span=(begin, end) if begin and end else None,
            delivery_ids=ids,
            key=idempotency_key(request),
        )
        return private(replayed)


def _wrong(member: str, code: str) -> ValidationError:
    return ValidationError({member: [ErrorDetail(code, code=code)]})
