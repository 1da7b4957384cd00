"""Large wins: which are held, what their case files know, and that a decision is made once."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command

from audit import queries as audit
from audit import seal
from audit.errors import InvalidError
from audit.models import Work
from casino.players import profiles
from casino.staff.errors import AlreadyDecidedError, SamePersonError
from pontoon import queries, services, vault
from pontoon.errors import CaseNotReadyError
from pontoon.models import Malfunction
from tests.conftest import Database
from tests.people import People, Person, at_once
from tests.pontoon.rounds import STAFF, facts, money, outcome
from tests.seeds import deal

WON = "T T 9 7"
"""Twenty against seventeen, when the player stands."""


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10,000.00 USD."""
    return people.player(cash=1_000_000, device="a phone")


@pytest.fixture(autouse=True)
def _the_ledger_holds(database: Database) -> Any:
    """Whatever a test here did, nothing is wrong after it."""
    yield
    call_command("check_ledger")


@pytest.fixture
def checked(held: dict[str, Any]) -> UUID:
    """The id of a round whose large win has its case file."""
    seal.seal()
    assert services.check_wins() == 1
    return UUID(held["round_id"])


def win_of(round_id: UUID) -> dict[str, Any]:
    return queries.show_verification(queries.verification(round_id))


def told(player: Person, round_id: UUID, event: str) -> list[dict[str, Any]]:
    """Return the payloads of a round's entries of one kind."""
    entries = audit.entries_of(f"round:{round_id}", player_id=player.id)
    return [entry["payload"] for entry in entries if entry["event"] == event]


# --- The lines


def test_win_01_the_entry_of_a_held_win_tells_which_line_it_reached(
    player: Person, held: dict[str, Any]
) -> None:
    (payload,) = told(player, UUID(held["round_id"]), "round.held")
    assert payload["line"] == {
        "of": "round",
        "basis": "win",
        "line_minor": 1_000_000,
        "counted_minor": held["win_minor"],
    }


