"""Reports in the panel, with charts, and the watch over returns."""

from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ValidationError

from audit.errors import HouseError
from casino.panel import ReadOnly
from casino.shown import as_table, money, when, word
from casino.staff.roles import Act, require
from casino.words import REPORT_TITLES
from pontoon import reports
from pontoon.api.reports import answer, read_report
from pontoon.models import ReturnWatch
from pontoon.reports.charts import charts_of


@admin.register(ReturnWatch)
class ReturnWatchAdmin(ReadOnly):
    """Whether returns are what the rules promise, but for chance (RTP-04)."""

    heading = _("Returns")
    list_display = (
        "rules", "currency", "state", "changed_at", "round_count", "stake_minor", "net_minor",
        "until",
    )  # fmt: skip


@admin.site.admin_view
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Show a report with its charts, or give it as CSV or XLSX."""
    if name not in reports.REPORTS:
        raise Http404
    require(request.user, Act.LOOK_REPORTS)
    title = _named(name)
    told: dict[str, Any] = {"name": name, "title": title, "heading": title, "asked": request.GET}
    try:
        made = read_report(request.GET, name)
        if request.GET.get("format") in reports.FORMATS:
            return answer(made, request.GET["format"])
        told |= _shown(made)
    except (ValidationError, HouseError) as error:
        told["fault"] = gettext("This cannot be reported: %s") % getattr(error, "detail", error)
    told["names"] = [(one, _named(one)) for one in reports.REPORTS]
    told["excursions"] = [
        {"rules": one.rules, "currency": one.currency, "state": word(one.state)}
        | {"since": when(one.changed_at)}
        for one in ReturnWatch.objects.exclude(state="inside")
    ]
    return render(request, "casino/report.html", admin.site.each_context(request) | told)


def _named(name: str) -> str:
    return str(REPORT_TITLES[name])


def _shown(made: reports.Report) -> dict[str, Any]:
    """Return a report in the reader's words: its header, its charts and its tables."""
    charts = [
        {"title": chart.title, "zero_y": chart.zero_y}
        | {
            "bars": [
                bar._asdict() | {"told": money(bar.minor, chart.currency)} for bar in chart.bars
            ]
        }
        for chart in charts_of(made)
    ]
    return {
        "report": made,
        "header": [(gettext(name), gettext(value)) for name, value in made.header],
        "charts": charts,
        "tables": [(gettext(one.title), _table(one)) for one in made.tables],
    }


def _table(one: reports.Table) -> str:
    """Return a table of a report; the columns' own labels stand above them."""
    headed = {column.name: gettext(column.label) for column in one.columns}
    return as_table(one.rows, headed=headed)
