"""A builder of exports that is killed (SIGKILL), over and over, leaves one export that holds."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from subprocess import Popen

import psycopg
import pytest
from pytest_django import Settings

from audit import export
from audit.models import Export
from tests.audit.exporting import faults, live
from tests.audit.sealing import command
from tests.conftest import Database
from tests.deploy.waiting import wait_until
from tests.people import People

GATE = 4711
PATIENCE_S = 60
SAVED_BEFORE = 6
"""How many steps a builder saves before it is stopped in the next one."""


@pytest.fixture
def made(people: People, database: Database, settings: Settings, tmp_path: Path) -> Export:
    """An export in every format that waits to be built, of a casino that was played in."""
    settings.EXPORT_DIR = tmp_path / "exports"
    live(people, database.owner_url)
    return export.request("tests", asked=export.parse_asked({"formats": ["csv", "parquet"]}))


@pytest.fixture
def watch(database: Database) -> Iterator[psycopg.Connection]:
    """A superuser who looks on."""
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        yield connection


BUILDER = """
import django
django.setup()
from audit import export
from audit.export import entries, files
from pontoon import export as table
from wallets import export as wallets
entries.WINDOW, wallets.CHUNK, table.CHUNK, files.LINES_AT_ONCE = 7, 5, 3, 4
export.build()
"""


def builder(database: Database, folder: Path) -> Popen[str]:
    """Start to build in a process of its own, in small pieces, so that there are many."""
    told = {"EXPORT_DIR": str(folder / "exports"), "PGAPPNAME": "builder"}
    return command(database.app_url, "-c", BUILDER, **told)


def kill(process: Popen[str], watch: psycopg.Connection) -> None:
    """Kill a process, and have its server process gone too, as a broken line has it in time."""
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    watch.execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name = 'builder'"
    )


def close_the_gate(watch: psycopg.Connection) -> None:
    """Stop a builder when it has written a piece to its files and is about to say so."""
    watch.execute("SELECT pg_advisory_lock(%s)", [GATE])
    watch.execute(
        f"""
        CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            v_count integer := coalesce(nullif(current_setting('test.saved', true), ''), '0');
        BEGIN
            PERFORM set_config('test.saved', (v_count + 1)::text, false);
            IF v_count = {SAVED_BEFORE} THEN
                PERFORM pg_advisory_xact_lock({GATE});
            END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER stop_here BEFORE UPDATE ON audit_export
            FOR EACH ROW EXECUTE FUNCTION stop_here();
        """
    )


def is_stopped(process: Popen[str], watch: psycopg.Connection) -> bool:
    """Wait until a builder stands at the gate, or has ended; say which."""
    wait_until(lambda: process.poll() is not None or is_waiting(watch), PATIENCE_S)
    return process.poll() is None


def is_waiting(watch: psycopg.Connection) -> bool:
    found = watch.execute(
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = %s"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        [GATE],
    )
    return found.rowcount > 0


def has_more_or_ended(process: Popen[str], folder: Path, seen: int) -> bool:
    return process.poll() is not None or written(folder) > seen


def written(folder: Path) -> int:
    """Return how many bytes there are; what a builder moves or removes meanwhile is not counted."""
    size = 0
    for path, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                size += (Path(path) / name).stat().st_size
    return size


def test_rep_04_a_builder_killed_between_its_files_and_its_row_goes_on_where_it_was(
    made: Export, database: Database, watch: psycopg.Connection, tmp_path: Path
) -> None:
    close_the_gate(watch)
    killed_count, longer_count, process = 0, 0, builder(database, tmp_path)
    while is_stopped(process, watch):
        made.refresh_from_db()
        counted = sum(made.cursor.get("sizes", {}).values())
        longer_count += written(tmp_path / "exports" / str(made.id)) > counted
        kill(process, watch)
        killed_count += 1
        process = builder(database, tmp_path)
    out, err = process.communicate()
    assert process.returncode == 0, (out, err)
    assert killed_count > 5
    assert longer_count > 5, "no kill left a file longer than its row says"
    require_done(made)


def test_rep_04_a_builder_killed_at_any_moment_goes_on(
    made: Export, database: Database, watch: psycopg.Connection, tmp_path: Path
) -> None:
    """Killed as soon as there is more on disk than when the one before was killed."""
    exports, seen, killed_count = tmp_path / "exports", 0, 0
    while killed_count < 6:
        process = builder(database, tmp_path)
        wait_until(partial(has_more_or_ended, process, exports, seen), PATIENCE_S)
        if process.poll() is not None:
            break
        seen = written(exports) + 1500 * killed_count
        kill(process, watch)
        killed_count += 1
    assert killed_count > 2
    last = builder(database, tmp_path)
    out, err = last.communicate(timeout=PATIENCE_S)
    assert last.returncode == 0, (out, err)
    require_done(made)


def require_done(made: Export) -> None:
    """Require an export that is built, was no fault of anybody's, and holds."""
    made.refresh_from_db()
    assert (made.state, made.progress_percent, made.fault) == ("done", 100, "")
    assert faults(export.download("tests", export_id=made.id)) == []