@pytest.fixture
def small_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the wins of a day be verified from 5.00 on: a setting of the profile."""
    line = profiles.LargeWinLine("USD", 1_000_000, 500)
    default = replace(profiles.PROFILES["default"], large_win_lines=(line,))
    monkeypatch.setattr(profiles, "PROFILES", {**profiles.PROFILES, "default": default})


def win(player: Person, database: Database, stake_minor: int = 200) -> dict[str, Any]:
    round_ = deal(database.owner_url, player, WON, stake_minor)
    return dict(player.act(round_["round_id"], 0, "stand").json)


@pytest.mark.usefixtures("small_day")
def test_win_01_the_wins_of_a_gaming_day_have_a_line_of_their_own(
    player: Person, database: Database
) -> None:
    states = [win(player, database)["state"] for _ in range(2)]
    third = win(player, database)
    assert states == ["settled", "settled"]
    assert (third["state"], third["held_reason"]) == ("held", "large_win")
    (payload,) = told(player, UUID(third["round_id"]), "round.held")
    assert payload["line"] == {
        "of": "day",
        "basis": "win",
        "line_minor": 500,
        "counted_minor": 600,
    }
    assert win(player, database)["state"] == "settled", "the day's sum begins anew after it"


@pytest.mark.usefixtures("small_day")
def test_win_01_a_loss_is_taken_off_the_days_sum_and_never_held(
    player: Person, database: Database
) -> None:
    win(player, database, 400)
    lost = deal(database.owner_url, player, "T T 7 9", 200)
    assert player.act(lost["round_id"], 0, "stand").json["state"] == "settled"
    assert win(player, database, 200)["state"] == "settled", "4.00 less 2.00, and 2.00 more"
    assert win(player, database, 200)["state"] == "held"


def test_jur_01_a_profile_may_set_other_lines_than_the_currency() -> None:
    usd = profiles.get_currency("USD")
    line = profiles.LargeWinLine("USD", 5, None)
    strict = replace(profiles.get_profile("uk"), large_win_lines=(line,))
    assert profiles.large_win_line(strict, usd) == ("USD", 5, None)
    assert profiles.large_win_line(profiles.get_profile("uk"), usd)[1:] == (1_000_000, 2_500_000)


# --- The case file


def test_h17_nobody_decides_before_the_case_file_is_there(held: dict[str, Any]) -> None:
    round_id = UUID(held["round_id"])
    assert win_of(round_id)["state"] == "checking"
    for decide in (services.release_large_win, services.reject_large_win):
        with pytest.raises(CaseNotReadyError):
            decide(STAFF, round_id=round_id, reason="in a hurry")


def test_h17_a_case_is_filed_when_the_log_has_sealed_the_round(
    player: Person, held: dict[str, Any]
) -> None:
    round_id = UUID(held["round_id"])
    services.check_wins()
    assert win_of(round_id)["state"] == "checking", "its entries are in no checkpoint yet"
    seal.seal()
    services.check_wins()
    shown = win_of(round_id)
    assert (shown["state"], shown["agrees"], shown["number"]) == ("waiting", True, 0)
    assert services.check_wins() == 0


def test_win_01_the_case_file_has_all_game_play_data(player: Person, checked: UUID) -> None:
    file = queries.verification(checked).content
    assert file["faults"] == []
    assert file["round"]["round_id"] == str(checked)
    assert file["round"]["server_seed"]
    assert [line["code"] for line in file["transfers"]][-1] == "hold"
    assert [entry["event"] for entry in file["entries"]][-1] == "round.held"
    assert all(entry["root_hash"] for entry in file["entries"])
    assert file["session"]["device"] == "a phone"
    assert file["standing"]["balances"]["held"] == file["round"]["payout_minor"]
    assert file["line"]["of"] == "round"
    assert (file["limits"], file["recent_rounds"]) == ([], [])


def test_h17_of_five_tasks_at_once_one_files(player: Person, held: dict[str, Any]) -> None:
    seal.seal()
    round_id = UUID(held["round_id"])
    at_once(*[lambda: services.check_win(player_id=player.id, round_id=round_id)] * 5)
    assert len(told(player, round_id, "win.checked")) == 1


def test_h17_a_win_that_does_not_replay_is_not_released(
    player: Person, held: dict[str, Any], owner: psycopg.Connection, database: Database
) -> None:
    seal.seal()
    round_id = UUID(held["round_id"])
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute("SET session_replication_role = replica")
        superuser.execute(
            "UPDATE pontoon_round SET wagered_minor = wagered_minor + 1 WHERE id = %s", [round_id]
        )
    services.check_wins()
    shown = win_of(round_id)
    assert (shown["state"], shown["agrees"]) == ("malfunction", False)
    with pytest.raises(AlreadyDecidedError):
        services.release_large_win(STAFF, round_id=round_id, reason="it looked right")
    (flag,) = Malfunction.objects.all()
    assert (flag.scope, flag.raised_by) == ({"round": str(round_id)}, "system:wins")
    assert flag.evidence["faults"]
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute("SET session_replication_role = replica")
        superuser.execute(
            "UPDATE pontoon_round SET wagered_minor = wagered_minor - 1 WHERE id = %s", [round_id]
        )


def test_h17_a_seed_that_no_key_opens_says_nothing_of_the_win(
    player: Person, held: dict[str, Any], database: Database
) -> None:
    seal.seal()
    after = facts(player, held)
    lost = Fernet(Fernet.generate_key()).encrypt(vault.make_seed()).decode()
    reseal(database, player, after.seed_number, lost)
    services.check_wins()
    reseal(database, player, after.seed_number, after.sealed)
    assert win_of(UUID(held["round_id"]))["state"] == "checking"
    assert Malfunction.objects.count() == 0
    (work,) = Work.objects.all()
    assert (work.kind, work.state, work.tries) == ("check_win", "waiting", 1)


def reseal(database: Database, player: Person, number: int, sealed: str) -> None:
    """Keep a seed under another key, as a superuser may."""
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute("SET session_replication_role = replica")
        superuser.execute(
            "UPDATE pontoon_seed SET sealed = %s WHERE player_id = %s AND number = %s",
            [sealed, player.id, number],
        )


# --- The decision


def test_win_03_a_released_win_tells_who_processed_and_who_confirmed_it(
    player: Person, checked: UUID
) -> None:
    services.release_large_win(STAFF, round_id=checked, reason="the file agrees")
    after = facts(player, {"round_id": str(checked)})
    assert (after.state, after.held_reason) == ("settled", None)
    assert money(player) == {"cash": after.balance_after_minor}
    (payload,) = told(player, checked, "round.released")
    assert payload["processed_by"] == "system:wins"
    assert payload["authorised_by"] == STAFF
    assert payload["reason"] == "the file agrees"
    shown = win_of(checked)
    assert (shown["state"], shown["verdict"], shown["decided_by"]) == (
        "released", "released", STAFF,
    )  # fmt: skip


def test_opr_02_of_eight_operators_at_once_one_releases(player: Person, checked: UUID) -> None:
    def release() -> None:
        services.release_large_win(STAFF, round_id=checked, reason="seen")

    came = at_once(*[outcome(release)] * 8)
    assert Counter(came) == {None: 1, "AlreadyDecidedError": 7}
    held_minor = queries.verification(checked).payout_minor
    paid = [
        line for line in player.api.get("me/statement").json["results"]
        if line["code"] == "release"
    ]  # fmt: skip
    assert [line["amount_minor"] for line in paid] == [held_minor]


def test_h17_an_hour_later_it_is_still_released_once(player: Person, checked: UUID) -> None:
    services.release_large_win(STAFF, round_id=checked, reason="seen")
    before = money(player)
    for decide in (services.release_large_win, services.reject_large_win):
        with pytest.raises(AlreadyDecidedError):
            decide("staff:8", round_id=checked, reason="again")
    assert money(player) == before


def test_h17_no_machine_decides(checked: UUID) -> None:
    with pytest.raises(Exception, match="violates check constraint"):
        services.release_large_win("key:robot", round_id=checked, reason="fast")
    assert win_of(checked)["state"] == "waiting"


def test_mal_01_a_rejected_win_is_a_malfunction_that_another_person_decides_on(
    player: Person, checked: UUID
) -> None:
    before = money(player)
    services.reject_large_win(STAFF, round_id=checked, reason="a card was seen twice")
    shown = win_of(checked)
    assert (shown["state"], shown["verdict"]) == ("malfunction", "rejected")
    assert money(player) == before, "nothing is confiscated"
    assert facts(player, {"round_id": str(checked)}).held_reason == "malfunction"
    (flag,) = Malfunction.objects.all()
    assert (flag.cause, flag.raised_by) == ("a card was seen twice", STAFF)
    with pytest.raises(SamePersonError):
        services.refuse_void(STAFF, malfunction_id=flag.id, reason="mine")


def test_h17_a_refused_malfunction_lets_the_win_wait_again(player: Person, checked: UUID) -> None:
    services.reject_large_win(STAFF, round_id=checked, reason="a card was seen twice")
    (flag,) = Malfunction.objects.all()
    services.refuse_void("staff:8", malfunction_id=flag.id, reason="it was not")
    services.let_go()
    assert (win_of(checked)["state"], win_of(checked)["number"]) == ("checking", 1)
    seal.seal()
    services.check_wins()
    services.release_large_win(STAFF, round_id=checked, reason="now it is sure")
    assert win_of(checked)["state"] == "released"
    assert [one["verdict"] for one in queries.decisions(checked, player_id=player.id)] == [
        "rejected", "released",
    ]  # fmt: skip


def test_h17_a_win_may_be_rejected_again_after_a_refusal(player: Person, checked: UUID) -> None:
    for case in range(3):
        services.reject_large_win(STAFF, round_id=checked, reason=f"seen twice, look {case}")
        flag = Malfunction.objects.latest("raised_at")
        assert facts(player, {"round_id": str(checked)}).held_reason == "malfunction"
        services.refuse_void("staff:8", malfunction_id=flag.id, reason="it was not")
        services.let_go()
        seal.seal()
        services.check_wins()
        assert (win_of(checked)["state"], win_of(checked)["number"]) == ("waiting", case + 1)
    services.release_large_win(STAFF, round_id=checked, reason="now it is sure")
    assert win_of(checked)["state"] == "released"


def test_mal_02_an_approved_rejection_gives_the_wagers_back(player: Person, checked: UUID) -> None:
    services.reject_large_win(STAFF, round_id=checked, reason="a card was seen twice")
    services.count_malfunctions()
    (flag,) = Malfunction.objects.all()
    list_hash = queries.last_count(flag.id)["list_hash"]
    services.approve_void(
        "staff:8", malfunction_id=flag.id, list_hash=list_hash, reason="it was seen twice"
    )
    services.void_malfunctions()
    assert money(player) == {"cash": 1_000_000}
    assert win_of(checked)["state"] == "voided"


def test_opr_02_of_a_release_and_a_rejection_at_once_one_is_decided(
    player: Person, checked: UUID
) -> None:
    came = at_once(
        outcome(lambda: services.release_large_win(STAFF, round_id=checked, reason="yes")),
        outcome(lambda: services.reject_large_win("staff:8", round_id=checked, reason="no")),
    )
    assert sorted(map(str, came)) == ["AlreadyDecidedError", "None"]
    is_released = came[0] is None
    assert win_of(checked)["state"] == ("released" if is_released else "malfunction")
    assert Malfunction.objects.count() == (0 if is_released else 1)


def test_h17_a_decision_has_a_reason(checked: UUID) -> None:
    for decide in (services.release_large_win, services.reject_large_win):
        with pytest.raises(InvalidError):
            decide(STAFF, round_id=checked, reason="  ")


# --- Deadlines


def test_h17_a_win_that_waits_too_long_is_escalated_once_a_deadline(
    player: Person, checked: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert services.escalate_wins() == 0
    impatient = replace(profiles.PROFILES["default"], decide_within_h=(0, 24))
    monkeypatch.setattr(profiles, "PROFILES", {**profiles.PROFILES, "default": impatient})
    at_once(*[services.escalate_wins] * 3)
    assert [payload["after"]["level"] for payload in told(player, checked, "win.escalated")] == [1]
    assert win_of(checked)["escalations"] == 1
    monkeypatch.setattr(
        profiles,
        "PROFILES",
        {**profiles.PROFILES, "default": replace(impatient, decide_within_h=(0, 0))},
    )
    assert services.escalate_wins() == 1
    assert win_of(checked)["escalations"] == 2


def test_h17_the_player_is_told_until_when_it_is_decided(
    player: Person, held: dict[str, Any]
) -> None:
    shown = player.api.get(f"rounds/{held['round_id']}").json
    after = facts(player, held)
    assert after.settled_at is not None
    assert shown["decide_by"] == (after.settled_at + timedelta(hours=4)).isoformat(
        timespec="microseconds"
    )


# --- Over REST


def test_h17_an_operator_reads_large_wins_and_decides_on_none(
    people: People, player: Person, checked: UUID
) -> None:
    listed = people.operator.get("verifications?state=waiting").json["results"]
    assert [line["verification_id"] for line in listed] == [str(checked)]
    assert people.operator.get("verifications?state=released").json["results"] == []
    one = people.operator.get(f"verifications/{checked}").json
    assert one["casefile"]["faults"] == []
    assert people.operator.get(f"verifications/{player.id}").status == 404
    assert people.operator.post(f"verifications/{checked}", {"verdict": "released"}).status == 405
    assert player.api.get("verifications").status == 403
