"""The file of secrets: made once, whole, and for nobody else to read."""

from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from deploy.local.errors import StartError
from deploy.local.secrets import MAKERS, load_secrets


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "secrets.env"


def test_they_are_made_once(path: Path) -> None:
    first = load_secrets(path, {})
    assert set(first) == set(MAKERS)
    assert len(set(first.values())) == len(first)
    assert load_secrets(path, {}) == first


def test_only_the_owner_reads_them(path: Path) -> None:
    load_secrets(path, {})
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    load_secrets(path, {})
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["SEED_KEYS", "STAFF_KEYS"])
def test_keys_that_seal_are_keys_of_fernet(path: Path, name: str) -> None:
    Fernet(load_secrets(path, {})[name])


def test_the_environment_goes_before_the_file(path: Path) -> None:
    kept = load_secrets(path, {})
    given = load_secrets(path, {"SECRET_KEY": "given", "SEED_KEYS": ""})
    assert given == {**kept, "SECRET_KEY": "given"}


def test_a_missing_one_is_added_and_the_others_stay(path: Path) -> None:
    path.write_text("# old\nSECRET_KEY=old\nSEED_KEYS=\n")
    found = load_secrets(path, {})
    assert found["SECRET_KEY"] == "old"
    assert found["SEED_KEYS"]
    assert load_secrets(path, {}) == found


def test_a_folder_that_is_none_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StartError, match="cannot be used"):
        load_secrets(tmp_path / "file" / "secrets.env", {})
