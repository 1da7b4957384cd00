"""The port of a run: nobody else's while it lasts, whichever user made the lock's file."""

import os
import stat
import tempfile
from pathlib import Path

import pytest

from deploy.local.errors import StartError
from deploy.local.options import Options, read_options
from deploy.local.port import kept_port, require_free_port
from tests.deploy.service import free_port


@pytest.fixture
def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Options:
    """A port of nobody, and a temporary folder without locks."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return read_options({"PORT": str(free_port())})


def test_a_port_is_kept_while_the_run_lasts(options: Options) -> None:
    same = read_options({"HOST": "localhost", "PORT": str(options.port)})
    other = read_options({"HOST": "127.0.0.2", "PORT": str(options.port)})
    with kept_port(options), kept_port(other):
        require_free_port(options)
        with (
            pytest.raises(StartError, match=r"is not to be had \(another run has it\)"),
            kept_port(same),
        ):
            pass
    with kept_port(same):
        pass


def test_another_user_may_lock_the_file_too(options: Options, tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        with kept_port(options):
            pass
    finally:
        os.umask(before)
    [file] = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o644


def test_a_link_in_the_place_of_the_lock_is_not_followed(options: Options, tmp_path: Path) -> None:
    target = tmp_path / "somebodys"
    target.touch(0o600)
    (tmp_path / f"pontoon-127.0.0.1-{options.port}.lock").symlink_to(target)
    with pytest.raises(StartError, match="is not to be had"), kept_port(options):
        pass
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
