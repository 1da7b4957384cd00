"""Malfunctions and suspensions in the panel: raised by one person, decided on by another (H18)."""

import json
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.acts import Acting, Deed, NoForm, ReasonForm
from casino.panel import one_of
from casino.players.profiles import CURRENCIES, PROFILES
from casino.shown import as_table, label
from casino.staff.roles import Act
from pontoon import queries, services
from pontoon.lifecycle import FaultState
from pontoon.models import Malfunction, Suspension

_OPEN = {FaultState.RAISED, FaultState.COUNTED}


def _choice(known: Any) -> list[tuple[str, str]]:
    return [("", "–"), *((one, one) for one in known)]


class ScopeForm(forms.Form):
    """Which rounds: every condition that is given has to hold."""

    everything = forms.BooleanField(label=_("All play"), required=False)
    game = forms.ChoiceField(
        label=label("game"), required=False, choices=[("", "–"), ("house", "house")]
    )
    rules = forms.CharField(label=label("rules"), required=False, help_text="house/1")
    build = forms.CharField(label=label("build"), required=False)
    currency = forms.ChoiceField(
        label=label("currency"), required=False, choices=_choice(CURRENCIES)
    )
    profile = forms.CharField(
        label=label("profile"),
        required=False,
        help_text=", ".join(p.version for p in PROFILES.values()),
    )
    player = forms.UUIDField(label=label("player_id"), required=False)
    session = forms.UUIDField(label=label("session_id"), required=False)
    round = forms.UUIDField(label=label("round_id"), required=False)
    begin = forms.DateTimeField(
        label=_("Opened from (UTC)"), required=False, help_text="2026-12-01 08:00:00"
    )
    end = forms.DateTimeField(label=_("Opened before (UTC)"), required=False)
    stake_min = forms.IntegerField(label=_("Stake from, minor units"), required=False, min_value=0)
    stake_max = forms.IntegerField(label=_("Stake up to, minor units"), required=False, min_value=0)


class SuspendForm(ReasonForm, ScopeForm):
    """What is stopped, and why."""

    field_order = ("reason",)


class FlagForm(ScopeForm):
    """What went wrong, how it is known, and which rounds it touched."""

    cause = forms.CharField(label=_("Cause"), max_length=500)
    evidence = forms.CharField(
        label=_("Evidence"), max_length=2000, widget=forms.Textarea(attrs={"rows": 2})
    )
    field_order = ("cause", "evidence")


class ApproveForm(ReasonForm):
    """Why, and of which list: the one that was shown."""

    list_hash = forms.CharField(max_length=128, widget=forms.HiddenInput)


def scope_of(told: dict[str, Any]) -> dict[str, Any]:
    """Return the scope that a form asks for."""
    scope: dict[str, Any] = {"all": True} if told["everything"] else {}
    for name in ("game", "rules", "build", "currency", "profile", "player", "session", "round"):
        if told[name]:
            scope[name] = str(told[name])
    window = {"from": told["begin"], "to": told["end"]}
    if any(window.values()):
        scope["window"] = {name: at.isoformat() for name, at in window.items() if at}
    stake = {"min": told["stake_min"], "max": told["stake_max"]}
    if any(bound is not None for bound in stake.values()):
        scope["stake_minor"] = {name: to for name, to in stake.items() if to is not None}
    return scope


def scope_text(scope: dict[str, Any]) -> str:
    """Return a scope in words."""
    if scope.get("all"):
        return gettext("all play")
    return "; ".join(
        f"{label(_COLUMNS.get(name, name))}: {_bounds(to)}" for name, to in scope.items()
    )


_COLUMNS = {
    "player": "player_id",
    "session": "session_id",
    "round": "round_id",
    "window": "opened_at",
}


def _bounds(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    low, high = (
        value.get(one, value.get(other)) for one, other in (("from", "min"), ("to", "max"))
    )
    return f"{_short(low)} – {_short(high)}"


def _short(value: Any) -> str:
    if value is None:
        return "…"
    return (
        f"{datetime.fromisoformat(value):%Y-%m-%d %H:%M:%S}"
        if isinstance(value, str)
        else str(value)
    )


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

    @admin.display(description=_("Scope"))
    def what(self, row: Malfunction) -> str:
        """Return the scope in words."""
        return scope_text(row.scope)

    @admin.display(description=_("Evidence"))
    def evidence_told(self, row: Malfunction) -> str:
        """Return the evidence, for people to read."""
        return _pretty(row.evidence)

    def told(self, row: Malfunction) -> dict[str, Any]:
        """Return the count that is decided on, and what was done."""
        counted = queries.last_count(row.id)
        is_late = row.state == FaultState.COUNTED and queries.is_outdated(row.id)
        acts = queries.acts_of(row.id)
        return {
            "subtitle": str(row.id),
            "alarm": gettext("Rounds came into the scope since: count again.") if is_late else "",
            "sections": [
                (
                    _("What it touched"),
                    _pretty(counted) if counted else gettext("Not counted yet."),
                ),
                (
                    _("What was done"),
                    as_table(
                        {"at": one.at, "state": one.state, "actor": one.actor}
                        | {"reason": one.facts.get("reason")}
                        for one in acts
                    ),
                ),
            ],
        }


def _pretty(facts: Any) -> str:
    return format_html("<pre>{}</pre>", json.dumps(facts, indent=2, ensure_ascii=False))
