"""The supervisor of `make run`, with the real service: stopped, killed, and in the way."""

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from deploy.local import watch
from deploy.local.programs import Program
from tests.cluster import Cluster
from tests.deploy.service import START_TIMEOUT_S, Service
from tests.deploy.waiting import wait_until

# One worker of pytest-xdist has the one service; the others have their own tests to do.
pytestmark = pytest.mark.xdist_group("service")

RESTART_S = 20  # two on an idle machine; other tests run beside this one


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Service]:
    """One folder for the whole module, so that each test is a restart."""
    with Service(folder) as service:
        service.start()
        yield service


@pytest.fixture
def running(service: Service) -> Service:
    if service.process is None or service.process.poll() is not None:
        service.start()
    return service


def names(service: Service) -> set[str]:
    """Which of the five is running."""
    return {name for name, word in WORDS.items() if service.pids(word)}


WORDS = {
    "web": "granian",
    "worker": "--concurrency",
    "beat": "--schedule",
    "valkey": "valkey-server",
    "postgres": "bin/postgres",
}
ALL = set(WORDS)


def test_it_says_where_it_is_and_answers_there(running: Service) -> None:
    assert f"http://127.0.0.1:{running.port}/api/v1/docs" in running.output
    assert running.status("/health/ready") == 200
    assert names(running) == ALL


@pytest.mark.parametrize("with_signal", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_everything(running: Service, with_signal: signal.Signals) -> None:
    assert running.stop(with_signal) == 0
    assert "Traceback" not in running.output
    assert names(running) == set()
    assert not (running.var / "postgres" / "data" / "postmaster.pid").exists()


def test_a_second_signal_has_to_wait(running: Service) -> None:
    assert running.process
    running.process.send_signal(signal.SIGINT)
    running.process.send_signal(signal.SIGINT)
    assert running.stop() == 0
    assert "Traceback" not in running.output
    assert names(running) == set()


def test_it_starts_again_in_a_few_seconds_with_its_data(running: Service) -> None:
    secrets = (running.var / "secrets.env").read_text()
    running.stop()
    assert running.start() < RESTART_S
    assert "applying" not in running.output
    assert (running.var / "secrets.env").read_text() == secrets


@pytest.mark.parametrize("name", sorted(ALL))
def test_what_is_killed_is_started_again(running: Service, name: str) -> None:
    killed = running.pids(WORDS[name])[0]
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: running.pids(WORDS[name]) and killed not in running.pids(WORDS[name]))
    wait_until(lambda: running.status("/health/ready") == 200)
    wait_until(lambda: names(running) == ALL)
    assert "ended (SIGKILL); again in" in running.output


def test_nothing_outlives_a_supervisor_that_is_killed(running: Service) -> None:
    running.kill()
    wait_until(lambda: names(running) == set())


def test_it_starts_at_once_after_its_supervisor_was_killed(running: Service) -> None:
    running.kill()
    running.start()
    assert running.status("/health/ready") == 200
    assert names(running) == ALL


def test_a_second_run_on_the_folder_is_refused(running: Service, folder: Path) -> None:
    second = Service(folder / "second", VAR=str(running.var))
    second._log.parent.mkdir()
    second.launch()
    assert second.process
    assert second.process.wait(30) == 1
    assert second.output.startswith("Another run works on")
    assert second.output.count("\n") == 1


def test_a_port_that_is_taken_is_told_before_anything_starts(tmp_path: Path) -> None:
    service = Service(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", service.port))
        taken.listen()
        service.launch()
        assert service.process
        assert service.process.wait(30) == 1
    assert service.output.startswith(f"Port {service.port} of 127.0.0.1 is not to be had")
    assert service.output.count("\n") == 1
    assert not (service.var / "postgres").exists()


def test_of_two_runs_that_start_together_on_a_port_one_is_told(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    with Service(folders[0]) as one, Service(folders[1], PORT=str(one.port)) as two:
        both = (one, two)
        for service in both:
            service.launch()
        wait_until(lambda: any(service.process.poll() is not None for service in both))  # type: ignore[union-attr]
        told, runs = sorted(both, key=lambda service: service.process.poll() is None)  # type: ignore[union-attr]
        assert told.process
        assert told.process.returncode == 1
        assert told.output.startswith(f"Port {one.port} of 127.0.0.1 is not to be had")
        assert told.output.count("\n") == 1
        wait_until(lambda: "health/ready" in runs.output, START_TIMEOUT_S)


def test_a_database_from_outside_is_used_and_none_embedded(
    cluster: Cluster, tmp_path: Path
) -> None:
    name = cluster.create_template("outside")
    urls = {"DATABASE_URL": cluster.app_url(name), "DATABASE_OWNER_URL": cluster.owner_url(name)}
    with Service(tmp_path, **urls) as service:
        service.start()
        assert names(service) == ALL - {"postgres"}
        assert not (service.var / "postgres").exists()
        with psycopg.connect(cluster.app_url(name)) as connection:
            assert connection.execute("SELECT count(*) FROM django_migrations").fetchone()
        assert service.stop() == 0
    cluster.drop(name)


def test_the_programs_never_see_the_owner_nor_the_superuser(running: Service) -> None:
    for pid in running.pids(WORDS["web"]):
        environment = Path(f"/proc/{pid}/environ").read_text()
        assert "pontoon_app:" in environment
        assert "pontoon_owner" not in environment
        assert "POSTGRES_" not in environment


def test_what_falls_again_and_again_is_started_again_and_again() -> None:
    program = Program("web", ["/bin/false"], {})
    watched = watch._Watched(program)
    now = 0.0
    delays = []
    for _ in range(8):
        watched.look(now)
        assert watched.start_at is not None
        delays.append(watched.start_at - now)
        now = watched.start_at
        watched.look(now)
        assert program.process
        program.process.wait(10)
    assert delays == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 10.0]
