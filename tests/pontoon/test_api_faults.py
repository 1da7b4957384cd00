"""Malfunctions, suspensions and notices over the API: keys raise and read, people decide."""

from typing import Any
from uuid import uuid4

import pytest

from pontoon import queries, services
from tests.people import People, Person
from tests.pontoon.rounds import PONTOON, void


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10,000.00 USD."""
    return people.player(cash=1_000_000)


def flag(people: People, **more: Any) -> Any:
    body = {"scope": {"game": "house"}, "cause": "a torn card", "evidence": {"n": 1}} | more
    return people.operator.post("malfunctions", body, idempotency_key="k")


def test_int_06_an_operator_stops_play_and_sees_what_is_stopped(
    people: People, player: Person
) -> None:
    made = people.operator.post("suspensions", {"scope": {"all": True}, "reason": "a drill"})
    assert made.status == 201
    assert player.bet(100).json["suspension_id"] == made.json["suspension_id"]
    (one,) = people.operator.get("suspensions?state=standing").json["results"]
    assert one == made.json
    assert people.operator.get("suspensions?state=lifted").json["results"] == []
    assert people.operator.get("suspensions?state=x").status == 422


def test_mal_01_an_operator_flags_once_and_reads_the_dry_run(
    people: People, player: Person, dealt: Any
) -> None:
    dealt(PONTOON)
    made = flag(people)
    assert (made.status, made.json["state"]) == (201, "raised")
    assert flag(people).json == made.json
    assert flag(people, cause="another").json["code"] == "idempotency_conflict"
    services.count_malfunctions()
    path = f"malfunctions/{made.json['malfunction_id']}"
    whole = people.operator.get(path).json
    assert (whole["state"], whole["count"]["rounds"]) == ("counted", 1)
    assert whole["progress"] == {"listed": 1, "voided": 0}
    assert [act["state"] for act in whole["acts"]] == ["raised", "counted"]
    (listed,) = people.operator.get(f"{path}/rounds").json["results"]
    assert (listed["to_give_minor"], listed["to_take_minor"]) == (100, 300)
    assert people.operator.get("malfunctions?state=counted").json["results"]
    assert people.operator.get(f"malfunctions/{uuid4()}").status == 404


@pytest.mark.parametrize("scope", [{}, {"sql": "1"}, {"all": False}, {"player": "me"}])
def test_int_06_a_scope_that_is_none_is_invalid(people: People, scope: dict[str, Any]) -> None:
    answer = people.operator.post("suspensions", {"scope": scope, "reason": "x"})
    assert (answer.status, list(answer.json["fields"])) == (422, ["scope"])


def test_mal_04_a_player_is_told_of_a_void_why_and_what_he_may_do(
    people: People, player: Person, dealt: Any
) -> None:
    round_ = dealt(PONTOON)
    assert round_["void"] is None
    made = queries.malfunction(flag(people).json["malfunction_id"])
    services.count_malfunctions()
    services.approve_void(
        "staff:8",
        malfunction_id=made.id,
        list_hash=queries.last_count(made.id)["list_hash"],
        reason="A card was torn.",
    )
    services.void_malfunctions()
    void = player.api.get(f"rounds/{round_['round_id']}").json["void"]
    assert (void["malfunction_id"], void["reason"]) == (str(made.id), "A card was torn.")
    assert "complaint" in void["appeal"]
    (notice,) = player.api.get("me").json["notices"]
    assert (notice["kind"], notice["reason"]) == ("round_voided", "A card was torn.")
    assert notice["round_id"] == round_["round_id"]


def test_mal_04_a_notice_is_read_once_and_by_its_player_alone(
    people: People, player: Person, dealt: Any
) -> None:
    round_ = dealt(PONTOON)
    void(player, round_)
    (notice,) = player.api.get("me").json["notices"]
    path = f"me/notices/{notice['notice_id']}/read"
    assert people.player().api.post(path).status == 404
    assert player.api.post(path).status == 204
    assert player.api.post(path).status == 204
    assert player.api.get("me").json["notices"] == []
