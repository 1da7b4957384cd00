"""Reading the log."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from audit.models import Entry


@contextmanager
def one_moment() -> Iterator[None]:
    """Let everything that is read in the block be of one moment; nothing can be written in it."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def entries_of(subject: str, *, player_id: UUID) -> list[dict[str, Any]]:
    """Return a subject's entries, oldest first, each with its leaf hash (hex)."""
    rows = Entry.objects.filter(player_id=player_id, subject=subject).order_by("id")
    return [
        json.loads(body) | {"leaf_hash": bytes(leaf).hex()}
        for body, leaf in rows.values_list("body", "leaf_hash")
    ]
