"""Reports for the operator, as JSON, CSV or XLSX."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.answers import NO_STORE, private
from casino.players.profiles import get_currency
from casino.requests import CURRENCY_CODE, DAYS, Id, read_span
from pontoon import reports

_XLSX = reports.FORMATS["xlsx"][0]
_CSV = reports.FORMATS["csv"][0].partition(";")[0]


class ReportColumn(serializers.Serializer[Any]):
    """A column of a table."""

    name = serializers.CharField(help_text="Its member of each row.")
    label = serializers.CharField(  # type: ignore[assignment]
        help_text="What people read above it."
    )
    kind = serializers.ChoiceField(
        ["text", "whole", "minor", "percent", "time"],
        help_text="What its values are: `minor` are minor units of the row's currency, `time` is"
        " RFC 3339 in UTC.",
    )


class ReportTable(serializers.Serializer[Any]):
    """Rows under one heading."""

    title = serializers.CharField(help_text="What stands above it.")
    columns = ReportColumn(many=True, help_text="Its columns, from left to right.")
    rows = serializers.ListField(
        child=serializers.DictField(), help_text="Its rows; members are named by the columns."
    )


class ReportBody(serializers.Serializer[Any]):
    """A report with its header (REP-01)."""

    report = serializers.ChoiceField(list(reports.REPORTS), help_text="Its name.")
    title = serializers.CharField(help_text="Its name as people read it.")
    operator = serializers.CharField(help_text="Of whose business it tells.")
    to = serializers.DateTimeField(help_text="Where its interval ends; not in it.")
    tz = serializers.CharField(help_text="Whose days: a time zone by its IANA name.")
    currency = serializers.CharField(
        allow_null=True, help_text=f"{CURRENCY_CODE} Null when it is about all of them."
    )
    generated_at = serializers.DateTimeField(help_text="The moment that it was read in.")
    notice = serializers.CharField(allow_null=True, help_text="`No activity`, when there was none.")
    variance_minor = serializers.IntegerField(
        allow_null=True,
        help_text="Between ledger and round records, minor units; must be 0. Null where no"
        " money is reckoned twice.",
    )
    tables = ReportTable(many=True, help_text="What it tells.")

    def get_fields(self) -> dict[str, Any]:
        """Return the members; `from` is a word of Python's."""
        begin = serializers.DateTimeField(help_text="Where its interval begins; in it.")
        return {"from": begin} | super().get_fields()


class ReportView(APIView):
    """A report (REP-01, REP-02, WAL-14)."""

    who, scope = "operator, auditor", "reports:read"

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "name", str, "path", enum=list(reports.REPORTS), description="Which report."
            ),
            *DAYS,
            OpenApiParameter("currency", description="Only this one, ISO 4217."),
            OpenApiParameter("player_id", description="Of a statement, whose."),
            OpenApiParameter(
                "format", enum=["json", *reports.FORMATS], description="As what; JSON if none."
            ),
        ],
        responses={
            (200, "application/json"): ReportBody,
            (200, _CSV): str,
            (200, _XLSX): bytes,
        },
    )
    def get(self, request: Request, name: str) -> HttpResponse | Response:
        """Make a report of a range of gaming days; today, if none is named."""
        if name not in reports.REPORTS:
            raise NotFound
        form = request.query_params.get("format", "json")
        if form not in {"json", *reports.FORMATS}:
            raise _wrong("format", "unknown")
        report = read_report(request.query_params, name)
        if form == "json":
            return private(reports.as_json(report))
        return answer(report, form)


def answer(report: reports.Report, form: str) -> HttpResponse:
    """Return a report as a file of one of FORMATS."""
    content_type, write = reports.FORMATS[form]
    headers = NO_STORE | {
        "Content-Disposition": f'attachment; filename="{report.name}.{form}"',
    }
    return HttpResponse(write(report), content_type=content_type, headers=headers)


def read_report(query: Mapping[str, str], name: str) -> reports.Report:
    """Return the report that a query asks for. Errors: ValidationError, UnknownCurrencyError."""
    currency, player_id = query.get("currency"), _player(query.get("player_id"))
    if name == "statement" and player_id is None:
        raise _wrong("player_id", "required")
    try:
        return reports.make_report(
            name,
            span=read_span(query),
            currency=get_currency(currency).code if currency else None,
            player_id=player_id,
        )
    except reports.TooManyDaysError as error:
        raise _wrong("from", "too_many_days") from error


def _player(text: str | None) -> UUID | None:
    try:
        return Id().run_validation(text) if text else None
    except ValidationError as error:
        raise _wrong("player_id", "invalid") from error


def _wrong(member: str, code: str) -> ValidationError:
    return ValidationError({member: [ErrorDetail(code, code=code)]})
