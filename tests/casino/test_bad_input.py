"""What a caller may get wrong: each has its code, and leaves no row but the refusal's entry."""

import json
from collections.abc import Callable

import pytest

from tests.people import People, Person

USD = '"currency": "USD"'
ONE_ENTRY = {"audit_entry": 1}

STAKES = [
    ("-1", "stake_below_minimum"),
    ("0", "stake_below_minimum"),
    ("-0", "stake_below_minimum"),
    ("99", "stake_below_minimum"),
    ("150", "stake_off_step"),
    ("100001", "stake_above_maximum"),
    ("100100", "stake_above_maximum"),
    (str(2**53), "stake_above_maximum"),
    (str(2**63), "stake_above_maximum"),
    (str(10**400), "stake_above_maximum"),
    ("0.5", "stake_not_whole"),
    ("200.0", "stake_not_whole"),
    ("2e2", "stake_not_whole"),
    ("1e400", "stake_not_whole"),
    ('"1e3"', "stake_not_whole"),
    ('"200"', "stake_not_whole"),
    ("true", "stake_not_whole"),
    ("null", "stake_not_whole"),
    ("[]", "stake_not_whole"),
    ("[200]", "stake_not_whole"),
    ("{}", "stake_not_whole"),
    ("NaN", "malformed"),
    ("-Infinity", "malformed"),
    ("1" * 5000, "malformed"),
    ("0200", "malformed"),
]

AMOUNTS = [
    ("-1", "amount_below_minimum"),
    ("0", "amount_below_minimum"),
    (str(2**53), "amount_above_maximum"),
    (str(2**63), "amount_above_maximum"),
    ("0.5", "amount_not_whole"),
    ("1e3", "amount_not_whole"),
    ('"1e3"', "amount_not_whole"),
    ("true", "amount_not_whole"),
    ("null", "amount_not_whole"),
    ("[]", "amount_not_whole"),
    ("{}", "amount_not_whole"),
    ("NaN", "malformed"),
]


def test_f11_f17_h19_a_stake_that_is_none_is_refused_by_its_code(
    player: Person, left: Callable, last_entry: Callable, subtests: pytest.Subtests
):
    left()
    for stake, code in STAKES:
        with subtests.test(stake[:24]):
            refused = player.api.post("rounds", f'{{"stake_minor": {stake}, {USD}}}')
            assert refused.status == (400 if code == "malformed" else 422)
            assert refused.json["code"] == code
            assert left() == ONE_ENTRY
            entry = last_entry()
            assert (entry["event"], entry["payload"]["code"]) == ("wager.refused", code)
            assert entry["player_id"] == str(player.id)


@pytest.mark.parametrize("act", ["deposits", "withdrawals"])
def test_f11_f17_an_amount_that_is_none_is_refused_by_its_code(
    people: People, player: Person, left: Callable, act: str, subtests: pytest.Subtests
):
    left()
    for amount, code in AMOUNTS:
        with subtests.test(amount):
            body = f'{{"amount_minor": {amount}, {USD}, "reference": "r"}}'
            refused = people.operator.post(f"players/{player.id}/{act}", body)
            assert refused.json["code"] == code
            assert left() == ONE_ENTRY


def test_more_than_the_balance_can_hold_or_pay_is_refused(people: People, player: Person):
    body = {"amount_minor": 2**53 - 1, "currency": "USD", "reference": "r"}
    in_, out = (
        people.operator.post(f"players/{player.id}/{act}", body)
        for act in ("deposits", "withdrawals")
    )
    assert (in_.json["code"], out.json["code"]) == ("amount_above_maximum", "insufficient_funds")


WRONG_MEMBERS = [
    ({"currency": "EUR"}, "currency_mismatch"),
    ({"currency": "usd"}, "unknown_currency"),
    ({"currency": "XXX"}, "unknown_currency"),
    ({"currency": "U\u0000D"}, "invalid"),
    ({"currency": ""}, "invalid"),
    ({"currency": 840}, "invalid"),
    ({"currency": None}, "invalid"),
    ({"client_seed": "x" * 65}, "invalid"),
    ({"client_seed": "nul\u0000"}, "invalid"),
    ({"client_seed": 7}, "invalid"),
    ({"client_seed": None}, "invalid"),
    ({"game": "bank"}, "unknown_game"),
    ({"game": "house/1"}, "unknown_game"),
    ({"game": ""}, "invalid"),
    ({"round_id": "not-a-uuid"}, "invalid"),
    ({"round_id": 7}, "invalid"),
    ({"round_id": None}, "invalid"),
    ({"stake": 200}, "invalid"),
    ({"__proto__": {}}, "invalid"),
]


