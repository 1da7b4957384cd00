"""The door over REST: what an operator and a player see of it."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID, uuid4

import pytest

from audit.models import Entry
from casino.players import services
from tests.people import Answer, Api, People

PLAYER = {"external_id": "p1", "currency": "USD", "country": "GB", "language": "en"}


@pytest.fixture
def operator(people: People) -> Api:
    """The operator, whose key may do all."""
    return people.operator


@pytest.fixture
def player(operator: Api) -> str:
    """A player's id."""
    return str(operator.post("players", PLAYER).json["player_id"])


def open_session(operator: Api, player: str, **headers: str) -> dict[str, Any]:
    """Open a session and return what the operator is told."""
    opened = operator.post(f"players/{player}/sessions", {"language": "en"}, **headers)
    assert opened.status == 201, opened
    told: dict[str, Any] = opened.json
    return told


def told(answer: Answer) -> tuple[int, str]:
    """Return the status and code of a problem."""
    assert answer.headers["Content-Type"] == "application/problem+json"
    return answer.status, answer.json["code"]


# --- players


def test_a_player_is_registered_and_read(operator: Api) -> None:
    made = operator.post("players", PLAYER)
    assert made.status == 201
    assert made.headers["Cache-Control"] == "no-store"
    assert made.json == PLAYER | {
        "player_id": made.json["player_id"],
        "test": False,
        "registered_at": made.json["registered_at"],
    }
    assert UUID(made.json["player_id"]).version == 7
    assert datetime.fromisoformat(made.json["registered_at"]).utcoffset() == timedelta(0)
    read = operator.get(f"players/{made.json['player_id']}")
    assert read.json == made.json | {"exclusion": None}


def test_registering_again_gives_the_same_answer(operator: Api) -> None:
    first, second = operator.post("players", PLAYER), operator.post("players", PLAYER)
    assert (second.status, second.body) == (first.status, first.body)
    assert told(operator.post("players", PLAYER | {"currency": "EUR"})) == (
        409,
        "idempotency_conflict",
    )


def test_acc_10_a_test_account_is_marked(operator: Api) -> None:
    made = operator.post("players", PLAYER | {"test": True})
    assert made.json["test"] is True


def test_players_are_listed_newest_first_in_pages(operator: Api) -> None:
    for number in range(3):
        operator.post("players", PLAYER | {"external_id": f"n{number}"})
    first = operator.get("players?limit=2").json
    assert [row["external_id"] for row in first["results"]] == ["n2", "n1"]
    second = operator.get(first["next"].removeprefix("http://testserver")).json
    assert [row["external_id"] for row in second["results"]] == ["n0"]
    assert second["next"] is None
    assert operator.get(second["previous"].removeprefix("http://testserver")).json["results"]


def test_a_player_is_found_by_the_operators_own_id(operator: Api, player: str) -> None:
    found = operator.get("players?external_id=p1").json
    assert [row["player_id"] for row in found["results"]] == [player]
    assert operator.get("players?external_id=p2").json["results"] == []


@pytest.mark.parametrize(
    ("change", "status", "fields"),
    [
        ({"external_id": None}, 422, {"external_id": ["null"]}),
        ({"external_id": ""}, 422, {"external_id": ["blank"]}),
        ({"external_id": 7}, 422, {"external_id": ["invalid"]}),
        ({"external_id": "x" * 65}, 422, {"external_id": ["max_length"]}),
        ({"external_id": "a\0b"}, 422, {"external_id": ["null_characters_not_allowed"]}),
        ({"country": "gb"}, 422, {"country": ["invalid"]}),
        ({"country": "GB\n"}, 422, {"country": ["invalid"]}),
        ({"language": "fr"}, 422, {"language": ["invalid_choice"]}),
        ({"test": "true"}, 422, {"test": ["invalid"]}),
        ({"name": "Ada"}, 422, {"name": ["unknown"]}),
    ],
)
def test_a_body_that_is_not_right_is_told_field_by_field(
    operator: Api, change: dict[str, Any], status: int, fields: dict[str, Any]
) -> None:
    refused = operator.post("players", PLAYER | change)
    assert told(refused) == (status, "invalid")
    assert refused.json["fields"] == fields


