"""Large wins in the panel: a case file, and the person who decides on it (H17)."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.acts import Acting, Deed
from casino.panel import one_of
from casino.players.profiles import CURRENCIES
from casino.shown import as_table, label, money, reference, value_of, word
from casino.staff.roles import Act
from pontoon import queries, services
from pontoon.models import Verification

_TRANSFER = ("at", "code", "debit", "credit", "amount_minor", "balance_after_minor", "currency")
_ROUND = ("opened_at", "round_id", "state", "stake_minor", "wagered_minor", "payout_minor")


@admin.register(Verification)
class VerificationAdmin(Acting):
    """Wins that wait for a person, and those that were decided: newest first."""

    heading = _("Large wins")
    list_display = (
        "settled_at", "player_id", "state", "win_minor", "wagered_minor", "payout_minor",
        "agrees", "level", "actor",
    )  # fmt: skip
    list_filter = (one_of("state", queries.WIN_STATES), one_of("currency", CURRENCIES))
    fields = (
        "state", "player_id", "win_minor", "wagered_minor", "payout_minor", "settled_at",
        "checked_at", "agrees", "level", "rules", "profile", "verdict", "actor", "decided_at",
        "reason",
    )  # fmt: skip
    deeds = (
        Deed(
            "release",
            _("Release the win"),
            Act.DECIDE_WIN,
            lambda actor, row, told: services.release_large_win(
                actor, round_id=row.id, reason=told["reason"]
            ),
            _("The win is paid."),
            applies=lambda row, actor: row.state == "waiting" and row.agrees,
        ),
        Deed(
            "reject",
            _("Reject the win"),
            Act.DECIDE_WIN,
            lambda actor, row, told: services.reject_large_win(
                actor, round_id=row.id, reason=told["reason"]
            ),
            _("The win is rejected: a malfunction is raised, which another person decides on."),
            applies=lambda row, actor: row.state == "waiting",
            is_grave=True,
        ),
    )

    def win_minor(self, row: Verification) -> Any:
        """Return the payout less the wagers."""
        return value_of("win_minor", row.payout_minor - row.wagered_minor, row.currency)

    def told(self, request: HttpRequest, row: Verification) -> dict[str, Any]:
        """Return the case file, section by section."""
        case = row.content or {}
        faults = case.get("faults") or []
        return {
            "subtitle": str(row.id),
            "alarm": gettext("The case does not hold: %s") % "; ".join(faults) if faults else "",
            "sections": [
                (_("Round"), reference("round_id", row.id)),
                *([] if row.content else [(_("Case file"), gettext("It is being checked."))]),
                *_sections(case, row.currency),
                (_("Decisions"), as_table(queries.decisions(row.id, player_id=row.player_id))),
            ],
        }


def _sections(case: dict[str, Any], currency: str) -> list[tuple[Any, Any]]:
    if not case:
        return []
    money = {"currency": currency}
    return [
        (_("Line"), _facts(case["line"] or {}, currency)),
        (_("Session"), _facts(case["session"], currency)),
        (_("Player"), _facts(_standing(case["standing"]), currency)),
        (_("Money"), as_table({n: one[n] for n in _TRANSFER} for one in case["transfers"])),
        (_("Limits"), as_table(one | money for one in case["limits"])),
        (_("On record"), as_table(case["entries"])),
        (
            _("Recent rounds"),
            as_table({n: one[n] for n in _ROUND} | money for one in case["recent_rounds"]),
        ),
    ]


def _standing(facts: dict[str, Any]) -> dict[str, Any]:
    """Return how the player stood; what he had won since he came in is money, too."""
    known = {name: told for name, told in facts.items() if name != "net_minor_since_session"}
    return known | {"session_net_minor": facts.get("net_minor_since_session")}


def _facts(facts: Any, currency: str) -> Any:
    """Return members as facts; a member that has members itself is told as text."""
    if not isinstance(facts, dict):
        return value_of("", facts)
    lines = (
        (label(name), _plain(value_of(name, value, currency), currency))
        for name, value in facts.items()
    )
    told = format_html_join("", '<div class="fact"><dt>{}</dt><dd>{}</dd></div>', lines)
    return format_html('<div class="facts"><dl>{}</dl></div>', told)


def _plain(value: Any, currency: str) -> Any:
    """Return balances as money by kind of account; anything else as it is."""
    if isinstance(value, dict):
        return ", ".join(f"{word(name)}: {_amount(part, currency)}" for name, part in value.items())
    return value


def _amount(value: Any, currency: str) -> Any:
    return money(value, currency) if isinstance(value, int) else value
