"""The door in the panel: to look at. Token hashes are not shown."""

from typing import ClassVar

from django.contrib import admin

from casino.panel import ReadOnly
from casino.players.models import ApiKey, Exclusion, Player, PlaySession


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    """Players, by the operator's id or ours."""

    list_display = ("external_id", "id", "currency", "country", "language", "is_test")
    list_filter = ("currency", "is_test")
    search_fields = ("external_id", "id")


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnly):
    """The operator's keys and what they may do."""

    list_display = ("name", "prefix", "created_at", "revoked_at")
    exclude: ClassVar = ["token_hash"]


@admin.register(PlaySession)
class PlaySessionAdmin(ReadOnly):
    """Who was at the table, when, and from where."""

    list_display = ("player_id", "opened_at", "last_seen_at", "closed_because", "address")
    list_filter = ("closed_because", "profile")
    search_fields = ("player_id", "id")
    exclude: ClassVar = ["token_hash"]


@admin.register(Exclusion)
class ExclusionAdmin(ReadOnly):
    """Who is shut out, since when and until when."""

    list_display = ("player_id", "kind", "starts_at", "ends_at", "by")
    list_filter = ("kind",)
    search_fields = ("player_id",)