def test_a_currency_that_is_not_offered_is_told(operator: Api) -> None:
    refused = operator.post("players", PLAYER | {"currency": "DOGE"})
    assert told(refused) == (422, "unknown_currency")
    assert refused.json["currency"] == "DOGE"


def test_a_refused_registration_is_on_record(operator: Api) -> None:
    operator.post("players", PLAYER | {"language": "fr"})
    assert Entry.objects.filter(event="request.refused").count() == 1
    assert Entry.objects.filter(event="player.registered").count() == 0


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "players/{}"),
        ("POST", "players/{}/sessions"),
        ("POST", "players/{}/exclusions"),
        ("DELETE", "sessions/{}"),
    ],
)
def test_who_does_not_exist_is_not_found(operator: Api, method: str, path: str) -> None:
    body = {"language": "en"} if "sessions" in path else {"kind": "self_exclusion"}
    answer = operator.call(method, path.format(uuid4()), body if method == "POST" else None)
    assert told(answer) == (404, "not_found")


# --- who may call


CALLS = [
    ("GET", "players", "players:read"),
    ("POST", "players", "players:write"),
    ("GET", "players/{}", "players:read"),
    ("POST", "players/{}/sessions", "sessions:write"),
    ("POST", "players/{}/exclusions", "exclusions:write"),
    ("DELETE", "sessions/{}", "sessions:write"),
]


@pytest.mark.parametrize(("method", "path", "scope"), CALLS)
def test_a_key_may_do_what_its_scopes_say(
    operator: Api, method: str, path: str, scope: str
) -> None:
    others = services.SCOPES - {scope}
    _, token = services.create_key("command:test", name="other", scopes=others)
    refused = operator.as_(token).call(method, path.format(uuid4()), {})
    assert told(refused) == (403, "not_allowed")
    assert refused.json["scope"] == scope


@pytest.mark.parametrize(("method", "path", "scope"), CALLS)
def test_nobody_and_no_player_calls_for_the_operator(
    operator: Api, player: str, method: str, path: str, scope: str
) -> None:
    mine = operator.as_(open_session(operator, player)["token"])
    assert told(mine.call(method, path.format(player), {})) == (403, "not_allowed")
    for guess in ("", "op_guess", "au_guess", "guess", "op_\u00e9"):
        refused = operator.as_(guess).call(method, path.format(player), {})
        assert told(refused) == (401, "not_authenticated")
        assert refused.headers["WWW-Authenticate"] == "Bearer"


def test_an_operators_key_is_no_players_token(operator: Api) -> None:
    assert told(operator.call("DELETE", "sessions/current")) == (403, "not_allowed")
    refused = operator.post("me/exclusions", {"kind": "self_exclusion"})
    assert told(refused) == (403, "not_allowed")


def test_a_revoked_key_opens_nothing(operator: Api) -> None:
    made, token = services.create_key("command:test", name="old", scopes=services.SCOPES)
    assert operator.as_(token).get("players").status == 200
    services.revoke_key("command:test", key_id=made.id)
    assert told(operator.as_(token).get("players")) == (401, "not_authenticated")


def test_aut_10_a_failed_access_is_on_record_with_its_address(operator: Api) -> None:
    operator.as_("op_guess").get("players")
    entry = Entry.objects.get(event="access.refused")
    assert entry.actor == "nobody"
    assert '"address":"127.0.0.1"' in entry.body
    assert "op_guess" not in entry.body


# --- sessions


def test_a_session_is_opened_for_a_players_device(operator: Api, player: str) -> None:
    opened = open_session(operator, player)
    assert opened["token"].startswith("ps_")
    assert opened["launch_url"] == f"http://testserver/table#token={opened['token']}&lang=en"
    assert datetime.fromisoformat(opened["expires_at"]).tzinfo
    assert operator.as_(opened["token"]).call("DELETE", "sessions/current").status == 204


def test_a_launch_url_names_language_and_lobby_behind_its_hash(operator: Api, player: str) -> None:
    lobby = "https://lobby.example/games?of=cards&page=2#top"
    body = {"language": "sv", "lobby_url": lobby}
    opened = operator.post(f"players/{player}/sessions", body).json
    page, _, fragment = opened["launch_url"].partition("#")
    assert page == "http://testserver/table"
    assert parse_qs(fragment) == {"token": [opened["token"]], "lang": ["sv"], "lobby": [lobby]}


