"""Malfunctions and suspensions in the panel: raised by one person, decided on by another (H18)."""

import json
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin
from django.http import Http404, HttpRequest, JsonResponse
from django.template.loader import render_to_string
from django.urls import path
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from audit.services import now
from casino.acts import Acting, Deed, NoForm, ReasonForm
from casino.looks import note_look
from casino.panel import one_of
from casino.reasons import REASON_MAX
from casino.staff.roles import Act, may, require
from pontoon import queries, services
from pontoon.admin import radius
from pontoon.admin.scoping import ScopeForm, scope_of, scope_text
from pontoon.errors import MalfunctionNotFoundError
from pontoon.lifecycle import FaultState
from pontoon.models import Malfunction, Suspension

_OPEN = {FaultState.RAISED, FaultState.COUNTED}


class SuspendForm(ReasonForm, ScopeForm):
    """What is stopped, and why."""

    field_order = ("reason",)


class FlagForm(ScopeForm):
    """What went wrong, how it is known, and which rounds it touched."""

    cause = forms.CharField(label=_("Cause"), max_length=REASON_MAX)
    evidence = forms.CharField(
        label=_("Evidence"), max_length=2000, widget=forms.Textarea(attrs={"rows": 2})
    )
    field_order = ("cause", "evidence")


class ApproveForm(ReasonForm):
    """Why, and of which list: the one that was shown."""

    list_hash = forms.CharField(max_length=128, widget=forms.HiddenInput)


@admin.register(Suspension)
class SuspensionAdmin(Acting):
    """What is stopped now, and what was."""

    heading = _("Suspensions")
    list_display = ("raised_at", "what", "reason", "raised_by", "lifted_at", "lifted_by")
    fields = (
        "what", "reason", "raised_by", "raised_at", "malfunction_id", "lifted_by", "lifted_at",
        "lift_reason",
    )  # fmt: skip
    list_deeds = (
        Deed(
            "suspend",
            _("Stop play"),
            Act.RAISE_SUSPENSION,
            lambda actor, row, told: services.suspend(
                actor, scope=scope_of(told), reason=told["reason"]
            ),
            _("Play is stopped."),
            form=SuspendForm,
            is_grave=True,
        ),
    )
    deeds = (
        Deed(
            "lift",
            _("Let play go on"),
            Act.LIFT_SUSPENSION,
            lambda actor, row, told: services.lift(
                actor, suspension_id=row.id, reason=told["reason"]
            ),
            _("Play goes on."),
            applies=lambda row, actor: row.lifted_at is None,
        ),
    )

    @admin.display(description=_("What is stopped"))
    def what(self, row: Suspension) -> str:
        """Return the scope in words."""
        return scope_text(row.scope)


