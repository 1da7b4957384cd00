"""The log over HTTP: tiles for machines that follow it, proofs for those who ask about one entry.

What stands at the root, under /log/, is C2SP tlog-tiles and answers bytes; docs/log.md is its
reference. Hashes are everybody's; the entries themselves tell who played what.
"""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.http import FileResponse, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from audit import export, log
from audit.tree import parse_tile
from casino.answers import NO_STORE, private
from casino.requests import (
    CURRENCY_CODE,
    HEX_SHA256,
    IDEMPOTENCY_KEY,
    PAGE,
    SPAN,
    Body,
    Digest,
    Id,
    Page,
    Text,
    Whole,
    filtered,
    idempotency_key,
    operator_urn,
    read_body,
    read_page,
    read_query,
    read_span,
)

_YEAR_S = 365 * 24 * 3600
_TEXT = "text/plain; charset=utf-8"
_FOR_EVER = cache_control(public=True, max_age=_YEAR_S, immutable=True)


@method_decorator(cache_control(public=True, max_age=2), "get")
@extend_schema(exclude=True)
class CheckpointView(APIView):
    """What the log last signed."""

    who = "public"

    def get(self, request: Request) -> HttpResponse:
        """Return the newest checkpoint. Errors: NotFound, before the first."""
        last = log.last_checkpoint()
        if last is None:
            raise NotFound
        return HttpResponse(last.note, content_type=_TEXT)


@method_decorator(_FOR_EVER, "get")
@extend_schema(exclude=True)
class PastCheckpointView(APIView):
    """What the log once signed."""

    who = "public"

    def get(self, request: Request, size: int) -> HttpResponse:
        """Return the checkpoint of a size. Errors: NotFound."""
        past = log.checkpoint_at(size)
        if past is None:
            raise NotFound
        return HttpResponse(past.note, content_type=_TEXT)


@method_decorator(_FOR_EVER, "get")
@extend_schema(exclude=True)
class TimestampView(APIView):
    """When a checkpoint was there, by a timestamp authority."""

    who = "public"

    def get(self, request: Request, size: int) -> HttpResponse:
        """Return the authority's answer (RFC 3161). Errors: NotFound."""
        answer = log.timestamp_of(size)
        if answer is None:
            raise NotFound
        return HttpResponse(answer, content_type="application/timestamp-reply")


@method_decorator(cache_control(public=True, max_age=60), "get")
@extend_schema(exclude=True)
class KeysView(APIView):
    """The keys by which its checkpoints are checked, the old ones too."""

    who = "public"

    def get(self, request: Request) -> HttpResponse:
        """Return a verifier key a line."""
        return HttpResponse("".join(f"{key}\n" for key in log.public_keys()), content_type=_TEXT)


@method_decorator(_FOR_EVER, "get")
@extend_schema(exclude=True)
class TileView(APIView):
    """A piece of the tree."""

    who = "public"

    def get(self, request: Request, path: str) -> HttpResponse:
        """Return a tile's hashes. Errors: NotFound."""
        tile = parse_tile(path)
        return _bytes(log.tile_of(tile) if tile else None)


@method_decorator(gzip_page, "dispatch")
@method_decorator(cache_control(private=True, max_age=_YEAR_S, immutable=True), "get")
@extend_schema(exclude=True)
class BundleView(APIView):
    """The entries beside a piece of the tree."""

    who, scope = "operator, auditor", "log:read"

    def get(self, request: Request, path: str) -> HttpResponse:
        """Return entries as they were written. Errors: NotFound."""
        tile = parse_tile(f"entries/{path}")
        return _bytes(log.bundle_of(tile) if tile else None)


def _bytes(data: bytes | None) -> HttpResponse:
    if data is None:
        raise NotFound
    return HttpResponse(data, content_type="application/octet-stream")


