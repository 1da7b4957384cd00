"""The offline verifier on exports that somebody has changed: every byte of every field."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from audit import tree
from audit.verify.__main__ import main
from tests.audit.exporting import faults, flip, members, rows, spoil

ROOT = Path(__file__).resolve().parents[2]

NAMES = {
    "entries": "id",
    "transfers": "transfer_id",
    "accounts": "account_id",
    "rounds": "round_id",
}


def test_what_nobody_changed_holds(folder: Path, tables: Path) -> None:
    assert faults(folder) == faults(tables) == []


def variety(folder: Path, part: str) -> list[int]:
    """Return the places of lines, one for each shape that lines of a part have."""
    seen: dict[object, int] = {}
    for place, row in enumerate(rows(folder, part)):
        shape = row.get("event") or (row.get("state"), row.get("code"), row.get("kind"))
        seen[shape] = place
    return sorted(seen.values())


@pytest.mark.parametrize("part", NAMES)
def test_aud_02_every_field_that_is_changed_is_found_and_its_record_named(
    folder: Path, part: str
) -> None:
    missed = []
    for place in variety(folder, part):
        row = rows(folder, part)[place]
        for path in members(row):
            changed = json.loads(json.dumps(row))
            flip(changed, path)
            line = tree.canonical(changed) + b"\n"
            found = spoil(folder, f"{part}.jsonl", lambda lines: lines.__setitem__(place, line))  # noqa: B023
            is_found = any(f"{part}.jsonl: is not the file that was signed" in one for one in found)
            ids = {str(row[NAMES[part]]), str(changed[NAMES[part]]), str(row.get("round_id"))}
            is_named = any(id_ in one for one in found for id_ in ids)
            if not (is_found and is_named):
                missed.append((place, path, found))
    assert missed == []


@pytest.mark.parametrize("part", NAMES)
def test_aud_02_a_line_that_is_dropped_added_or_moved_is_found_and_named(
    folder: Path, part: str
) -> None:
    last = len(rows(folder, part)) - 1
    for place in {0, last // 2, last}:
        id_ = str(rows(folder, part)[place][NAMES[part]])
        dropped = spoil(folder, f"{part}.jsonl", lambda lines: lines.pop(place))  # noqa: B023
        added = spoil(folder, f"{part}.jsonl", lambda lines: lines.insert(0, lines[place]))  # noqa: B023
        assert any(id_ in one for one in dropped), (place, dropped)
        assert any(id_ in one for one in added), (place, added)
    moved = spoil(folder, f"{part}.jsonl", lambda lines: lines.append(lines.pop(0)))
    assert any(str(rows(folder, part)[0][NAMES[part]]) in one for one in moved), moved


def test_every_node_of_the_tree_is_looked_at(folder: Path) -> None:
    for place, node in enumerate(rows(folder, "tree")):
        for name in node:
            changed = dict(node)
            flip(changed, (name,))
            line = tree.canonical(changed) + b"\n"
            found = spoil(folder, "tree.jsonl", lambda lines: lines.__setitem__(place, line))  # noqa: B023
            assert any("leaf" in one or "root" in one or "node" in one for one in found), found
    for change in (lambda lines: lines.pop(1), lambda lines: lines.append(lines.pop(0))):
        assert len(spoil(folder, "tree.jsonl", change)) > 1


@pytest.mark.parametrize("name", ["manifest.json", "manifest.note", "checkpoint", "keys"])
def test_what_vouches_for_the_export_is_looked_at_byte_by_byte(folder: Path, name: str) -> None:
    text = (folder / name).read_bytes()
    for place in range(0, len(text), max(1, len(text) // 60)):
        changed = text[:place] + bytes([text[place] ^ 1]) + text[place + 1 :]
        (folder / name).write_bytes(changed)
        try:
            assert main([str(folder)]) in {1, 2}, (place, changed[place - 20 : place + 20])
        finally:
            (folder / name).write_bytes(text)


@pytest.mark.parametrize("name", ["SHA256SUMS", "csv/rounds.csv", "parquet/entries/00000.parquet"])
def test_a_file_that_is_changed_added_or_missing_is_named(tables: Path, name: str) -> None:
    kept = (tables / name).read_bytes()
    (tables / name).write_bytes(kept[:-2] + b"!" + kept[-1:])
    assert any(one.startswith(name) for one in faults(tables))
    (tables / name).rename(tables / "elsewhere")
    found = faults(tables)
    (tables / "elsewhere").unlink()
    (tables / name).write_bytes(kept)
    assert any(one.startswith(name) for one in found)
    assert "elsewhere: is not in the manifest" in found


def test_it_runs_without_django_database_network_or_secret(folder: Path) -> None:
    assert outcome(folder) == 0
    assert outcome(folder, "--key", (folder / "keys").read_text().strip()) == 0
    assert outcome(folder, "--key", str(folder / "keys")) == 0
    assert outcome(folder, "--old-checkpoint", str(folder / "checkpoint")) == 0
    assert outcome(folder / "csv") == outcome(folder / "nowhere") == 2


def test_a_key_that_did_not_sign_is_no_key(folder: Path) -> None:
    stranger = str(tree.SigningKey("localhost/log", bytes(32)).public)
    assert "manifest.note: no key of the log has signed it" in faults(folder, keys=[stranger])


def outcome(folder: Path, *more: str) -> int:
    """Return how the verifier ends, as anybody would run it: no Django, no settings."""
    code = "import sys; from audit.verify.__main__ import main; code = main(sys.argv[1:]);"
    code += "assert not {'django', 'psycopg', 'celery'} & set(sys.modules); sys.exit(code)"
    run = [sys.executable, "-c", code, str(folder), *more]
    return subprocess.run(run, cwd=ROOT, env={}, capture_output=True, check=False).returncode


BLOCKS = re.findall(r"```bash\n(.*?)```", (ROOT / "docs/exports.md").read_text(), re.DOTALL)


def standard(folder: Path) -> int:
    """Return how the documented check by standard tools ends."""
    script = "set -euo pipefail\n" + "\n".join(BLOCKS)
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, check=False
    ).returncode


def test_sig_02_an_export_is_checked_by_standard_tools_alone(folder: Path) -> None:
    assert len(BLOCKS) == 2
    assert standard(folder) == 0


@pytest.mark.parametrize(
    "name", ["manifest.json", "manifest.note", "checkpoint", "entries.jsonl", "tree.jsonl"]
)
def test_sig_02_standard_tools_find_what_was_changed(folder: Path, name: str) -> None:
    kept = (folder / name).read_bytes()
    place = 8 if name == "manifest.note" else len(kept) // 2
    (folder / name).write_bytes(kept[:place] + bytes([kept[place] ^ 1]) + kept[place + 1 :])
    try:
        assert standard(folder) != 0
    finally:
        (folder / name).write_bytes(kept)
