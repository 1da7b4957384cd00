"""The front desk's own pages."""

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt

from casino.codes import CODES

PAGE_POLICY = {
    "default-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    "img-src": [SELF, "data:"],
    "connect-src": [SELF],
    "base-uri": [NONE],
    "form-action": [NONE],
    "frame-ancestors": settings.TABLE_FRAME_ANCESTORS or [NONE],
    "require-trusted-types-for": ["'script'"],
}
"""What a page of ours may do: load its own files and call its own API, and run nothing inline."""


@cache_control(public=True, max_age=3600)
def problems(request: HttpRequest) -> HttpResponse:
    """Explain every error code: what a problem's `type` points to."""
    return render(request, "casino/problems.html", {"problems": CODES})


@cache_control(public=True, max_age=60)
@xframe_options_exempt  # the policy names who may frame it
@csp(PAGE_POLICY)
def table(request: HttpRequest) -> HttpResponse:
    """Serve the table's page: the same for everybody, since who plays stands behind the `#`."""
    build = {"version": settings.VERSION, "build": settings.BUILD}
    return render(request, "pontoon/table.html", build)
