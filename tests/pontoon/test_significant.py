"""Significant events: each line of EVT-01 has its events, each approval its persons (EVT-02)."""

from typing import Any
from uuid import UUID

import pytest

from audit import seal
from audit.events import APPROVALS, Event
from casino.players import services as door
from casino.staff import changes
from casino.staff.roles import Role
from pontoon import queries, services
from pontoon.models import Malfunction
from pontoon.reports.significant import EVENTS, SIGNIFICANT
from tests.conftest import Database
from tests.panel import hire
from tests.people import People, Person
from tests.pontoon.rounds import OTHER, PONTOON, STAFF
from tests.seeds import LARGE_WIN_ACTIONS, LARGE_WIN_SEED, deal, plant_seed
from wallets import services as wallets
from wallets.services import Correction

ORDINARY = frozenset(
    {
        Event.PLAYER_REGISTERED, Event.SESSION_OPENED, Event.SESSION_CLOSED,
        Event.REALITY_CHECK_SET, Event.REALITY_CHECK_SEEN, Event.MONEY_DEPOSITED,
        Event.MONEY_WITHDRAWN, Event.SEED_COMMITTED, Event.ROUND_OPENED, Event.ROUND_PLAYED,
        Event.ROUND_SETTLED,
    }
)  # fmt: skip
"""What happens on any evening."""


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10,000.00 USD."""
    return people.player(cash=1_000_000)


def told(people: People, event: str) -> list[dict[str, Any]]:
    """Return the rows of the report that tell of an event."""
    answer = people.operator.get("reports/significant_events")
    assert answer.status == 200, answer
    return [row for row in answer.json["tables"][0]["rows"] if row["event"] == event]


def counted(player: Person, ranks: str, owner_url: str) -> tuple[UUID, str]:
    """Return a malfunction of a round that was dealt, and the hash of its list."""
    round_ = deal(owner_url, player, ranks, 100)
    made = services.flag_malfunction(
        STAFF, scope={"round": round_["round_id"]}, cause="a torn card", evidence={"n": 1}
    )
    services.count_malfunctions()
    return made.id, queries.last_count(made.id)["list_hash"]


def test_evt_01_every_event_is_significant_or_ordinary() -> None:
    assert all(SIGNIFICANT.values())
    assert set(EVENTS) | ORDINARY == set(Event)
    assert not set(EVENTS) & ORDINARY
    assert set(EVENTS) >= APPROVALS


def test_evt_01_a_large_wager_is_told_and_a_smaller_one_is_not(
    people: People, player: Person, database: Database
) -> None:
    large = deal(database.owner_url, player, PONTOON, 100_000)
    deal(database.owner_url, player, PONTOON, 99_900)
    (row,) = told(people, "round.settled")
    assert row["subject"] == f"round:{large['round_id']}"
    assert row["after"]["wagered_minor"] == 100_000


def test_evt_01_an_exclusion_and_a_suspension_are_told(people: People, player: Person) -> None:
    door.exclude(OTHER, player_id=player.id, kind="self_exclusion", term=None)
    stop = services.suspend(STAFF, scope={"all": True}, reason="a drill")
    (excluded,) = told(people, "player.excluded")
    assert excluded["actor"] == OTHER
    (row,) = told(people, "suspension.raised")
    assert (row["actor"], row["reason"], row["subject"]) == (
        STAFF, "a drill", f"suspension:{stop.id}",
    )  # fmt: skip


# --- Two persons --------------------------------------------------------------------------------


def approve_void(people: People, player: Person, owner_url: str) -> tuple[str, str]:
    id_, list_hash = counted(player, PONTOON, owner_url)
    services.approve_void(OTHER, malfunction_id=id_, list_hash=list_hash, reason="it was torn")
    services.void_malfunctions()
    assert queries.malfunction(id_).state == "done"
    return STAFF, OTHER


def refuse_void(people: People, player: Person, owner_url: str) -> tuple[str, str]:
    id_, _ = counted(player, PONTOON, owner_url)
    services.refuse_void(OTHER, malfunction_id=id_, reason="it was whole")
    return STAFF, OTHER


def clear(people: People, player: Person, owner_url: str) -> tuple[str, str]:
    id_, _ = counted(player, PONTOON, owner_url)
    services.clear_malfunction(OTHER, malfunction_id=id_, reason="it was mended")
    return STAFF, OTHER


def lift(people: People, player: Person, owner_url: str) -> tuple[str, str]:
    stop = services.suspend(STAFF, scope={"all": True}, reason="a drill")
    services.lift(OTHER, suspension_id=stop.id, reason="it is over")
    return STAFF, OTHER


def adjust(decide: Any) -> Any:
    def run(people: People, player: Person, owner_url: str) -> tuple[str, str]:
        asked = Correction(player.id, "credit", 300, "a torn card", "k")
        id_ = wallets.raise_adjustment(STAFF, correction=asked)
        decide(OTHER, adjustment_id=id_, reason="seen")
        return STAFF, OTHER

    return run


def give_role(*, is_confirmed: bool) -> Any:
    def run(people: People, player: Person, owner_url: str) -> tuple[str, str]:
        asker, decider = hire("engineer", "eva"), hire("engineer", "emil")
        user = hire("support")
        change = changes.ask(asker, username=user.username, role=Role.FLOOR, reason="moves")
        changes.decide(decider, change_id=change.id, is_confirmed=is_confirmed)
        return asker.urn, decider.urn

    return run


def win(decide: Any) -> Any:
    def run(people: People, player: Person, owner_url: str) -> tuple[str, str]:
        plant_seed(owner_url, player, LARGE_WIN_SEED)
        round_ = player.bet(100_000).json
        for action in LARGE_WIN_ACTIONS:
            round_ = player.act(round_["round_id"], round_["seq"], action).json
        seal.seal()
        services.check_wins()
        decide(OTHER, round_id=UUID(round_["round_id"]), reason="looked at")
        return "system:wins", OTHER

    return run


DECISIONS: dict[str, Any] = {
    "malfunction.approved": approve_void,
    "malfunction.voided": approve_void,
    "round.voided": approve_void,
    "malfunction.void_refused": refuse_void,
    "malfunction.cleared": clear,
    "suspension.lifted": lift,
    "adjustment.approved": adjust(wallets.approve_adjustment),
    "adjustment.declined": adjust(wallets.decline_adjustment),
    "staff.role_changed": give_role(is_confirmed=True),
    "staff.role_refused": give_role(is_confirmed=False),
    "round.released": win(services.release_large_win),
    "win.rejected": win(services.reject_large_win),
}


def test_evt_02_every_approval_is_walked_through_here() -> None:
    assert DECISIONS.keys() >= APPROVALS


@pytest.mark.parametrize("event", DECISIONS)
def test_evt_02_an_approval_tells_who_raised_it_who_authorised_it_and_why(
    people: People, player: Person, database: Database, event: str
) -> None:
    persons = DECISIONS[event](people, player, database.owner_url)
    (row,) = told(people, event)
    assert (row["raised_by"], row["authorised_by"]) == persons
    assert row["raised_by"] != row["authorised_by"]
    assert row["component"] == event.partition(".")[0]
    assert row["reason"]
    assert (row["before"] == row["after"]) == (event == "staff.role_refused")


def test_evt_02_what_a_machine_does_of_a_decision_names_the_persons_beside_it(
    people: People, player: Person, database: Database
) -> None:
    approve_void(people, player, database.owner_url)
    for event in ("round.voided", "malfunction.voided"):
        (row,) = told(people, event)
        assert row["actor"] == "system:void"
        assert (row["raised_by"], row["authorised_by"]) == (STAFF, OTHER)
    assert Malfunction.objects.get().raised_by == STAFF