def test_the_same_idempotency_key_gives_the_same_answer(operator: Api, player: str) -> None:
    path, body = f"players/{player}/sessions", {"language": "en"}
    first = operator.post(path, body, idempotency_key="k1")
    second = operator.post(path, body, idempotency_key="k1")
    assert (second.status, second.body) == (first.status, first.body)
    other = operator.post(path, {"language": "sv"}, idempotency_key="k1")
    assert told(other) == (409, "idempotency_conflict")


@pytest.mark.parametrize("key", ["", "two words", "é", "k" * 256])
def test_an_idempotency_key_is_visible_ascii(operator: Api, player: str, key: str) -> None:
    path = f"players/{player}/sessions"
    refused = operator.post(path, {"language": "en"}, idempotency_key=key)
    assert told(refused) == (422, "invalid")
    assert refused.json["fields"] == {"Idempotency-Key": ["invalid"]}


@pytest.mark.parametrize("url", ["javascript:alert(1)", "lobby", "ftp://a.example/", 7])
def test_a_lobby_is_a_page_of_the_web(operator: Api, player: str, url: Any) -> None:
    body = {"language": "en", "lobby_url": url}
    refused = operator.post(f"players/{player}/sessions", body)
    assert told(refused) == (422, "invalid")
    assert refused.json["fields"] == {"lobby_url": ["invalid"]}


def test_a_profile_that_nobody_wrote_is_told(operator: Api, player: str) -> None:
    body = {"language": "en", "profile": "narnia"}
    refused = operator.post(f"players/{player}/sessions", body)
    assert told(refused) == (422, "invalid")
    assert refused.json["fields"] == {"profile": ["unknown"]}


@pytest.mark.parametrize("who", ["operator", "player"])
def test_aut_08_a_token_is_dead_when_its_session_is_over(
    operator: Api, player: str, who: str
) -> None:
    opened = open_session(operator, player)
    mine = operator.as_(opened["token"])
    if who == "operator":
        assert operator.call("DELETE", f"sessions/{opened['session_id']}").status == 204
        assert operator.call("DELETE", f"sessions/{opened['session_id']}").status == 204
    else:
        assert mine.call("DELETE", "sessions/current").status == 204
    refused = mine.call("DELETE", "sessions/current")
    assert told(refused) == (401, "session_expired")
    assert refused.json["because"] == "closed"


def test_aut_09_the_token_of_a_replaced_session_is_dead(operator: Api, player: str) -> None:
    first = operator.as_(open_session(operator, player)["token"])
    second = operator.as_(open_session(operator, player)["token"])
    refused = first.post("me/exclusions", {"kind": "self_exclusion"})
    assert told(refused) == (401, "session_expired")
    assert second.call("DELETE", "sessions/current").status == 204


def test_aut_06_thirty_minutes_idle_end_a_session(
    operator: Api, player: str, put_back: Any
) -> None:
    opened = open_session(operator, player)
    put_back(opened["session_id"], "30 minutes")
    refused = operator.as_(opened["token"]).post("me/exclusions", {"kind": "self_exclusion"})
    assert told(refused) == (401, "session_expired")
    assert refused.json["because"] == "expired"


# --- exclusions


def test_exc_01_a_player_excludes_himself_for_good(operator: Api, player: str) -> None:
    mine = operator.as_(open_session(operator, player)["token"])
    made = mine.post("me/exclusions", {"kind": "self_exclusion", "days": None, "reason": "enough"})
    assert made.status == 201
    assert (made.json["kind"], made.json["ends_at"]) == ("self_exclusion", None)
    assert made.json["player_id"] == player
    state = operator.get(f"players/{player}").json["exclusion"]
    assert state == {"kind": "self_exclusion", "until": None}
    me = mine.get("me").json
    assert (me["excluded"], me["exclusion"]) == ("self_exclusion", state)


