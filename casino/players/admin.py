"""The door in the panel: to look at. Token hashes are not shown."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from casino import shown
from casino.panel import Large, ReadOnly, one_of
from casino.players import queries
from casino.players.models import ApiKey, Exclusion, Player, PlaySession
from casino.players.profiles import CURRENCIES, PROFILES
from casino.players.services import EXCLUSION_KINDS

shown.EXPONENTS.update({code: currency.exponent for code, currency in CURRENCIES.items()})


@admin.register(Player)
class PlayerAdmin(Large):
    """Players, newest first: by the beginning of the operator's id, or by ours.

    The page of one is the desk's, which knows his money and rounds too.
    """

    heading = _("Players")
    search_help_text = _("Operator's id, or its beginning; player's id")
    list_display = (
        "external_id", "id", "currency", "country", "language", "is_test", "registered_at",
    )  # fmt: skip
    list_filter = (one_of("currency", CURRENCIES), "is_test")
    search_fields = ("id",)
    ordering = ("-id",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return who has this id, or an operator's id that begins so."""
        found, _ = super().get_search_results(request, queryset, search_term)
        if search_term.strip() and not found.exists():
            return queries.beginning(queryset, search_term.strip()), False
        return found, False


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnly):
    """The operator's keys and what they may do."""

    heading = _("Keys")
    list_display = ("name", "prefix", "scopes", "created_at", "revoked_at")
    exclude: ClassVar = ["token_hash"]


@admin.register(PlaySession)
class PlaySessionAdmin(Large):
    """Who was at the table, when, and from where; of a player newest first."""

    heading = _("Sessions")
    search_help_text = _("Player's id; session's id")
    list_display = (
        "opened_at", "id", "player_id", "last_seen_at", "closed_because", "profile", "address",
    )  # fmt: skip
    list_filter = (
        one_of("closed_because", ("closed", "replaced", "expired")),
        one_of("profile", PROFILES),
    )
    search_fields = ("player_id", "id")
    ordering = ("player_id", "opened_at")
    exclude: ClassVar = ["token_hash"]


@admin.register(Exclusion)
class ExclusionAdmin(Large):
    """Who is shut out, since when and until when."""

    heading = _("Exclusions")
    search_help_text = _("Player's id")
    list_display = ("starts_at", "player_id", "kind", "ends_at", "by", "reason")
    list_filter = (one_of("kind", EXCLUSION_KINDS),)
    search_fields = ("player_id", "id")
    ordering = ("player_id", "-starts_at")
