"""A sealer that is killed at any step, over and over, leaves one log without a gap."""

import signal
from pathlib import Path

import pytest
from pytest_django import Settings

from audit.models import Checkpoint, Leaf
from audit.seal import seal
from tests.audit.sealing import command, require_whole, write
from tests.conftest import Database

KILLS = 6
"""How often a sealer is killed while others write."""


@pytest.mark.parametrize(
    "step", ["_take", "_edge_of", "_publish", "_require_witnessed", "log.write_witness", "commit"]
)
def test_a_kill_before_and_after_every_step_loses_and_doubles_nothing(
    database: Database, settings: Settings, tmp_path: Path, step: str
) -> None:
    settings.LOG_WITNESS_FILE = str(tmp_path / "checkpoint")
    write(20)
    for when in ("before", "after"):
        killed = command(
            database.app_url,
            "-c",
            FAILPOINT,
            LOG_WITNESS_FILE=settings.LOG_WITNESS_FILE,
            STEP=step,
            WHEN=when,
        )
        out, err = killed.communicate(timeout=60)
        assert killed.returncode == -signal.SIGKILL, (out, err)
        write(3)
    seal()
    require_whole()
    last = Checkpoint.objects.latest("size")
    assert (tmp_path / "checkpoint").read_text() == last.note


FAILPOINT = """
import os, signal, django
django.setup()
from django.db import transaction
from audit import log, seal

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def killing(step):
    def killed(*args, **options):
        if os.environ["WHEN"] == "before":
            die()
        step(*args, **options)
        die()
    return killed

step = os.environ["STEP"]
if step == "commit":
    transaction.Atomic.__exit__ = killing(transaction.Atomic.__exit__)
elif step.startswith("log."):
    setattr(log, step[4:], killing(getattr(log, step[4:])))
else:
    setattr(seal, step, killing(getattr(seal, step)))
seal.seal(batch=7)
"""


def test_a_sealer_killed_at_random_moments_while_others_write(database: Database) -> None:
    write(400)
    sealers = [command(database.app_url, "-c", LOOP) for _ in range(2)]
    try:
        for _ in range(KILLS):
            victim = sealers.pop(0)
            assert victim.stdout
            assert victim.stdout.readline() == "sealing\n"
            write(40)
            victim.kill()
            victim.communicate()
            sealers.append(command(database.app_url, "-c", LOOP))
    finally:
        for sealer in sealers:
            sealer.kill()
            sealer.communicate()
    seal()
    require_whole()
    assert Leaf.objects.count() >= 400 + 40 * KILLS


LOOP = """
import django
django.setup()
from audit.seal import seal
print("sealing", flush=True)
while True:
    seal(batch=3)
"""
