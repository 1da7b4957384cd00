"""The front desk's own pages."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control

from casino.codes import CODES


@cache_control(public=True, max_age=3600)
def problems(request: HttpRequest) -> HttpResponse:
    """Explain every error code: what a problem's `type` points to."""
    return render(request, "casino/problems.html", {"problems": CODES})
