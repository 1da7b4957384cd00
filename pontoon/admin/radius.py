"""What a malfunction touched, to be decided on; how far its void is; and what that came to."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino.shown import NOTHING, as_table, badge, code, label
from casino.staff.roles import Act, may
from pontoon import queries
from pontoon.lifecycle import FaultState
from pontoon.models import Malfunction, MalfunctionRound

ROUNDS_SHOWN = 25

_EXPECTED = {
    "currency": label("currency"),
    "round_count": label("round_count"),
    "player_count": _("Players"),
    "open_count": _("Open rounds"),
    "to_give_minor": _("Wagers to give back"),
    "to_take_minor": _("Payouts to take back"),
    "held_minor": _("Held, never paid"),
    "receivable_minor": _("Expected owing"),
}
_VOIDED = {name: _EXPECTED[name] for name in ("currency", "round_count", "player_count")} | {
    "given_minor": _("Wagers given back"),
    "taken_minor": _("Payouts taken back"),
    "held_minor": _("Held, never paid"),
    "receivable_minor": _("Left owing"),
}
_ROUND = {
    "round": label("round_id"),
    "player_id": label("player_id"),
    "was": _("When counted"),
    "is": _("Now"),
    "to_give_minor": _EXPECTED["to_give_minor"],
    "to_take_minor": _EXPECTED["to_take_minor"],
    "held_minor": _EXPECTED["held_minor"],
}


def radius_of(row: Malfunction) -> dict[str, Any]:
    """Return what the last count came to, in figures, by currency, and under which hash."""
    counted = queries.last_count(row.id)
    return counted and {
        "rounds": counted["rounds"],
        "players": counted["players"],
        "totals": _totals(counted, _EXPECTED),
        "list_hash": code(counted["list_hash"]),
    }


def void_of(row: Malfunction, acts: list[Any]) -> dict[str, Any] | None:
    """Return how far a void is, and its totals when it is done; None if nothing is voided."""
    if row.state not in {FaultState.APPROVED, FaultState.DONE}:
        return None
    listed, done = queries.progress(row.id)
    last = next((act.facts for act in reversed(acts) if act.state == FaultState.DONE), None)
    return {
        "listed": listed,
        "done": done,
        "left": listed - done,
        "percent": 100 if listed == 0 else 100 * done // listed,
        "totals": last and _totals(last, _VOIDED),
        "is_going_on": row.state == FaultState.APPROVED,
    }


def _totals(facts: dict[str, Any], headed: dict[str, Any]) -> SafeString:
    counts = {"round_count": "rounds", "player_count": "players", "open_count": "open_rounds"}
    return as_table(
        (
            one | {name: one[old] for name, old in counts.items() if old in one}
            for one in facts.get("totals", ())
        ),
        headed=headed,
        folds=True,
    )


def rounds_page(malfunction_id: UUID, asked: str | None) -> Any:
    """Return a page of the rounds of a malfunction's list, in the order of the work."""
    return Paginator(queries.rounds_listed(malfunction_id), ROUNDS_SHOWN).get_page(asked)


def rounds_table(rows: list[MalfunctionRound], *, may_correct: bool) -> SafeString:
    """Return rounds of a list: as they were, as they are, and the way to a correction."""
    now = queries.states_now(rows)
    headed = _ROUND | ({"correction": _("Correction")} if may_correct else {})
    lines = (_line(row, now.get((row.player_id, row.round_id), "")) for row in rows)
    return as_table(lines, headed=headed)


def _line(row: MalfunctionRound, state: str) -> dict[str, Any]:
    address = reverse("admin:pontoon_round_change", args=[f"{row.player_id}.{row.round_id}"])
    is_voided = state == "voided"
    return queries.show_listed(row) | {
        "round": format_html('<a href="{}">{}</a>', address, code(row.round_id)),
        "player_id": row.player_id,
        "was": badge(row.state),
        "is": badge(state),
        "correction": correction(row.player_id, row.round_id) if is_voided else NOTHING,
    }


def correction(player_id: UUID, round_id: UUID) -> SafeString:
    """Return a link to the player's page, where a correction of this round is asked for."""
    address = reverse("admin:players_player_change", args=[player_id])
    return format_html('<a href="{}?adjust={}#acts">{}</a>', address, round_id, _("Correct"))


def cases_of(user: Any, player_id: UUID, round_id: UUID) -> SafeString | None:
    """Return the large win and the malfunctions that a round is part of, if any.

    What the reader may not open is told without a link.
    """
    wins = queries.verifications().filter(player_id=player_id, id=round_id)
    faults = queries.malfunctions_of_round(player_id, round_id)
    lines = [
        *(_case(user, Act.LOOK_CASES, "verification", one, one.settled_at) for one in wins),
        *(_case(user, Act.LOOK_MALFUNCTIONS, "malfunction", one, one.raised_at) for one in faults),
    ]
    return as_table(lines, folds=True) if lines else None


def _case(user: Any, act: Act, model: str, row: Any, at: datetime) -> dict[str, Any]:
    told: Any = code(row.id)
    if may(user, act):
        address = reverse(f"admin:pontoon_{model}_change", args=[row.id])
        told = format_html('<a href="{}">{}</a>', address, told)
    kind = "malfunction" if model == "malfunction" else "large_win"
    return {"kind": kind, "case": told, "state": row.state, "at": at}


def acts_table(acts: list[Any]) -> SafeString:
    """Return what was done about a malfunction: when, what, who and why."""
    lines = (
        {"at": one.at, "state": one.state, "actor": one.actor, "reason": one.facts.get("reason")}
        for one in acts
    )
    return as_table(lines, folds=True)
