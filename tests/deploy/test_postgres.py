"""The embedded PostgreSQL on real folders: killed, moved, broken, and what its log keeps."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from deploy.local.datafolder import socket_folder
from deploy.local.errors import StartError
from deploy.local.leftover import pids_working_in
from deploy.local.postgres import Postgres
from tests.deploy.waiting import wait_until

PASSWORD = "a/strange%password"


def server_in(folder: Path) -> Postgres:
    return Postgres(folder / "postgres", folder / "log" / "postgres.log", PASSWORD)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Postgres]:
    started = server_in(tmp_path)
    started.start()
    yield started
    started.stop()


def execute(server: Postgres, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(server.superuser_url(), autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def test_what_was_committed_survives_a_kill(server: Postgres) -> None:
    execute(server, "CREATE TABLE kept (id int)")
    execute(server, "INSERT INTO kept VALUES (7)")
    assert server.process
    server.process.kill()
    server.process.wait()
    server.start()
    assert execute(server, "SELECT id FROM kept") == [(7,)]


def test_an_earlier_server_on_the_folder_is_stopped_first(server: Postgres) -> None:
    earlier = server.process
    later = server_in(server.home.parent)
    later.start()
    try:
        assert earlier
        assert earlier.wait(10) == 0
        assert execute(later, "SELECT 1") == [(1,)]
    finally:
        later.stop()


def test_a_stale_pid_file_stops_nobody(server: Postgres) -> None:
    pid_file = server.data / "postmaster.pid"
    text = pid_file.read_text()
    server.stop()
    pid_file.write_text(text.replace(text.split()[0], str(os.getpid()), 1))
    server.start()
    assert execute(server, "SELECT 1") == [(1,)]


def test_it_ends_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from tests.deploy.test_postgres import *\n"
        "server_in(Path(sys.argv[1])).start(); print('started', flush=True); time.sleep(60)"
    )
    supervisor = subprocess.Popen([sys.executable, "-c", code, tmp_path], stdout=subprocess.PIPE)
    with supervisor:
        assert supervisor.stdout
        assert supervisor.stdout.readline() == b"started\n"
        data = tmp_path / "postgres" / "data"
        assert pids_working_in(data)
        supervisor.kill()
    wait_until(lambda: not pids_working_in(data))


def test_it_never_runs_as_root_and_lets_nobody_else_in(server: Postgres) -> None:
    assert server.process
    assert Path(f"/proc/{server.process.pid}").stat().st_uid != 0
    assert server.home.stat().st_mode & 0o077 == 0
    assert server.data.stat().st_mode & 0o077 == 0
    assert execute(server, "SHOW listen_addresses") == [("",)]


def test_it_is_durable(server: Postgres) -> None:
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        assert execute(server, f"SHOW {setting}") == [("on",)]


def test_a_long_path_has_a_short_socket(tmp_path: Path) -> None:
    server = server_in(tmp_path / ("deep" * 40))
    folder = socket_folder(server.home)
    server.start()
    try:
        assert len(os.fsencode(folder)) < 90
        assert folder.stat().st_mode & 0o077 == 0
        assert execute(server, "SELECT 1") == [(1,)]
    finally:
        server.stop()
        with suppress(OSError):
            folder.rmdir()


def test_the_log_keeps_no_value_of_a_refused_statement(server: Postgres) -> None:
    execute(server, "CREATE TABLE token (hash text PRIMARY KEY)")
    with psycopg.connect(server.superuser_url(), autocommit=True) as connection:
        connection.execute("INSERT INTO token VALUES (%s)", ["deadbeef"])
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO token VALUES (%s)", ["deadbeef"])
        with pytest.raises(psycopg.errors.UndefinedTable):
            connection.execute("INSERT INTO missing VALUES ('deadbeef')")
        backend = connection.info.backend_pid
        os.kill(backend, signal.SIGSEGV)  # the log then names the statement that ran, if any
        wait_until(lambda: not Path(f"/proc/{backend}").exists())
    wait_until(lambda: server.log.read_text().count("ready to accept connections") == 2)
    assert "deadbeef" not in server.log.read_text()


def test_a_folder_of_another_version_is_refused(server: Postgres) -> None:
    server.stop()
    (server.data / "PG_VERSION").write_text("9\n")
    with pytest.raises(StartError, match="was made by PostgreSQL 9"):
        server.start()


@pytest.mark.parametrize(
    ("path", "sentence"),
    [("PG_VERSION", "a broken one"), ("global/pg_control", "does not start on .*pg_control")],
)
def test_a_broken_folder_is_refused(server: Postgres, path: str, sentence: str) -> None:
    server.stop()
    (server.data / path).unlink()
    with pytest.raises(StartError, match=sentence):
        server.start()


def test_lost_passwords_are_told(server: Postgres) -> None:
    server.stop()
    server.password = "another"
    with pytest.raises(StartError, match=r"put the old secrets\.env back"):
        server.start()


def test_a_start_that_was_killed_half_way_leaves_nothing(tmp_path: Path) -> None:
    server = server_in(tmp_path)
    unfinished = server.home / "data.new"
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n")
    server.start()
    try:
        assert not unfinished.exists()
        assert execute(server, "SELECT 1") == [(1,)]
    finally:
        server.stop()
