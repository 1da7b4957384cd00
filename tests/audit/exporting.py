"""What the tests of exports share: people who played, an export of it, and its lines to spoil."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from audit import export
from audit.verify.check import Check
from tests.people import People, Person
from tests.pontoon.rounds import TWENTY, adjust, flag, owing, release, void
from tests.seeds import LARGE_WIN_ACTIONS, LARGE_WIN_SEED, deal, plant_seed

Lines = list[bytes]


def live(people: People, owner_url: str) -> list[Person]:
    """Let happen what an export can tell of: rounds in every state, payments, corrections."""
    players = [people.player(currency=currency) for currency in ("JPY", "USD")]
    for player in players:
        rounds = [player.finish(player.bet(100, client_seed="=1+1").json) for _ in range(4)]
        void(player, rounds[0])
    corrected = _correct(people, players[0], owner_url)
    winner = people.player(cash=1_000_000)
    for decide in (release, void, lambda *_: None):
        plant_seed(owner_url, winner, LARGE_WIN_SEED)
        round_ = winner.bet(100_000).json
        for action in LARGE_WIN_ACTIONS:
            round_ = winner.act(round_["round_id"], round_["seq"], action).json
        decide(winner, round_)
    deal(owner_url, winner, "56 789T 56 789T 5678")
    body = {"amount_minor": 50, "currency": "USD", "reference": "=w1"}
    people.operator.post(f"players/{winner.id}/withdrawals", body, idempotency_key="w1")
    return [*players, winner, *corrected]


def _correct(people: People, player: Person, owner_url: str) -> list[Person]:
    """Adjustments of every kind, and a round that waits for a malfunction; return who came."""
    adjust(player, "credit", 300)
    adjust(player, "debit", 40)
    debtor = owing(people, owner_url)
    people.deposit(debtor.id, 150)
    adjust(debtor, "settle", 150)
    adjust(debtor, "write_off", 100)
    waiting = people.player()
    round_ = deal(owner_url, waiting, TWENTY, 100)
    flag(round_)
    assert waiting.act(round_["round_id"], 0, "stand").json["state"] == "held"
    return [debtor, waiting]


def build(**asked: Any) -> Path:
    """Build an export to its end, and take it."""
    made = export.request("tests", asked=export.parse_asked(asked))
    export.build(only=made.id)
    made.refresh_from_db()
    assert made.state == "done", made.fault
    return export.download("tests", export_id=made.id)


def unpack(path: Path, folder: Path) -> Path:
    """Return the folder that was in an export's zip."""
    with ZipFile(path) as packed:
        packed.extractall(folder)
    return folder / path.stem


def faults(path: Path, **known: Any) -> list[str]:
    """Return what an outsider finds wrong with an export."""
    return [str(fault) for fault in Check(path, keys=known.pop("keys", []), **known).faults()]


def rows(folder: Path, part: str) -> list[dict[str, Any]]:
    """Return a part's lines as members."""
    return [json.loads(line) for line in (folder / f"{part}.jsonl").read_bytes().splitlines()]


def spoil(folder: Path, name: str, change: Callable[[Lines], object]) -> list[str]:
    """Change the lines of a file, look at the export, and put the file back; return the faults."""
    path = folder / name
    kept = path.read_bytes()
    lines = kept.splitlines(keepends=True)
    change(lines)
    path.write_bytes(b"".join(lines))
    try:
        assert path.read_bytes() != kept
        return faults(folder)
    finally:
        path.write_bytes(kept)


def members(told: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a JSON document."""
    if isinstance(told, dict | list) and told:
        for name, value in told.items() if isinstance(told, dict) else enumerate(told):
            yield from members(value, (*path, name))
    else:
        yield path


def flip(told: Any, path: tuple[Any, ...]) -> None:
    """Change one value of a document, as little as can be."""
    *above, name = path
    for step in above:
        told = told[step]
    told[name] = _other(told[name])


def _other(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return "x" if value is None else not value
    if isinstance(value, int):
        return value ^ 1
    if isinstance(value, str) and value:
        return value[:-1] + chr(ord(value[-1]) ^ 1)
    return "x"


def copy(folder: Path, target: Path) -> Path:
    """Return a copy of an export's folder."""
    return Path(shutil.copytree(folder, target))
