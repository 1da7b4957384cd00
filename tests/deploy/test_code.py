"""What a phone of the demo's shows: the same as any phone with the secret."""

import base64
from pathlib import Path

import pytest
from django_otp.oath import TOTP

from deploy.local.code import main
from deploy.local.errors import StartError

SECRET = base64.b32encode(b"twenty bytes of it..").decode()


@pytest.fixture
def var(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of a demo in which `floor` has a phone."""
    (tmp_path / "demo.env").write_text(f"STAFF_FLOOR=secret\nSTAFF_FLOOR_SECRET={SECRET}\n")
    monkeypatch.setenv("VAR", str(tmp_path))
    return tmp_path


def test_it_is_the_code_of_the_secret(var: Path) -> None:
    phone = TOTP(base64.b32decode(SECRET))
    before, shown, after = phone.token(), main(["floor"]), phone.token()
    assert int(shown.split()[0]) in {before, after}
    assert len(shown.split()[0]) == 6


@pytest.mark.parametrize("arguments", [[], ["boss"]])
def test_whose_has_to_be_said(var: Path, arguments: list[str]) -> None:
    with pytest.raises(StartError, match=r"Say whose: floor\."):
        main(arguments)


def test_without_a_demo_there_is_nobody(var: Path) -> None:
    (var / "demo.env").unlink()
    with pytest.raises(StartError, match="there is nobody in"):
        main(["floor"])
