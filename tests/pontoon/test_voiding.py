"""The blast radius of a malfunction, and the void of what was approved of it (MAL-02)."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from audit.queries import entries_of
from audit.services import NIL
from casino.staff.errors import AlreadyDecidedError, SamePersonError
from pontoon import queries, services
from pontoon.errors import CountOutdatedError
from pontoon.models import Malfunction
from tests.conftest import Database
from tests.people import People, Person, at_once
from tests.pontoon.rounds import OPEN, PONTOON, SPLIT, STAFF, events, facts, money, outcome
from tests.seeds import deal

OTHER = "staff:8"


@pytest.fixture(autouse=True)
def _the_ledger_holds(database: Database) -> Any:
    """Whatever a test here did, nothing is wrong after it."""
    yield
    call_command("check_ledger")


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10,000.00 USD."""
    return people.player(cash=1_000_000)


def flag(scope: dict[str, Any], actor: str = STAFF) -> Malfunction:
    return services.flag_malfunction(actor, scope=scope, cause="a torn card", evidence={"n": 1})


def counted(scope: dict[str, Any], actor: str = STAFF) -> tuple[Malfunction, dict[str, Any]]:
    made = flag(scope, actor)
    assert services.count_malfunctions() >= 1
    made = queries.malfunction(made.id)
    assert made.state == "counted"
    return made, queries.last_count(made.id)


def approve(made: Malfunction, found: dict[str, Any], actor: str = OTHER) -> Malfunction:
    return services.approve_void(
        actor, malfunction_id=made.id, list_hash=found["list_hash"], reason="A card was torn."
    )


def crowd(people: People, count: int, rounds_each: int) -> list[Person]:
    """Return players who have each played rounds to their end, of whatever outcome."""
    players = [people.player(cash=100_000) for _ in range(count)]
    for player in players:
        for _ in range(rounds_each):
            player.finish(player.bet(100).json)
    return players


# --- The dry run


def test_mal_01_the_dry_run_tells_rounds_players_and_money(
    people: People, player: Person, database: Database
) -> None:
    deal(database.owner_url, player, PONTOON, 100)
    deal(database.owner_url, player, OPEN, 100)
    yen = people.player(cash=100_000, currency="JPY")
    lost = deal(database.owner_url, yen, "9 A 9 TJQK", 1000)
    before = money(player), money(yen)
    _, found = counted({"all": True})
    assert (found["rounds"], found["players"]) == (3, 2)
    assert found["totals"] == [
        {
            "currency": "JPY", "players": 1, "rounds": 1, "open_rounds": 0, "receivable_minor": 0,
            "to_give_minor": 1000, "to_take_minor": 0, "held_minor": 0,
        },
        {
            "currency": "USD", "players": 1, "rounds": 2, "open_rounds": 1, "receivable_minor": 0,
            "to_give_minor": 200, "to_take_minor": 300, "held_minor": 0,
        },
    ]  # fmt: skip
    assert (money(player), money(yen)) == before
    assert facts(yen, lost).state == "settled"


def test_mal_01_the_dry_run_tells_what_will_be_owing(
    people: People, player: Person, database: Database
) -> None:
    deal(database.owner_url, player, PONTOON, 100_000)
    spend(people, player)
    _, found = counted({"player": str(player.id)})
    assert found["totals"][0]["receivable_minor"] == 200_000


def spend(people: People, player: Person, left: int = 0) -> None:
    body = {"amount_minor": player.balance - left, "currency": "USD", "reference": "out"}
    assert people.operator.post(f"players/{player.id}/withdrawals", body).status == 201


def test_mal_01_whether_a_list_is_outdated_is_asked_without_a_trace(people: People) -> None:
    crowd(people, 1, 2)
    made, _ = counted({"game": "house"})
    with transaction.atomic(), connection.cursor() as cursor:
        assert not queries.is_outdated(made.id)
        cursor.execute(
            "SELECT current_setting('enable_nestloop'), current_setting('enable_seqscan')"
        )
        assert cursor.fetchone() == ("on", "off")
        assert queries.malfunction(made.id).state == "counted"


