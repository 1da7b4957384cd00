"""A disk that is full, before the first start, later, and in the middle of the work."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import psycopg
import pytest

from deploy.local.postgres import Postgres
from deploy.local.secrets import load_secrets
from tests.deploy.service import Service

pytestmark = pytest.mark.system

Disk = Callable[[str], Path]
StartOn = Callable[[Path], Service]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Mount a small disk of a given size."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(size: str) -> Path:
        options = ["-t", "tmpfs", "-o", f"size={size}", "none"]
        subprocess.run(["mount", *options, folder], check=True)
        folder.chmod(0o755)
        return folder

    yield mount
    subprocess.run(["umount", "--lazy", folder], check=False)


def fill(folder: Path) -> None:
    """Write until nothing fits any more."""
    with suppress(OSError), (folder / "filler").open("wb", buffering=0) as file:
        while file.write(bytes(1 << 20)):
            pass


@pytest.fixture
def start_on(tmp_path: Path) -> Iterator[StartOn]:
    """A service on a disk, which is stopped whatever the test finds."""
    with ExitStack() as stack:
        yield lambda disk: stack.enter_context(Service(tmp_path, VAR=str(disk / "var")))


def refusal(service: Service) -> str:
    """Why a run does not start, in its last line."""
    service.launch()
    assert service.process
    assert service.process.wait(60) == 1
    assert "Traceback" not in service.output
    return service.output.splitlines()[-1]


@pytest.mark.parametrize("size", ["16k", "20m", "120m"])
def test_a_disk_that_is_too_small_is_told(disk: Disk, start_on: StartOn, size: str) -> None:
    service = start_on(disk(size))
    assert "is full" in refusal(service)


def test_a_disk_that_has_filled_is_told_and_the_data_waits(disk: Disk, start_on: StartOn) -> None:
    folder = disk("300m")
    service = start_on(folder)
    service.start()
    service.stop()
    fill(folder)
    assert "is full" in refusal(service)
    (folder / "filler").unlink()
    service.start()
    assert service.status("/health/ready") == 200
    assert service.stop() == 0


def test_a_disk_that_fills_at_work_loses_nothing_that_was_acknowledged(
    disk: Disk, start_on: StartOn
) -> None:
    folder = disk("300m")
    service = start_on(folder)
    service.start()
    with connect(folder / "var") as connection:
        connection.execute("CREATE TABLE filling (body text)")
    fill(folder)
    acknowledged = write_until_refused(folder / "var")
    (folder / "filler").unlink()
    if service.process and service.process.poll() is None:
        service.stop()
    service.start()
    with connect(folder / "var") as connection:
        row = connection.execute("SELECT count(*) FROM filling").fetchone()
        assert row
        assert row[0] >= acknowledged
    assert service.stop() == 0


def connect(var: Path) -> psycopg.Connection:
    """To the embedded server, as its superuser."""
    password = load_secrets(var / "secrets.env", os.environ)["POSTGRES_PASSWORD"]
    server = Postgres(var / "postgres", var / "log" / "postgres.log", password)
    return psycopg.connect(server.superuser_url("pontoon"), autocommit=True)


def write_until_refused(var: Path) -> int:
    """Insert rows, one transaction each, until one is refused; how many were acknowledged."""
    count = 0
    with suppress(psycopg.Error), connect(var) as connection:
        while True:
            connection.execute("INSERT INTO filling SELECT repeat(md5(random()::text), 2000)")
            count += 1
    return count
