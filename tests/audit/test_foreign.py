"""The log as somebody else's client sees it: tlog-scales reads, checks signatures, makes proofs."""

import psycopg
import pytest
from django.test import Client
from tlog_scales.reader import TilesReader
from tlog_scales.signing import Vkey, VkeySet

from audit.seal import seal
from audit.tree import TILE_WIDTH
from casino.players import services as players
from tests.audit.sealing import pour, write
from tests.conftest import Database
from tests.people import Api

COSIGNATURE = 4


class OverHttp:
    """A backend of tlog-scales: it asks for paths."""

    def __init__(self, api: Api) -> None:
        self.api = api

    def get(self, *path: str) -> bytes | None:
        answer = self.api.get(f"/log/{'/'.join(path)}")
        return answer.body if answer.status == 200 else None


@pytest.fixture
def reader(database: Database, dba: psycopg.Connection) -> TilesReader:
    pour(dba, 3 * TILE_WIDTH)
    seal()
    write(5)
    seal()
    _, token = players.create_key("tests", name="lab", scopes=["log:read"], is_auditors=True)
    return TilesReader(OverHttp(Api(Client(), token)))


def test_a_foreign_client_finds_the_root_and_the_signatures_right(reader: TilesReader) -> None:
    checkpoint = reader.get_checkpoint()
    assert reader.calculate_root_hash() == checkpoint.root_hash
    (verifier,) = reader.backend.get("keys").decode().split()
    key = Vkey.from_string(verifier)
    timed = Vkey(key.name, None, COSIGNATURE, key.pubkey)
    for either in (key, timed):
        assert len(VkeySet(either).verify(checkpoint.signatures, checkpoint)) == 1


def test_a_foreign_client_proves_inclusion_and_consistency(reader: TilesReader) -> None:
    checkpoint = reader.get_checkpoint()
    for index in (0, TILE_WIDTH, checkpoint.size - 1):
        proof = reader.get_inclusion_proof(index, checkpoint.size)
        proof.check(reader.mth(index, index + 1), checkpoint.root_hash)
        (ours,) = reader.backend.api.get(f"log/inclusion?entry={id_of(reader, index)}").json[
            "results"
        ]
        assert ours["hashes"] == [step.hex() for step in proof.node_hashes]
    for old in (1, TILE_WIDTH, checkpoint.size - 1):
        proof = reader.get_consistency_proof(old, checkpoint.size)
        proof.check(reader.mth(0, old), checkpoint.root_hash)
        ours = reader.backend.api.get(f"log/consistency?old={old}&new={checkpoint.size}").json
        assert ours["hashes"] == [step.hex() for step in proof.node_hashes]


def id_of(reader: TilesReader, index: int) -> str:
    """Return the id of an entry out of its bundle."""
    return str(reader.get_entry(index).decode().partition('"id":"')[2][:36])
