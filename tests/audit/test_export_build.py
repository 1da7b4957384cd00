"""Building exports: what is in one, and what a kill, a lost file or two builders do to it."""

import csv
import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pyarrow.parquet as pq
import pytest
from pytest_django import Settings

from audit import export, log
from audit.errors import ExportNotFoundError
from audit.events import Event
from audit.export import entries, files, parts, steps
from audit.models import Entry, Export
from audit.services import now, record
from tests.audit.exporting import build, faults, live, rows, unpack
from tests.audit.sealing import write_open
from tests.conftest import Database
from tests.people import People, Person, at_once
from tests.pontoon.rounds import TWENTY, flag, void
from tests.seeds import deal
from wallets import export as wallets

KINDS = ("entries", "transfers", "accounts", "rounds")


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    """Where exports are built; pieces are small, so that there are many."""
    settings.EXPORT_DIR = tmp_path / "exports"
    return tmp_path


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "WINDOW", 7)
    monkeypatch.setattr(wallets, "CHUNK", 5)
    monkeypatch.setattr("pontoon.export.CHUNK", 3)
    monkeypatch.setattr(files, "LINES_AT_ONCE", 4)


@pytest.fixture
def players(people: People, database: Database) -> list[Person]:
    return live(people, database.owner_url)


def ask(**asked: Any) -> Export:
    return export.request("tests", asked=export.parse_asked(asked))


# --- What is in one -----------------------------------------------------------------------------


def test_rep_04_a_whole_export_has_everything_and_holds(
    players: list[Person], folder: Path, small: None
) -> None:
    path = build(formats=["csv", "parquet"])
    assert faults(path) == []
    unpacked = unpack(path, folder)
    assert faults(unpacked, keys=[str(key) for key in log.public_keys()]) == []
    sealed = json.loads((unpacked / "manifest.json").read_text())["size"]
    assert len(rows(unpacked, "entries")) == sealed
    assert {row["state"] for row in rows(unpacked, "rounds")} == {
        "open", "settled", "held", "voided",
    }  # fmt: skip
    for part in KINDS:
        lines = rows(unpacked, part)
        with (unpacked / f"csv/{part}.csv").open(newline="") as file:
            told = list(csv.DictReader(file))
        table = pq.read_table(unpacked / f"parquet/{part}").to_pylist()
        names = [column.name for column in parts.parts()[part].columns]
        assert len(told) == len(table) == len(lines)
        assert list(told[0]) == list(table[0]) == names
        assert set(names) <= set(lines[0])


def test_no_seed_of_an_open_round_is_in_an_export(players: list[Person], folder: Path) -> None:
    unpacked = unpack(build(), folder)
    for row in rows(unpacked, "rounds"):
        assert (row["record"] is None) == (row["state"] == "open")


