"""RCK-01: a player is told how long he has played as often as he wants, before the next round."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest

from audit.models import Entry
from casino.players.models import RealityCheck
from tests.conftest import Database
from tests.people import People, Person, at_once
from tests.seeds import deal

OPEN = "56 789T 56 789T 5678"


@pytest.fixture
def player(people: People) -> Person:
    """A player with 1,000.00 USD."""
    return people.player()


@pytest.fixture
def later(owner: psycopg.Connection) -> Callable[[Person, int], None]:
    """Make a player's session so many minutes older; it was seen this moment."""

    def later(player: Person, minutes: int) -> None:
        owner.execute(
            "UPDATE players_playsession SET opened_at = opened_at - %(m)s * interval '1 minute',"
            " checked_at = checked_at - %(m)s * interval '1 minute' WHERE player_id = %(id)s",
            {"m": minutes, "id": player.id},
        )

    return later


def ask(player: Person, minutes: Any) -> Any:
    return player.api.call("PUT", "me/reality-check", {"interval_min": minutes})


def acknowledge(player: Person, **told: int) -> Any:
    return player.api.post("me/reality-check/ack", told)


def told(player: Person) -> dict[str, Any]:
    check: dict[str, Any] = player.api.get("me").json["reality_check"]
    return check


def entries(player: Person) -> list[str]:
    found = Entry.objects.filter(player_id=player.id, event__startswith="reality_check")
    return list(found.order_by("at").values_list("event", flat=True))


def test_rck_01_nobody_is_interrupted_who_did_not_ask(player: Person, later: Any) -> None:
    later(player, 600)
    assert told(player)["interval_min"] is None
    assert player.bet(100).status == 201


def test_rck_01_the_next_round_waits_for_the_acknowledgement(player: Person, later: Any) -> None:
    answer = ask(player, 30)
    assert (answer.status, answer.json["interval_min"], answer.json["is_due"]) == (200, 30, False)
    player.finish(player.bet(100).json)
    later(player, 31)
    assert told(player)["is_due"]
    refused = player.bet(100)
    assert (refused.status, refused.json["code"]) == (409, "reality_check_due")
    assert 31 * 60 <= refused.json["elapsed_s"] < 32 * 60
    seen = acknowledge(player, elapsed_s=1870, net_minor=-100)
    assert (seen.status, seen.json["is_due"]) == (200, False)
    assert player.bet(100).status == 201
    assert entries(player) == ["reality_check.set", "reality_check.seen"]


def test_rck_01_it_comes_again_after_the_same_time(player: Person, later: Any) -> None:
    ask(player, 5)
    for _ in range(2):
        later(player, 6)
        assert told(player)["is_due"]
        acknowledge(player)
        assert not told(player)["is_due"]
    assert told(player)["elapsed_s"] >= 720


def test_rck_01_an_open_round_goes_on(player: Person, later: Any, database: Database) -> None:
    ask(player, 15)
    round_ = deal(database.owner_url, player, OPEN)
    later(player, 20)
    assert player.act(round_["round_id"], 0, "hit").status == 200


def test_rck_01_an_acknowledgement_that_nothing_asked_for_changes_nothing(player: Person) -> None:
    ask(player, 60)
    before = told(player)["due_at"]
    assert acknowledge(player).status == 200
    assert told(player)["due_at"] == before
    assert entries(player) == ["reality_check.set"]


def test_rck_01_what_is_due_is_not_put_off_by_another_interval(player: Person, later: Any) -> None:
    ask(player, 15)
    later(player, 16)
    assert ask(player, None).json["code"] == "reality_check_due"
    acknowledge(player)
    assert ask(player, None).json["interval_min"] is None
    later(player, 100)
    assert player.bet(100).status == 201


def test_rck_01_the_interval_is_the_players_in_his_next_session(
    player: Person, people: People
) -> None:
    ask(player, 45)
    ask(player, 45)
    assert RealityCheck.objects.filter(player_id=player.id).count() == 1
    assert people.enter(player.id).get("me").json["reality_check"]["interval_min"] == 45


def test_rck_01_a_profile_begins_with_an_hour_and_the_player_may_say_never(people: People) -> None:
    player = people.player(profile="mga")
    assert told(player)["interval_min"] == 60
    ask(player, None)
    again = people.enter(player.id, profile="mga")
    assert again.get("me").json["reality_check"]["interval_min"] is None


@pytest.mark.parametrize("minutes", [4, 241, 0, -5, "15", 7.5, True])
def test_rck_01_an_interval_is_from_five_minutes_to_four_hours(
    player: Person, minutes: Any
) -> None:
    refused = ask(player, minutes)
    assert (refused.status, list(refused.json["fields"])) == (422, ["interval_min"])


def test_rck_01_the_database_deals_nothing_past_a_check_that_is_due(
    player: Person, later: Any, app: psycopg.Connection
) -> None:
    ask(player, 5)
    later(player, 6)
    session_id = UUID(player.api.get("me").json["session"]["session_id"])
    with pytest.raises(psycopg.Error) as refused:
        app.execute("SELECT players_admit_deal(%s, %s)", [player.id, session_id])
    assert refused.value.sqlstate == "PN409"


def test_rck_01_nothing_is_dealt_past_an_interval_that_was_set_meanwhile(
    player: Person, later: Any
) -> None:
    later(player, 30)
    other = Person(player.api.apart(), player.id, player.currency)
    asked, bet = at_once(lambda: ask(other, 5), lambda: player.bet(100))
    assert asked.status == 200
    assert bet.status == 201 or bet.json["code"] == "reality_check_due"
    if bet.status == 201:
        player.finish(bet.json)
    assert player.bet(100).json["code"] == "reality_check_due"
