"""The log in the panel: to look at. It holds no name, no token and no seed of an open round."""

import json

from django.contrib import admin
from django.utils.html import format_html

from audit.events import Event
from audit.models import Entry, Export
from casino.panel import Large, ReadOnly, one_of


@admin.register(Entry)
class EntryAdmin(Large):
    """What happened, newest first: by player, by subject (`round:…`, `transfer:…`), by id."""

    list_display = ("at", "event", "subject", "actor", "player_id")
    list_filter = (one_of("event", Event),)
    search_fields = ("player_id", "subject", "id")
    fields = ("id", "at", "event", "subject", "actor", "player_id", "told", "leaf_hash_hex")
    readonly_fields = fields

    @admin.display(description="body")
    def told(self, entry: Entry) -> str:
        """Return the whole entry, for people to read."""
        body = json.dumps(json.loads(entry.body), indent=2, ensure_ascii=False)
        return format_html("<pre>{}</pre>", body)

    @admin.display(description="leaf hash")
    def leaf_hash_hex(self, entry: Entry) -> str:
        """Return what the tree has of it."""
        return bytes(entry.leaf_hash).hex()


@admin.register(Export)
class ExportAdmin(ReadOnly):
    """What was asked for and how far it is built; who took it is in the log."""

    list_display = (
        "requested_at", "requested_by", "state", "progress_percent", "finished_at", "fault",
    )  # fmt: skip
    list_filter = (one_of("state", ("waiting", "running", "done", "failed")),)
    fields = ("id", *list_display, "asked", "cursor")
