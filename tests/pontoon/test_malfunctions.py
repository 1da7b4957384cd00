"""Malfunctions: what a flag does at once, and what takes another person (H18, MAL, OPR-02)."""

from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.core.management import call_command
from django.db import IntegrityError
from psycopg.types.json import Jsonb

from audit.queries import entries_of
from audit.services import NIL, now
from casino.staff.errors import AlreadyDecidedError, SamePersonError
from pontoon import queries, services
from pontoon.errors import MalfunctionNotFoundError, RequestConflictError
from pontoon.models import Malfunction
from tests.conftest import Database
from tests.people import People, Person
from tests.pontoon.rounds import FIFTEEN, STAFF, check_wins, events, facts, money, release

ALL = {"all": True}
TWENTY = "TJQK 789 TJQK 789 TJQK"
"""Twenty, against a dealer who stands on less or busts with the next card."""
OTHER = "staff:8"


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10,000.00 USD."""
    return people.player(cash=1_000_000)


@pytest.fixture(autouse=True)
def _the_ledger_holds(database: Database) -> Any:
    """Whatever a test here did, nothing is wrong after it."""
    yield
    call_command("check_ledger")


def flag(scope: dict[str, Any] | None = None, actor: str = STAFF, **more: Any) -> Malfunction:
    return services.flag_malfunction(
        actor, scope=scope or ALL, cause="a card was torn", evidence={"photo": "1.jpg"}, **more
    )


def test_mal_01_a_flag_keeps_cause_evidence_and_who(database: Database) -> None:
    made = flag({"rules": "house/1"})
    assert (made.state, made.cause, made.evidence, made.raised_by) == (
        "raised",
        "a card was torn",
        {"photo": "1.jpg"},
        STAFF,
    )
    (told,) = entries_of(f"malfunction:{made.id}", player_id=NIL)
    assert (told["event"], told["actor"]) == ("malfunction.raised", STAFF)


def test_mal_01_a_flag_suspends_its_scope(player: Person) -> None:
    made = flag()
    answer = player.bet(100)
    assert (answer.status, answer.json["reason"]) == (503, "malfunction")
    stop = queries.suspension(UUID(answer.json["suspension_id"]))
    assert stop.malfunction_id == made.id


def test_mal_01_a_covered_payout_waits(player: Person, dealt: Any) -> None:
    round_ = dealt(TWENTY)
    made = flag()
    after = player.act(round_["round_id"], 0, "stand").json
    assert (after["state"], after["held_reason"]) == ("held", "malfunction")
    assert money(player) == {"cash": 999_900, "held": 200}
    services.clear_malfunction(OTHER, malfunction_id=made.id, reason="disproved")
    assert money(player) == {"cash": 999_900, "held": 200}


def test_mal_01_what_comes_to_nothing_has_nothing_to_wait_for(player: Person, dealt: Any) -> None:
    round_ = dealt("56789 56789 789 * TJQK")
    flag()
    after = player.act(round_["round_id"], 0, "hit").json
    assert (after["payout_minor"], after["state"]) == (0, "settled")


def test_mal_01_a_large_win_that_is_covered_is_not_released(
    player: Person, held: dict[str, Any]
) -> None:
    check_wins()
    made = flag({"round": held["round_id"]})
    with pytest.raises(AlreadyDecidedError):
        release(player, held)
    assert money(player)["held"] == held["payout_minor"]
    services.refuse_void(OTHER, malfunction_id=made.id, reason="the cards were whole")
    services.let_go()
    release(player, held)
    assert "held" not in money(player)


@pytest.mark.parametrize("decide", [services.clear_malfunction, services.refuse_void])
def test_opr_02_who_raised_it_does_not_decide_it(database: Database, decide: Any) -> None:
    made = flag()
    with pytest.raises(SamePersonError):
        decide(STAFF, malfunction_id=made.id, reason="mine")
    assert decide(OTHER, malfunction_id=made.id, reason="looked at").state in {
        "cleared",
        "refused",
    }
    with pytest.raises(AlreadyDecidedError):
        decide(OTHER, malfunction_id=made.id, reason="again")


@pytest.mark.parametrize("name", [f"{STAFF} ", STAFF.upper(), "staff:07", "staff:", "key:7"])
def test_opr_02_another_spelling_is_no_other_person(database: Database, name: str) -> None:
    made = flag()
    with pytest.raises(IntegrityError):
        services.clear_malfunction(name, malfunction_id=made.id, reason="mine")
    if not name.startswith("key:"):
        with pytest.raises(IntegrityError):
            flag({"game": "house"}, actor=name)
    assert [row.state for row in Malfunction.objects.all()] == ["raised"]


def test_mal_01_the_database_lifts_what_a_fault_suspends_with_it_alone(
    database: Database, app: psycopg.Connection
) -> None:
    made, other = flag(), flag({"game": "house"})
    (stop,) = queries.suspensions().filter(malfunction_id=made.id)
    lift = {"id": str(stop.id), "lifted_by": OTHER, "lift_reason": "x"}
    lift["lifted_at"] = now().isoformat()
    with pytest.raises(psycopg.errors.CheckViolation, match="is not over"):
        app.execute("SELECT pontoon_lift(%s)", [Jsonb({"lift": lift})])
    move = {"malfunction_id": str(other.id), "from": "raised", "act_count": 1, "actor": OTHER}
    move |= {"at": lift["lifted_at"], "facts": {}, "lift": lift}
    for to in ("cleared", "counted"):
        with pytest.raises(psycopg.errors.CheckViolation, match="not its suspension"):
            app.execute("SELECT pontoon_malfunction_move(%s)", [Jsonb(move | {"to": to})])
    assert queries.suspensions().filter(lifted_at=None).count() == 2


def test_a_malfunction_that_is_none_is_not_found(database: Database) -> None:
    with pytest.raises(MalfunctionNotFoundError):
        services.clear_malfunction(OTHER, malfunction_id=uuid4(), reason="x")


def test_mal_01_a_cleared_flag_lets_play_go_on(player: Person) -> None:
    made = flag()
    stop = queries.suspensions(is_standing=True).get()
    with pytest.raises(AlreadyDecidedError):
        services.lift(OTHER, suspension_id=stop.id, reason="past the flag")
    services.clear_malfunction(OTHER, malfunction_id=made.id, reason="disproved")
    assert player.bet(100).status == 201


def test_mal_01_the_same_key_flags_once(database: Database) -> None:
    first = flag(request_key="k")
    assert flag(request_key="k").id == first.id
    with pytest.raises(RequestConflictError):
        flag({"game": "house"}, request_key="k")


def test_mal_01_a_fault_that_stands_is_flagged_once(database: Database) -> None:
    first = flag(actor="system:check", fault_key="ledger")
    assert flag(actor="system:check", fault_key="ledger").id == first.id
    services.clear_malfunction(STAFF, malfunction_id=first.id, reason="mended")
    assert flag(actor="system:check", fault_key="ledger").id != first.id


def test_h21_an_abandoned_round_is_played_out_and_its_payout_held(
    player: Person, dealt: Any, settings: Any
) -> None:
    round_ = dealt(FIFTEEN)
    flag()
    settings.ABANDONED_AFTER_H = 0
    services.close_abandoned()
    after = facts(player, round_)
    assert after.state == ("held" if after.payout_minor else "settled")
    assert events(player, round_)[-1][1] == "house"


def test_mal_01_a_cleared_payout_is_paid_once(player: Person, dealt: Any) -> None:
    round_ = dealt(TWENTY)
    made = flag()
    player.act(round_["round_id"], 0, "stand")
    assert services.let_go() == 0
    services.clear_malfunction(OTHER, malfunction_id=made.id, reason="disproved")
    assert services.let_go() == 1
    assert services.let_go() == 0
    assert money(player) == {"cash": 1_000_100}
    assert events(player, round_)[-2:] == [
        ("round.held", f"player:{player.id}"),
        ("round.released", "system:hold"),
    ]


def test_mal_01_what_another_flag_covers_waits_on(player: Person, dealt: Any) -> None:
    round_ = dealt(TWENTY)
    first, second = flag(), flag({"game": "house"})
    player.act(round_["round_id"], 0, "stand")
    services.clear_malfunction(OTHER, malfunction_id=first.id, reason="disproved")
    assert services.let_go() == 0
    services.clear_malfunction(OTHER, malfunction_id=second.id, reason="disproved")
    assert services.let_go() == 1


def test_h17_a_rejected_win_waits_for_its_malfunction_and_then_again(
    player: Person, held: dict[str, Any]
) -> None:
    made = flag({"round": held["round_id"]})
    assert facts(player, held).held_reason == "malfunction"
    services.refuse_void(OTHER, malfunction_id=made.id, reason="the cards were whole")
    services.let_go()
    assert (facts(player, held).state, facts(player, held).held_reason) == ("held", "large_win")
    assert money(player)["held"] == held["payout_minor"]
    assert [event for event, _ in events(player, held)[-2:]] == ["round.held_on"] * 2
    release(player, held)
    assert "held" not in money(player)
