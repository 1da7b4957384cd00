"""The OpenAPI schema: valid, complete, closed where bodies are strict, and readable offline."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from casino.codes import CODES, IN_PANEL
from casino.schema import REFUSALS
from tests.contract import find_answer, schema
from tests.people import Api

OPERATIONS = [
    (f"{method} {path}", operation)
    for path, methods in schema()["paths"].items()
    for method, operation in methods.items()
]


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    name = node["$ref"].rpartition("/")[2]
    found: dict[str, Any] = schema()["components"]["schemas"][name]
    return found


def test_the_schema_that_is_served_is_valid_openapi_3_1(api: Api):
    served = api.get("schema")
    assert served.status == 200
    assert served.json["openapi"].startswith("3.1")
    assert served.json == schema()
    OpenAPIV31SpecValidator(served.json).validate()


@pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=[name for name, _ in OPERATIONS])
def test_an_operation_tells_all_that_a_caller_needs(name: str, operation: dict[str, Any]):
    assert 10 < len(operation["summary"]) < 100
    assert operation["tags"]
    is_public = operation["tags"] == ["public"]
    assert is_public == ("security" not in operation)
    assert ("x-scope" in operation) == ("operator" in operation["tags"])
    if name.startswith(("post ", "put ")):
        [(kind, body)] = operation["requestBody"]["content"].items()
        assert kind == "application/json"
        shape = resolved(body["schema"])
        assert shape["additionalProperties"] is False
        assert operation["requestBody"].get("required", False) == ("required" in shape)
    for status in operation["responses"]:
        answer = find_answer(operation, status)
        assert answer["description"], status
        assert "X-Request-ID" in answer["headers"]
        if status in {"204", "304"}:
            assert "content" not in answer
            continue
        for kind, told in answer["content"].items():
            check_answer(status, kind, told["schema"])


def check_answer(status: str, kind: str, told: dict[str, Any]) -> None:
    if status >= "400":
        assert kind == "application/problem+json"
        assert told["allOf"][0] == {"$ref": "#/components/schemas/Problem"}
        assert told["allOf"][1]["properties"]["code"]["enum"]
    elif kind == "application/json":
        assert resolved(told)["properties"]
    else:
        assert told["type"] == "string", f"{kind} is a file"


def test_operations_have_names_of_their_own():
    names = [operation["operationId"] for _, operation in OPERATIONS]
    assert len(names) == len(set(names))
    assert REFUSALS.keys() <= set(names)


def test_every_code_belongs_to_an_operation_and_to_its_status():
    told = set()
    for _, operation in OPERATIONS:
        for status in operation["responses"]:
            answer = find_answer(operation, status)
            if status >= "400":
                shape = answer["content"]["application/problem+json"]["schema"]["allOf"][1]
                for code in shape["properties"]["code"]["enum"]:
                    assert CODES[code].status == int(status)
                    told.add(code)
    assert told == CODES.keys() - {"method_not_allowed"} - IN_PANEL


ASKED_FOR = {"seq", "round_id", "reference", "external_id", "instance", "bytes"}
"""Members of a request, of which docs/errors.md speaks; all else that it names is told."""


def test_a_problem_may_tell_every_fact_that_the_docs_name():
    table = Path("docs/errors.md").read_text().partition("| --- |")[2]
    named = set(re.findall(r"`([a-z_]+)`", re.sub(r"(?m)^\| `\w+` \|", "", table))) - ASKED_FOR
    assert named >= {"because", "options", "limit_minor", "counted", "expected", "bytes_max"}
    assert named <= schema()["components"]["schemas"]["Problem"]["properties"].keys()


def test_a_refusal_by_a_limit_names_it_as_the_limit_is_named():
    shapes = schema()["components"]["schemas"]
    for member in ("kind", "period"):
        told = shapes["Problem"]["properties"][member]["enum"]
        assert told == shapes["LimitLine"]["properties"][member]["enum"]


def test_every_member_of_every_body_is_described():
    for name, shape in schema()["components"]["schemas"].items():
        assert shape["description"], name
        for member, told in shape.get("properties", {}).items():
            assert len(told.get("description", "")) > 8, f"{name}.{member}"


def test_every_parameter_is_described():
    for name, operation in OPERATIONS:
        for told in operation.get("parameters", ()):
            assert told.get("description"), f"{name}: {told['name']}"


def test_cards_and_digests_say_their_form():
    shapes = schema()["components"]["schemas"]
    for hand in ("HandLine", "DealerLine"):
        card = re.compile(shapes[hand]["properties"]["cards"]["items"]["pattern"])
        assert all(map(card.fullmatch, ("AS", "TD", "9H", "2C", "??")))
        assert not any(map(card.fullmatch, ("10S", "1S", "as", "?S", "AS ", "")))
    for member in ("commitment", "server_seed", "next_commitment"):
        assert shapes["RoundBody"]["properties"][member]["pattern"] == "^[0-9a-f]{64}$"


def test_what_many_answer_is_said_once():
    told = [
        answer["$ref"].rpartition("/")[2]
        for _, operation in OPERATIONS
        for status, answer in operation["responses"].items()
        if "$ref" in answer and status >= "400"
    ]
    shared = schema()["components"]["responses"]
    assert set(told) == shared.keys()
    assert all(told.count(name) > 1 for name in shared)
    for _, operation in OPERATIONS:
        for status in operation["responses"]:
            for name, header in find_answer(operation, status)["headers"].items():
                assert header == {"$ref": f"#/components/headers/{name}"}
    assert len(json.dumps(schema(), separators=(",", ":"))) < 180_000


def test_tags_are_told_in_the_order_in_which_people_read_them():
    tags = [tag["name"] for tag in schema()["tags"]]
    assert tags[:3] == ["player", "operator", "public"]
    assert {tag for _, operation in OPERATIONS for tag in operation["tags"]} <= set(tags)
    assert all(tag["description"] for tag in schema()["tags"])


def test_the_schema_begins_with_tokens_and_the_steps_of_a_round():
    about = schema()["info"]["description"]
    named = re.findall(r"`(?:GET|POST) (/[^`]+)`", about)
    assert len(named) >= 6
    assert {f"/api/v1{path}" for path in named} <= schema()["paths"].keys()
    assert re.findall(r"(?m)^(\d)\. ", about) == list("12345")


EXAMPLED = {
    "BetBodyRequest", "ActionBodyRequest", "RoundBody", "BankingBodyRequest", "TransferLine",
    "Problem",
}  # fmt: skip


def test_examples_are_what_the_schema_says():
    found = 0
    for name, shape in schema()["components"]["schemas"].items():
        for example in shape.get("examples", ()):
            Draft202012Validator(
                shape | {"components": schema()["components"]},
                format_checker=Draft202012Validator.FORMAT_CHECKER,
            ).validate(example)
            assert example.keys() <= shape["properties"].keys(), name
            assert name in EXAMPLED
            found += 1
    assert found == len(EXAMPLED)
    problem = schema()["components"]["schemas"]["Problem"]["examples"][0]
    meaning = CODES[problem["code"]]
    assert (problem["status"], problem["title"], problem["detail"]) == meaning


CLOSED = {
    "TransferLine": ("code", "status", "debit", "credit"),
    "LimitLine": ("kind", "period", "set_by"),
    "AllowanceLine": ("kind", "period", "set_by"),
    "BetBodyRequest": ("game",),
    "RoundBody": ("game", "state", "held_reason"),
    "HandLine": ("kind", "status", "outcome"),
    "DealerLine": ("kind",),
    "MeBody": ("language", "excluded"),
}


def test_what_is_one_of_a_few_words_lists_them():
    for name, members in CLOSED.items():
        for member in members:
            told = schema()["components"]["schemas"][name]["properties"][member]
            assert told["enum"], f"{name}.{member}"
            assert ("null" in told["type"]) == (None in told["enum"])
    for _, operation in OPERATIONS:
        for told in operation.get("parameters", ()):
            if told["name"] in {"kind", "game", "lang", "state", "format"}:
                assert told["schema"]["enum"], operation["operationId"]


NAMED_BY_THEIR_BODY = {"post_players", "post_actions", "post_reality_check_seen", "post_notice"}
"""A player is named by his external id, an action by its seq; what was seen makes nothing."""


def test_net_02_what_creates_takes_an_idempotency_key():
    for name, operation in OPERATIONS:
        if name.startswith("post ") and operation["operationId"] not in NAMED_BY_THEIR_BODY:
            headers = [told["name"] for told in operation["parameters"] if told["in"] == "header"]
            assert headers == ["Idempotency-Key"], name


@pytest.mark.parametrize(
    ("body", "member"), [("BetBodyRequest", "stake_minor"), ("BankingBodyRequest", "amount_minor")]
)
def test_f17_money_is_a_whole_number_with_limits(body: str, member: str):
    told = schema()["components"]["schemas"][body]["properties"][member]
    assert (told["type"], told["minimum"], told["maximum"]) == ("integer", 1, 2**53 - 1)


def test_every_member_of_money_is_whole_and_says_its_unit():
    for name, shape in schema()["components"]["schemas"].items():
        for member, told in shape.get("properties", {}).items():
            if member.endswith("_minor") and member != "chips_minor":
                assert told["type"] in ("integer", ["integer", "null"]), f"{name}.{member}"


def test_the_schema_names_nothing_of_the_inside():
    text = json.dumps(schema())
    assert not re.search(r"server_seed_|sealed|token_hash|SECRET|SEED_KEYS|localhost", text)


def test_the_docs_page_loads_nothing_from_elsewhere(api: Api):
    page = api.get("docs")
    html = page.body.decode()
    assert (page.status, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    named = re.findall(r"""(?:src|href|url)\s*[=:(]\s*["']?([^"'\s>)]+)""", html)
    assert any(address.startswith("/static/drf_spectacular_sidecar/") for address in named)
    assert "/api/v1/schema" in html
    assert not re.search(r"https?://|//cdn|//unpkg", html)


def test_what_the_docs_page_loads_is_served_here(api: Api):
    html = api.get("docs").body.decode()
    own = re.findall(r'"(/static/[^"]+)"', html)
    assert len(own) >= 3
    for address in own:
        response = api.client.get(address)
        assert response.status_code == 200, address
        assert b"".join(response.streaming_content if response.streaming else [response.content])
        response.close()
