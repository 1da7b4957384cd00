"""Reading the log."""

import json
from typing import Any
from uuid import UUID

from audit.models import Entry


def entries_of(subject: str, *, player_id: UUID) -> list[dict[str, Any]]:
    """Return a subject's entries, oldest first, each with its leaf hash (hex)."""
    rows = Entry.objects.filter(player_id=player_id, subject=subject).order_by("id")
    return [
        json.loads(body) | {"leaf_hash": bytes(leaf).hex()}
        for body, leaf in rows.values_list("body", "leaf_hash")
    ]
