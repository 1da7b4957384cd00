"""Sealing: one log without a gap, whoever seals, whoever is killed, whoever commits late."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from audit import log, tree
from audit.errors import LogBrokenError
from audit.events import Event
from audit.models import Checkpoint, Entry, Leaf
from audit.seal import seal
from audit.tasks import seal_log
from tests.audit.sealing import faults, order, pour, require_whole, write, write_open
from tests.conftest import Database
from tests.people import Api, at_once

NEW_KEY = base64.b64encode(bytes(range(100, 132))).decode()


@pytest.fixture
def witness(settings: Settings, tmp_path: Path) -> Path:
    settings.LOG_WITNESS_FILE = str(tmp_path / "checkpoint")
    return tmp_path / "checkpoint"


@pytest.fixture
def late(database: Database) -> Iterator[psycopg.Connection]:
    """Somebody whose transaction stays open."""
    with psycopg.connect(database.app_url) as connection:
        yield connection
        connection.rollback()


# --- One log ------------------------------------------------------------------------------------


def test_every_entry_is_sealed_once_and_nothing_new_signs_nothing(database: Database) -> None:
    assert (seal(), Checkpoint.objects.count()) == (0, 0)
    write(5)
    assert seal() == 6  # and the entry that says who signs
    before = Checkpoint.objects.count()
    assert (seal(), Checkpoint.objects.count()) == (0, before)
    require_whole()


def test_the_task_seals(database: Database) -> None:
    write()
    seal_log()
    require_whole()


def test_batches_of_any_size_make_the_same_tree(database: Database) -> None:
    write(30)
    seal(batch=7)
    require_whole()
    last = log.last_checkpoint()
    assert last
    leaves = [bytes(leaf) for leaf in Entry.objects.values_list("leaf_hash", flat=True)]
    assert last.size == len(leaves)
    assert {bytes(leaf) for leaf in Leaf.objects.values_list("hash", flat=True)} == set(leaves)


def test_tiles_fill_as_the_tree_grows(database: Database, dba: psycopg.Connection) -> None:
    pour(dba, 70_000)
    seal(batch=9_000)
    require_whole()
    counts = dba.execute("SELECT level, count(*) FROM audit_tile GROUP BY 1 ORDER BY 1").fetchall()
    assert counts == [(0, 273), (1, 1)]


def test_two_sealers_at_once_make_one_log(database: Database) -> None:
    write(60)
    sealed = at_once(*[lambda: seal(batch=5)] * 4)
    seal()
    assert sum(sealed) <= Leaf.objects.count()
    require_whole()


def test_sealers_beside_writers_lose_nothing(database: Database) -> None:
    """50 writers × 200 acts, each on a line of his own, and two who seal meanwhile."""
    at_once(*[lambda: write(200)] * 50, *[lambda: [seal(batch=100) for _ in range(60)]] * 2)
    seal()
    assert Entry.objects.filter(subject="key:1").count() == 10_000
    require_whole()


# --- Late committers ----------------------------------------------------------------------------


def test_who_commits_late_is_waited_for_and_not_passed_over(
    database: Database, late: psycopg.Connection
) -> None:
    write()
    seal()
    write_open(late, "late")
    write(3)
    assert seal() == 0
    late.commit()
    assert seal() == 4
    written = Entry.objects.get(subject="late")
    assert order()[-4] == written.id
    require_whole()


def test_how_long_the_log_has_been_waiting_is_told_with_the_health(
    database: Database, dba: psycopg.Connection, api: Api
) -> None:
    def waiting_s() -> int:
        return int(api.get("/health/ready").json["log_waiting_s"])

    assert waiting_s() == 0
    write()
    dba.execute("UPDATE audit_entry SET at = at - interval '90 s'")
    assert 90 <= waiting_s() < 100
    seal()
    assert waiting_s() == 0
    write()
    dba.execute("UPDATE audit_entry SET at = at - interval '90 s'")
    assert 90 <= waiting_s() < 100


def test_who_began_late_and_rolls_back_leaves_no_gap(
    database: Database, late: psycopg.Connection
) -> None:
    write_open(late, "never")
    write(2)
    assert seal() == 0
    late.rollback()
    assert seal() == 3
    require_whole()


def test_late_committers_in_any_order_are_sealed_in_the_order_of_their_beginning(
    database: Database,
) -> None:
    lines = [psycopg.connect(database.app_url) for _ in range(5)]
    for number, line in enumerate(lines):
        write_open(line, f"late:{number}")
    for number in (3, 1, 4, 0, 2):
        lines[number].commit()
        lines[number].close()
        seal()
    write()
    seal()
    found = [Entry.objects.get(id=id_).subject for id_ in order()]
    assert [subject for subject in found if subject.startswith("late")] == [
        f"late:{number}" for number in range(5)
    ]
    require_whole()


# --- Epochs -------------------------------------------------------------------------------------


def test_another_cluster_begins_another_epoch_after_all_of_the_former(
    database: Database, dba: psycopg.Connection
) -> None:
    """As after a dump and restore: what was written there has another cluster and later xids."""
    write(3)
    seal()
    write(2, subject="left over")
    dba.execute(
        "UPDATE audit_entry SET cluster = 1, xid = (xid::text::bigint + 1000000)::text::xid8"
    )
    dba.execute(
        "UPDATE audit_leaf SET cluster = 1, xid = (xid::text::bigint + 1000000)::text::xid8"
    )
    write(2, subject="here")
    assert seal(batch=1) == 4
    write()
    assert seal() == 1
    found = [Entry.objects.get(id=id_).subject for id_ in order()]
    assert found[4:] == ["left over", "left over", "here", "here", "key:1"]
    require_whole()


# --- What was kept elsewhere --------------------------------------------------------------------


def test_the_newest_checkpoint_is_kept_elsewhere(database: Database, witness: Path) -> None:
    write(3)
    seal()
    last = log.last_checkpoint()
    assert last
    assert witness.read_text() == last.note
    assert faults() == []


def restore_older(dba: psycopg.Connection, size: int) -> None:
    """Leave the database as it was when the tree had so many leaves."""
    dba.execute(
        "DELETE FROM audit_entry"
        " WHERE id NOT IN (SELECT entry_id FROM audit_leaf WHERE index < %s)",
        [size],
    )
    dba.execute("DELETE FROM audit_leaf WHERE index >= %s", [size])
    dba.execute("DELETE FROM audit_checkpoint WHERE size > %s", [size])


def test_after_a_restore_of_an_older_database_nothing_is_signed(
    database: Database, dba: psycopg.Connection, witness: Path
) -> None:
    write(3)
    seal()
    write(3)
    seal()
    kept = witness.read_text()
    restore_older(dba, 4)
    with pytest.raises(LogBrokenError) as refusal:
        seal()
    assert refusal.value.reason == "witness_ahead"
    write(10)  # now it is longer than what is kept, and another log
    with pytest.raises(LogBrokenError) as refusal:
        seal()
    assert refusal.value.reason == "witness_differs"
    assert witness.read_text() == kept
    last = log.last_checkpoint()
    assert last
    assert last.size == 4
    assert Entry.objects.filter(event=Event.LOG_BROKEN).count() == 1  # told once
    assert any("kept elsewhere" in fault for fault in faults())


def test_under_another_name_the_log_goes_on(
    database: Database, dba: psycopg.Connection, witness: Path, settings: Settings
) -> None:
    """What the runbook says after a restore that lost entries: a new name, and it is on record."""
    write(3)
    seal()
    write(3)
    seal()
    restore_older(dba, 4)
    settings.LOG_ORIGIN = "localhost/log/2"
    write()
    assert seal() == 2
    last = log.last_checkpoint()
    assert last
    assert last.note.startswith("localhost/log/2\n6\n")
    assert witness.read_text() == last.note
    require_whole()


def test_a_kill_after_keeping_and_before_committing_is_gone_on_from(
    database: Database, witness: Path
) -> None:
    write(3)
    seal()
    write(3)
    kept = witness.read_text()
    seal()
    ahead = witness.read_text()
    with psycopg.connect(database.superuser_url) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("DELETE FROM audit_leaf WHERE index >= 4")
        connection.execute("DELETE FROM audit_checkpoint WHERE size > 4")
    assert kept != ahead
    write(2)
    assert seal() == 5
    require_whole()


def test_what_is_kept_elsewhere_and_is_no_checkpoint_stops_the_sealer(
    database: Database, witness: Path
) -> None:
    witness.write_text("scribble")
    write()
    with pytest.raises(LogBrokenError, match="nothing more is signed"):
        seal()


def test_what_cannot_be_kept_elsewhere_is_not_published(
    database: Database, settings: Settings, tmp_path: Path
) -> None:
    settings.LOG_WITNESS_FILE = str(tmp_path / "unplugged" / "checkpoint")
    write()
    with pytest.raises(LogBrokenError) as refusal:
        seal()
    assert refusal.value.reason == "witness_unwritable"
    assert not Checkpoint.objects.exists()


def test_a_leaf_that_was_changed_stops_the_sealer(
    database: Database, dba: psycopg.Connection
) -> None:
    write(3)
    seal()
    dba.execute("UPDATE audit_leaf SET hash = sha256(hash) WHERE index = 1")
    write()
    with pytest.raises(LogBrokenError) as refusal:
        seal()
    assert refusal.value.facts == {"reason": "tree_differs", "size": 4}


# --- Keys ---------------------------------------------------------------------------------------


def test_a_new_key_signs_beside_the_old_and_then_alone(
    database: Database, settings: Settings
) -> None:
    old = settings.LOG_KEYS
    write()
    seal()
    settings.LOG_KEYS = [NEW_KEY, *old]
    write()
    seal()
    assert signature_count() == 4
    settings.LOG_KEYS = [NEW_KEY]
    write()
    seal()
    assert signature_count() == 2
    assert len(log.public_keys()) == 2
    assert Entry.objects.filter(event=Event.LOG_KEYS_CHANGED).count() == 3
    require_whole()  # the old checkpoints too


def signature_count() -> int:
    last = log.last_checkpoint()
    assert last
    return len(tree.parse_note(last.note).signatures)


def test_a_key_that_nobody_vouches_for_does_not_sign(
    database: Database, settings: Settings
) -> None:
    write()
    seal()
    settings.LOG_KEYS = [NEW_KEY]
    write()
    with pytest.raises(LogBrokenError) as refusal:
        seal()
    assert refusal.value.reason == "keys_replaced"
    assert faults() == ["checkpoint 2 is signed by none of LOG_KEYS"]


def test_without_a_key_nothing_is_sealed(database: Database, settings: Settings) -> None:
    settings.LOG_KEYS = []
    write()
    with pytest.raises(ImproperlyConfigured):
        seal()
    assert not Leaf.objects.exists()


def test_no_checkpoint_is_published_but_of_the_leaves_that_there_are(
    app: psycopg.Connection,
) -> None:
    act = (
        '{"size": 5, "root": "", "at": "2026-01-01T00:00:00Z", "note": "", "keys": [], "tiles": []}'
    )
    with pytest.raises(psycopg.Error, match=re.escape("5 leaves")):
        app.execute("SELECT audit_publish(%s::jsonb)", [act])
