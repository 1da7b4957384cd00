"""Domain error → problem+json (RFC 9457), and the record of refusals.

A refusal raises before anything is written; `handle` then records it as an entry of its own.
"""

import math
from collections.abc import Mapping
from typing import Any, cast

from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError, connection
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions as drf
from rest_framework.request import Request
from rest_framework.response import Response

from audit import services as audit
from audit.errors import HouseError
from audit.events import Event
from casino.codes import CODES
from casino.players import queries as players
from casino.requests import client_address
from casino.throttle import TooManyRequestsError, count
from pontoon import queries as pontoon
from pontoon.engine.errors import IllegalActionError, UnknownGameError

_DRF_CODES: dict[type[Exception], str] = {
    drf.ParseError: "malformed",
    drf.NotAuthenticated: "not_authenticated",
    drf.AuthenticationFailed: "not_authenticated",
    drf.PermissionDenied: "not_allowed",
    PermissionDenied: "not_allowed",
    drf.NotFound: "not_found",
    Http404: "not_found",
    drf.MethodNotAllowed: "method_not_allowed",
    drf.UnsupportedMediaType: "unsupported_media_type",
    OperationalError: "unavailable",
    InterfaceError: "unavailable",
}


class TooLargeError(HouseError):
    """The body is larger than we read."""

    code = "too_large"


def handle(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Turn what a view raised into a problem; None (a 500) for what nobody foresaw.

    DRF's exception handler.
    """
    request: Request = context["request"]
    try:
        code, facts = _read(error)
        if code is not None:
            _record(request, context["view"], code, facts)
    except TooManyRequestsError as excess:
        code, facts = excess.code, excess.facts
    except (OperationalError, InterfaceError) as outage:
        error, (code, facts) = outage, _read(outage)
    if isinstance(error, OperationalError | InterfaceError):
        connection.close()
    if code is None:
        return None
    return _respond(request, code, facts)


def problem(request: Request | HttpRequest, code: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a problem document, the facts beside the standard ones."""
    meaning = CODES[code]
    return {
        "type": f"/api/v1/docs/problems#{code}",
        "title": str(meaning.title),
        "status": meaning.status,
        "detail": str(meaning.detail),
        "code": code,
        "instance": f"urn:request:{getattr(request, 'id', '')}",
    } | dict(facts)


def bad_request(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer what Django itself refuses, such as another host's name. Django's handler400."""
    return _json(request, "malformed")


def not_found(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer an address that is nobody's. Django's handler404."""
    return _json(request, "not_found")


def server_error(request: HttpRequest) -> JsonResponse:
    """Answer when nobody foresaw it. Django's handler500."""
    return _json(request, "internal_error")


def _json(request: HttpRequest, code: str) -> JsonResponse:
    return JsonResponse(
        problem(request, code, {}),
        status=CODES[code].status,
        content_type="application/problem+json",
        headers={"Cache-Control": "no-store"},
    )


def _read(error: Exception) -> tuple[str | None, dict[str, Any]]:
    if isinstance(error, IllegalActionError):
        facts = {"action": error.action, "options": pontoon.options(error.options)}
        return error.code, facts
    if isinstance(error, HouseError):
        return error.code, dict(error.facts)
    if isinstance(error, UnknownGameError):
        return error.code, {"game": error.name}
    if isinstance(error, drf.ValidationError):
        return "invalid", {"fields": _plain(error.detail)}
    for kind, code in _DRF_CODES.items():
        if isinstance(error, kind):
            return code, {}
    return None, {}


def _plain(detail: Any) -> Any:
    """Return a serializer's complaints as codes: field → [code, …], in any depth."""
    if isinstance(detail, Mapping):
        return {name: _plain(inner) for name, inner in detail.items()}
    if isinstance(detail, list):
        return [_plain(inner) for inner in detail]
    return detail.code


def _record(request: Request, view: Any, code: str, facts: Mapping[str, Any]) -> None:
    """Write the entry of a refusal: of an act, or of a token that opened nothing."""
    status = CODES[code].status
    if status >= 500:
        return
    was_attempt = status in {401, 403} and "Authorization" in request.headers
    is_look = request.method in {"GET", "HEAD", "OPTIONS"} or status in {401, 405}
    if is_look and not was_attempt and status != 429:
        return
    address = client_address(request)
    if status == 401:
        count("refused", address)
    if status == 429 and not facts.get("is_first", True):
        return
    actor, player_id = players.who(
        cast(Any, request.auth) if request.successful_authenticator else None
    )
    audit.record(
        _event(view, code),
        subject=actor,
        actor=actor,
        player_id=player_id,
        payload={
            "code": code,
            "method": request.method,
            "path": request.path,
            "request_id": getattr(request, "id", ""),
            "address": address,
            "asked": _asked(request, view),
        },
    )


def _event(view: Any, code: str) -> Event:
    if CODES[code].status in {401, 403}:
        return Event.ACCESS_REFUSED
    if code == TooManyRequestsError.code:
        return Event.RATE_EXCEEDED
    refusal: Event = getattr(view, "refusal", Event.REQUEST_REFUSED)
    return refusal


def _asked(request: Request, view: Any) -> dict[str, Any]:
    """Return those members of the refused body that the view lists as worth a record."""
    body = getattr(request, "_full_data", None)
    if not isinstance(body, Mapping):
        return {}
    return {name: _short(body[name]) for name in getattr(view, "recorded", ()) if name in body}


def _short(value: Any) -> Any:
    return value if isinstance(value, int | float | bool | None) else str(value)[:200]


def _respond(request: Request, code: str, facts: dict[str, Any]) -> Response:
    facts.pop("is_first", None)
    response = Response(
        problem(request, code, facts),
        status=CODES[code].status,
        content_type="application/problem+json",
    )
    response["Cache-Control"] = "no-store"
    if response.status_code == 401:
        response["WWW-Authenticate"] = "Bearer"
    if "retry_after_s" in facts:
        response["Retry-After"] = str(math.ceil(facts["retry_after_s"]))
    elif response.status_code == 503:
        response["Retry-After"] = "1"
    return response
