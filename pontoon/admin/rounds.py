"""Rounds in the panel: to look at, as their players see them. An open round shows no hole card."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from audit import queries as audit
from casino.panel import OfPlayers, one_of
from casino.shown import as_table, hand, label, money, word
from casino.staff.roles import Act, may
from pontoon import queries
from pontoon.admin.radius import cases_of, correction
from pontoon.lifecycle import State
from pontoon.models import Round, Told
from wallets import queries as wallets

_TRANSFER = (
    "at", "code", "debit", "credit", "amount_minor", "balance_before_minor",
    "balance_after_minor", "actor", "transfer_id", "currency",
)  # fmt: skip


@admin.register(Round)
class RoundAdmin(OfPlayers):
    """What was played, of a player newest first: by player, by id."""

    heading = _("Rounds")
    search_help_text = _("Round's id; player's id")
    list_display = (
        "opened_at", "id", "player_id", "state", "held_reason", "rules", "stake_minor",
        "wagered_minor", "payout_minor",
    )  # fmt: skip
    list_filter = (
        one_of("state", State),
        one_of("held_reason", ("large_win", "malfunction"), state="held"),
    )
    search_fields = ("player_id", "id")
    change_form_template = "panel/round.html"
    fields = (
        "id", "player_id", "state", "held_reason", "rules", "profile", "build", "session_id",
        "opened_at", "last_action_at", "settled_at", "stake_minor", "wagered_minor",
        "payout_minor", "balance_before_minor", "balance_after_minor",
    )  # fmt: skip

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Of a player in the order of play; of all by their ids, which follow the time."""
        if request.GET.get("q"):
            return ("player_id", "-opened_at", "-id")
        return ("-id",)

    def render_change_form(  # type: ignore[override]
        self, request: HttpRequest, context: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show the round as its player saw it, with its money and its entries."""
        told = queries.round_of(context["original"].id, player_id=context["original"].player_id)
        more = _page_of(told) | {"cases": cases_of(request.user, told.player_id, told.id)}
        if told.state == State.VOIDED and may(request.user, Act.RAISE_ADJUSTMENT):
            more["correction"] = correction(told.player_id, told.id)
        return super().render_change_form(request, context | more, **kwargs)


def _page_of(told: Told) -> dict[str, Any]:
    """Return what the page of a round tells beside its facts."""
    round_ = queries.show_told(told)
    entries = audit.entries_of(f"round:{told.id}", player_id=told.player_id)
    leaves = {one["entry_id"]: one for one in audit.inclusion_of([UUID(e["id"]) for e in entries])}
    moved = wallets.transfers_of_round(told.player_id, told.id)
    return {
        "heading": _("Round"),
        "subtitle": str(told.id),
        "steps": [
            _step(number, step, told.currency) for number, step in enumerate(queries.steps_of(told))
        ],
        "seeds": [
            (label(name), round_[name]) for name in ("commitment", "client_seed", "server_seed")
        ],
        "transfers": as_table(
            {name: wallets.line(one)[name] for name in _TRANSFER} for one in moved
        ),
        "history": as_table(queries.marks_of(told)),
        "entries": as_table(_entry(entry, leaves.get(entry["id"])) for entry in entries),
    }


def _step(number: int, step: dict[str, Any], currency: str) -> dict[str, Any]:
    """Return a step of a round in the reader's words."""
    dealer, at = step["dealer"], step["hand"]
    return {
        "number": number,
        "by": step["by"],
        "action_word": step["action"] and word(step["action"]).capitalize(),
        "hand_number": None if at is None else at + 1,
        "active_hand": step["active_hand"],
        "dealer": dealer,
        "dealer_told": None if dealer.total is None else _points(dealer),
        "dealer_cards": hand(dealer.cards),
        "hands": [_hand(one, currency) for one in step["hands"]],
    }


def _hand(one: Any, currency: str) -> dict[str, Any]:
    return {
        "cards": hand(one.cards),
        "points": _points(one),
        "wager": money(one.wager, currency),
        "doubled": one.doubled,
        "from_split": one.from_split,
        "outcome": one.outcome,
        "outcome_word": one.outcome and word(one.outcome),
        "payout": one.payout and money(one.payout, currency),
    }


def _points(one: Any) -> str:
    """Return what a hand counts, or what it is called."""
    return str(one.total) if one.kind == "points" else f"{one.total} · {word(one.kind)}"


def _entry(entry: dict[str, Any], proof: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "at": entry["at"],
        "event": entry["event"],
        "actor": entry["actor"],
        "entry_id": entry["id"],
        "leaf_index": proof and proof["index"],
        "tree_size": proof and proof["size"],
        "leaf_hash": entry["leaf_hash"],
    }