class InclusionLine(serializers.Serializer[Any]):
    """That an entry is in the log: its place, and the hashes from its leaf up to the root."""

    entry_id = serializers.UUIDField(help_text="Of which entry.")
    index = serializers.IntegerField(help_text="The entry's place in the log, from 0.")
    size = serializers.IntegerField(help_text="How many entries the checkpoint covers.")
    leaf_hash = Digest(help_text=f"{HEX_SHA256} Of the entry's leaf (RFC 6962).")
    root_hash = Digest(help_text=f"{HEX_SHA256} The root that the checkpoint signs.")
    hashes = serializers.ListField(child=Digest(), help_text="From the leaf's neighbour upwards.")
    tlog_proof = serializers.CharField(
        help_text="The same as a C2SP tlog-proof file, with the signed checkpoint."
    )


class InclusionAnswer(serializers.Serializer[Any]):
    """The proofs of those entries that are in the tree: some seconds after they were written."""

    results = InclusionLine(many=True, help_text="One for each entry, in the order asked for.")


class InclusionView(APIView):
    """Proof that something is in the log."""

    who = "public"

    @extend_schema(
        parameters=[
            OpenApiParameter("entry", description="The id of an entry."),
            OpenApiParameter("round", description="The id of a round: all its entries."),
        ],
        responses=InclusionAnswer,
    )
    def get(self, request: Request) -> Response:
        """Prove that an entry, or all entries of a round, are in the newest checkpoint."""
        entry_id = read_query(request, "entry", Id())
        round_id = read_query(request, "round", Id())
        if (entry_id is None) == (round_id is None):
            raise _invalid("entry", "one_of_two")
        found = log.inclusion_of([entry_id] if entry_id else log.entries_of(f"round:{round_id}"))
        return private({"results": found})


class ConsistencyAnswer(serializers.Serializer[Any]):
    """That the log of one size is where the log of another begins."""

    old = serializers.IntegerField(help_text="The smaller size, in entries.")
    new = serializers.IntegerField(help_text="The larger size, in entries.")
    old_root = Digest(help_text=f"{HEX_SHA256} The root of the smaller log.")
    new_root = Digest(help_text=f"{HEX_SHA256} The root of the larger log.")
    hashes = serializers.ListField(
        child=Digest(), help_text="The proof, in the order of RFC 6962, 2.1.2."
    )


class ConsistencyView(APIView):
    """Proof that nothing was taken out of the log."""

    who = "public"

    @extend_schema(
        parameters=[
            OpenApiParameter("old", int, required=True, description="The size of a checkpoint."),
            OpenApiParameter("new", int, required=True, description="The size of a later one."),
        ],
        responses=ConsistencyAnswer,
    )
    def get(self, request: Request) -> Response:
        """Prove that a checkpoint contains an earlier one."""
        proof = log.consistency_of(_size(request, "old"), _size(request, "new"))
        if proof is None:
            raise _invalid("new", "not_published")
        return private(proof)


def _size(request: Request, member: str) -> int:
    size = read_query(request, member, serializers.IntegerField(min_value=0, max_value=2**63 - 1))
    if size is None:
        raise _invalid(member, "required")
    return int(size)


def _invalid(member: str, code: str) -> ValidationError:
    return ValidationError({member: [ErrorDetail("This cannot be answered.", code=code)]})


# --- Exports ------------------------------------------------------------------------------------


class ExportAskedBody(Body):
    """What an export shall hold; nothing said is everything."""

    to = Text(required=False, help_text="The day after the last, or before this RFC 3339 time.")
    tz = Text(required=False, help_text="Whose days: a time zone by its IANA name; UTC if none.")
    player_id = Id(required=False, help_text="Only what is this player's.")
    currency = Text(
        required=False, min_length=3, max_length=3, help_text=f"{CURRENCY_CODE} Only in this one."
    )
    kinds = serializers.MultipleChoiceField(
        choices=export.KINDS, required=False, help_text="Only these; all if not given."
    )
    formats = serializers.MultipleChoiceField(
        choices=export.FORMATS, required=False, help_text="Beside jsonl, which is always there."
    )
    old_size = Whole(
        required=False,
        min_value=1,
        max_value=2**53 - 1,
        help_text="The size of an older checkpoint that a part of the log shall be held against.",
    )

    def get_fields(self) -> dict[str, Any]:
        """Return the members; `from` is a word of Python's."""
        begin = Text(required=False, help_text="The first day, or not before this RFC 3339 time.")
        return {"from": begin} | super().get_fields()


