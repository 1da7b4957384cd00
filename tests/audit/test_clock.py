"""Whether somebody set the clock that stamps everything (CLK-01)."""

import json
import time
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError

from audit.clock import Watch
from audit.models import Entry
from tests.conftest import Database
from tests.people import at_once


class Stopwatch:
    """A monotonic clock of which the test says how far the database's clock runs away from it."""

    def __init__(self) -> None:
        self.behind_s = 0.0

    def __call__(self) -> float:
        return time.monotonic() - self.behind_s


def told() -> list[dict[str, Any]]:
    entries = Entry.objects.filter(event="clock.changed").order_by("id")
    return [json.loads(entry.body)["payload"] for entry in entries]


def test_clk_01_a_clock_that_runs_is_nothing_to_tell(database: Database) -> None:
    watch = Watch()
    assert [watch.look() for _ in range(3)] == [0, 0, 0]
    assert told() == []


@pytest.mark.parametrize("step_s", [3600.0, -3600.0, 3.0, -3.0])
def test_clk_01_a_clock_that_was_set_is_an_entry(database: Database, step_s: float) -> None:
    passed = Stopwatch()
    watch = Watch(passed)
    watch.look()
    passed.behind_s = step_s
    assert watch.look() == pytest.approx(step_s, abs=1)
    (entry,) = told()
    assert entry["step_ms"] / 1000 == pytest.approx(step_s, abs=1)
    assert entry["before"]["at"] != entry["after"]["at"]
    assert watch.look() == 0
    assert len(told()) == 1


def test_clk_01_a_step_that_could_not_be_told_is_told_by_the_next_look(
    database: Database, dba: psycopg.Connection
) -> None:
    passed = Stopwatch()
    watch = Watch(passed)
    watch.look()
    passed.behind_s = 60.0
    dba.execute("ALTER TABLE audit_entry ADD CONSTRAINT no_room CHECK (event <> 'clock.changed')")
    with pytest.raises(IntegrityError):
        watch.look()
    dba.execute("ALTER TABLE audit_entry DROP CONSTRAINT no_room")
    assert watch.look() == pytest.approx(60, abs=1)
    assert len(told()) == 1


def test_clk_01_what_a_time_server_corrects_is_nothing_to_tell(database: Database) -> None:
    passed = Stopwatch()
    watch = Watch(passed)
    watch.look()
    for _ in range(4):
        passed.behind_s += 1.0
        assert watch.look() == 0
    assert told() == []


def test_clk_01_of_all_processes_that_see_it_one_tells(database: Database) -> None:
    passed = Stopwatch()
    watches = [Watch(passed) for _ in range(6)]
    for watch in watches:
        watch.look()
    passed.behind_s = -90.0
    assert at_once(*(watch.look for watch in watches)) == [pytest.approx(-90, abs=1)] * 6
    assert len(told()) == 1
    passed.behind_s = 0.0
    assert watches[0].look() == pytest.approx(90, abs=1)
    assert len(told()) == 2
