"""How the panel asks for a scope, and how it words one."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.players.profiles import CURRENCIES, PROFILES
from casino.shown import label

_TEXTS = ("game", "rules", "build", "currency", "profile", "player", "session", "round")


def _choice(known: Any) -> list[tuple[str, str]]:
    return [("", "–"), *((one, one) for one in known)]


class ScopeForm(forms.Form):
    """Which rounds: every condition that is given has to hold."""

    everything = forms.BooleanField(label=_("All play"), required=False)
    game = forms.ChoiceField(label=label("game"), required=False, choices=_choice(("house",)))
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
    actions_min = forms.IntegerField(label=_("Actions from"), required=False, min_value=0)
    actions_max = forms.IntegerField(label=_("Actions up to"), required=False, min_value=0)


def scope_of(told: dict[str, Any]) -> dict[str, Any]:
    """Return the scope that a form asks for."""
    scope: dict[str, Any] = {"all": True} if told["everything"] else {}
    scope |= {name: str(told[name]) for name in _TEXTS if told[name]}
    window = {"from": told["begin"], "to": told["end"]}
    if any(window.values()):
        scope["window"] = {name: at.isoformat() for name, at in window.items() if at}
    for name, field in (("stake_minor", "stake"), ("action_count", "actions")):
        bounds = {"min": told[f"{field}_min"], "max": told[f"{field}_max"]}
        if given := {edge: to for edge, to in bounds.items() if to is not None}:
            scope[name] = given
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
    if isinstance(value, str):
        return f"{datetime.fromisoformat(value):%Y-%m-%d %H:%M:%S}"
    return str(value)
