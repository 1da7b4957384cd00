"""Whose call it is: tokens that open, tokens that do not, and what each may do (AUT-08, NET-03)."""

import re
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from casino.players import services as players
from casino.players.services import SCOPES
from tests.contract import schema
from tests.people import Api, People, Person

GARBAGE = [
    "x",
    "ps_",
    "op_",
    "ps_" + "A" * 43,
    "op_" + "A" * 43,
    "au_" + "A" * 43,
    "PS_" + "A" * 43,
    "ps_" + "ü" * 20,
    "ps_ two words",
    "ps_" + "x" * 5000,
    "ps_'; DROP TABLE pontoon_round; --",
    "null",
]


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """List the schema's operations: method, a path with ids that are nobody's, operation."""
    return [
        (method.upper(), _filled(path), operation)
        for path, methods in schema()["paths"].items()
        for method, operation in methods.items()
    ]


_PARAMETERS = {"kind": "wager", "game": "house", "version": "1"}
_NOBODY = "01a22e53-17d6-781c-bee4-f76770a7571d"


def _filled(path: str) -> str:
    def value(found: re.Match[str]) -> str:
        return _NOBODY if found[1].endswith("_id") else _PARAMETERS.get(found[1], "nothing")

    return re.sub(r"\{(\w+)\}", value, path)


def opens(operation: dict[str, Any], scheme: str) -> bool:
    return {scheme: []} in operation.get("security", ())


def test_no_token_opens_nothing_but_the_public_part(api: Api, subtests: pytest.Subtests):
    for method, path, operation in operations():
        with subtests.test(f"{method} {path}"):
            answer = api.call(method, path, {} if method in {"POST", "PUT"} else None)
            if "security" in operation:
                assert (answer.status, answer.json["code"]) == (401, "not_authenticated")
                assert answer.headers["WWW-Authenticate"] == "Bearer"
            else:
                asks = operation["operationId"] in {"get_inclusion", "get_consistency"}
                assert answer.status == (422 if asks else 200)


def test_aut_10_garbage_opens_nothing_and_is_on_record(
    people: People, left: Callable, last_entry: Callable, subtests: pytest.Subtests
):
    left()
    for token in GARBAGE:
        with subtests.test(token[:20]):
            answer = people.operator.as_(token).get("me")
            assert (answer.status, answer.json["code"]) == (401, "not_authenticated")
            assert left() == {"audit_entry": 1}
            entry = last_entry()
            assert (entry["event"], entry["actor"]) == ("access.refused", "nobody")
            assert entry["payload"]["address"] == "127.0.0.1"
            assert token[3:] == "" or len(token) < 4 or token not in str(entry)


@pytest.mark.parametrize("header", ["", "Basic dXNlcjpwYXNz", "Bearer", "Token x", "Bearer  "])
def test_another_scheme_opens_nothing(player: Person, header: str):
    answer = player.api.as_("").get("me", authorization=header)
    assert (answer.status, answer.json["code"]) == (401, "not_authenticated")


def test_the_scheme_may_be_spelled_in_any_case(player: Person):
    header = f"bearer {player.api.token}"
    assert player.api.as_("").get("me", authorization=header).status == 200


def test_a_players_token_opens_no_call_of_the_operators(player: Person, subtests: pytest.Subtests):
    for method, path, operation in operations():
        if not opens(operation, "playerToken") and "security" in operation:
            with subtests.test(f"{method} {path}"):
                answer = player.api.call(method, path, {} if method in {"POST", "PUT"} else None)
                assert (answer.status, answer.json["code"]) == (403, "not_allowed")


def test_an_operators_key_opens_no_call_of_the_players(people: People, subtests: pytest.Subtests):
    for method, path, operation in operations():
        if not opens(operation, "operatorKey") and "security" in operation:
            with subtests.test(f"{method} {path}"):
                body = {} if method in {"POST", "PUT"} else None
                answer = people.operator.call(method, path, body)
                assert (answer.status, answer.json["code"]) == (403, "not_allowed")