def test_net_01_a_wrong_member_of_a_bet_is_refused_by_its_code(
    player: Person, left: Callable, subtests: pytest.Subtests
):
    left()
    for change, code in WRONG_MEMBERS:
        with subtests.test(str(change)[:40]):
            refused = player.bet(200, **change)
            assert (refused.status, refused.json["code"]) == (422, code)
            if code == "invalid":
                assert set(refused.json["fields"]) == set(change)
            assert left() == ONE_ENTRY


@pytest.mark.parametrize("member", ["stake_minor", "currency"])
def test_a_missing_member_is_named(player: Person, member: str):
    body = {"stake_minor": 200, "currency": "USD"}
    del body[member]
    refused = player.api.post("rounds", body)
    assert refused.json["fields"] == {member: ["required"]}


WRONG_ACTIONS = [
    {"seq": -1},
    {"seq": "0"},
    {"seq": 0.0},
    {"seq": True},
    {"seq": 2**31},
    {"seq": 2**63},
    {"seq": None},
    {"action": "surrender"},
    {"action": "HIT"},
    {"action": ""},
    {"action": None},
    {"action": ["hit"]},
    {"action": {"hit": 1}},
    {"hand": 0},
]


def test_h16_a_wrong_member_of_an_action_is_named_and_the_round_stays(
    player: Person, left: Callable, subtests: pytest.Subtests
):
    round_ = player.bet(200).json
    path = f"rounds/{round_['round_id']}"
    left()
    for change in WRONG_ACTIONS:
        with subtests.test(str(change)):
            refused = player.api.post(f"{path}/actions", {"seq": 0, "action": "hit"} | change)
            assert (refused.status, refused.json["code"]) == (422, "invalid")
            assert set(refused.json["fields"]) == set(change)
            assert left() == ONE_ENTRY
    assert player.api.get(path).json == round_


