"""The runbook's tools on the embedded server: a backup that comes back guarded."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.local.leftover import pids_working_in
from tests.deploy.conftest import LIKE_THE_MIGRATIONS

ROOT = Path(__file__).parents[2]


def dba(var: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a tool as the runbook does."""
    return subprocess.run(
        [sys.executable, "-m", "deploy.local.dba", *command],
        cwd=ROOT,
        env={**os.environ, "VAR": str(var)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_bck_01_a_backup_comes_back_with_its_guard(tmp_path: Path) -> None:
    first, second, dump = tmp_path / "first", tmp_path / "second", tmp_path / "pontoon.dump"
    as_owner = f"SET ROLE pontoon_owner; {LIKE_THE_MIGRATIONS}"
    assert dba(first, "psql", "--quiet", "--command", as_owner).stderr == ""
    assert dba(first, "pg_dump", "--format=custom", f"--file={dump}").returncode == 0

    second.mkdir()
    shutil.copy2(first / "secrets.env", second)
    options = ["--clean", "--if-exists", "--create", "--dbname=postgres", str(dump)]
    assert dba(second, "pg_restore", *options).stderr == ""

    read = dba(second, "psql", "-At", "--command", "SELECT amount_minor FROM wallets_transfer")
    assert read.stdout == "500\n"
    dropped = dba(second, "psql", "--command", "DROP TABLE wallets_transfer")
    assert "refused on an insert-only table" in dropped.stderr


def test_a_server_that_was_started_for_a_command_stops_after_it(tmp_path: Path) -> None:
    assert dba(tmp_path / "var", "psql", "-Atc", "SELECT 7").stdout == "7\n"
    assert not pids_working_in(tmp_path / "var" / "postgres" / "data")


@pytest.mark.parametrize("module", ["dba", "manage"])
def test_a_tool_that_cannot_start_says_why(tmp_path: Path, module: str) -> None:
    (tmp_path / "var").touch()
    done = subprocess.run(
        [sys.executable, "-m", f"deploy.local.{module}", "check"],
        cwd=ROOT,
        env={**os.environ, "VAR": str(tmp_path / "var")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "cannot be used" in done.stderr
    assert "Traceback" not in done.stderr
