"""Domain error → problem+json (RFC 9457): the one table code → status, and the record of refusals.

A refusal raises before anything is written; `handle` then records it as an entry of its own.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError, connection
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions as drf
from rest_framework.request import Request
from rest_framework.response import Response

from audit import services as audit
from audit.errors import HouseError
from audit.events import Event
from casino.players import queries as players
from casino.throttle import TooManyRequestsError, count
from pontoon.engine.errors import PontoonError


class Problem(NamedTuple):
    """What a code means: its HTTP status, and its words in the caller's language."""

    status: int
    title: Promise | str
    detail: Promise | str


CODES: dict[str, Problem] = {
    "malformed": Problem(400, _("Malformed request"), _("The body is not a JSON object that we can read.")),
    "not_authenticated": Problem(401, _("Not authenticated"), _("A valid token is needed for this.")),
    "session_expired": Problem(401, _("Session over"), _("The session is over. Start again from the lobby.")),
    "not_allowed": Problem(403, _("Not allowed"), _("This token may not do this.")),
    "excluded": Problem(403, _("Excluded"), _("You have excluded yourself from play. Withdrawals stay open.")),
    "cooling_off": Problem(403, _("Taking a break"), _("You are taking a break. Withdrawals stay open.")),
    "not_found": Problem(404, _("Not found"), _("There is nothing here that you may see.")),
    "method_not_allowed": Problem(405, _("Method not allowed"), _("This address does not take that method.")),
    "too_large": Problem(413, _("Too large"), _("The body is larger than we read.")),
    "unsupported_media_type": Problem(415, _("Unsupported media type"), _("Send a body as application/json.")),
    "round_open": Problem(409, _("A round is open"), _("Finish the open round first.")),
    "round_over": Problem(409, _("The round is over"), _("This round takes no more actions.")),
    "seq_conflict": Problem(409, _("Out of step"), _("The round has moved on. Here is where it stands.")),
    "idempotency_conflict": Problem(409, _("Same id, other request"), _("This id was used for a request with other content.")),
    "action_not_now": Problem(409, _("Not now"), _("This action is not open to you now.")),
    "stand_below_15": Problem(409, _("Stand needs 15"), _("You may stand on 15 or more.")),
    "split_not_equal": Problem(409, _("Not a pair"), _("Only two cards of equal rank can be split.")),
    "split_limit": Problem(409, _("No more splits"), _("A round has at most three hands.")),
    "double_used": Problem(409, _("Already doubled"), _("A hand can be doubled once.")),
    "insufficient_funds": Problem(409, _("Insufficient funds"), _("The balance does not cover this amount.")),
    "limit_reached": Problem(409, _("Limit reached"), _("This amount would exceed a limit of the account.")),
    "stake_not_whole": Problem(422, _("Not a whole amount"), _("A stake is a whole number of minor units.")),
    "stake_below_minimum": Problem(422, _("Below the minimum"), _("The stake is below the minimum.")),
    "stake_above_maximum": Problem(422, _("Above the maximum"), _("The stake is above the maximum.")),
    "stake_off_step": Problem(422, _("Off the step"), _("The stake is not a multiple of the step.")),
    "amount_not_whole": Problem(422, _("Not a whole amount"), _("An amount is a whole number of minor units.")),
    "amount_below_minimum": Problem(422, _("Below the minimum"), _("The amount is below the minimum.")),
    "amount_above_maximum": Problem(422, _("Above the maximum"), _("The amount is above the maximum.")),
    "currency_mismatch": Problem(422, _("Other currency"), _("The account is kept in another currency.")),
    "unknown_currency": Problem(422, _("Unknown currency"), _("This currency is not offered.")),
    "unknown_game": Problem(422, _("Unknown game"), _("This game or rule set is not offered.")),
    "invalid": Problem(422, _("Invalid request"), _("Some members of the request are missing or wrong.")),
    "too_many_requests": Problem(429, _("Too many requests"), _("Slow down, and try again after a while.")),
    "too_soon": Problem(429, _("Too soon"), _("The next round may start in a moment.")),
    "internal_error": Problem(500, _("Our fault"), _("Something went wrong here. Nothing was half done.")),
    "suspended": Problem(503, _("Play is suspended"), _("Play is suspended for now. Your money is safe.")),
    "unavailable": Problem(503, _("Unavailable"), _("We cannot answer now. Try again with the same id.")),
}  # fmt: skip

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
        if isinstance(error, OperationalError | InterfaceError):
            connection.close()
        elif code is not None:
            _record(request, context["view"], code, facts)
    except TooManyRequestsError as excess:
        code, facts = excess.code, excess.facts
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


def client_address(request: Request | HttpRequest) -> str:
    """Return the address of whoever sent the request, as the nearest hop saw it."""
    from django.conf import settings

    if settings.CLIENT_ADDRESS_HEADER:
        named: str = request.headers.get(settings.CLIENT_ADDRESS_HEADER, "")
        if named:
            return named.split(",")[-1].strip()
    address: str = request.META.get("REMOTE_ADDR", "")
    return address


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
    )


def _read(error: Exception) -> tuple[str | None, dict[str, Any]]:
    if isinstance(error, HouseError | PontoonError):
        return error.code, dict(error.facts)
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
    if not was_attempt and (request.method in {"GET", "HEAD", "OPTIONS"} or status in {401, 405}):
        return
    address = client_address(request)
    if status == 401:
        count("refused", address)
    if status == 429 and not facts.get("is_first", True):
        return
    actor, player_id = players.who(request.auth if request.successful_authenticator else None)
    audit.record(
        _event(view, status),
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


def _event(view: Any, status: int) -> Event:
    if status in {401, 403}:
        return Event.ACCESS_REFUSED
    if status == 429:
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
    if code == "not_authenticated":
        response["WWW-Authenticate"] = "Bearer"
    if "retry_after_s" in facts:
        response["Retry-After"] = str(math.ceil(facts["retry_after_s"]))
    elif response.status_code == 503:
        response["Retry-After"] = "1"
    return response
