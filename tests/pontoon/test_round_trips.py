"""A bet and an action ask the database twice: once to read, once to commit."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.conftest import Database
from tests.people import Person
from tests.pontoon.rounds import OPEN
from tests.seeds import deal, plant


@pytest.fixture
def player(people) -> Person:
    """A player whose first seed is made: that is done once in his life."""
    player = people.player()
    player.api.get("me")
    return player


def test_a_bet_takes_two_round_trips(player, database: Database):
    plant(database.owner_url, player, OPEN)
    with CaptureQueriesContext(connection) as asked:
        assert player.bet().status == 201
    assert len(asked) == 2, [query["sql"][:80] for query in asked]


def test_an_action_takes_two_round_trips(player, database: Database):
    round_ = deal(database.owner_url, player, OPEN)
    with CaptureQueriesContext(connection) as asked:
        assert player.act(round_["round_id"], 0, "hit").status == 200
    assert len(asked) == 2, [query["sql"][:80] for query in asked]


def test_win_01_a_win_asks_once_more_what_its_day_has_come_to(player, database: Database):
    round_ = deal(database.owner_url, player, "T T 9 7")
    with CaptureQueriesContext(connection) as asked:
        assert player.act(round_["round_id"], 0, "stand").json["is_win"]
    assert len(asked) == 3


def test_a_retry_takes_one(player):
    body = {"round_id": "0192f0c1-2b3c-7def-8abc-0123456789ab"}
    first = player.bet(**body)
    with CaptureQueriesContext(connection) as asked:
        assert player.bet(**body).body == first.body
    assert len(asked) == 1
