"""Who of the staff has looked at which player's data: noted here, and on record before it is shown.

A leaf that imports no app. A view notes what it shows; the panel's guard (casino/staff/guard.py)
writes the entry before the answer goes out, or nothing goes out.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

PLAYER = "players.player"
_ID = re.compile(r"(?=.*\d)[A-Za-z0-9_.:-]{1,80}")

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Model]
else:
    _ModelAdmin = object


class Look(NamedTuple):
    """What is shown, of which players, and what was asked to find it: ids alone, no names."""

    what: str
    players: tuple[UUID, ...] = ()
    query: str = ""


def note_look(
    request: HttpRequest, *, what: str, players: Iterable[UUID] = (), query: str = ""
) -> None:
    """Note that the answer to a request shows players' data: `what` is a page or a record's urn.

    `query` is what was searched for; what is no id is not kept, for people search for names.
    """
    asked = query.strip()
    kept = asked if _ID.fullmatch(asked) else "(no id)" if asked else ""
    look = Look(what, tuple(dict.fromkeys(players)), kept)
    request.looks = [*looks_of(request), look]  # type: ignore[attr-defined]


def looks_of(request: HttpRequest) -> list[Look]:
    """Return what a request has shown."""
    return getattr(request, "looks", [])


def is_of_players(model: type[Model]) -> bool:
    """Say whether a table holds players' data: it is theirs, or its rows name one."""
    names = {name for field in model._meta.fields for name in (field.name, field.attname)}
    return model._meta.label_lower == PLAYER or bool(names & {"player", "player_id"})


class Looked(_ModelAdmin):
    """A table of the panel. If it holds players' data, each look at it is noted by itself."""

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Show the list, and note whose rows are on it."""
        response = super().changelist_view(request, extra_context)
        listed = getattr(_told(response).get("cl"), "result_list", None)
        if listed is not None and is_of_players(self.model):
            note_look(
                request,
                what=f"list:{self.opts.label_lower}",
                players=_players(listed),
                query=request.GET.get("q", ""),
            )
        return response

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        """Show a row, and note whose it is."""
        response = super().changeform_view(request, object_id, form_url, extra_context)
        row = _told(response).get("original")
        if row is not None and is_of_players(self.model):
            what = f"{self.opts.model_name}:{row.pk}"
            note_look(request, what=what, players=_players([row]))
        return response

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """Show nobody Django's own history: nothing writes it, and the log is ours."""
        raise PermissionDenied


def _told(response: HttpResponseBase) -> dict[str, Any]:
    return getattr(response, "context_data", None) or {}


def _players(rows: Iterable[Any]) -> list[UUID]:
    ids = [row.pk if row._meta.label_lower == PLAYER else row.player_id for row in rows]
    return [each for each in ids if each is not None and each.int]
