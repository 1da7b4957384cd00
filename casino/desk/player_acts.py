"""What may be done for a player on his page: a limit, an exclusion, a correction by hand."""

from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from casino.acts import Deed, ReasonForm
from casino.players import services as players
from casino.shown import EXPONENTS
from casino.staff.roles import Act
from casino.words import WORDS
from wallets import services as wallets

DAYS_MAX = 3650


def _choices(*words: str) -> list[tuple[str, Any]]:
    return [(word, WORDS[word]) for word in words]


class ExclusionForm(ReasonForm):
    """Shut a player out."""

    kind = forms.ChoiceField(choices=_choices("self_exclusion", "cooling_off"), label=_("Kind"))
    days = forms.IntegerField(
        label=_("Days"), required=False, min_value=1, max_value=DAYS_MAX,
        help_text=_("Empty: for good; a cooling-off always ends."),
    )  # fmt: skip


class LimitForm(forms.Form):
    """Limit what a player may deposit, wager or lose."""

    kind = forms.ChoiceField(choices=_choices("deposit", "wager", "loss"), label=_("Kind"))
    period = forms.ChoiceField(choices=_choices("day", "week", "month"), label=_("Period"))
    amount = forms.DecimalField(
        label=_("Amount"), required=False, min_value=0, max_digits=15,
        help_text=_("In the currency's major unit. Empty lifts the limit."),
    )  # fmt: skip


class AdjustmentForm(ReasonForm):
    """Correct a balance; another person decides."""

    kind = forms.ChoiceField(choices=_choices("credit", "debit"), label=_("Kind"))
    amount = forms.DecimalField(label=_("Amount"), min_value=0, max_digits=15)
    round_id = forms.UUIDField(label=_("Round"), required=False)
    key = forms.CharField(widget=forms.HiddenInput, initial=uuid4)


class ReceivableForm(AdjustmentForm):
    """Settle what a void left owing, or write it off; another person decides."""

    kind = forms.ChoiceField(choices=_choices("settle", "write_off"), label=_("Kind"))


def _minor(amount: Any, currency: str) -> int | None:
    return None if amount is None else int(amount.scaleb(EXPONENTS[currency]))


def _exclude(actor: str, player: Any, told: dict[str, Any]) -> object:
    term = timedelta(days=told["days"]) if told["days"] else None
    return players.exclude(
        actor, player_id=player.id, kind=told["kind"], term=term, reason=told["reason"]
    )


def _limit(actor: str, player: Any, told: dict[str, Any]) -> object:
    return wallets.set_limit(
        actor,
        player_id=player.id,
        kind=told["kind"],
        period=told["period"],
        amount_minor=_minor(told["amount"], player.currency),
        set_by="operator",
    )


def _adjust(actor: str, player: Any, told: dict[str, Any]) -> object:
    correction = wallets.Correction(
        player_id=player.id,
        kind=told["kind"],
        amount_minor=_minor(told["amount"], player.currency) or 0,
        reason=told["reason"],
        key=told["key"],
        round_id=told["round_id"],
    )
    return wallets.raise_adjustment(actor, correction=correction)


DEEDS: Final = (
    Deed("limit", _("Set a limit"), Act.SET_LIMIT, _limit, _("The limit is set."), LimitForm),
    Deed(
        "exclude", _("Exclude the player"), Act.EXCLUDE_PLAYER, _exclude,
        _("The player is excluded."), ExclusionForm, is_grave=True,
    ),
    Deed(
        "adjust", _("Ask for an adjustment"), Act.RAISE_ADJUSTMENT, _adjust,
        _("Asked. Another person has to approve it."), AdjustmentForm,
    ),
    Deed(
        "receivable", _("Settle or write off what is owed"), Act.SETTLE_RECEIVABLE, _adjust,
        _("Asked. Another person has to approve it."), ReceivableForm,
    ),
)  # fmt: skip
