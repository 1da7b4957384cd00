"""What happens to every request before and after its view."""

import re
import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse

_GIVEN_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def request_id(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Name each request: by the caller's `X-Request-ID` if it is well formed, else by a new id.

    The name is in the answer, in every log line and in every problem.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request.id = given if _GIVEN_ID.fullmatch(given) else uuid.uuid4().hex  # type: ignore[attr-defined]
        with structlog.contextvars.bound_contextvars(request_id=request.id):  # type: ignore[attr-defined]
            response = get_response(request)
        response["X-Request-ID"] = request.id  # type: ignore[attr-defined]
        return response

    return middleware