MALFORMED = {
    "nothing closed": b'{"stake_minor": 200',
    "trailing comma": b'{"stake_minor": 200,}',
    "single quotes": b"{'stake_minor': 200}",
    "a comment": b'{"stake_minor": 200 /* chips */}',
    "two documents": b"{}{}",
    "no object": b"[]",
    "a number": b"200",
    "null": b"null",
    "a repeated member": b'{"stake_minor": 200, "stake_minor": 20000, "currency": "USD"}',
    "a repeated inner member": b'{"stake_minor": {"a": 1, "a": 2}, "currency": "USD"}',
    "no utf-8": b'{"currency": "\xff\xfe"}',
    "utf-16": '{"currency": "USD"}'.encode("utf-16"),
    "a lone surrogate": b'{"client_seed": "\\ud800", "stake_minor": 200, "currency": "USD"}',
    "a lone surrogate as a name": b'{"\\udfff": 1}',
    "a raw control character": b'{"currency": "U\nSD"}',
    "deep lists": b'{"client_seed": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "deep objects": b'{"a": ' * 9_000 + b"1" + b"}" * 9_000,
    "deep and open": b"[" * 60_000,
    "blanks": b"   ",
}


def test_net_01_a_body_that_is_no_json_object_is_malformed(
    player: Person, left: Callable, subtests: pytest.Subtests
):
    left()
    for name, body in MALFORMED.items():
        with subtests.test(name):
            refused = player.api.post("rounds", body)
            assert (refused.status, refused.json["code"]) == (400, "malformed")
            assert left() == ONE_ENTRY


def test_a_byte_order_mark_is_no_part_of_json(player: Person):
    body = b"\xef\xbb\xbf" + json.dumps({"stake_minor": 200, "currency": "USD"}).encode()
    assert player.api.post("rounds", body).json["code"] == "malformed"


def test_a_body_of_ten_megabytes_is_too_large(player: Person, left: Callable):
    left()
    refused = player.api.post("rounds", b'{"client_seed": "' + b"x" * 10_000_000 + b'"}')
    assert (refused.status, refused.json["code"]) == (413, "too_large")
    assert refused.json["bytes_max"] == 64 * 1024
    assert left() == ONE_ENTRY


def test_a_length_that_lies_is_an_error_of_the_callers(player: Person, subtests: pytest.Subtests):
    for declared in ("10", "0", "-5", "", "many", "99999999999999999999", "1e3", "1, 2"):
        with subtests.test(declared):
            answer = player.api.client.generic(
                "POST",
                "/api/v1/rounds",
                b'{"client_seed": "' + b"x" * 100_000 + b'"}',
                content_type="application/json",
                CONTENT_LENGTH=declared,
                HTTP_AUTHORIZATION=f"Bearer {player.api.token}",
            )
            assert answer.status_code in {400, 413, 422}
            assert answer.json()["code"] in {"malformed", "too_large", "invalid"}


OTHER_TYPES = [
    "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
    "application/xml", "text/json", "application/jsonx", "application/problem+json", "nonsense",
]  # fmt: skip


def test_a_body_of_another_type_is_refused(
    player: Person, left: Callable, subtests: pytest.Subtests
):
    left()
    body = json.dumps({"stake_minor": 200, "currency": "USD"})
    for declared in OTHER_TYPES:
        with subtests.test(declared):
            refused = player.api.post("rounds", body, content_type=declared)
            assert (refused.status, refused.json["code"]) == (415, "unsupported_media_type")
            assert left() == ONE_ENTRY


@pytest.mark.parametrize("declared", ["application/json; charset=utf-8", "Application/JSON"])
def test_json_may_be_spelled_with_a_charset_and_in_capitals(player: Person, declared: str):
    body = json.dumps({"stake_minor": 200, "currency": "USD"})
    assert player.api.post("rounds", body, content_type=declared).status == 201


def test_no_body_is_no_bet(player: Person):
    refused = player.api.call("POST", "rounds")
    assert (refused.status, refused.json["code"]) == (422, "invalid")


def test_an_idempotency_key_is_1_to_255_visible_characters(
    player: Person, subtests: pytest.Subtests
):
    body = {"stake_minor": 200, "currency": "USD"}
    for key in ("", " ", "a b", "ü", "x" * 256, "tab\there"):
        with subtests.test(key):
            refused = player.api.post("rounds", body, idempotency_key=key)
            assert (refused.status, refused.json["code"]) == (422, "invalid")
            assert list(refused.json["fields"]) == ["Idempotency-Key"]


PATHS = [
    "rounds/not-a-uuid",
    "rounds/00000000-0000-0000-0000-00000000000g/actions",
    "rounds/%00",
    "rounds/..%2f..%2fme",
    "me/limits/deposit%00",
    "rules/house/-1",
    "rules/house/99999999999999999999",
    "rounds/",
    "nothing",
]


def test_an_address_that_is_nobodys_is_a_problem_too(player: Person, subtests: pytest.Subtests):
    for path in PATHS:
        with subtests.test(path):
            answer = player.api.get(path)
            assert answer.status in {404, 405, 422}
            assert answer.headers["Content-Type"] == "application/problem+json"
            assert answer.json["status"] == answer.status


QUERIES = [
    "cursor=%00",
    "cursor=xyz",
    "cursor=cD1hYmM%3D",  # p=abc
    "cursor=bz0xMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw",  # o=10^30
    "cursor=cD0lMDA%3D",  # p=%00
    "limit=0",
    "limit=-1",
    "limit=abc",
    "limit=99999999999999999999",
    "limit=%00",
    "from=yesterday",
    "from=%00",
    "from=2026-01-01",
    "to=2026-13-01T00:00:00Z",
    "to=0001-01-01T00:00:00%2B14:00",
    "from=9999-12-31T23:59:59-14:00",
    "from=" + "9" * 5000,
    "state=%00",
    "state=OPEN",
    "currency=%00",
    "currency=usd",
    "external_id=%00",
    "external_id=%ff",
    "external_id=" + "x" * 5000,
    "lang=%00",
    "version=%00",
]


def test_net_01_no_query_makes_the_service_fail(
    people: People, player: Person, subtests: pytest.Subtests
):
    player.finish(player.bet(200).json)
    for path in ("rounds", "me/statement", "players", "currencies", "rules/house/1", "me"):
        caller = people.operator if path == "players" else player.api
        for query in QUERIES:
            with subtests.test(f"{path}?{query[:40]}"):
                assert caller.get(f"{path}?{query}").status in {200, 404, 422}


WRONG_FILTERS = [
    "from=yesterday", "to=2026-01-01", "state=OPEN", "state=", "currency=usd",
    "limit=0", "limit=201", "limit=-1", "limit=ten", "limit=1.5", "limit=",
]  # fmt: skip


def test_a_filter_that_is_none_is_named(player: Person, subtests: pytest.Subtests):
    for query in WRONG_FILTERS:
        with subtests.test(query):
            refused = player.api.get(f"rounds?{query}")
            assert (refused.status, refused.json["code"]) == (422, "invalid")
            assert list(refused.json["fields"]) == [query.partition("=")[0]]
