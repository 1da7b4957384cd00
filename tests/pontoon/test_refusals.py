"""What the database refuses the application's role, whatever it calls the functions with."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection
from psycopg.errors import CheckViolation

from audit import seal
from pontoon import queries, services
from pontoon.lifecycle import State
from pontoon.models import Malfunction
from pontoon.services.commit import RoundAct, act_of
from pontoon.services.house import read_desk, released, voided
from tests.conftest import Database
from tests.people import People, Person
from tests.pontoon.rounds import OPEN, PONTOON, STAFF, money
from wallets import services as wallets
from wallets.services import Correction

OTHER = "staff:8"
Commit = Callable[..., None]


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10,000.00 USD."""
    return people.player(cash=1_000_000)


@pytest.fixture(autouse=True)
def _the_ledger_holds(database: Database) -> Any:
    """Whatever was tried here, nothing is wrong after it."""
    yield
    call_command("check_ledger")


@pytest.fixture
def commit(app: psycopg.Connection) -> Commit:
    """Call a commit function as the application's role, beside all services."""

    def call(act: dict[str, Any], function: str = "pontoon_commit") -> None:
        app.execute(f"SELECT {function}(%s::jsonb)", [json.dumps(act, default=str)])

    return call


@pytest.fixture
def checked(held: dict[str, Any]) -> dict[str, Any]:
    """A held round whose case is filed."""
    seal.seal()
    services.check_wins()
    return held


def ids(player: Person, round_: dict[str, Any]) -> tuple[UUID, UUID]:
    return player.id, UUID(round_["round_id"])


def flag(scope: dict[str, Any], actor: str = STAFF) -> Malfunction:
    made = services.flag_malfunction(actor, scope=scope, cause="a torn card", evidence={})
    services.count_malfunctions()
    return queries.malfunction(made.id)


def release(player: Person, round_: dict[str, Any], actor: str = STAFF) -> dict[str, Any]:
    return act_of(released(actor, *read_desk(*ids(player, round_))))


def void(player: Person, round_: dict[str, Any], actor: str = "system:void") -> dict[str, Any]:
    return act_of(voided(actor, *read_desk(*ids(player, round_)), {"reason": "a torn card"}))


# --- Payments


def test_h17_no_held_win_is_paid_without_a_decision(
    player: Person, checked: dict[str, Any], commit: Commit
) -> None:
    before = money(player)
    with pytest.raises(CheckViolation, match="nobody has released"):
        commit(release(player, checked))
    assert money(player) == before


def test_h17_a_win_does_not_get_round_its_decision_by_another_reason_to_wait(
    player: Person, held: dict[str, Any], commit: Commit
) -> None:
    """Held as large, never checked, then held for a malfunction that is over: still large."""
    made = flag({"round": held["round_id"]})
    services.refuse_void(OTHER, malfunction_id=made.id, reason="whole")
    with pytest.raises(CheckViolation, match="a person verifies"):
        commit(release(player, held, "system:hold"))


@pytest.mark.parametrize(
    "scope", [{"all": True}, {"currency": "USD"}, {"action_count": {"max": 9}}]
)
def test_h18_nothing_is_paid_under_a_malfunction_by_who_leaves_it_out(
    player: Person, dealt: Any, commit: Commit, scope: dict[str, Any]
) -> None:
    round_ = dealt("T 9 T 78")
    made = flag(scope)
    player.act(round_["round_id"], 0, "stand")
    desk, facts = read_desk(*ids(player, round_))
    assert facts.held_reason == "malfunction"
    act = act_of(
        released("system:hold", replace(desk, standing=queries.StandingSuspensions(0, ())), facts)
    )
    with pytest.raises(CheckViolation, match="waits for a malfunction"):
        commit({name: act[name] for name in act if name != "standing"})
    services.clear_malfunction(OTHER, malfunction_id=made.id, reason="mended")
    assert services.let_go() == 1


def test_int_06_nothing_is_dealt_under_a_suspension_by_who_leaves_it_out(
    player: Person, commit: Commit
) -> None:
    first = player.bet(100).json
    first = player.finish(first)
    desk, facts = read_desk(*ids(player, first))
    stop = services.suspend(STAFF, scope={"game": "house", "action_count": {"min": 5}}, reason="x")
    fresh = replace(
        facts, id=stop.id, state=State.OPEN, held_reason=None, action_count=0, actions=[],
        wagered_minor=100, payout_minor=None, balance_after_minor=None, settled_at=None,
        seed_number=facts.seed_number + 1, last_action_at=desk.at, opened_at=desk.at,
    )  # fmt: skip
    act = act_of(RoundAct(desk, None, fresh, [], f"player:{player.id}"))
    with pytest.raises(CheckViolation, match="play is suspended"):
        commit({name: act[name] for name in act if name != "standing"})


# --- Voids


@pytest.mark.parametrize("ranks", [OPEN, PONTOON])
def test_mal_02_nothing_is_voided_without_an_approved_list(
    player: Person, dealt: Any, commit: Commit, ranks: str
) -> None:
    round_ = dealt(ranks)
    before = money(player)
    with pytest.raises(CheckViolation, match="nobody has approved"):
        commit(void(player, round_))
    flag({"round": round_["round_id"]})
    for function, act in (
        ("pontoon_commit", void(player, round_)),
        ("pontoon_commit_all", {"acts": [void(player, round_)]}),
    ):
        with pytest.raises(CheckViolation, match="nobody has approved"):
            commit(act, function)
    assert money(player) == before