class ExportLine(serializers.Serializer[Any]):
    """An export as it was asked for."""

    export_id = serializers.UUIDField(help_text="The export's id.")
    requested_by = serializers.CharField(help_text="Who asked for it: `key:` and an id.")
    requested_at = serializers.DateTimeField(help_text="When, RFC 3339 in UTC.")
    request = serializers.DictField(help_text="What was asked for, what was left out filled in.")


class ExportBody(ExportLine):
    """An export, and how far it is built."""

    state = serializers.ChoiceField(
        ["waiting", "running", "done", "failed"], help_text="`done`: it can be downloaded."
    )
    progress_percent = serializers.IntegerField(
        min_value=0, max_value=100, help_text="How far it is built, in per cent."
    )
    checkpoint_size = serializers.IntegerField(
        allow_null=True, help_text="How many entries its checkpoint covers; null before."
    )
    counts = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many rows there are of each kind."
    )
    size = serializers.IntegerField(allow_null=True, help_text="Of the zip, in bytes.")
    sha256 = Digest(allow_null=True, help_text=f"{HEX_SHA256} Of the zip; null before.")
    fault = serializers.CharField(allow_blank=True, help_text="Why it failed; else empty.")
    finished_at = serializers.DateTimeField(allow_null=True, help_text="When; null before.")


class ExportPage(Page):
    """Exports, newest first."""

    results = ExportBody(many=True, help_text="The exports.")


class ExportsView(APIView):
    """Exports: those that were asked for, and more to be built."""

    who, scope = "operator, auditor", "exports:write"
    recorded = ("from", "to", "tz", "player_id", "currency")

    @extend_schema(responses=ExportPage, parameters=[*PAGE, *SPAN])
    def get(self, request: Request) -> Response:
        """List the exports that were asked for, newest first: the index of what is stored."""
        rows = filtered(export.asked_for(), request, time="requested_at")
        return private(read_page(rows, request, order="-requested_at", show=export.show))

    @extend_schema(
        request=ExportAskedBody, responses={202: ExportLine}, parameters=[IDEMPOTENCY_KEY]
    )
    def post(self, request: Request) -> Response:
        """Ask for an export of the log, transfers, accounts and rounds; a worker builds it."""
        told = read_body(ExportAskedBody, request)
        asked = export.Asked(
            span=read_span(told),
            player_id=told.get("player_id"),
            currency=told.get("currency"),
            kinds=_in_order(told.get("kinds") or export.KINDS, export.KINDS),
            formats=_in_order({"jsonl", *told.get("formats", ())}, export.FORMATS),
            old_size=told.get("old_size"),
        )
        made = export.request(operator_urn(request), asked=asked, key=idempotency_key(request))
        shown = export.show(made)
        line = {name: shown[name] for name in _ASKED}
        return private(line, status=202)


class ExportView(APIView):
    """An export."""

    who, scope = "operator, auditor", "exports:write"

    @extend_schema(responses=ExportBody)
    def get(self, request: Request, export_id: UUID) -> Response:
        """Tell how far an export is built, and what is in it."""
        shown = export.show(export.find(export_id))
        return private(shown)


class ExportDownloadView(APIView):
    """The file of an export."""

    who, scope = "operator, auditor", "exports:write"

    @extend_schema(responses={(200, "application/zip"): bytes})
    def get(self, request: Request, export_id: UUID) -> FileResponse:
        """Download an export that is built; that it was taken is on record."""
        path = export.download(operator_urn(request), export_id=export_id)
        return FileResponse(
            path.open("rb"),
            as_attachment=True,
            filename=path.name,
            content_type="application/zip",
            headers=NO_STORE,
        )


_ASKED = ("export_id", "requested_by", "requested_at", "request")


def _in_order(chosen: Collection[str], known: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in known if name in chosen)
