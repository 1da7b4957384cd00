"""What HTTP asks of every endpoint: methods, ids of requests, caching, origins, rates."""

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import override_settings

from tests.casino.test_tokens import opens, operations
from tests.contract import ContractClient, schema
from tests.people import Api, People, Person

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"}


def test_a_method_that_an_address_does_not_take_is_405_with_those_that_it_does(
    player: Person, people: People, subtests: pytest.Subtests
):
    for path, methods in schema()["paths"].items():
        taken = {method.upper() for method in methods}
        operation = next(iter(methods.values()))
        caller = player.api if opens(operation, "playerToken") else people.operator
        filled = next(filled for _, filled, told in operations() if told is operation)
        for method in sorted(METHODS - taken):
            with subtests.test(f"{method} {path}"):
                answer = caller.call(method, filled, {})
                assert (answer.status, answer.json["code"]) == (405, "method_not_allowed")
                assert taken <= set(answer.headers["Allow"].split(", "))


def test_head_is_get_without_a_body(player: Person):
    for path in ("me", "rounds", "currencies", "rules/house/1"):
        got, head = player.api.get(path), player.api.call("HEAD", path)
        assert (head.status, head.body) == (got.status, b"")
        assert head.headers["Content-Type"] == got.headers["Content-Type"]


def test_options_tells_the_methods_and_changes_nothing(player: Person, left: Callable):
    left()
    answer = player.api.call("OPTIONS", "rounds")
    assert answer.status == 200
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "POST", "HEAD", "OPTIONS"}
    assert left() == {}


def test_an_unknown_address_is_a_problem_to_everybody(api: Api, player: Person):
    for caller in (api, player.api):
        for path in ("nothing", "rounds/x/y", "/api/v2/me", "/log/nothing"):
            answer = caller.get(path)
            assert (answer.status, answer.json["code"]) == (404, "not_found")
            assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("given", ["a", "Case-17_b.c", "x" * 64])
def test_a_request_id_that_is_well_formed_is_echoed(player: Person, given: str):
    answer = player.api.post("rounds", {}, x_request_id=given)
    assert answer.headers["X-Request-ID"] == given
    assert answer.json["instance"] == f"urn:request:{given}"


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "ü", "a/b", "<script>", '"', "a\tb"])
def test_a_request_id_that_is_not_is_replaced(player: Person, given: str):
    answer = player.api.get("me", x_request_id=given)
    assert re.fullmatch(r"[0-9a-f]{32}", answer.headers["X-Request-ID"])


def test_a_request_id_finds_the_refusal_in_the_log(player: Person, last_entry: Callable):
    player.api.post("rounds", {}, x_request_id="find-me")
    assert last_entry()["payload"]["request_id"] == "find-me"


def test_whatever_is_somebodys_is_stored_nowhere(
    player: Person, people: People, subtests: pytest.Subtests
):
    over = player.finish(player.bet(200).json)
    for path in ("me", "me/statement", "rounds", "rounds/current", f"rounds/{over['round_id']}",
                 f"rounds/{over['round_id']}/proof"):  # fmt: skip
        with subtests.test(path):
            assert player.api.get(path).headers["Cache-Control"] == "no-store"
    for path in ("", f"/{player.id}", f"/{player.id}/rounds", f"/{player.id}/statement"):
        with subtests.test(f"players{path}"):
            answer = people.operator.get(f"players{path}")
            assert answer.headers["Cache-Control"] == "no-store"


def test_the_currencies_carry_an_etag_and_are_not_sent_twice(api: Api):
    first = api.get("currencies")
    assert "public" in first.headers["Cache-Control"]
    again = api.get("currencies", if_none_match=first.headers["ETag"])
    assert (again.status, again.body) == (304, b"")


# --- Origins ------------------------------------------------------------------------------------


