"""Who owes what voids could not take back, most first, and the way to settle or write it off."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from casino.looks import note_look
from casino.shown import as_table, label
from casino.staff.roles import Act, may, require
from wallets import queries as wallets

SHOWN = 50


@require_safe
@admin.site.admin_view
def receivables(request: HttpRequest) -> HttpResponse:
    """Show the players who owe. To settle or write off is an adjustment: another approves it."""
    require(request.user, Act.LOOK_MONEY)
    page = Paginator(wallets.receivables(), SHOWN).get_page(request.GET.get("page"))
    note_look(request, what="receivables", players=[row.player_id for row in page])
    headed = {
        "player_id": label("player_id"),
        "owed_minor": _("Owed"),
    }
    is_his = may(request.user, Act.SETTLE_RECEIVABLE)
    if is_his:
        headed["acts"] = _("What may be done")
    title = _("Receivables")
    context = {
        "title": title,
        "heading": title,
        "page": page,
        "table": as_table((_line(row) for row in page), headed=headed, folds=True),
        "is_his": is_his,
    }
    return render(request, "panel/receivables.html", admin.site.each_context(request) | context)


def _line(row: Any) -> dict[str, Any]:
    return {
        "player_id": row.player_id,
        "owed_minor": -row.balance_minor,
        "currency": row.currency,
        "acts": _acts(row.player_id),
    }


def _acts(player_id: UUID) -> str:
    """Return the ways to the form on the player's page, with all that he owes filled in."""
    page = reverse("admin:players_player_change", args=[player_id])
    return format_html(
        '<span class="buttons"><a class="button quiet" href="{0}?owed=settle#acts">{1}</a>'
        '<a class="button quiet" href="{0}?owed=write_off#acts">{2}</a></span>',
        page,
        _("Settle"),
        _("Write off"),
    )
