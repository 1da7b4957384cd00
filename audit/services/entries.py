"""What an entry of the log is, and recording one by itself.

A bet's entry travels in the one call that commits the bet (`audit_record`, called by the rooms
above); everything rare uses `record` inside its own transaction.
"""

import hashlib
import json
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from django.db import DatabaseError, connection

from audit import tree
from audit.errors import StaleReadError
from audit.events import KEYS, Event
from casino.days import format_time

NIL = UUID(int=0)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_STALE_SQLSTATE = "PN409"


def new_id(at: datetime) -> UUID:
    """Return a new UUID version 7 of the database's time `at`; ids sort as their times do.

    Source: RFC 9562 section 5.7, with the microseconds before the random bits (6.2, method 3).
    """
    milliseconds, microseconds = divmod((at - _EPOCH) // _MICROSECOND, 1000)
    return UUID(
        int=milliseconds << 80
        | 0x7 << 76
        | (microseconds * 4096 // 1000) << 64
        | 0b10 << 62
        | secrets.randbits(62)
    )


def id_of(actor: str, *, what: str, key: str | None, at: datetime) -> UUID:
    """Return the id of an act: of its actor's key, so that a retry meets it, or a new one."""
    return new_id(at) if key is None else uuid5(NIL, f"{what}:{actor}:{key}")


def entry(
    event: Event,
    *,
    subject: str,
    actor: str,
    at: datetime,
    payload: Mapping[str, Any],
    player_id: UUID = NIL,
) -> dict[str, Any]:
    """Return the entry of an act as `audit_record` takes it: columns, canonical body, leaf hash.

    `player_id` is whose record the entry belongs to; acts of the staff carry the nil UUID.
    """
    if missing := KEYS[event] - payload.keys():
        raise ValueError(f"{event} needs {', '.join(sorted(missing))}")
    columns = {
        "id": str(new_id(at)),
        "player_id": str(player_id),
        "event": event.value,
        "subject": subject,
        "actor": actor,
        "at": format_time(at),
    }
    body = tree.canonical(columns | {"payload": tree.recordable(payload)})
    return columns | {"body": body.decode(), "leaf_hash": tree.leaf_hash(body).hex()}


def fingerprint(asked: Any) -> bytes:
    """Return what tells one request from another: the SHA-256 of its canonical JSON."""
    return hashlib.sha256(tree.canonical(tree.recordable(asked))).digest()


def record(
    event: Event,
    *,
    subject: str,
    actor: str,
    payload: Mapping[str, Any],
    player_id: UUID = NIL,
) -> None:
    """Write one entry now, in the transaction that is open, if one is."""
    written = entry(
        event, subject=subject, actor=actor, at=now(), payload=payload, player_id=player_id
    )
    commit("audit_record", written)


def now() -> datetime:
    """Return the database's clock: the only one whose time is on record."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at: datetime = cursor.fetchone()[0]
    return at


def commit(function: str, act: Mapping[str, Any]) -> None:
    """Call a room's commit function with an act. Errors: StaleReadError when it was decided on
    something that has changed since.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s::jsonb)", [json.dumps(act, default=str)])
    except DatabaseError as error:
        if getattr(error.__cause__, "sqlstate", None) == _STALE_SQLSTATE:
            raise StaleReadError from error
        raise
