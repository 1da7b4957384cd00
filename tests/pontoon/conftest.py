"""Rounds to begin with. Each module says who its `player` is."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Database
from tests.people import Person
from tests.seeds import LARGE_WIN_ACTIONS, LARGE_WIN_SEED, deal, plant_seed


@pytest.fixture
def dealt(player: Person, database: Database) -> Callable[[str], dict[str, Any]]:
    """Deal the player a round of 100 that begins with these ranks."""
    return lambda ranks: deal(database.owner_url, player, ranks, 100)


@pytest.fixture
def held(player: Person, database: Database) -> dict[str, Any]:
    """A round of the player's whose win of 10,000.00 waits for somebody's word."""
    plant_seed(database.owner_url, player, LARGE_WIN_SEED)
    round_ = player.bet(100_000).json
    for action in LARGE_WIN_ACTIONS:
        round_ = player.act(round_["round_id"], round_["seq"], action).json
    assert round_["state"] == "held", round_
    return round_