def test_exc_01_who_takes_a_break_is_told_when_it_ends(operator: Api, player: str) -> None:
    mine = operator.as_(open_session(operator, player)["token"])
    assert mine.get("me").json["exclusion"] is None
    ends_at = mine.post("me/exclusions", {"kind": "cooling_off", "days": 3}).json["ends_at"]
    me = mine.get("me").json
    assert (me["excluded"], me["exclusion"]) == (
        "cooling_off",
        {"kind": "cooling_off", "until": ends_at},
    )
    assert operator.get(f"players/{player}").json["exclusion"] == me["exclusion"]


def test_exc_02_an_excluded_player_may_open_a_session_to_see_his_own(
    operator: Api, player: str
) -> None:
    operator.post(f"players/{player}/exclusions", {"kind": "self_exclusion"})
    mine = operator.as_(open_session(operator, player)["token"])
    assert mine.post("me/exclusions", {"kind": "cooling_off", "days": 3}).status == 201


def test_an_exclusion_has_a_term_in_days_or_until_a_time(operator: Api, player: str) -> None:
    path = f"players/{player}/exclusions"
    by_days = operator.post(path, {"kind": "cooling_off", "days": 3}).json
    starts, ends = (datetime.fromisoformat(by_days[name]) for name in ("starts_at", "ends_at"))
    assert ends - starts == timedelta(days=3)
    until = "2999-01-01T00:00:00+00:00"
    by_time = operator.post(path, {"kind": "self_exclusion", "ends_at": until}).json
    assert by_time["ends_at"] == until


def test_an_exclusion_with_the_same_key_is_the_same(operator: Api, player: str) -> None:
    path, body = f"players/{player}/exclusions", {"kind": "cooling_off", "days": 3}
    first = operator.post(path, body, idempotency_key="k1")
    second = operator.post(path, body, idempotency_key="k1")
    assert (second.status, second.body) == (first.status, first.body)
    other = operator.post(path, body | {"days": 1}, idempotency_key="k1")
    assert told(other) == (409, "idempotency_conflict")


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"kind": ["required"]}),
        ({"kind": "sulking"}, {"kind": ["invalid_choice"]}),
        ({"kind": "cooling_off"}, {"days": ["required"]}),
        ({"kind": "cooling_off", "days": 0}, {"days": ["min_value"]}),
        ({"kind": "cooling_off", "days": "3"}, {"days": ["invalid"]}),
        ({"kind": "cooling_off", "days": 3.0}, {"days": ["invalid"]}),
        ({"kind": "cooling_off", "days": True}, {"days": ["invalid"]}),
        ({"kind": "cooling_off", "days": 2**63}, {"days": ["max_value"]}),
        ({"kind": "cooling_off", "ends_at": "2026-01-01T00:00:00Z"}, {"ends_at": ["too_early"]}),
        ({"kind": "cooling_off", "ends_at": "2999-01-01T00:00:00"}, {"ends_at": ["invalid"]}),
        ({"kind": "cooling_off", "ends_at": 4102444800}, {"ends_at": ["invalid"]}),
        (
            {"kind": "cooling_off", "days": 3, "ends_at": "2999-01-01T00:00:00Z"},
            {"ends_at": ["conflict"]},
        ),
    ],
)
def test_an_exclusion_that_is_not_right_is_told_field_by_field(
    operator: Api, player: str, body: dict[str, Any], fields: dict[str, Any]
) -> None:
    refused = operator.post(f"players/{player}/exclusions", body)
    assert told(refused) == (422, "invalid")
    assert refused.json["fields"] == fields


# --- currencies


def test_everybody_reads_the_currencies(api: Api) -> None:
    answer = api.get("currencies")
    assert answer.status == 200
    assert "public" in answer.headers["Cache-Control"]
    dollars = next(row for row in answer.json["results"] if row["currency"] == "USD")
    assert dollars == {
        "currency": "USD",
        "exponent": 2,
        "minimum_minor": 100,
        "maximum_minor": 100_000,
        "step_minor": 100,
        "chips_minor": [100, 500, 2_500, 10_000, 50_000],
        "large_win_minor": 1_000_000,
    }
    again = api.get("currencies", if_none_match=answer.headers["ETag"])
    assert (again.status, again.body) == (304, b"")
