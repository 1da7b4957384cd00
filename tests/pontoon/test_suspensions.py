"""Stopping play: what a scope covers, what goes on meanwhile, and that no deal slips through."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command

from audit.errors import InvalidError
from audit.queries import entries_of
from audit.services import NIL
from casino.staff.errors import AlreadyDecidedError
from pontoon import queries, services
from pontoon.errors import RequestConflictError, SuspensionNotFoundError
from tests.conftest import Database
from tests.people import People, Person, at_once
from tests.pontoon.rounds import FIFTEEN, OPEN, STAFF, facts, money

ALL = {"all": True}


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10,000.00 USD."""
    return people.player(cash=1_000_000)


@pytest.fixture(autouse=True)
def _the_ledger_holds(database: Database) -> Any:
    """Whatever a test here did, nothing is wrong after it."""
    yield
    call_command("check_ledger")


def stop(scope: dict[str, Any] | None = None) -> UUID:
    return services.suspend(STAFF, scope=scope or ALL, reason="a drill").id


def test_int_06_the_kill_switch_refuses_deals_and_says_by_what(player: Person) -> None:
    suspension_id = stop()
    answer = player.bet(100)
    assert (answer.status, answer.json["code"]) == (503, "suspended")
    assert answer.json["suspension_id"] == str(suspension_id)
    assert answer.json["reason"] == "stopped"
    assert money(player) == {"cash": 1_000_000}


def test_int_06_open_rounds_are_finished_and_paid(player: Person, dealt: Any) -> None:
    round_ = dealt(FIFTEEN)
    stop()
    after = player.finish(round_)
    assert after["state"] == "settled"
    assert after["balance_minor"] == 1_000_000 - 100 + after["payout_minor"]


def test_int_06_who_stopped_it_and_why_is_on_record(player: Person) -> None:
    suspension_id = stop({"game": "house"})
    services.lift("staff:8", suspension_id=suspension_id, reason="it was a drill")
    told = entries_of(f"suspension:{suspension_id}", player_id=NIL)
    assert [(entry["event"], entry["actor"]) for entry in told] == [
        ("suspension.raised", STAFF),
        ("suspension.lifted", "staff:8"),
    ]
    kept = queries.suspension(suspension_id)
    assert (kept.reason, kept.lifted_by, kept.lift_reason) == (
        "a drill",
        "staff:8",
        "it was a drill",
    )


def test_int_06_a_lifted_suspension_lets_play_go_on_once(player: Person) -> None:
    suspension_id = stop()
    services.lift(STAFF, suspension_id=suspension_id, reason="over")
    assert player.bet(100).status == 201
    with pytest.raises(AlreadyDecidedError):
        services.lift(STAFF, suspension_id=suspension_id, reason="over")
    with pytest.raises(SuspensionNotFoundError):
        services.lift(STAFF, suspension_id=uuid4(), reason="over")


COVERING = [
    ALL,
    {"game": "house"},
    {"rules": "house/1"},
    {"currency": "USD"},
    {"profile": "default/2"},
    {"stake_minor": {"min": 100}},
    {"stake_minor": {"max": 100}, "currency": "USD"},
    {"window": {"from": "2020-01-01T00:00:00+00:00"}},
    {"window": {"to": "2999-01-01T00:00:00Z"}},
    {"action_count": {"min": 3}},
]
LEAVING = [
    {"game": "bank"},
    {"rules": "house/2"},
    {"currency": "EUR"},
    {"profile": "uk/1"},
    {"build": "another"},
    {"player": "0192f0c1-2b3c-7def-8abc-000000000001"},
    {"session": "0192f0c1-2b3c-7def-8abc-000000000002"},
    {"round": "0192f0c1-2b3c-7def-8abc-000000000003"},
    {"stake_minor": {"min": 101}},
    {"stake_minor": {"max": 99}},
    {"window": {"to": "2020-01-01T00:00:00+00:00"}},
    {"currency": "USD", "game": "bank"},
]


@pytest.mark.parametrize("scope", COVERING, ids=str)
def test_int_06_what_a_scope_covers_is_stopped(player: Person, scope: dict[str, Any]) -> None:
    stop(scope)
    assert player.bet(100).status == 503


@pytest.mark.parametrize("scope", LEAVING, ids=str)
def test_int_06_what_it_does_not_cover_goes_on(player: Person, scope: dict[str, Any]) -> None:
    stop(scope)
    assert player.bet(100).status == 201


def test_int_06_a_player_is_stopped_and_no_other(people: People, player: Person) -> None:
    stop({"player": str(player.id)})
    assert player.bet(100).status == 503
    assert people.player().bet(100).status == 201