def test_a_cell_is_no_formula(players: list[Person], folder: Path) -> None:
    unpacked = unpack(build(formats=["csv"]), folder)
    for part in KINDS:
        with (unpacked / f"csv/{part}.csv").open(newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        texts = [cell for cell in cells if not re.fullmatch(r"-?\d+", cell)]
        assert not [text for text in texts if text.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert b"'=w1" in (unpacked / "csv/transfers.csv").read_bytes()
    assert b"'=1+1" in (unpacked / "csv/rounds.csv").read_bytes()


def test_the_data_dictionary_tells_every_column(folder: Path, people: People) -> None:
    unpacked = unpack(build(formats=["csv"]), folder)
    with (unpacked / "csv/dictionary.csv").open(newline="") as file:
        told = [(row["file"], row["column"]) for row in csv.DictReader(file)]
    assert told == [
        (f"{part}.csv", column.name) for part in KINDS for column in parts.parts()[part].columns
    ]


PART_OF_IT: dict[str, Callable[[list[Person], str], dict[str, Any]]] = {
    "a player": lambda players, _: {"player_id": str(players[2].id)},
    "a currency": lambda *_: {"currency": "JPY"},
    "from a time on": lambda _, middle: {"from": middle},
    "until a time": lambda _, middle: {"to": middle},
    "a day of nothing": lambda *_: {"from": "2020-01-01", "to": "2020-01-02"},
    "transfers alone": lambda *_: {"kinds": ["transfers"]},
    "entries alone": lambda *_: {"kinds": ["entries"]},
    "rounds and entries": lambda *_: {"kinds": ["rounds", "entries"]},
    "an older size": lambda players, _: {"player_id": str(players[0].id), "old_size": 5},
}


@pytest.mark.parametrize("what", PART_OF_IT)
def test_a_part_of_the_log_leads_to_the_same_root(
    players: list[Person], folder: Path, what: str, small: None
) -> None:
    middle = Entry.objects.filter(event="round.settled").order_by("id")[4].at.isoformat()
    path = build(**PART_OF_IT[what](players, middle))
    assert faults(path) == []
    whole = json.loads((unpack(path, folder) / "manifest.json").read_text())
    assert whole["size"] > 50


def test_an_export_is_held_against_an_older_checkpoint(
    players: list[Person], folder: Path, settings: Settings
) -> None:
    build()
    old = log.last_checkpoint()
    assert old is not None
    players[0].finish(players[0].bet(100).json)
    assert faults(build(), old=old.note) == []
    one = str(players[0].id)
    assert faults(build(player_id=one, old_size=old.size), old=old.note) == []
    blind = faults(build(player_id=one), old=old.note)
    assert blind == [] or "lies within a node" in blind[0]
    settings.LOG_KEYS = settings.LOG_KEYS[:1]
    forged = old.note.replace(str(old.size), str(old.size + 1), 1)
    with pytest.raises(Exception, match="older checkpoint"):
        faults(build(), old=forged)


def test_a_round_is_told_as_it_was_at_the_checkpoint(
    players: list[Person], database: Database, folder: Path
) -> None:
    asked = ask()
    export.build(within=timedelta())
    open_ = deal(database.owner_url, players[1], "56 789T 56 789T 5678")
    made = ask()
    while made.state == "waiting":
        export.build(within=timedelta(microseconds=1), only=made.id)
        made.refresh_from_db()
    players[1].finish(open_)
    export.build(only=made.id)
    path = export.download("tests", export_id=made.id)
    assert faults(path) == []
    told = {row["round_id"]: row for row in rows(unpack(path, folder), "rounds")}
    assert told[open_["round_id"]]["state"] == "open"
    assert told[open_["round_id"]]["record"] is None
    export.build(only=asked.id)
    assert faults(export.download("tests", export_id=asked.id)) == []


def test_a_round_that_waited_is_told_as_it_waited_at_the_end(
    people: People, database: Database, folder: Path
) -> None:
    player = people.player()
    round_ = deal(database.owner_url, player, TWENTY, 100)
    flag(round_)
    assert player.act(round_["round_id"], 0, "stand").json["state"] == "held"
    end = now().isoformat()
    void(player, round_)
    path = build(to=end)
    assert faults(path) == []
    (told,) = rows(unpack(path, folder), "rounds")
    assert (told["state"], told["held_reason"]) == ("held", "malfunction")


def test_what_is_archived_is_covered_by_nodes_and_the_rest_holds(
    players: list[Person], folder: Path, dba: psycopg.Connection
) -> None:
    build()
    at = Entry.objects.filter(event="round.settled").order_by("id")[4].at
    (middle,) = dba.execute("SELECT audit_first_id(%s)", [at]).fetchone() or ()
    dba.execute(
        "INSERT INTO audit_archive (from_id, to_id, entry_count, digest, entry_id)"
        " SELECT audit_first_id('2000-01-01'), %(middle)s::uuid, count(*), sha256(''), %(middle)s"
        "   FROM audit_entry"
        "  WHERE id < %(middle)s",
        {"middle": middle},
    )
    dba.execute("DELETE FROM audit_entry WHERE id < %s", [middle])
    assert any("no entry tells of an archive" in one for one in faults(build()))
    told = {"before": None, "after": None}
    record(Event.LOG_ARCHIVED, subject=f"log:{at:%Y-%m}", actor="tests", payload=told)
    path = build()
    assert faults(path) == []
    unpacked = unpack(path, folder)
    assert min(row["id"] for row in rows(unpacked, "entries")) > str(middle)
    assert len(rows(unpacked, "rounds")) > 10


# --- As work ------------------------------------------------------------------------------------


def test_a_build_whose_files_are_lost_begins_anew(
    players: list[Person], folder: Path, small: None
) -> None:
    made = ask()
    while not made.cursor.get("counts", {}).get("transfers.jsonl"):
        export.build(within=timedelta(microseconds=1), only=made.id)
        made.refresh_from_db()
    (steps.folder_of(made) / "transfers.jsonl").write_bytes(b"")
    export.build(only=made.id)
    made.refresh_from_db()
    assert (made.state, made.fault_count) == ("done", 1)
    assert faults(export.download("tests", export_id=made.id)) == []


def test_a_build_that_always_fails_is_given_up_on_record(
    people: People, folder: Path, settings: Settings
) -> None:
    (folder / "file").write_text("no folder")
    settings.EXPORT_DIR = folder / "file"
    made = ask()
    assert not export.build(only=made.id)
    made.refresh_from_db()
    assert made.state == "failed"
    assert Entry.objects.filter(event="export.failed", subject=f"export:{made.id}").count() == 1
    with pytest.raises(ExportNotFoundError):
        export.download("tests", export_id=made.id)


def test_an_export_that_cannot_be_built_does_not_keep_the_others(
    database: Database, people: People, folder: Path
) -> None:
    spoilt = ask()
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute(
            "UPDATE audit_export SET asked = '{\"from\": 7}' WHERE id = %s", [spoilt.id]
        )
    sound = ask()
    assert not export.build()
    for one in (spoilt, sound):
        one.refresh_from_db()
    assert (spoilt.state, sound.state) == ("failed", "done")
    assert "TypeError" in spoilt.fault


def test_two_builders_never_work_on_one_export(
    players: list[Person], folder: Path, small: None
) -> None:
    made = [ask(), ask(currency="USD")]
    at_once(*[export.build] * 4)
    export.build()
    for one in made:
        one.refresh_from_db()
        assert one.state == "done"
        assert faults(export.download("tests", export_id=one.id)) == []


def test_an_export_waits_until_its_own_request_is_sealed(
    database: Database, people: People
) -> None:
    """Somebody's older act is not over, so nothing after it has its place in the log yet."""
    with psycopg.connect(database.app_url) as slow:
        write_open(slow, "slow")
        made = ask()
        assert export.build(only=made.id)
        made.refresh_from_db()
        assert made.state == "waiting"
        slow.commit()
    assert not export.build(only=made.id)
    made.refresh_from_db()
    assert made.state == "done"
    assert faults(export.download("tests", export_id=made.id)) == []


def test_no_export_of_a_broken_log_begins_and_those_that_run_are_finished(
    players: list[Person], folder: Path, dba: psycopg.Connection
) -> None:
    running = ask()
    while running.state == "waiting":
        export.build(within=timedelta(microseconds=1))
        running.refresh_from_db()
    dba.execute("UPDATE audit_leaf SET hash = sha256('') WHERE index = 3")
    waiting = ask()
    assert export.build()
    for made in (running, waiting):
        made.refresh_from_db()
    assert (running.state, waiting.state) == ("done", "waiting")
    assert any("entry 3" in one for one in faults(export.download("tests", export_id=running.id)))