@admin.register(Malfunction)
class MalfunctionAdmin(Acting):
    """Faults: what they touched, and who decided what about them."""

    heading = _("Malfunctions")
    list_display = ("raised_at", "cause", "what", "state", "state_at", "raised_by")
    list_filter = (one_of("state", FaultState),)
    change_form_template = "panel/malfunction.html"
    fields = ("state", "state_at", "cause", "what", "raised_by", "raised_at", "evidence_told")
    list_deeds = (
        Deed(
            "flag",
            _("Flag a malfunction"),
            Act.RAISE_MALFUNCTION,
            lambda actor, row, told: services.flag_malfunction(
                actor,
                scope=scope_of(told),
                cause=told["cause"],
                evidence={"text": told["evidence"]},
            ),
            _("The malfunction is flagged: play in its scope is stopped, its rounds are counted."),
            form=FlagForm,
            is_grave=True,
        ),
    )
    deeds = (
        Deed(
            "approve",
            _("Void these rounds"),
            Act.APPROVE_MALFUNCTION,
            lambda actor, row, told: services.approve_void(
                actor, malfunction_id=row.id, list_hash=told["list_hash"], reason=told["reason"]
            ),
            _("Approved: the rounds are being voided."),
            form=ApproveForm,
            applies=lambda row, actor: row.state == FaultState.COUNTED and row.raised_by != actor,
            is_grave=True,
            initial=lambda row: {"list_hash": queries.last_count(row.id).get("list_hash")},
        ),
        Deed(
            "refuse",
            _("Refuse the void"),
            Act.APPROVE_MALFUNCTION,
            lambda actor, row, told: services.refuse_void(
                actor, malfunction_id=row.id, reason=told["reason"]
            ),
            _("Refused: nothing is voided."),
            applies=lambda row, actor: row.state in _OPEN and row.raised_by != actor,
        ),
        Deed(
            "clear",
            _("Clear the flag"),
            Act.APPROVE_MALFUNCTION,
            lambda actor, row, told: services.clear_malfunction(
                actor, malfunction_id=row.id, reason=told["reason"]
            ),
            _("Cleared: play and payments go on."),
            applies=lambda row, actor: row.state in _OPEN and row.raised_by != actor,
        ),
        Deed(
            "recount",
            _("Count again"),
            Act.RAISE_MALFUNCTION,
            lambda actor, row, told: services.recount(actor, malfunction_id=row.id),
            _("The rounds are being counted again."),
            form=NoForm,
            applies=lambda row, actor: row.state == FaultState.COUNTED,
        ),
    )

    def get_urls(self) -> list[Any]:
        """Return the pages of the table, and how far a void is."""
        live = self.admin_site.admin_view(never_cache(self.live))
        return [
            path("<uuid:malfunction_id>/live/", live, name="pontoon_malfunction_live"),
            *super().get_urls(),
        ]

    def live(self, request: HttpRequest, malfunction_id: UUID) -> JsonResponse:
        """Return how far a void is, as the page shows it; its figures name no player."""
        require(request.user, Act.LOOK_MALFUNCTIONS)
        try:
            row = queries.malfunction(malfunction_id)
        except MalfunctionNotFoundError as error:
            raise Http404 from error
        void = radius.void_of(row, list(queries.acts_of(row.id)))
        drawn = render_to_string("panel/void.html", {"void": void}, request) if void else ""
        is_over = void is None or not void["is_going_on"]
        told = {"at": now().isoformat(), "parts": {"void": drawn}, "is_over": is_over}
        return JsonResponse(told)

    @admin.display(description=_("Scope"))
    def what(self, row: Malfunction) -> str:
        """Return the scope in words."""
        return scope_text(row.scope)

    @admin.display(description=_("Evidence"))
    def evidence_told(self, row: Malfunction) -> str:
        """Return the evidence, for people to read."""
        if row.evidence.keys() == {"text"}:
            return str(row.evidence["text"])
        evidence = json.dumps(row.evidence, indent=2, ensure_ascii=False)
        return format_html("<pre>{}</pre>", evidence)

    def told(self, request: HttpRequest, row: Malfunction) -> dict[str, Any]:
        """Return what is decided on, how far it is, the rounds that it is about, and the acts."""
        is_late = row.state == FaultState.COUNTED and queries.is_outdated(row.id)
        acts = list(queries.acts_of(row.id))
        return {
            "subtitle": str(row.id),
            "alarm": gettext("Rounds came into the scope since: count again.") if is_late else "",
            "radius": radius.radius_of(row),
            "void": radius.void_of(row, acts),
            "sections": [(_("What was done"), radius.acts_table(acts))],
        } | self._rounds(request, row)

    def _rounds(self, request: HttpRequest, row: Malfunction) -> dict[str, Any]:
        """Return a page of the list, for who may look at rounds; that he did is noted."""
        if not may(request.user, Act.LOOK_ROUNDS):
            return {}
        page = radius.rounds_page(row.id, request.GET.get("page"))
        listed = list(page.object_list)
        if listed:
            players = [one.player_id for one in listed]
            note_look(request, what=f"malfunction:{row.id}", players=players)
        may_correct = may(request.user, Act.RAISE_ADJUSTMENT)
        return {"page": page, "rounds": radius.rounds_table(listed, may_correct=may_correct)}
