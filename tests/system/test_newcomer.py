"""A newcomer's two commands on a bare copy, as root in a closed folder and as a normal user."""

import http.client
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.deploy.service import ROOT, free_port
from tests.deploy.waiting import wait_until

pytestmark = [pytest.mark.system, pytest.mark.timeout(1200)]

INSTALL_TIMEOUT_S = 900
RESTART_S = 10


@dataclass
class Checkout:
    """A copy of the working tree without .venv and var, and whose it is."""

    folder: Path
    user: str
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def make_run(self) -> str:
        """`make run`, until it says where it is; returns everything that it wrote."""
        log = self.folder.parent / "output.txt"
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [*self._become(), "make", "run", f"PORT={self.port}"],
                cwd=self.folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        process = self.process
        wait_until(
            lambda: "health/ready" in log.read_text() or process.poll() is not None,
            INSTALL_TIMEOUT_S,
        )
        return log.read_text()

    def ctrl_c(self) -> str:
        """What a terminal does: the signal goes to make and to all that it started."""
        assert self.process
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait(60)
        return (self.folder.parent / "output.txt").read_text()

    def status(self, path: str) -> int:
        """What a GET answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status

    def _become(self) -> list[str]:
        if self.user == "root":
            return []
        group = str(pwd.getpwnam(self.user).pw_gid)
        return ["setpriv", "--reuid", self.user, "--regid", group, "--clear-groups"]

    def _environment(self) -> dict[str, str]:
        """A plain machine's: no virtual environment, no Python of somebody's home."""
        kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        certificates = {n: v for n, v in os.environ.items() if "CERT" in n or "CA_BUNDLE" in n}
        home = {"HOME": str(self.folder.parent), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        return {**certificates, **kept, **home}


def copy_tree(folder: Path) -> None:
    """Copy what git knows or would take in."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


@pytest.fixture(params=["root", "nobody"])
def checkout(request: pytest.FixtureRequest) -> Iterator[Checkout]:
    """Root's stands in a home that is closed to others, as /root is."""
    home = Path(tempfile.mkdtemp(prefix=f"pontoon-{request.param}-", dir="/var/tmp"))
    copy_tree(home / "pontoon")
    subprocess.run(["chown", "-R", request.param, home], check=True)
    checkout = Checkout(home / "pontoon", request.param)
    yield checkout
    if checkout.process and checkout.process.poll() is None:
        checkout.ctrl_c()
    shutil.rmtree(home)


def test_a_newcomer_starts_it_stops_it_and_finds_it_again(checkout: Checkout) -> None:
    first = checkout.make_run()
    assert f"http://127.0.0.1:{checkout.port}/api/v1/docs" in first, first
    assert "op_" in first, "the demo's operator key is printed"
    assert checkout.status("/health/ready") == 200
    assert checkout.status("/api/v1/docs") == 200
    assert "Traceback" not in checkout.ctrl_c()
    secrets = (checkout.folder / "var" / "secrets.env").read_text()

    again = checkout.make_run()
    took = re.search(r"ready after (\S+) s", again)
    assert took, again
    assert float(took[1]) < RESTART_S
    assert "Installing" not in again
    assert "applying" not in again
    assert (checkout.folder / "var" / "secrets.env").read_text() == secrets
    assert "Traceback" not in checkout.ctrl_c()
