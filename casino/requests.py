"""What every room's api.py reads from a request: body, page, key for retries, sender.

A leaf that imports no app, so that every app may use it. Nothing is read as what it is not: a
string of digits is no number, and a member that nobody knows is refused.
"""

import ipaddress
import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any, TypeVar, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError as InvalidValueError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from casino.days import Span, find_zone, parse_edge, parse_time

_Row = TypeVar("_Row", bound=Model)

_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

CURRENCY_CODE = "ISO 4217: three capitals."
HEX_SHA256 = "A SHA-256, as 64 lower-case hexadecimal digits."

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    location=OpenApiParameter.HEADER,
    description="The caller's own name for this act: the same again is the same act.",
)
DAYS = [
    OpenApiParameter("from", description="The first day, or not before this RFC 3339 time."),
    OpenApiParameter("to", description="The day after the last, or before this RFC 3339 time."),
    OpenApiParameter("tz", description="Whose days: a time zone by its IANA name; UTC if none."),
]
PAGE = [
    OpenApiParameter("cursor", description="Where a page begins, out of `next` or `previous`."),
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": 200, "default": 50},
        description="How many on a page.",
    ),
]
SPAN = [
    OpenApiParameter("from", datetime, description="Not before this time (RFC 3339)."),
    OpenApiParameter("to", datetime, description="Before this time (RFC 3339)."),
]


class Body(serializers.Serializer[Any]):
    """The shape of a request's body, written beside the view that reads it."""

    def to_internal_value(self, data: Mapping[str, Any]) -> Any:
        """Return the members, each in its type. Errors: ValidationError, for unknown ones too."""
        if unknown := data.keys() - self.fields.keys():
            detail = ErrorDetail("Nobody reads this member.", code="unknown")
            raise ValidationError({name: [detail] for name in sorted(unknown)})
        return super().to_internal_value(data)


class Page(serializers.Serializer[Any]):
    """A page of a list; its rows are called `results`."""

    next = serializers.URLField(
        allow_null=True, help_text="The address of the page with older rows; null on the last."
    )
    previous = serializers.URLField(
        allow_null=True, help_text="The address of the page with newer rows; null on the first."
    )


class Digest(serializers.RegexField):
    """64 lower-case hexadecimal digits: 32 bytes, of a hash or of a seed."""

    def __init__(self, **options: Any) -> None:
        super().__init__("^[0-9a-f]{64}$", **options)


class Text(serializers.CharField):
    """A JSON string, as it is: no number becomes one, no space is trimmed."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        """Return the string."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A JSON number without fraction or exponent; no string of digits, no boolean."""

    def to_internal_value(self, data: Any) -> int:
        """Return the number."""
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


@extend_schema_field({"type": "integer", "minimum": 1, "maximum": 2**53 - 1})
class Amount(serializers.Field[Any, Any, Any, Any]):
    """Whatever JSON says: whether it is a stake or an amount, its room tells, by its own code."""

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        """Let null through too: it is as little an amount as a text is."""
        return (False, None) if data is None else super().validate_empty_values(data)

    def to_internal_value(self, data: Any) -> Any:
        """Return it as it came."""
        return data


class Flag(serializers.BooleanField):
    """JSON's true or false, and nothing that looks like it."""

    def to_internal_value(self, data: Any) -> bool:
        """Return the boolean."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Id(serializers.UUIDField):
    """A UUID as RFC 9562 writes it; no number, no URN, no braces."""

    def to_internal_value(self, data: Any) -> UUID:
        """Return the UUID."""
        if not isinstance(data, str) or not _UUID.fullmatch(data):
            self.fail("invalid", value=data)
        return UUID(data)


class Moment(serializers.DateTimeField):
    """An RFC 3339 time, which says its offset."""

    def to_internal_value(self, value: Any) -> datetime:
        """Return the time, aware."""
        try:
            return parse_time(value if isinstance(value, str) else "")
        except ValueError:
            self.fail("invalid", format="RFC 3339")


def read_span(told: Mapping[str, str | None]) -> Span:
    """Return the span that `from`, `to` and `tz` name: days of a time zone, or RFC 3339 times.

    Errors: ValidationError.
    """
    try:
        zone = find_zone(told.get("tz") or "UTC")
    except ValueError as error:
        raise _wrong("tz", "unknown") from error
    begin, end = (_edge(told, member, zone) for member in ("from", "to"))
    if begin and end and end <= begin:
        raise _wrong("to", "too_early")
    return Span(begin, end, zone)


def _edge(told: Mapping[str, str | None], member: str, zone: ZoneInfo) -> datetime | None:
    text = told.get(member)
    try:
        return parse_edge(text, zone) if text else None
    except ValueError as error:
        raise _wrong(member, "invalid") from error


def _wrong(member: str, code: str) -> ValidationError:
    return ValidationError({member: [ErrorDetail(code, code=code)]})


def token_hash(request: Request) -> bytes:
    """Return the hash of the player's token that came with a call of `who = "player"`."""
    return cast(bytes, request.auth)