def test_mal_02_a_round_that_is_not_on_the_list_is_not_voided(
    people: People, player: Person, dealt: Any, commit: Commit
) -> None:
    round_, other = dealt(PONTOON), people.player()
    apart = other.finish(other.bet(100).json)
    made = flag({"round": round_["round_id"]})
    approve(made)
    with pytest.raises(CheckViolation, match="nobody has approved"):
        commit(void(other, apart))
    commit(void(player, round_))
    assert money(player) == {"cash": 1_000_000}


def test_int_05_a_round_that_cannot_go_on_is_voided_while_it_is_open_alone(
    player: Person, dealt: Any, commit: Commit
) -> None:
    over = dealt(PONTOON)
    for round_ in (over, dealt(OPEN)):
        services.flag_malfunction(
            "system:interrupt", scope={"round": round_["round_id"]}, cause="x", evidence={},
            fault_key=f"round:{round_['round_id']}",
        )  # fmt: skip
    with pytest.raises(CheckViolation, match="nobody has approved"):
        commit(void(player, over, "system:interrupt"))
    commit(void(player, round_, "system:interrupt"))


def approve(made: Malfunction, actor: str = OTHER) -> None:
    list_hash = queries.last_count(made.id)["list_hash"]
    services.approve_void(actor, malfunction_id=made.id, list_hash=list_hash, reason="torn")


# --- Who


class Caught(Exception):  # noqa: N818  it is no error: an act on its way to the database
    """A commit function and the act that a service has for it."""


def caught(verb: Callable[[], Any], nth: int = 1) -> tuple[str, dict[str, Any]]:
    """Return the nth act that a service would commit; of that one nothing is."""
    number = count(1)

    def catch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found = re.fullmatch(r"SELECT (\w+)\(%s::jsonb\)", sql)
        if found and next(number) == nth:
            raise Caught(found[1], json.loads(params[0]))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(catch), pytest.raises(Caught) as told:
        verb()
    return told.value.args


def renamed(act: Any, actor: str) -> Any:
    """Return an act that says of itself that another did it; its entry is as it was."""
    if not isinstance(act, dict):
        return act
    return {
        name: part if name == "entry" else actor if name in NAMES else renamed(part, actor)
        for name, part in act.items()
    }


NAMES = {"actor", "raised_by", "lifted_by", "decided_by"}


def _flag(player: Person, checked: dict[str, Any]) -> None:
    services.flag_malfunction(STAFF, scope={"all": True}, cause="torn", evidence={})


def _suspend(player: Person, checked: dict[str, Any]) -> None:
    services.suspend(STAFF, scope={"all": True}, reason="a leak")


def _lift(player: Person, checked: dict[str, Any]) -> None:
    stop = services.suspend(STAFF, scope={"all": True}, reason="a leak")
    services.lift(STAFF, suspension_id=stop.id, reason="dry")


def _approve(player: Person, checked: dict[str, Any]) -> None:
    approve(flag({"player": str(player.id)}))


def _release(player: Person, checked: dict[str, Any]) -> None:
    services.release_large_win(STAFF, round_id=UUID(checked["round_id"]), reason="seen")


def _reject(player: Person, checked: dict[str, Any]) -> None:
    services.reject_large_win(STAFF, round_id=UUID(checked["round_id"]), reason="seen twice")


def _ask(player: Person, checked: dict[str, Any]) -> UUID:
    asked = Correction(player.id, "credit", 100, "goodwill", "k")
    return wallets.raise_adjustment(STAFF, correction=asked)


def _grant(player: Person, checked: dict[str, Any]) -> None:
    wallets.approve_adjustment(OTHER, adjustment_id=_ask(player, checked), reason="seen")


@pytest.mark.parametrize(
    ("verb", "nth"),
    [(_flag, 1), (_suspend, 1), (_lift, 2), (_approve, 3), (_release, 1), (_reject, 1), (_ask, 1),
     (_grant, 2)],
)  # fmt: skip
def test_opr_02_nobody_acts_in_anothers_name(
    player: Person, checked: dict[str, Any], commit: Commit, verb: Any, nth: int
) -> None:
    function, act = caught(lambda: verb(player, checked), nth)
    with pytest.raises(CheckViolation, match="no entry tells"):
        commit(renamed(act, "staff:99"), function)


@pytest.mark.parametrize("actor", ["key:1", "system:void", "player:1"])
def test_opr_02_who_is_no_person_of_the_staff_lets_nothing_go_on(
    player: Person, actor: str
) -> None:
    stop = services.suspend("key:1", scope={"player": str(player.id)}, reason="a leak")
    with pytest.raises(IntegrityError, match="a person of the staff lifts it"):
        services.lift(actor, suspension_id=stop.id, reason="dry")
    services.lift(STAFF, suspension_id=stop.id, reason="dry")


@pytest.mark.parametrize("list_hash", ["0" * 64, None])
def test_mal_01_another_list_than_was_counted_is_not_approved(
    player: Person, dealt: Any, commit: Commit, list_hash: str | None
) -> None:
    dealt(PONTOON)
    made = flag({"player": str(player.id)})
    function, act = caught(lambda: approve(made))
    act["facts"]["list_hash"] = list_hash
    with pytest.raises(CheckViolation, match="another list"):
        commit(act, function)
