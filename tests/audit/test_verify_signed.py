"""The offline verifier against whoever has the log's key: what he signs has to agree with itself.

And against what a zip can say twice.
"""

import hashlib
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.conf import settings

from audit import tree
from audit.tree import SigningKey
from audit.verify.__main__ import main
from tests.audit.exporting import copy, faults

Change = Callable[[Path], object]


def sign(folder: Path) -> list[str]:
    """Sign a folder as it is now, with the log's own key; return what is found all the same."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for file in manifest["files"]:
        if (folder / file["name"]).exists():
            data = (folder / file["name"]).read_bytes()
            file |= {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            file |= {"count": data.count(b"\n")} if "count" in file else {}
    text = json.dumps(manifest)
    (folder / "manifest.json").write_text(text)
    sums = [f"{file['sha256']}  {file['name']}\n" for file in manifest["files"]]
    (folder / "SHA256SUMS").write_text("".join(sums))
    key = SigningKey.parse(settings.LOG_ORIGIN, settings.LOG_KEYS[0])
    said = hashlib.sha256(text.encode()).hexdigest()
    note = f"{settings.LOG_ORIGIN}/export\n{said}  manifest.json\n"
    (folder / "manifest.note").write_text(
        tree.format_note(tree.Note(note, (key.sign(note, 0)[0],)))
    )
    return faults(folder, keys=[str(key.public)])


def told(change: Callable[[dict[str, Any]], object]) -> Change:
    """Return what changes the manifest."""

    def changed(folder: Path) -> None:
        manifest = json.loads((folder / "manifest.json").read_text())
        change(manifest)
        (folder / "manifest.json").write_text(json.dumps(manifest))

    return changed


def asked(**members: Any) -> Change:
    return told(lambda manifest: manifest["request"].update(members))


def swap(one: str, other: str) -> Change:
    def swapped(folder: Path) -> None:
        kept = (folder / one).read_bytes()
        (folder / one).write_bytes((folder / other).read_bytes())
        (folder / other).write_bytes(kept)

    return swapped


def edit(name: str, old: str, new: str) -> Change:
    def edited(folder: Path) -> None:
        text = (folder / name).read_bytes()
        assert old.encode() in text
        (folder / name).write_bytes(text.replace(old.encode(), new.encode(), 1))

    return edited


def unlist(manifest: dict[str, Any], name: str) -> None:
    manifest["files"] = [file for file in manifest["files"] if file["name"] != name]


def drop(name: str) -> Change:
    def dropped(folder: Path) -> None:
        (folder / name).unlink()
        told(lambda manifest: unlist(manifest, name))(folder)

    return dropped


def nested(name: str, opening: bytes) -> Change:
    return lambda folder: (folder / name).write_bytes(opening * 100_000 + b"\n")


LATER = "2999-01-01T00:00:00.000000+00:00"
FORGED: dict[str, tuple[Change, str]] = {
    "two tables changed places": (
        swap("csv/transfers.csv", "csv/rounds.csv"), "csv/transfers.csv: row 1",
    ),
    "two Parquet files changed places": (
        swap("parquet/rounds/00000.parquet", "parquet/accounts/00000.parquet"),
        "parquet/rounds/: row 1",
    ),
    "two files changed places": (swap("transfers.jsonl", "rounds.jsonl"), "transfers.jsonl line 1"),
    "a cell of a table": (
        edit("csv/transfers.csv", ",100000,", ",100001,"), "amount_minor is '100001', not 100000",
    ),
    "a row of a table": (edit("csv/rounds.csv", "\r\n", "\r\nx\r\n"), "csv/rounds.csv: row 1"),
    "a table is dropped": (drop("csv/rounds.csv"), "csv of rounds: is missing, and was asked for"),
    "lines are dropped": (drop("rounds.jsonl"), "is missing; entry"),
    "a kind is not looked at": (
        asked(kinds=["entries", "transfers", "accounts"]),
        "rounds.jsonl: is here, and was not asked for",
    ),
    "an amount with a point": (
        edit("transfers.jsonl", '"amount_minor":100000,', '"amount_minor":100000.0,'), "transfer ",
    ),
    "another spelling of a letter": (
        edit("rounds.jsonl", '"client_seed":"=1+1"', '"client_seed":"=\uff11+1"'), "client_seed is",
    ),
    "totals are left out": (told(lambda manifest: manifest.update(totals={})), "of transfers"),
    "totals are emptied": (
        told(lambda manifest: manifest["totals"].update(rounds=[])), "tells [] of rounds",
    ),
    "a total stands twice": (
        told(lambda manifest: manifest["totals"].update(rounds=manifest["totals"]["rounds"] * 2)),
        "of rounds",
    ),
    "a player's part": (
        asked(player_id="00000000-0000-7000-8000-000000000000"), "and was not asked for",
    ),
    "a currency's part": (asked(currency="SEK"), "is in USD, and was not asked for"),
    "a later time's part": (asked(**{"from": LATER}), "and was not asked for"),
    "another request": (asked(old_size=7), "manifest.json: tells another request"),
    "another who asked": (
        told(lambda manifest: manifest.update(requested_by="nobody")), "tells another request",
    ),
    "another export": (
        told(lambda manifest: manifest.update(export_id="7")), "no entry tells that this export",
    ),
    "an archive that never was": (
        told(lambda manifest: manifest.update(archived_to=LATER)), "no entry tells of an archive",
    ),
    "a file is listed twice": (
        told(lambda manifest: manifest["files"].append(manifest["files"][0])), "more than once",
    ),
    "lists without end": (nested("rounds.jsonl", b"["), "nested too deep"),
    "objects without end": (nested("tree.jsonl", b'{"a":'), "nested too deep"),
    "a link to nowhere": (
        lambda folder: (folder / "x").symlink_to(folder / "nowhere"), "x: is not in the manifest",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGED)
def test_aud_02_what_does_not_agree_with_itself_is_named_whoever_signed_it(
    tables: Path, tmp_path: Path, what: str
) -> None:
    change, name = FORGED[what]
    forged = copy(tables, tmp_path / "forged")
    change(forged)
    found = sign(forged)
    assert any(name in one for one in found), found


def test_what_is_signed_anew_and_was_not_changed_holds(tables: Path, tmp_path: Path) -> None:
    assert sign(copy(tables, tmp_path / "copy")) == []


def repack(packed: Path, target: Path, *more: tuple[str, bytes], first: bool = False) -> Path:
    """Write a zip anew, with more names in it; `{}` stands for the export's own folder."""
    added = [(name.format(packed.stem), data) for name, data in more]
    with ZipFile(packed) as source:
        own = [(name, source.read(name)) for name in source.namelist()]
    with warnings.catch_warnings(), ZipFile(target, "w") as written:
        warnings.simplefilter("ignore")
        for name, data in added + own if first else own + added:
            written.writestr(name, data)
    return target


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("{}/rounds.jsonl", "rounds.jsonl: stands in the zip more than once"),
        ("{}/rounds.jsonl/", "rounds.jsonl: stands in the zip more than once"),
        ("rounds.jsonl", "../rounds.jsonl: is not in the manifest"),
        ("manifest.json", "../manifest.json: is not in the manifest"),
        ("../../evil", "../../../evil: is not in the manifest"),
        ("{}/../evil", "../evil: is not in the manifest"),
        ("/etc/evil", "..//etc/evil: is not in the manifest"),
        ("{}/./rounds.jsonl", "./rounds.jsonl: is not in the manifest"),
        ("{}/ROUNDS.jsonl", "ROUNDS.jsonl: is not in the manifest"),
    ],
)
def test_what_a_zip_has_beside_the_export_is_named(
    packed: Path, tmp_path: Path, name: str, fault: str, *, first: bool
) -> None:
    assert fault in faults(repack(packed, tmp_path / packed.name, (name, b"x"), first=first))


def test_a_zip_is_cut_off_or_changed_anywhere_and_never_ends_in_a_traceback(
    packed: Path, tmp_path: Path
) -> None:
    data, target = packed.read_bytes(), tmp_path / packed.name
    for number in range(60):
        place = len(data) * number // 60
        target.write_bytes(data[:place])
        assert main([str(target)]) in {1, 2}, place
        target.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        assert main([str(target)]) in {0, 1, 2}, place  # 0: a date or a mode, which say nothing
