"""What the software is: checked by a stranger with sha256sum, and a change is on record."""

import json
import shutil
import subprocess
from dataclasses import replace
from hashlib import sha256
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command

from audit.models import Entry
from pontoon.engine import house
from pontoon.services import identify, values_in_force
from pontoon.services.identity import make_manifest
from pontoon.tasks import identify_software
from tests.audit.sealing import ROOT
from tests.conftest import Database


def last() -> dict[str, object]:
    """Return the newest entry of the software."""
    entry: dict[str, object] = json.loads(Entry.objects.filter(subject="software").first().body)
    return entry


def test_sig_02_the_manifest_is_checked_without_our_code(tmp_path: Path) -> None:
    manifest = tmp_path / "SHA256SUMS"
    manifest.write_text(make_manifest())
    checked = subprocess.run(
        ["sha256sum", "--check", "--strict", "--quiet", manifest],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_sig_01_every_source_file_is_in_it() -> None:
    listed = {line.partition("  ")[2] for line in make_manifest().splitlines()[1:]}
    tracked = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "audit", "casino", "pontoon", "wallets"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    there = {path for path in tracked if (ROOT / path).is_file()}
    assert there | {"manage.py", "requirements.lock"} <= listed
    assert not any(path.endswith(".pyc") for path in listed)


def test_sig_04_the_numbers_in_force_are_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    first = make_manifest().splitlines()[0]
    assert first.split()[1] == sha256(values_in_force().encode()).hexdigest()
    values = json.loads(values_in_force())
    assert values["rules"]["house/1"]["decks"] == 8
    assert values["currencies"]["USD"]["large_win_minor"] > 0
    monkeypatch.setattr(house, "RULES", {"house/1": replace(house.RULES["house/1"], decks=6)})
    assert make_manifest().splitlines()[0] != first


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A small installation whose files may be changed."""
    (tmp_path / "wallets").mkdir()
    (tmp_path / "audit").mkdir()
    for name in ("wallets/money.py", "audit/events.py", "manage.py", "requirements.lock"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_sig_01_what_is_as_it_was_and_what_changed_are_on_record(
    database: Database, installed: Path
) -> None:
    first = identify("tests", because="start", root=installed)
    assert (last()["event"], first.changed) == ("software.identified", ())
    again = identify("tests", because="day", root=installed)
    assert (last()["event"], again.digest) == ("software.identified", first.digest)
    (installed / "wallets" / "money.py").write_text("TAKE = 1\n")
    (installed / "audit" / "extra.py").touch()
    (installed / "manage.py").unlink()
    (installed / "audit" / "__pycache__").mkdir()
    (installed / "audit" / "__pycache__" / "events.pyc").touch()
    changed = identify("tests", because="day", root=installed)
    assert changed.changed == ("audit/extra.py", "manage.py", "wallets/money.py")
    payload = last()["payload"]
    assert last()["event"] == "software.changed"
    assert isinstance(payload, dict)
    assert (payload["before"], payload["after"]) == (first.digest, changed.digest)
    assert payload["changed"] == list(changed.changed)
    assert identify("tests", because="day", root=installed).changed == ()


def test_every_manifest_is_kept_under_its_own_hash(
    database: Database, app: psycopg.Connection
) -> None:
    identify_software()
    kept = app.execute("SELECT digest, content FROM audit_manifest").fetchall()
    assert kept == [(sha256(make_manifest().encode()).digest(), make_manifest())]


def test_the_command_prints_the_list_and_the_values(database: Database) -> None:
    for options, told in (({}, make_manifest()), ({"values": True}, values_in_force())):
        out = StringIO()
        call_command("software_identity", stdout=out, **options)
        assert out.getvalue() == told
