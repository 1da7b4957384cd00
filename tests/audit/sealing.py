"""What the tests of the sealed log share: entries, a sealer that can be killed, a reader."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg

from audit import log, queries, services
from audit.events import Event
from audit.models import Entry, Leaf

ROOT = Path(__file__).resolve().parents[2]


def write(count: int = 1, subject: str = "key:1", **more: Any) -> None:
    """Record some acts, each in a transaction of its own."""
    for number in range(count):
        payload = {"before": None, "after": number}
        services.record(Event.KEY_CREATED, subject=subject, actor="tests", payload=payload, **more)


def write_open(connection: psycopg.Connection, subject: str) -> None:
    """Record an act on a connection whose transaction is the caller's to end."""
    written = services.entry(
        Event.KEY_CREATED,
        subject=subject,
        actor="tests",
        at=services.now(),
        payload={"before": None, "after": None},
    )
    connection.execute("SELECT audit_record(%s::jsonb)", [psycopg.types.json.Json(written)])


def pour(dba: psycopg.Connection, count: int) -> None:
    """Write entries past the front door, as many as a busy day: faster, and all of one act."""
    dba.execute(
        """
        INSERT INTO audit_entry (id, player_id, event, subject, actor, at, body, leaf_hash)
        SELECT id, player_id, event, subject, actor, at, body,
               sha256('\\x00'::bytea || convert_to(body, 'UTF8'))
          FROM (SELECT *, format(
                  '{"actor":"%%s","at":"%%s","event":"%%s","id":"%%s","player_id":"%%s","subject":"%%s"}',
                  actor, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US+00:00'), event,
                  id, player_id, subject) AS body
                  FROM (SELECT uuidv7() AS id, gen_random_uuid() AS player_id, 'e' AS event,
                               's' AS subject, 'a' AS actor, clock_timestamp() AS at
                          FROM generate_series(1, %s)) e) b
        """,
        [count],
    )


def faults() -> list[str]:
    """Return what does not hold of the log now."""
    with queries.one_moment():
        return list(log.log_faults())


def order() -> list[UUID]:
    """Return the entries in the order of the tree."""
    return list(Leaf.objects.order_by("index").values_list("entry_id", flat=True))


def require_whole() -> None:
    """Require one log without a gap, every entry in it exactly once, and nothing wrong with it."""
    indexes = list(Leaf.objects.order_by("index").values_list("index", flat=True))
    assert indexes == list(range(len(indexes)))
    assert sorted(order()) == sorted(Entry.objects.values_list("id", flat=True))
    assert faults() == []


def command(url: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start Python in a process of its own, with the tests' settings and this database."""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "DATABASE_URL": url}
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **settings, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
