"""The application's role cannot spoil the log with an entry that will never verify."""

import json

import psycopg
import pytest

from audit import services as audit
from audit.events import Event
from tests.conftest import Database


def test_aud_02_an_entry_with_another_hash_than_its_own_is_refused(database: Database) -> None:
    entry = audit.entry(
        Event.KEY_CREATED,
        subject="key:test",
        actor="test",
        at=audit.now(),
        payload={"before": None, "after": None},
    )
    forged = json.dumps(entry | {"body": "not json"})
    with psycopg.connect(database.app_url) as app, pytest.raises(psycopg.errors.CheckViolation):
        app.execute("SELECT audit_record(%s)", [forged])