def test_no_other_origin_may_call_unless_it_is_set(player: Person):
    answer = player.api.get("me", origin="https://table.example")
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_an_origin_that_is_set_may_call_and_read_the_headers(player: Person):
    with override_settings(CORS_ALLOWED_ORIGINS=["https://table.example"]):
        answer = player.api.get("me", origin="https://table.example")
        assert answer.headers["Access-Control-Allow-Origin"] == "https://table.example"
        assert "x-request-id" in answer.headers["Access-Control-Expose-Headers"].lower()
        other = player.api.get("me", origin="https://elsewhere.example")
        assert "Access-Control-Allow-Origin" not in other.headers
        asked = player.api.as_("").call(
            "OPTIONS",
            "rounds",
            origin="https://table.example",
            access_control_request_method="POST",
            access_control_request_headers="authorization,idempotency-key,content-type",
        )
    assert asked.status == 200
    allowed = asked.headers["Access-Control-Allow-Headers"]
    assert {"authorization", "idempotency-key", "content-type"} <= set(allowed.split(", "))


# --- Rates --------------------------------------------------------------------------------------


def rates(**changed: str) -> override_settings:
    return override_settings(RATE_LIMITS=settings.RATE_LIMITS | changed)


def api_from(address: str, token: str = "") -> Api:
    return Api(ContractClient(raise_request_exception=False, REMOTE_ADDR=address), token)


def test_net_03_a_token_is_counted_and_the_excess_is_on_record_once(
    player: Person, people: People, left: Callable, last_entry: Callable
):
    other = people.player()
    other.api.get("me")
    with rates(token="3/day"):
        assert [player.api.get("me").status for _ in range(3)] == [200] * 3
        left()
        refused = [player.api.get("me") for _ in range(3)]
        assert other.api.get("me").status == 200
    assert {(answer.status, answer.json["code"]) for answer in refused} == {
        (429, "too_many_requests")
    }
    assert 1 <= int(refused[0].headers["Retry-After"]) <= 86_400
    assert left() == {"audit_entry": 1}
    assert last_entry()["event"] == "rate.exceeded"
    assert player.api.get("me").status == 200


def test_net_03_a_key_is_counted(people: People):
    with rates(key="2/day"):
        statuses = [people.operator.get("players").status for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_net_03_an_address_is_counted_whoever_calls(people: People):
    api = api_from("192.0.2.7")
    with rates(ip="2/day"):
        statuses = [api.get("currencies").status for _ in range(3)]
        assert api_from("192.0.2.8").get("currencies").status == 200
    assert statuses == [200, 200, 429]


def test_net_03_refused_log_ins_of_an_address_are_counted(people: People, last_entry: Callable):
    stranger = api_from("192.0.2.9", "ps_guess")
    with rates(refused="3/day"):
        codes = [stranger.get("me").json["code"] for _ in range(5)]
    assert codes == ["not_authenticated"] * 3 + ["too_many_requests"] * 2


def test_net_03_a_bet_that_is_refused_for_its_rate_is_not_made(player: Person, left: Callable):
    with rates(token="1/day"):
        player.api.get("me")
        left()
        assert player.bet(200).json["code"] == "too_many_requests"
        assert left() == {"audit_entry": 1}
        assert player.bet(200).json["code"] == "too_many_requests"
        assert left() == {}
    assert player.bet(200).status == 201


def test_whoever_comes_to_the_door_is_shown_the_docs(api: Api):
    shown = api.client.get("/")
    assert (shown.status_code, shown.headers["Location"]) == (302, "/api/v1/docs")


def test_a_host_that_is_not_ours_is_a_problem_and_not_a_page(api: Api) -> None:
    refused = api.get("/health/live", host="evil.example")
    assert (refused.status, refused.json["code"]) == (400, "malformed")
    assert refused.headers["Content-Type"] == "application/problem+json"


def test_a_stake_that_is_nested_is_malformed_at_any_depth(people: People) -> None:
    player = people.player()
    for depth in (20, 300, 600, 900):
        body = '{"currency": "USD", "stake_minor": ' + "[" * depth + "]" * depth + "}"
        assert player.api.post("rounds", body).json["code"] == "malformed"
