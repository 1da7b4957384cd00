"""A player's page: who he is, his money, his play, and what may be done for him."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from casino.acts import buttons, perform, require_deed
from casino.desk.player_acts import DEEDS
from casino.looks import note_look
from casino.players import queries as players
from casino.players.errors import PlayerNotFoundError
from casino.shown import EXPONENTS, as_table, badge, label, money, value_of
from casino.staff.roles import Act, may, require
from pontoon import queries as table
from wallets import queries as wallets

STATEMENT_PAGE = 25
ROUNDS_SHOWN = 10
SESSIONS_SHOWN = 10
PAGES_MAX = 400

_STATEMENT = (
    "at", "code", "debit", "credit", "amount_minor", "balance_after_minor", "round_id",
    "reference",
)  # fmt: skip
_ROUND = (
    "opened_at",
    "round_id",
    "state",
    "held_reason",
    "stake_minor",
    "wagered_minor",
    "payout_minor",
)
_SESSION = ("opened_at", "last_seen_at", "closed_because", "profile", "address")
_EXCLUSION = ("starts_at", "ends_at", "kind", "by", "reason")


@require_safe
@admin.site.admin_view
def player(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Show a player."""
    require(request.user, Act.LOOK_PLAYERS)
    try:
        found = players.player(player_id)
    except PlayerNotFoundError as error:
        raise Http404 from error
    user = request.user
    note_look(request, what=f"player:{player_id}", players=[player_id])
    context = {
        "title": found.external_id,
        "heading": found.external_id,
        "subtitle": str(found.id),
        "player": found,
        "facts": _facts(found),
        "limits": _limits(found),
        "sessions": _listed(players.sessions_of(player_id)[:SESSIONS_SHOWN], _SESSION),
        "exclusions": _listed(players.exclusions_of(player_id), _EXCLUSION),
        "rounds": _rounds(found) if may(user, Act.LOOK_ROUNDS) else None,
        "money": _money(found) if may(user, Act.LOOK_MONEY) else None,
        "statement": _statement(request, found) if may(user, Act.LOOK_MONEY) else None,
        "buttons": buttons(
            request,
            DEEDS,
            found,
            lambda name: reverse("panel_player_do", args=[player_id, name]),
            _filled(request, found),
        ),
    }
    return render(request, "panel/player.html", admin.site.each_context(request) | context)


@require_POST
@admin.site.admin_view
def act(request: HttpRequest, player_id: UUID, deed: str) -> HttpResponse:
    """Do something for a player."""
    require(request.user, Act.LOOK_PLAYERS)
    require_deed(request, DEEDS, deed)
    try:
        found = players.player(player_id)
    except PlayerNotFoundError as error:
        raise Http404 from error
    back = reverse("admin:players_player_change", args=[player_id])
    return perform(request, DEEDS, deed, found, back)


def _filled(request: HttpRequest, found: Any) -> dict[str, dict[str, Any]]:
    """Return what an address asks to be filled in: a round to correct, or all that is owed."""
    filled: dict[str, dict[str, Any]] = {}
    if (round_id := request.GET.get("adjust")) is not None:
        filled["adjust"] = {"round_id": round_id}
    if (kind := request.GET.get("owed")) is not None:
        owed_minor = -wallets.balances(found.id).get("receivable", 0)
        exponent = EXPONENTS[found.currency]
        filled["receivable"] = {"kind": kind, "amount": Decimal(owed_minor).scaleb(-exponent)}
    return filled


def _facts(found: Any) -> list[tuple[Any, Any]]:
    names = ("country", "language", "currency", "is_test", "registered_at")
    standing = players.standing(found.id)
    shut = players.exclusion_of(standing)
    return [
        *((label(name), value_of(name, getattr(found, name))) for name in names),
        (_("May play"), _("yes") if shut is None else badge(shut["kind"])),
    ]


def _money(found: Any) -> list[tuple[Any, str]]:
    """Return what he has, and what he won less what he lost since he came, and what he paid in."""
    held = wallets.balances(found.id)
    net = wallets.net_minor(found.id, found.registered_at)
    deposited = wallets.net_deposits_minor(found.id)
    return [
        (_("Balance"), money(held.get("cash", 0), found.currency)),
        (_("In play"), money(held.get("escrow", 0), found.currency)),
        (_("Held"), money(held.get("held", 0), found.currency)),
        (_("Receivable"), money(held.get("receivable", 0), found.currency)),
        (_("Won less lost"), money(net, found.currency, signed=True)),
        (_("Deposits less withdrawals"), money(deposited, found.currency, signed=True)),
    ]


def _limits(found: Any) -> Any:
    seen = wallets.read_wallet(found.id, found.currency)
    return as_table(dict(one) | {"currency": found.currency} for one in seen.limits or [])


def _statement(request: HttpRequest, found: Any) -> dict[str, Any]:
    lines = wallets.statement(found.id)[: STATEMENT_PAGE * PAGES_MAX]
    page = Paginator(lines, STATEMENT_PAGE).get_page(request.GET.get("page"))
    told = (wallets.line(transfer) for transfer in page)
    shown = as_table({name: line[name] for name in (*_STATEMENT, "currency")} for line in told)
    return {"page": page, "table": shown}


def _rounds(found: Any) -> Any:
    return as_table(
        {
            name: getattr(told, "id" if name == "round_id" else name)
            for name in (*_ROUND, "currency")
        }
        for told in table.history(found.id)[:ROUNDS_SHOWN]
    )


def _listed(rows: Any, names: tuple[str, ...]) -> Any:
    return as_table({name: getattr(row, name) for name in names} for row in rows)
