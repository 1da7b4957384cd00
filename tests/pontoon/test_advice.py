"""The hint: equal to the best strategy, and silent about what the player does not see."""

import pytest

from casino.players import profiles
from pontoon.analysis.strategy import advise
from pontoon.queries import read_facts, view_of
from tests.conftest import Database
from tests.people import Answer, People, Person
from tests.seeds import deal


@pytest.fixture
def player(people: People) -> Person:
    """A player with money for a hundred rounds."""
    return people.player(cash=1_000_000)


def ask(player: Person, round_: dict) -> Answer:
    return player.api.get(f"rounds/{round_['round_id']}/advice")


def test_the_hint_is_what_the_best_strategy_does_at_every_step(player: Person):
    from uuid import UUID

    asked = 0
    for _ in range(25):
        round_ = player.bet(100).json
        while round_["state"] == "open":
            hint = ask(player, round_)
            assert hint.status == 200
            assert hint.headers["Cache-Control"] == "no-store"
            view = view_of(read_facts(player.id, UUID(round_["round_id"])))
            assert hint.json["action"] == advise(view, "house/1").value
            assert hint.json["seq"] == round_["seq"]
            assert hint.json["action"] in {option["action"] for option in round_["options"]}
            round_ = player.act(round_["round_id"], round_["seq"], hint.json["action"]).json
            asked += 1
    assert asked > 10


def test_gam_05_the_hint_does_not_depend_on_the_dealers_cards(people: People, database: Database):
    hints = set()
    for hole in ("2 2", "T T", "A 5", "9 7"):
        one, two = hole.split()
        player = people.player()
        round_ = deal(database.owner_url, player, f"9 {one} 3 {two}")
        hints.add(ask(player, round_).json["action"])
        assert round_["dealer"]["cards"] == ["??", "??"]
    assert len(hints) == 1


def test_a_round_that_is_over_takes_no_hint(player: Person):
    over = player.finish(player.bet(100).json)
    refused = ask(player, over)
    assert (refused.status, refused.json["code"]) == (409, "round_over")


def test_another_players_round_is_not_found(player: Person, people: People):
    round_ = player.bet(100).json
    assert ask(people.player(), round_).status == 404


def test_a_profile_may_forbid_hints(people: People, monkeypatch: pytest.MonkeyPatch):
    silent = profiles.Profile("silent", hint_allowed=False)
    monkeypatch.setattr(profiles, "PROFILES", dict(profiles.PROFILES) | {"silent": silent})
    player = people.player(profile="silent")
    round_ = player.bet(100).json
    assert player.api.get("me").json["profile"]["hint_allowed"] is False
    refused = ask(player, round_)
    assert (refused.status, refused.json["code"]) == (409, "hint_not_offered")
