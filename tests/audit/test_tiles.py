"""The log as a stranger reads it: over HTTP, with nothing but SHA-256 and base64."""

import base64
import gzip
import hashlib
import json
from collections.abc import Callable
from io import StringIO

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.management import CommandError, call_command
from django.test import Client

from audit.models import Entry
from audit.seal import seal
from casino.players import services as players
from tests.audit.sealing import pour, write
from tests.conftest import Database
from tests.people import Api, People

SIZE = 70_000
"""Of the example in C2SP tlog-tiles: full and partial tiles on three levels."""


# --- A reader of our own, who knows the standards and none of our code --------------------------


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


class Reader:
    """Follows a log from its checkpoint; `fetch` is how it gets a path under /log/."""

    def __init__(self, fetch: Callable[[str], bytes]) -> None:
        self.fetch = fetch
        self.seen: dict[str, bytes] = {}
        body, _, signatures = fetch("checkpoint").decode().rpartition("\n\n")
        self.body, self.signatures = f"{body}\n", signatures.splitlines()
        self.origin, size, root = body.split("\n")
        self.size, self.root = int(size), base64.b64decode(root)

    def is_signed(self) -> bool:
        """Check the plain signature of any published key."""
        for verifier in self.fetch("keys").decode().splitlines():
            name, key_id, data = verifier.split("+", 2)
            for line in self.signatures:
                _, signer, signature = line.split(" ")
                raw = base64.b64decode(signature)
                if signer == name and raw[:4].hex() == key_id:
                    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(data)[1:])
                    key.verify(raw[4:], self.body.encode())
                    return True
        return False

    def subtree(self, begin: int, end: int) -> bytes:
        """Return the hash of the leaves [begin, end), RFC 6962 section 2.1."""
        level, count = 0, end - begin
        while count % 256 == 0 and begin % 256 ** (level + 1) == 0:
            level, count = level + 1, count // 256
        if count == 1:
            return self.hash(level, begin // 256**level)
        split = begin + (1 << (end - begin - 1).bit_length() - 1)
        return sha256(b"\x01" + self.subtree(begin, split) + self.subtree(split, end))

    def hash(self, level: int, index: int) -> bytes:
        tile = self.tile(str(level), index // 256, self.size // 256**level)
        return tile[index % 256 * 32 :][:32]

    def tile(self, level: str, number: int, count: int) -> bytes:
        path = f"x{number // 1000:03d}/" if number > 999 else ""
        path = f"tile/{level}/{path}{number % 1000:03d}"
        if number == count // 256:
            path += f".p/{count % 256}"
        if path not in self.seen:
            self.seen[path] = self.fetch(path)
        return self.seen[path]

    def entry(self, index: int) -> bytes:
        bundle = self.tile("entries", index // 256, self.size)
        for _ in range(index % 256):
            bundle = bundle[2 + int.from_bytes(bundle[:2], "big") :]
        return bundle[2:][: int.from_bytes(bundle[:2], "big")]

    def path(self, index: int) -> list[bytes]:
        """Return a leaf's audit path, RFC 6962 section 2.1.1."""

        def path(begin: int, end: int) -> list[bytes]:
            if end - begin == 1:
                return []
            split = begin + (1 << (end - begin - 1).bit_length() - 1)
            if index < split:
                return [*path(begin, split), self.subtree(split, end)]
            return [*path(split, end), self.subtree(begin, split)]

        return path(0, self.size)


# --- What it finds ------------------------------------------------------------------------------


@pytest.fixture
def auditor(database: Database) -> Api:
    _, token = players.create_key("tests", name="lab", scopes=["log:read"], is_auditors=True)
    return Api(Client(), token)


@pytest.fixture
def fetch(auditor: Api) -> Callable[[str], bytes]:
    def fetch(path: str) -> bytes:
        reader = auditor if "entries" in path else Api(Client())
        answer = reader.get(f"/log/{path}")
        assert answer.status == 200, (path, answer)
        return answer.body

    return fetch


def test_a_stranger_finds_the_root_of_the_tiles_in_a_checkpoint_that_is_signed(
    database: Database, dba: psycopg.Connection, fetch: Callable[[str], bytes]
) -> None:
    fill(dba)
    reader = Reader(fetch)
    assert reader.size == SIZE
    assert reader.is_signed()
    assert reader.subtree(0, SIZE) == reader.root
    for index in (0, 255, 256, 65_535, 65_536, SIZE - 1):
        assert sha256(b"\x00" + reader.entry(index)) == reader.hash(0, index)
    assert [path for path in reader.seen if path.startswith(("tile/1/", "tile/2/"))] == [
        "tile/2/000.p/1", "tile/1/001.p/17",
    ]  # fmt: skip


def fill(dba: psycopg.Connection) -> None:
    """Seal as many entries as the standard's example has."""
    write()
    seal()
    pour(dba, SIZE - Entry.objects.count())
    seal(batch=SIZE)


def test_proofs_that_we_make_are_those_that_a_stranger_makes(
    database: Database, dba: psycopg.Connection, fetch: Callable[[str], bytes], api: Api
) -> None:
    fill(dba)
    reader = Reader(fetch)
    for index in (0, 65_536, SIZE - 1):
        id_ = json.loads(reader.entry(index))["id"]
        (proof,) = api.get(f"log/inclusion?entry={id_}").json["results"]
        assert (proof["index"], proof["size"]) == (index, SIZE)
        assert [bytes.fromhex(step) for step in proof["hashes"]] == reader.path(index)
        assert proof["root_hash"] == reader.root.hex()
        assert proof["leaf_hash"] == sha256(b"\x00" + reader.entry(index)).hex()
        head, _, checkpoint = proof["tlog_proof"].partition("\n\n")
        assert checkpoint.encode() == reader.fetch("checkpoint")
        steps = [base64.b64encode(step).decode() for step in reader.path(index)]
        assert head.splitlines() == ["c2sp.org/tlog-proof@v1", f"index {index}", *steps]


# --- What is served, to whom, for how long ------------------------------------------------------


@pytest.fixture
def small(database: Database) -> None:
    write(4)
    seal()


def test_before_the_first_seal_there_is_no_checkpoint(api: Api) -> None:
    assert api.get("/log/checkpoint").status == 404
    assert (api.get("/log/keys").status, api.get("/log/keys").body) == (200, b"")
    assert api.get("/log/tile/0/000.p/1").status == 404
    assert api.get(f"log/inclusion?entry={'0' * 8}-0000-7000-8000-{'0' * 12}").json == {
        "results": []
    }
    assert api.get("log/consistency?old=0&new=0").status == 422


def test_a_checkpoint_is_text_for_a_moment_and_tiles_are_bytes_for_ever(
    small: None, api: Api, auditor: Api
) -> None:
    checkpoint = api.get("/log/checkpoint")
    assert checkpoint.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "max-age=2" in checkpoint.headers["Cache-Control"]
    tile, bundle = api.get("/log/tile/0/000.p/5"), auditor.get("/log/tile/entries/000.p/5")
    for answer, whose in ((tile, "public"), (bundle, "private")):
        assert answer.headers["Content-Type"] == "application/octet-stream"
        for word in (whose, "immutable", "max-age=31536000"):
            assert word in answer.headers["Cache-Control"]
    assert len(tile.body) == 5 * 32


def test_a_bundle_is_compressed_for_those_who_say_so(small: None, auditor: Api) -> None:
    plain = auditor.get("/log/tile/entries/000.p/5")
    packed = auditor.get("/log/tile/entries/000.p/5", accept_encoding="gzip")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body


@pytest.mark.parametrize(
    "path",
    ["0/000", "0/000.p/6", "1/000.p/1", "0/001.p/1", "entries/000", "entries/000.p/6", "x", "0/0"],
)
def test_what_is_not_published_is_not_found(small: None, auditor: Api, path: str) -> None:
    answer = auditor.get(f"/log/tile/{path}")
    assert (answer.status, answer.json["code"]) == (404, "not_found")
    assert "no-store" in answer.headers["Cache-Control"]


def test_the_entries_are_for_those_whose_key_says_so(small: None, people: People) -> None:
    path = "/log/tile/entries/000.p/5"
    nobody = people.operator.as_("")
    assert (nobody.get(path).status, people.operator.get(path).status) == (401, 200)
    assert people.player().api.get(path).status == 403
    _, other = players.create_key("tests", name="other", scopes=["rounds:read"])
    assert nobody.as_(other).get(path).status == 403
    assert nobody.as_("au_unknown").get(path).status == 401


def test_an_auditor_may_look_and_not_act(auditor: Api, api: Api) -> None:
    caller = api.as_(auditor.token)
    body = {"external_id": "x", "currency": "USD", "country": "GB", "language": "en"}
    assert caller.get("players").json["code"] == "not_allowed"
    assert caller.post("players", body).json["code"] == "not_allowed"
    assert caller.post("rounds", {}).json["code"] == "not_allowed"


def test_the_command_makes_an_auditors_key_that_may_only_look(database: Database) -> None:
    out = StringIO()
    call_command("create_api_key", "lab", "--auditor", "--scopes", "log:read", stdout=out)
    assert "au_" in out.getvalue()
    with pytest.raises(CommandError, match="no money:write"):
        call_command("create_api_key", "lab", "--auditor", "--scopes", "money:write")


# --- Proofs -------------------------------------------------------------------------------------


def test_a_round_is_proven_by_its_entries_and_in_its_own_proof(people: People) -> None:
    player = people.player()
    round_ = player.finish(player.bet(100).json)
    path = f"rounds/{round_['round_id']}/proof"
    assert player.api.get(path).json["inclusion"] == []
    seal()
    told = player.api.get(path).json
    found = people.operator.get(f"log/inclusion?round={round_['round_id']}").json["results"]
    assert told["inclusion"] == found
    assert [line["entry_id"] for line in found] == [entry["id"] for entry in told["entries"]]
    assert [line["leaf_hash"] for line in found] == [
        entry["leaf_hash"] for entry in told["entries"]
    ]


def test_an_old_checkpoint_is_where_a_new_one_begins(small: None, api: Api) -> None:
    old = Reader(lambda path: api.get(f"/log/{path}").body)
    write(6)
    seal()
    new = Reader(lambda path: api.get(f"/log/{path}").body)
    proof = api.get(f"log/consistency?old={old.size}&new={new.size}").json
    assert (proof["old_root"], proof["new_root"]) == (old.root.hex(), new.root.hex())
    assert [bytes.fromhex(step) for step in proof["hashes"]] == [
        new.hash(0, 4), new.hash(0, 5), new.subtree(6, 8), new.subtree(0, 4), new.subtree(8, 11),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "member"),
    [
        ("inclusion", "entry"),
        ("inclusion?entry=1", "entry"),
        (f"inclusion?entry={'0' * 32}&round={'0' * 32}", "entry"),
        ("consistency?old=1", "new"),
        ("consistency?new=1", "old"),
        ("consistency?old=2&new=1", "new"),
        ("consistency?old=1&new=99", "new"),
        ("consistency?old=-1&new=1", "old"),
        ("consistency?old=x&new=1", "old"),
        ("consistency?old=1&new=99999999999999999999", "new"),
    ],
)
def test_what_cannot_be_proven_is_refused(small: None, api: Api, query: str, member: str) -> None:
    answer = api.get(f"log/{query}")
    assert (answer.status, answer.json["code"]) == (422, "invalid")
    assert list(answer.json["fields"]) == [member]
