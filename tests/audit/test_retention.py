"""A month is archived and taken out; every proof of it stays, and nothing else may vanish."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command

from audit import log, services, tree
from audit.archive import archive
from audit.errors import ArchiveRefusedError, LogBrokenError
from audit.events import Event
from audit.models import Entry, Leaf
from audit.seal import seal
from tests.audit.sealing import faults, write
from tests.conftest import Database
from tests.people import Api

OLD = date(2026, 1, 1)


@pytest.fixture
def superuser(database: Database) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def old(database: Database, superuser: psycopg.Connection) -> Any:
    """A log of which three entries are of a month that is long over."""
    superuser.execute("SELECT audit_make_partition(%s)", [OLD])
    superuser.execute("SET ROLE pontoon_owner")
    for number in range(3):
        backdate(superuser, number)
    superuser.execute("RESET ROLE")
    write(2)
    return superuser


def backdate(superuser: psycopg.Connection, number: int) -> None:
    """Write an entry as it was written then."""
    written = services.entry(
        Event.KEY_CREATED,
        subject=f"old:{number}",
        actor="tests",
        at=datetime(2026, 1, 10, tzinfo=UTC) + timedelta(seconds=number),
        payload={"before": None, "after": number},
    )
    superuser.execute(
        "INSERT INTO audit_entry (id, player_id, event, subject, actor, at, body, leaf_hash)"
        " VALUES (%(id)s, %(player_id)s, %(event)s, %(subject)s, %(actor)s, %(at)s, %(body)s,"
        " decode(%(leaf_hash)s, 'hex'))",
        written,
    )


def put_away(superuser: psycopg.Connection, folder: Path, month: date = OLD) -> Any:
    return archive(superuser, month=month, folder=folder, reason="ticket 4711", actor="tests")


def test_ret_01_an_archived_month_is_gone_and_every_proof_of_it_holds(
    old: psycopg.Connection, tmp_path: Path, api: Api
) -> None:
    seal()
    ids = list(Entry.objects.filter(subject__startswith="old:").values_list("id", flat=True))
    made = put_away(old, tmp_path)
    old.execute("SET pontoon.maintenance = 'ticket 4711'")
    old.execute("DROP TABLE audit_entry_2026_01")
    assert not Entry.objects.filter(subject__startswith="old:").exists()
    seal()
    assert faults() == []
    lines = dict(line.split("\t", 3)[::3] for line in made.path.read_text().splitlines())
    for proof in log.inclusion_of(ids):
        body = lines[str(proof["index"])].encode()
        assert sha256(b"\x00" + body).hexdigest() == proof["leaf_hash"]
        steps = [bytes.fromhex(step) for step in proof["hashes"]]
        root, size = bytes.fromhex(proof["root_hash"]), proof["size"]
        leaf = tree.leaf_hash(body)
        assert tree.is_included(leaf, proof["index"], size, proof=steps, root=root)
    assert len(lines) == len(ids) == made.entry_count == 3
    assert sha256(made.path.read_bytes()).digest() == made.digest
    assert api.get(f"/log/tile/0/000.p/{Leaf.objects.count()}").status == 200


def test_it_is_on_record_in_the_log_and_in_the_guards(
    old: psycopg.Connection, tmp_path: Path
) -> None:
    seal()
    made = put_away(old, tmp_path)
    entry = Entry.objects.get(event=Event.LOG_ARCHIVED)
    assert made.digest.hex() in entry.body
    logged = old.execute("SELECT reason, command FROM guard.maintenance_log").fetchall()
    assert [reason for reason, command in logged if "DETACH" in command] == ["ticket 4711"]


def test_an_unsealed_month_is_not_archived(old: psycopg.Connection, tmp_path: Path) -> None:
    with pytest.raises(ArchiveRefusedError) as refusal:
        put_away(old, tmp_path)
    assert refusal.value.reason == "not_sealed"
    assert Entry.objects.filter(subject__startswith="old:").count() == 3


def test_an_entry_that_is_not_its_leafs_stops_it(
    old: psycopg.Connection, dba: psycopg.Connection, tmp_path: Path
) -> None:
    seal()
    dba.execute("UPDATE audit_entry SET body = body || ' ' WHERE subject = 'old:1'")
    with pytest.raises(LogBrokenError) as refusal:
        put_away(old, tmp_path)
    assert refusal.value.reason == "entry_differs"


def test_a_month_that_is_not_over_or_not_there_is_refused(
    old: psycopg.Connection, tmp_path: Path
) -> None:
    this_month = services.now().date().replace(day=1)
    for month, reason in ((this_month, "not_over"), (date(2020, 1, 1), "not_there")):
        with pytest.raises(ArchiveRefusedError) as refusal:
            put_away(old, tmp_path, month)
        assert refusal.value.reason == reason


def test_nobody_but_a_superuser_archives(
    old: psycopg.Connection, database: Database, tmp_path: Path
) -> None:
    seal()
    with (
        psycopg.connect(database.owner_url, autocommit=True) as owner,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        put_away(owner, tmp_path)
    assert faults() == []


def test_what_was_taken_out_without_being_archived_is_missed(
    old: psycopg.Connection, tmp_path: Path
) -> None:
    seal()
    old.execute("SET pontoon.maintenance = 'nobody will see'")
    old.execute("ALTER TABLE audit_entry DETACH PARTITION audit_entry_2026_01")
    assert len([fault for fault in faults() if "is gone" in fault]) == 3
    old.execute(
        "INSERT INTO audit_archive SELECT audit_first_id('2026-01-01'),"
        " audit_first_id('2026-02-01'), 3, sha256(''), uuidv7()"
    )
    assert any("of which the log does not tell" in fault for fault in faults())


def test_the_command_says_what_it_did_or_why_not(
    old: psycopg.Connection, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_DBA_URL", database.superuser_url)
    options = {"to": tmp_path, "reason": "ticket 4711"}
    with pytest.raises(CommandError, match="2026-01 stays where it is"):
        call_command("archive_partition", "2026-01", **options)
    seal()
    out = StringIO()
    call_command("archive_partition", "2026-01", stdout=out, **options)
    assert "3 entries" in out.getvalue()
