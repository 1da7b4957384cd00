"""Large exports: in constant memory, and through kills. EXPORT_ENTRIES=1000000 asks for more,
and --log-cli-level=INFO tells the figure.
"""

import logging
import os
import signal
import subprocess
from pathlib import Path

import psycopg
import pytest
from django.conf import settings as configured
from pytest_django import Settings

from audit import export
from audit.verify.check import Check
from tests.audit.sealing import command
from tests.conftest import Database

logger = logging.getLogger(__name__)

ENTRIES = int(os.environ.get("EXPORT_ENTRIES", "20000"))
MEMORY_MIB_MAX = 300

BUILD = """
import re, django
from pathlib import Path
django.setup()
from audit import export
from django.conf import settings
settings.EXPORT_DIR = {folder!r}
while export.build():
    pass
# The program's own peak: getrusage also counts the parent's, from between fork and exec.
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024)
"""

_POUR_SQL = """
INSERT INTO audit_entry (id, player_id, event, subject, actor, at, body, leaf_hash)
SELECT id, player_id, event, subject, actor, at, body,
       sha256('\\x00'::bytea || convert_to(body, 'UTF8'))
  FROM (SELECT *, format(
          '{"actor":"%%s","at":"%%s","event":"%%s","id":"%%s","payload":{"after":"%%s","before":null},'
          '"player_id":"%%s","subject":"%%s"}',
          actor, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US+00:00'), event, id,
          repeat('as long as a round ', 40), player_id, subject) AS body
          FROM (SELECT uuidv7() AS id, gen_random_uuid() AS player_id, 'key.created' AS event,
                       'key:' || n AS subject, 'tests' AS actor, clock_timestamp() AS at
                  FROM generate_series(1, %s) n) e) b
"""


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    """Where exports are built."""
    settings.EXPORT_DIR = tmp_path / "exports"
    return tmp_path


def building(database: Database) -> "subprocess.Popen[str]":
    """Start a builder in a process of its own."""
    script = BUILD.format(folder=str(configured.EXPORT_DIR))
    return command(database.app_url, "-c", script)


@pytest.mark.timeout(7200)
def test_a_large_export_is_built_in_constant_memory(
    database: Database, dba: psycopg.Connection
) -> None:
    dba.execute(_POUR_SQL, [ENTRIES])
    made = export.request("tests", asked=export.parse_asked({"formats": ["csv", "parquet"]}))
    process = building(database)
    out, told = process.communicate()
    assert process.returncode == 0, told
    assert int(out) < MEMORY_MIB_MAX
    logger.info("%s entries: %s MiB at most", ENTRIES, int(out))
    made.refresh_from_db()
    assert made.cursor["counts"]["entries.jsonl"] > ENTRIES
    check = Check(export.download("tests", export_id=made.id), keys=[])
    assert list(check.faults()) == []


def test_a_builder_that_is_killed_leaves_an_export_to_go_on_with(
    database: Database, dba: psycopg.Connection
) -> None:
    dba.execute(_POUR_SQL, [3000])
    made = export.request("tests", asked=export.parse_asked({"formats": ["csv", "parquet"]}))
    kill_count, wait_s = 0, 0.5
    while made.state not in {"done", "failed"}:
        process = building(database)
        try:
            process.communicate(timeout=wait_s)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kill_count += 1
            wait_s += 0.15
        made.refresh_from_db()
    assert (made.state, made.fault) == ("done", "")
    assert kill_count > 1
    check = Check(export.download("tests", export_id=made.id), keys=[])
    assert list(check.faults()) == []