def operator_urn(request: Request) -> str:
    """Return the operator's key, as the log names it, of a call of `who = "operator"`."""
    return cast(Any, request.auth).urn  # type: ignore[no-any-return]


def read_body(shape: type[Body], request: Request) -> dict[str, Any]:
    """Return a request's body in its shape. Errors: ValidationError, answered as `invalid`."""
    body = shape(data=request.data)
    body.is_valid(raise_exception=True)
    return dict(body.validated_data)


def read_query(request: Request, member: str, shape: serializers.Field[Any, Any, Any, Any]) -> Any:
    """Return a member of the query in its shape, or None. Errors: ValidationError."""
    text = request.query_params.get(member)
    if text is None:
        return None
    try:
        return shape.run_validation(text)
    except ValidationError as error:
        raise ValidationError({member: error.detail}) from error


class _Pages(CursorPagination):
    page_size_query_param = "limit"

    def __init__(self, rows: QuerySet[Any], order: str) -> None:
        self.ordering = (order,)
        self._column: Any = rows.model._meta.get_field(order.lstrip("-"))

    def get_page_size(self, request: Request) -> int:
        """Return how many are asked for. Errors: ValidationError, for what is not 1 to 200."""
        limit = read_query(request, "limit", serializers.IntegerField(min_value=1, max_value=200))
        return 50 if limit is None else int(limit)

    def decode_cursor(self, request: Request) -> Any:
        """Return where the page begins. Errors: NotFound, for what no page of ours ever named."""
        cursor = super().decode_cursor(request)
        try:
            if cursor is not None and cursor.position is not None:
                self._column.to_python(cursor.position)
        except InvalidValueError as error:
            raise NotFound(self.invalid_cursor_message) from error
        return cursor


def read_page(
    rows: QuerySet[_Row], request: Request, *, order: str, show: Callable[[_Row], dict[str, Any]]
) -> dict[str, Any]:
    """Return the page that `?cursor=&limit=` asks for: `{"results", "next", "previous"}`.

    `order` is a column that is unique, newest first: `-id`. Errors: NotFound, for a bad cursor.
    """
    pages = _Pages(rows, order)
    page = pages.paginate_queryset(rows, request) or []
    return {
        "results": [show(row) for row in page],
        "next": pages.get_next_link(),
        "previous": pages.get_previous_link(),
    }


def filtered(
    rows: QuerySet[_Row],
    request: Request,
    *,
    time: str,
    choices: Mapping[str, Collection[str]] | None = None,
) -> QuerySet[_Row]:
    """Narrow rows by `from` and `to` on a time, and by members whose values are choices.

    Errors: ValidationError, for what is no time and no choice.
    """
    for member, lookup in (("from", "gte"), ("to", "lt")):
        if (at := read_query(request, member, Moment())) is not None:
            rows = rows.filter(**{f"{time}__{lookup}": at})
    for member, known in (choices or {}).items():
        if (value := request.query_params.get(member)) is not None:
            if value not in known:
                raise ValidationError({member: [ErrorDetail("unknown", code="unknown")]})
            rows = rows.filter(**{member: value})
    return rows


def idempotency_key(request: Request) -> str | None:
    """Return the caller's own name for this act, if he gave one. Errors: ValidationError."""
    key: str | None = request.headers.get("Idempotency-Key")
    if key is not None and not _KEY.fullmatch(key):
        detail = ErrorDetail("1 to 255 visible characters of ASCII.", code="invalid")
        raise ValidationError({"Idempotency-Key": [detail]})
    return key


def client_address(request: Request | HttpRequest) -> str:
    """Return the IP address of whoever sent the request, as the nearest hop saw it; or ""."""
    named = request.headers.get(settings.CLIENT_ADDRESS_HEADER, "").split(",")[-1].strip()
    return _address(named) or _address(request.META.get("REMOTE_ADDR", ""))


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text.partition("%")[0]))
    except ValueError:
        return ""
