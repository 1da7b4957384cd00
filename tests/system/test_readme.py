"""Every command of the README as a new user runs it: block after block, each in a new shell."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.deploy.service import ROOT, Service

pytestmark = [pytest.mark.system, pytest.mark.timeout(300)]

BLOCKS = re.findall(r"^```bash\n(.+?)^```", (ROOT / "README.md").read_text(), re.M | re.S)


DEMO = ".venv/bin/python -m deploy.local.demo"


def test_the_first_round_of_the_readme_is_played_to_its_proof(tmp_path: Path) -> None:
    with Service(tmp_path, DEMO="1") as service:
        service.start()
        environment = {
            "PATH": os.environ["PATH"],
            "VAR": str(service.var),
            "PORT": str(service.port),
        }
        first, *rest = BLOCKS
        told = [_run(block, environment) for block in (first, DEMO, *rest)]
    said = "".join(told)
    assert "next_commitment" in said
    assert "A player with 1000.00 EUR sits down" in said
    assert '"state": "settled"' in said
    assert "all of it holds" in said, "check_ledger is part of the first round"


def _run(block: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
    return done.stdout