def test_a_key_without_the_scope_is_told_which_it_lacks(
    people: People, left: Callable, subtests: pytest.Subtests
):
    scopes = {operation.get("x-scope") for *_, operation in operations()} - {None}
    assert scopes < SCOPES
    for scope in sorted(scopes):
        _, token = players.create_key("tests", name="less", scopes=SCOPES - {scope})
        left()
        for method, path, operation in operations():
            if operation.get("x-scope") == scope:
                with subtests.test(f"{method} {path}"):
                    body = {} if method in {"POST", "PUT"} else None
                    answer = people.operator.as_(token).call(method, path, body)
                    assert (answer.status, answer.json["code"]) == (403, "not_allowed")
                    assert answer.json["scope"] == scope
                    assert left() == {"audit_entry": 1}


def test_a_revoked_key_opens_nothing(people: People):
    key, token = players.create_key("tests", name="gone", scopes=SCOPES)
    operator = people.operator.as_(token)
    assert operator.get("players").status == 200
    players.revoke_key("tests", key_id=key.id)
    assert operator.get("players").json["code"] == "not_authenticated"


PLAYERS_CALLS = [
    ("GET", "me", None),
    ("GET", "rounds", None),
    ("GET", "rounds/current", None),
    ("GET", "me/statement", None),
    ("POST", "rounds", {"stake_minor": 200, "currency": "USD"}),
    ("POST", "rounds", {"stake_minor": -1}),
    ("POST", "me/exclusions", {"kind": "self_exclusion"}),
    ("PUT", "me/limits/wager", {"amount_minor": 100, "period": "day"}),
    ("DELETE", "sessions/current", None),
]


def left_by_the_player(player: Person, people: People, owner: psycopg.Connection) -> str:
    player.api.call("DELETE", "sessions/current")
    return "closed"


def ended_by_the_operator(player: Person, people: People, owner: psycopg.Connection) -> str:
    session_id = player.api.get("me").json["session"]["session_id"]
    assert people.operator.call("DELETE", f"sessions/{session_id}").status == 204
    return "closed"


def replaced_by_another(player: Person, people: People, owner: psycopg.Connection) -> str:
    people.enter(player.id)
    return "replaced"


def idle_for_half_an_hour(player: Person, people: People, owner: psycopg.Connection) -> str:
    owner.execute(
        "UPDATE players_playsession SET opened_at = opened_at - interval '30 min',"
        " last_seen_at = last_seen_at - interval '30 min'"
    )
    return "expired"


@pytest.mark.parametrize(
    "end", [left_by_the_player, ended_by_the_operator, replaced_by_another, idle_for_half_an_hour]
)
def test_aut_06_aut_08_aut_09_a_session_that_is_over_opens_no_call(
    player: Person, people: People, owner: psycopg.Connection, end: Callable, subtests: Any
):
    round_ = player.bet(200).json
    because = end(player, people, owner)
    action = ("POST", f"rounds/{round_['round_id']}/actions", {"seq": 0, "action": "hit"})
    for method, path, body in [*PLAYERS_CALLS, action]:
        with subtests.test(f"{method} {path}"):
            answer = player.api.call(method, path, body)
            assert (answer.status, answer.json["code"]) == (401, "session_expired")
            assert answer.json["because"] == because


def test_aut_08_the_round_of_a_session_that_is_over_waits_for_the_next(
    player: Person, people: People
):
    round_ = player.bet(200).json
    player.api.call("DELETE", "sessions/current")
    again = people.enter(player.id).get(f"rounds/{round_['round_id']}").json
    assert again["state"] == round_["state"]
    assert again["hands"] == round_["hands"]


def test_a_token_is_neither_in_the_log_nor_in_any_entry(
    player: Person, owner: psycopg.Connection, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level("DEBUG"):
        player.bet(-1)
        player.api.as_(player.api.token + "x").get("me")
    bodies = "".join(body for (body,) in owner.execute("SELECT body FROM audit_entry"))
    assert player.api.token not in bodies + caplog.text
