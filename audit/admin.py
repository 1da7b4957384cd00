"""The log in the panel: to look at. It holds no name, no token and no seed of an open round."""

import json
from contextlib import suppress
from typing import Any, cast
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from audit import export, queries, services, webhooks
from audit.errors import ExportCurrencyError, ExportNotFoundError, WorkNotFoundError
from audit.events import Event
from audit.models import Delivery, Endpoint, Entry, Export, Work
from casino.acts import Acting, Deed, NoForm
from casino.panel import Large, ReadOnly, one_of
from casino.shown import as_table
from casino.staff.roles import Act, require

REVIVED_MAX = 1000


@admin.register(Entry)
class EntryAdmin(Large):
    """What happened, newest first: by player, by subject (`round:…`, `transfer:…`), by id."""

    heading = _("Log")
    search_help_text = _("Player's id; subject such as round:…; entry's id")
    list_display = ("at", "event", "subject", "actor", "player_id")
    list_filter = (one_of("event", Event),)
    search_fields = ("player_id", "subject", "id")
    fields = ("id", "at", "event", "subject", "actor", "player_id", "told", "leaf_hash_hex")
    readonly_fields = fields

    @admin.display(description=_("Entry"))
    def told(self, entry: Entry) -> str:
        """Return the whole entry, for people to read."""
        body = json.dumps(json.loads(entry.body), indent=2, ensure_ascii=False)
        return format_html("<pre>{}</pre>", body)

    @admin.display(description=_("Leaf hash"))
    def leaf_hash_hex(self, entry: Entry) -> str:
        """Return what the tree has of it."""
        return bytes(entry.leaf_hash).hex()


@admin.register(Export)
class ExportAdmin(ReadOnly):
    """What was asked for and how far it is built; who took it is in the log."""

    heading = _("Exports")
    list_display = (
        "requested_at", "requested_by", "state", "progress_percent", "finished_at", "fault",
        "file",
    )  # fmt: skip
    list_filter = (one_of("state", ("waiting", "running", "done", "failed")),)
    fields = ("id", *list_display, "asked", "cursor")
    readonly_fields = fields
    change_list_template = "casino/exports.html"

    def get_urls(self) -> list[Any]:
        """Add what a compliance officer does: ask for one, and take it."""
        view = self.admin_site.admin_view
        return [
            path("ask/", view(require_POST(self.ask)), name="audit_export_ask"),
            path("<uuid:export_id>/download/", view(self.take), name="audit_export_take"),
            *super().get_urls(),
        ]

    def file(self, made: Export) -> str:
        """Return the link to take it by, when it is built."""
        if made.state != "done":
            return "–"
        return format_html(
            '<a href="{}">zip</a>', reverse("admin:audit_export_take", args=[made.id])
        )

    def ask(self, request: HttpRequest) -> HttpResponse:
        """Ask for an export, as somebody of the staff."""
        require(request.user, Act.REQUEST_EXPORT)
        told = {name: value for name, value in request.POST.dict().items() if value}
        try:
            asked = export.parse_asked(told | {"formats": request.POST.getlist("formats")})
            export.request(_urn(request), asked=asked)
            self.message_user(request, gettext("The export will be built; it is on record."))
        except (ValueError, ExportCurrencyError) as error:
            self.message_user(request, str(error), messages.ERROR)
        return redirect("admin:audit_export_changelist")

    def take(self, request: HttpRequest, export_id: UUID) -> FileResponse:
        """Take the file of an export; that it was taken is on record."""
        require(request.user, Act.REQUEST_EXPORT)
        try:
            file = export.download(_urn(request), export_id=export_id)
        except ExportNotFoundError as error:
            raise Http404 from error
        return FileResponse(file.open("rb"), as_attachment=True, filename=file.name)


def _revive_all(actor: str, row: None, told: dict[str, Any]) -> None:
    """Let all that has died be tried again, each on record; what is revived meanwhile is well."""
    for work_id in queries.dead_work(count_max=REVIVED_MAX):
        with suppress(WorkNotFoundError):
            services.retry_work(actor, work_id=work_id)


@admin.register(Work)
class WorkAdmin(Acting):
    """What failed: what waits to be tried again, and what has died and waits for a person."""

    heading = _("Work that failed")
    list_display = ("began_at", "kind", "subject", "state", "tries", "due_at", "error")
    list_filter = (one_of("state", ("waiting", "dead")),)
    fields = ("id", *list_display, "player_id")
    list_deeds = (
        Deed(
            "revive",
            _("Try all that has died again"),
            Act.RETRY_WORK,
            _revive_all,
            _("It will be tried again."),
            form=NoForm,
        ),
    )
    deeds = (
        Deed(
            "retry",
            _("Try again"),
            Act.RETRY_WORK,
            lambda actor, row, told: services.retry_work(actor, work_id=row.id),
            _("It will be tried again."),
            form=NoForm,
        ),
    )


class SpanForm(forms.Form):
    """From when to when."""

    begin = forms.DateTimeField(label=_("From (UTC)"), help_text="2026-12-01 08:00:00")
    end = forms.DateTimeField(label=_("Before (UTC)"))

    def clean(self) -> dict[str, Any]:
        """Refuse a time that ends before it begins."""
        told = super().clean() or {}
        if {"begin", "end"} <= told.keys() and told["end"] <= told["begin"]:
            raise forms.ValidationError(_("It has to end after it begins."))
        return told


@admin.register(Endpoint)
class EndpointAdmin(Acting):
    """Who is told by webhook. Their secrets are not shown: they are told once, over the API."""

    heading = _("Webhooks")
    list_display = ("created_at", "url", "state", "failing_since", "failures", "created_by")
    list_filter = (one_of("state", ("active", "disabled", "removed")),)
    fields = ("id", *list_display, "types", "due_at")
    deeds = (
        Deed(
            "enable",
            _("Tell it again"),
            Act.MANAGE_WEBHOOKS,
            lambda actor, row, told: webhooks.enable(actor, endpoint_id=row.id),
            _("It is told again; what waited is due now."),
            form=NoForm,
            applies=lambda row, actor: row.state == "disabled",
        ),
        Deed(
            "pause",
            _("Leave it alone for a while"),
            Act.MANAGE_WEBHOOKS,
            lambda actor, row, told: webhooks.pause(actor, endpoint_id=row.id),
            _("It is told nothing for now; what it is to be told waits."),
            form=NoForm,
            applies=lambda row, actor: row.state == "active",
        ),
        Deed(
            "replay",
            _("Tell it all of a time again"),
            Act.MANAGE_WEBHOOKS,
            lambda actor, row, told: webhooks.replay(
                actor, endpoint_id=row.id, span=(told["begin"], told["end"])
            ),
            _("It is told again; each delivery keeps its id, by which it knows those it has."),
            form=SpanForm,
            applies=lambda row, actor: row.state != "removed",
        ),
    )


@admin.register(Delivery)
class DeliveryAdmin(Large):
    """What is told to whom, and how that went."""

    heading = _("Deliveries")
    list_display = ("at", "type", "endpoint_id", "player_id", "state", "tries", "due_at", "done_at")
    list_filter = (one_of("state", ("waiting", "delivered", "dead")),)
    search_fields = ("id", "endpoint_id", "entry_id")
    fields = ("id", *list_display, "entry_id", "body", "tried")
    readonly_fields = fields

    @admin.display(description=_("Attempts"))
    def tried(self, delivery: Delivery) -> str:
        """Return the attempts, oldest first."""
        return as_table(webhooks.show_delivery(delivery)["attempts"])


def _urn(request: HttpRequest) -> str:
    return str(cast(Any, request.user).urn)