@pytest.mark.parametrize("batch", [1, 2, 1000])
def test_mal_01_the_count_goes_on_where_it_ended(people: People, batch: int) -> None:
    crowd(people, 3, 2)
    made = flag({"game": "house"})
    assert services.count_malfunction(made.id, batch=batch)
    assert queries.last_count(made.id)["rounds"] == 6


def test_mal_01_a_list_is_what_its_scope_covers(people: People) -> None:
    first, second = crowd(people, 2, 2)
    _, found = counted({"player": str(second.id)})
    assert (found["rounds"], found["players"]) == (2, 1)
    _, found = counted({"round": str(queries.history(first.id)[0].id)})
    assert found["rounds"] == 1


def test_mal_01_what_is_approved_is_the_list_that_was_shown(people: People) -> None:
    (player,) = crowd(people, 1, 1)
    made, found = counted({"player": str(player.id)})
    with pytest.raises(CountOutdatedError):
        approve(made, found | {"list_hash": "0" * 64})
    assert approve(made, found).state == "approved"


def test_mal_01_a_round_that_came_into_the_scope_since_has_to_be_counted(
    player: Person, dealt: Any
) -> None:
    round_ = dealt(OPEN)
    made, found = counted({"action_count": {"min": 1}})
    player.act(round_["round_id"], 0, "hit")
    with pytest.raises(CountOutdatedError):
        approve(made, found)
    services.recount(STAFF, malfunction_id=made.id)
    services.count_malfunctions()
    assert queries.last_count(made.id)["rounds"] == 1
    assert approve(made, queries.last_count(made.id)).state == "approved"


# --- Who decides


def test_opr_02_who_raised_it_does_not_approve_it(player: Person) -> None:
    made, found = counted({"all": True})
    with pytest.raises(SamePersonError):
        approve(made, found, STAFF)
    assert queries.malfunction(made.id).state == "counted"


def test_opr_02_of_two_who_approve_at_once_one_does(player: Person) -> None:
    made, found = counted({"all": True})
    acts = [outcome(partial(approve, made, found, f"staff:{n}")) for n in (8, 9)]
    came = at_once(*acts)
    assert len([one for one in came if isinstance(one, Malfunction)]) == 1
    told = entries_of(f"malfunction:{made.id}", player_id=NIL)
    assert [entry["event"] for entry in told].count("malfunction.approved") == 1
    with pytest.raises(AlreadyDecidedError):
        approve(made, found, "staff:10")


def test_opr_02_one_person_decides_what_the_service_raised(player: Person) -> None:
    made, found = counted({"all": True}, actor="system:check")
    assert approve(made, found, STAFF).state == "approved"


@pytest.mark.parametrize("actor", ["key:1", "system:void", "player:1"])
def test_opr_02_who_is_no_person_of_the_staff_decides_nothing(player: Person, actor: str) -> None:
    made, found = counted({"all": True})
    with pytest.raises(IntegrityError):
        approve(made, found, actor)


def test_mal_01_before_the_count_nothing_is_approved(player: Person) -> None:
    made = flag({"all": True})
    with pytest.raises(AlreadyDecidedError):
        approve(made, {"list_hash": "0" * 64})


# --- The void


def test_mal_02_every_wager_goes_back_and_every_payout_comes_back(
    people: People, player: Person, database: Database
) -> None:
    won = deal(database.owner_url, player, PONTOON, 100)
    split = deal(database.owner_url, player, SPLIT, 100)
    for seq, action in enumerate(["split", "stand", "stand"]):
        player.act(split["round_id"], seq, action)
    still = deal(database.owner_url, player, OPEN, 100)
    player.act(still["round_id"], 0, "double")
    made, found = counted({"player": str(player.id)})
    approve(made, found)
    assert services.void_malfunctions() == 3
    assert money(player) == {"cash": 1_000_000}
    assert {facts(player, one).state for one in (won, split, still)} == {"voided"}
    assert [events(player, one)[-1] for one in (won, split, still)] == [
        ("round.voided", "system:void")
    ] * 3
    done = queries.malfunction(made.id)
    assert done.state == "done"
    last = entries_of(f"malfunction:{made.id}", player_id=NIL)[-1]
    assert (last["event"], last["payload"]["rounds"]) == ("malfunction.voided", 3)
    assert services.void_malfunctions() == 0


