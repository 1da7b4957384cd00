"""Checkpoints are linked: none is taken from the middle, and the links are not taken away."""

import json
from itertools import pairwise

import psycopg
import pytest

from audit import log, tree
from audit.errors import LogBrokenError
from audit.log.links import Chain
from audit.models import Checkpoint, Entry
from audit.seal import seal
from tests.audit.sealing import faults, require_whole, write
from tests.conftest import Database

LINK = tree.Link("casino.example/log", 3, 8, 5, tree.note_hash("a note"))


@pytest.fixture
def sizes(database: Database) -> list[int]:
    """A log in several checkpoints; their sizes."""
    for _ in range(3):
        write(2)
        seal()
    assert faults() == []
    return list(Checkpoint.objects.order_by("size").values_list("size", flat=True))


def test_a_link_is_read_as_it_was_written_and_is_no_checkpoint() -> None:
    text = tree.format_link(LINK)
    assert tree.parse_link(text) == LINK
    with pytest.raises(tree.CheckpointError):
        tree.parse_checkpoint(text)
    spoilt = text.replace("3 8", "03 8"), text.replace("\n5 ", "\n5")
    for other in ("", text[:-1], f"{text}x\n", *spoilt):
        with pytest.raises(tree.NoteError):
            tree.parse_link(other)


def test_aud_02_each_checkpoint_names_the_one_before_it(sizes: list[int]) -> None:
    links = [
        tree.parse_link(tree.parse_note(kept.link).text)
        for kept in Checkpoint.objects.order_by("size")
    ]
    assert [link.number for link in links] == list(range(1, len(sizes) + 1))
    assert [link.size for link in links] == sizes
    assert [link.before_size for link in links] == [0, *sizes[:-1]]


def test_aud_02_every_checkpoint_that_is_taken_from_the_middle_is_named(
    sizes: list[int], dba: psycopg.Connection
) -> None:
    for size, after in pairwise(sizes):
        dba.execute(
            "CREATE TEMP TABLE kept AS SELECT * FROM audit_checkpoint WHERE size = %s", [size]
        )
        dba.execute("DELETE FROM audit_checkpoint WHERE size = %s", [size])
        found = faults()
        dba.execute("INSERT INTO audit_checkpoint SELECT * FROM kept")
        dba.execute("DROP TABLE kept")
        assert f"checkpoint {size} is gone: {after} was signed after it" in found
    assert faults() == []


def test_aud_02_one_that_was_taken_stays_missed_when_the_log_goes_on(
    sizes: list[int], dba: psycopg.Connection
) -> None:
    dba.execute("DELETE FROM audit_checkpoint WHERE size = %s", [sizes[1]])
    write(2)
    seal()
    assert faults() == [f"checkpoint {sizes[1]} is gone: {sizes[2]} was signed after it"]


def test_aud_02_who_takes_links_away_too_is_found(
    sizes: list[int], dba: psycopg.Connection
) -> None:
    dba.execute("DELETE FROM audit_checkpoint WHERE size = %s", [sizes[1]])
    dba.execute("UPDATE audit_checkpoint SET link = '' WHERE size < %s", [sizes[-1]])
    assert any("has no link" in fault for fault in faults())
    assert any(f"is number {len(sizes)}, and" in fault for fault in faults())
    dba.execute("UPDATE audit_checkpoint SET link = ''")
    write(2)
    seal()  # goes on, and what was taken away is not forgotten
    told = [fault for fault in faults() if "has no link" in fault]
    assert len(told) == len(sizes) - 1


def test_aud_02_a_link_of_another_checkpoint_does_not_hold(
    sizes: list[int], dba: psycopg.Connection
) -> None:
    dba.execute(
        "UPDATE audit_checkpoint SET link = (SELECT link FROM audit_checkpoint WHERE size = %s)"
        " WHERE size = %s",
        [sizes[2], sizes[1]],
    )
    assert any("it is another checkpoint's" in fault for fault in faults())


def test_checkpoints_from_before_there_were_links_hold(database: Database) -> None:
    chain = Chain(log.public_keys())
    for size in (4, 9):
        assert list(chain.faults(Checkpoint(size=size, note=f"x\n{size}\n", link=""))) == []


def test_a_log_from_before_there_were_links_says_from_where_it_has_them(
    sizes: list[int], dba: psycopg.Connection
) -> None:
    dba.execute("UPDATE audit_checkpoint SET link = ''")
    write(2)
    seal()
    bodies = Entry.objects.filter(event="log.keys_changed").order_by("id")
    told = [json.loads(entry.body)["payload"]["links_from"] for entry in bodies]
    linked = Checkpoint.objects.exclude(link="").order_by("size")
    assert told[1] == linked[0].size
    link = tree.parse_link(tree.parse_note(linked[0].link).text)
    assert (link.number, link.before_size) == (len(sizes) + 1, sizes[-1])


def test_after_a_link_that_is_none_nothing_is_signed(
    sizes: list[int], dba: psycopg.Connection
) -> None:
    dba.execute("UPDATE audit_checkpoint SET link = 'x' WHERE size = %s", [sizes[-1]])
    write()
    with pytest.raises(LogBrokenError) as refusal:
        seal()
    assert refusal.value.reason == "signature_wrong"


def test_a_linked_log_is_whole(sizes: list[int]) -> None:
    require_whole()
