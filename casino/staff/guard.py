"""The panel's guard: nobody gets past it but in a session that is open and whole.

It stands before every page under /panel/, so that no view can forget it; and after it, so that what
was refused and what was looked at is on record before the answer goes out.
"""

from collections.abc import Callable

from django.contrib.auth import logout
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import redirect
from django.utils.http import urlencode

from audit import services as audit
from audit.events import Event
from casino.looks import looks_of
from casino.requests import client_address
from casino.staff import sessions
from casino.staff.models import StaffSession

PANEL = "/panel/"
LOGIN = "/panel/login/"
SECOND = "/panel/second/"
LINK = "/panel/welcome/"
HALF = frozenset({LOGIN, SECOND, "/panel/logout/"})  # open to a password alone
# Django's and unfold's own, which would leave no look on record.
SHUT = ("/panel/autocomplete/", "/panel/r/", "/panel/search/")

KEY = "staff_session"

_CODES = {403: "not_allowed", 404: "not_found"}


class Guard:
    """Stops who may not come in, and records what was refused and what was seen."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a request, or send it to the door."""
        if not request.path_info.startswith(PANEL):
            return self.get_response(request)
        response = _stop(request) or self.get_response(request)
        person = staff_session(request)
        if person is not None:
            if response.status_code in _CODES:
                _record_refusal(request, _CODES[response.status_code])
            elif response.status_code < 400:
                _record_looks(request)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> None:
        """Keep which act was refused, for the record."""
        if isinstance(error, PermissionDenied):
            request.refused_act = str(error)  # type: ignore[attr-defined]


def staff_session(request: HttpRequest) -> StaffSession | None:
    """Return the session that a request of the panel comes in, whole or not."""
    return getattr(request, KEY, None)


def _stop(request: HttpRequest) -> HttpResponse | None:
    path = request.path_info
    if not request.user.is_authenticated:
        is_open = path == LOGIN or path.startswith(LINK)
        return None if is_open else _send(LOGIN, request)
    found = sessions.find_open(
        request.session.get(KEY, ""), user=request.user, is_seen=_is_by_a_person(request)
    )
    if found is None:
        logout(request)
        return None if path == LOGIN or path.startswith(LINK) else _send(LOGIN, request)
    setattr(request, KEY, found)
    if found.verified_at is None and path not in HALF:
        _record_refusal(request, "second_factor_missing")
        return _send(SECOND, request)
    return HttpResponseForbidden() if path.startswith(SHUT) else None


def _is_by_a_person(request: HttpRequest) -> bool:
    """Say whether somebody sits there: what a page fetches by itself keeps no session open."""
    mode = request.headers.get("Sec-Fetch-Mode", "navigate")
    return request.method != "GET" or mode == "navigate"


def _send(where: str, request: HttpRequest) -> HttpResponse:
    target = request.get_full_path() if request.method == "GET" else PANEL
    return redirect(f"{where}?{urlencode({'next': target})}")


def _record_refusal(request: HttpRequest, code: str) -> None:
    urn = _urn(request)
    audit.record(
        Event.ACCESS_REFUSED,
        subject=urn,
        actor=urn,
        payload={
            "code": code,
            "method": request.method,
            "path": request.path[:200],
            "request_id": getattr(request, "id", ""),
            "address": client_address(request),
            "asked": {"act": getattr(request, "refused_act", "")},
        },
    )


def _record_looks(request: HttpRequest) -> None:
    """Write an entry for each look: of one player in his own record, of several in the staff's."""
    urn = _urn(request)
    for look in looks_of(request):
        alone = look.players[0] if len(look.players) == 1 else audit.NIL
        audit.record(
            Event.STAFF_LOOKED,
            subject=f"player:{alone}" if alone.int else urn,
            actor=urn,
            player_id=alone,
            payload={
                "what": look.what,
                "query": look.query,
                "players": [str(each) for each in look.players],
                "path": request.path[:200],
                "address": client_address(request),
            },
        )


def _urn(request: HttpRequest) -> str:
    """Name whose session it was, even if the request has ended it."""
    session = staff_session(request)
    return f"staff:{session.user_id}" if session else "nobody"
