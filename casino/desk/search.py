"""The search on every page: whatever has a name leads to its own page.

Each place is asked by an index, in the order in which people ask; the first that knows the term
is where it leads. What a reader may not look at, he is not led to.
"""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from audit import queries as audit
from audit.errors import HouseError
from casino.looks import note_look
from casino.panel import address_of
from casino.players import queries as players
from casino.players.errors import PlayerNotFoundError
from casino.staff.roles import Act, may
from pontoon import queries as table
from pontoon.errors import RoundNotFoundError
from wallets import queries as wallets

TERM_LENGTH_MAX = 100
FOUND_MAX = 20


@admin.site.admin_view
def search(request: HttpRequest) -> HttpResponse:
    """Lead to what is searched for, or say that nothing has this name."""
    term = request.GET.get("q", "").strip()[:TERM_LENGTH_MAX]
    if term:
        note_look(request, what="search", query=term)
    found = next(_places(request.user, term), None) if term else None
    if found is not None:
        return redirect(found)
    several = _players(request.user, term)
    if len(several) == 1:
        return redirect(several[0]["link"])
    if several:
        note_look(request, what="search:found", players=[one["id"] for one in several], query=term)
    title = _("Search")
    context = {"title": title, "heading": title, "searched": term, "found": several}
    if term and not several:
        messages.warning(request, _("Nothing that you may look at has this name."))
    return render(request, "panel/search.html", admin.site.each_context(request) | context)


def _places(user: Any, term: str) -> Iterator[str]:
    """Yield the pages of what has this id, likeliest first."""
    try:
        id_ = UUID(term.rpartition(":")[2])
    except ValueError:
        id_ = None
    for act, ids_only, find in _FINDERS:
        if not may(user, act) or (ids_only and id_ is None):
            continue
        page = find(id_ if ids_only else term)
        if page is not None:
            yield page


def _round(id_: UUID) -> str | None:
    try:
        told = table.round_of(id_)
    except RoundNotFoundError:
        return None
    return reverse("admin:pontoon_round_change", args=[address_of(told)])


def _player(id_: UUID) -> str | None:
    try:
        players.player(id_)
    except PlayerNotFoundError:
        return None
    return reverse("admin:players_player_change", args=[id_])


def _known_player(term: str) -> str | None:
    known = players.players(external_id=term).first()
    return None if known is None else reverse("admin:players_player_change", args=[known.id])


def _malfunction(id_: UUID) -> str | None:
    return _case("pontoon_malfunction", table.malfunction, id_)


def _suspension(id_: UUID) -> str | None:
    return _case("pontoon_suspension", table.suspension, id_)


def _case(page: str, find: Callable[[UUID], Any], id_: UUID) -> str | None:
    try:
        find(id_)
    except HouseError:
        return None
    return reverse(f"admin:{page}_change", args=[id_])


def _adjustment(id_: UUID) -> str | None:
    found = wallets.find_adjustment(id_)
    return None if found is None else reverse("admin:wallets_adjusting_change", args=[id_])


def _session(id_: UUID) -> str | None:
    try:
        players.play_session(id_)
    except PlayerNotFoundError:
        return None
    return reverse("admin:players_playsession_change", args=[id_])


def _payment(term: str) -> str | None:
    return _of_transfer(wallets.by_reference(term))


def _transfer(id_: UUID) -> str | None:
    return _of_transfer(wallets.transfer(id_))


def _of_transfer(transfer: Any) -> str | None:
    return transfer and reverse("admin:wallets_transfer_change", args=[address_of(transfer)])


def _entry(id_: UUID) -> str | None:
    return reverse("admin:audit_entry_change", args=[id_]) if audit.has_entry(id_) else None


_FINDERS: tuple[tuple[Act, bool, Callable[[Any], str | None]], ...] = (
    (Act.LOOK_ROUNDS, True, _round),
    (Act.LOOK_PLAYERS, True, _player),
    (Act.LOOK_PLAYERS, False, _known_player),
    (Act.LOOK_MONEY, False, _payment),
    (Act.LOOK_PLAYERS, True, _session),
    (Act.LOOK_MALFUNCTIONS, True, _malfunction),
    (Act.LOOK_OPERATIONS, True, _suspension),
    (Act.LOOK_MONEY, True, _adjustment),
    (Act.LOOK_LOG, True, _entry),
    (Act.LOOK_MONEY, True, _transfer),
)


def _players(user: Any, term: str) -> list[dict[str, Any]]:
    """Return the players whose external id begins so."""
    if not term or not may(user, Act.LOOK_PLAYERS):
        return []
    return [
        {
            "link": reverse("admin:players_player_change", args=[player.id]),
            "external_id": player.external_id,
            "id": player.id,
        }
        for player in players.beginning(players.players(), term)[:FOUND_MAX]
    ]