def test_mal_02_who_spent_his_payout_owes_it_and_is_never_below_zero(
    people: People, player: Person, database: Database
) -> None:
    deal(database.owner_url, player, PONTOON, 100_000)
    spend(people, player)
    made, found = counted({"player": str(player.id)})
    approve(made, found)
    services.void_malfunctions()
    assert money(player) == {"receivable": -200_000}
    report = people.operator.get("reports/liability").json
    assert "-200000" in str(report) or "200000" in str(report)
    totals = queries.acts_of(made.id).last().facts["totals"][0]
    assert totals["receivable_minor"] == found["totals"][0]["receivable_minor"] == 200_000
    assert totals["given_minor"] == found["totals"][0]["to_give_minor"]


def test_mal_02_play_goes_on_when_the_fault_is_mended_and_lifted(people: People) -> None:
    (player,) = crowd(people, 1, 1)
    made, found = counted({"all": True})
    approve(made, found)
    services.void_malfunctions()
    assert player.bet(100).status == 503
    stop = queries.suspensions(is_standing=True).get()
    services.lift(OTHER, suspension_id=stop.id, reason="the build was replaced")
    assert player.bet(100).status == 201


def test_mal_02_a_scope_of_the_past_stands_no_longer_when_it_is_voided(people: People) -> None:
    (player,) = crowd(people, 1, 1)
    made, found = counted({"round": str(queries.history(player.id)[0].id)})
    approve(made, found)
    services.void_malfunctions()
    assert list(queries.suspensions(is_standing=True)) == []
    assert made.state == "counted"


def test_mal_02_two_malfunctions_of_one_round_void_it_once(people: People) -> None:
    (player,) = crowd(people, 1, 2)
    both = [counted({"all": True}), counted({"player": str(player.id)})]
    for made, found in both:
        approve(made, found)
    while services.void_malfunctions():
        pass
    assert money(player) == {"cash": 100_000}
    assert {queries.malfunction(made.id).state for made, _ in both} == {"done"}
    last = [queries.acts_of(made.id).last().facts["rounds"] for made, _ in both]
    assert sorted(last) == [0, 2]


def test_mal_02_five_at_once_void_each_round_once(people: People) -> None:
    players = crowd(people, 6, 4)
    made, found = counted({"all": True})
    approve(made, found)
    came: list[int] = at_once(*[services.void_malfunctions] * 5)
    while queries.malfunction(made.id).state != "done":
        came.append(services.void_malfunctions())
    assert sum(came) == 24
    assert all(money(player) == {"cash": 100_000} for player in players)
    voided = [event for player in players for event in _voids(player)]
    assert len(voided) == 24


def _voids(player: Person) -> list[str]:
    shown = [{"round_id": str(told.id)} for told in queries.history(player.id)]
    return [event for one in shown for event, _ in events(player, one) if event == "round.voided"]


def test_mal_02_players_act_while_their_rounds_are_voided(people: People) -> None:
    players = crowd(people, 4, 6)
    made, found = counted({"game": "house"})
    approve(made, found)

    def deposit(player: Person) -> Callable[[], Any]:
        return lambda: people.deposit(player.id, 100)

    at_once(services.void_malfunctions, *map(deposit, players * 2))
    while queries.malfunction(made.id).state != "done":
        services.void_malfunctions()
    assert all(money(player) == {"cash": 100_200} for player in players)