def test_int_06_a_build_is_stopped_where_it_runs(player: Person, settings: Any) -> None:
    stop({"build": "torn"})
    assert player.bet(100).status == 201
    player.finish(player.api.get("rounds/current").json or {"state": "over"})
    settings.BUILD = "torn"
    assert player.bet(100).status == 503


WRONG = [
    {},
    {"all": False},
    {"all": True, "game": "house"},
    {"sql": "true"},
    {"game": 1},
    {"game": ""},
    {"rules": "x" * 201},
    {"build": "a\0b"},
    {"player": "me"},
    {"round": 5},
    {"window": {}},
    {"window": "today"},
    {"window": {"from": "2026-01-01T00:00:00"}},
    {"window": {"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}},
    {"window": {"from": "2026-01-02T00:00:00Z", "until": "x"}},
    {"stake_minor": 5},
    {"stake_minor": {}},
    {"stake_minor": {"min": -1}},
    {"stake_minor": {"min": True}},
    {"stake_minor": {"min": 5, "max": 4}},
    {"action_count": {"max": 2**31}},
]


@pytest.mark.parametrize("scope", WRONG, ids=str)
def test_int_06_a_scope_that_is_none_is_refused(database: Database, scope: dict[str, Any]) -> None:
    with pytest.raises(InvalidError):
        services.suspend(STAFF, scope=scope, reason="x")
    assert list(queries.suspensions()) == []


FAR_AWAY = [
    {"from": "2026-01-01T00:00:00+23:59"},
    {"to": "2999-01-01T00:00:00-23:59:59.999999"},
    {"from": "0001-01-02T00:00:00+00:00", "to": "9999-12-30T00:00:00+00:00"},
]


@pytest.mark.parametrize("window", FAR_AWAY, ids=str)
def test_int_06_the_database_reads_every_window_that_the_service_takes(
    player: Person, dealt: Any, window: dict[str, Any]
) -> None:
    round_ = dealt("T T 9 7")
    made = services.flag_malfunction(
        STAFF, scope={"window": window}, cause="a clock was off", evidence={}
    )
    player.act(round_["round_id"], 0, "stand")
    services.count_malfunctions()
    assert queries.malfunction(made.id).state == "counted"
    assert queries.last_count(made.id)["rounds"] == 1
    assert services.let_go() == 0


@pytest.mark.parametrize("reason", ["", "  ", "x" * 2001])
def test_int_06_there_is_a_reason(database: Database, reason: str) -> None:
    with pytest.raises(InvalidError):
        services.suspend(STAFF, scope=ALL, reason=reason)


def test_int_06_the_same_key_stops_once(database: Database) -> None:
    first = services.suspend("key:1", scope=ALL, reason="x", request_key="k")
    assert services.suspend("key:1", scope=ALL, reason="x", request_key="k").id == first.id
    assert services.suspend("key:2", scope=ALL, reason="x", request_key="k").id != first.id
    with pytest.raises(RequestConflictError):
        services.suspend("key:1", scope=ALL, reason="y", request_key="k")


def test_int_06_the_database_covers_what_the_service_covers(player: Person, dealt: Any) -> None:
    seen = facts(player, dealt(OPEN))
    own = [
        {"player": str(player.id)},
        {"session": str(seen.session_id)},
        {"round": str(seen.id)},
        {"build": seen.build},
        {"action_count": {"max": 0}},
        {"window": {"from": seen.opened_at.isoformat()}},
        {"window": {"to": seen.opened_at.isoformat()}},
    ]
    for scope in map(queries.require_scope, COVERING + LEAVING + own):
        with_it = services.flag_malfunction(STAFF, scope=scope, cause="x", evidence={})
        assert queries.is_outdated(with_it.id) == queries.covers(scope, seen), scope


def test_int_06_no_deal_slips_past_a_suspension(people: People) -> None:
    """Fifty deals race it: once it is answered, no round is there that was not there then."""
    crowd = [people.player() for _ in range(25)]
    for player in crowd:
        player.api.get("me")
    lines = [player.api.apart() for player in crowd for _ in range(2)]
    body = {"stake_minor": 100, "currency": "USD"}
    acts = [lambda line=line: line.post("rounds", body) for line in lines]

    def stop_and_count() -> int:
        stop()
        return queries.count_rounds()

    *answers, count = at_once(*acts, stop_and_count)
    assert {answer.status for answer in answers} <= {201, 409, 503}
    assert {player.bet(100).status for player in crowd} <= {409, 503}
    assert queries.count_rounds() == count
    assert count == len([answer for answer in answers if answer.status == 201])
