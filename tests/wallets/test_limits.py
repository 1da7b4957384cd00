"""What a player may still deposit, wager and lose (LIM-01 … LIM-10)."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction

from audit import queries as audit
from audit.services import now
from casino.players import services as players
from casino.players.services import hash_token
from pontoon import queries as table
from tests.conftest import Database
from tests.people import Answer, People, Person, at_once
from tests.pontoon.rounds import void
from tests.seeds import deal
from wallets import services
from wallets.limits import KINDS, PERIODS, require_within
from wallets.models import Limit

OPERATOR = "key:01a22e53-17d6-781c-bee4-f76770a7571d"
OPEN = "56 789T 56 789T 5678"
PONTOON = "A 789 TJQK 789"
LOST = "9 A 9 TJQK"
EIGHTS = "8 23456789 8 23456789 78 78"
DAY = timedelta(days=1)


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10.00 USD, all of it deposited today."""
    return people.player(cash=1000)


def limit(
    player: Person, kind: str, amount_minor: int | None, period: str = "day", by: Any = "player"
) -> dict[str, Any]:
    """Set a limit."""
    return services.set_limit(
        OPERATOR,
        player_id=player.id,
        kind=kind,
        period=period,
        amount_minor=amount_minor,
        set_by=by,
    )


def in_force(player: Person, at: datetime | None = None) -> dict[tuple[str, str, str], Any]:
    """Return the limits at a time: kind, period and setter → amount and what of it is used."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT wallet_limits(%s, %s)::json", [player.id, at or now()])
        (limits,) = cursor.fetchone()
    return {
        (row["kind"], row["period"], row["set_by"]): (row["amount_minor"], row["used_minor"])
        for row in limits or ()
    }


def deposit(people: People, player: Person, amount_minor: int, reference: str = "late") -> Answer:
    body = {"amount_minor": amount_minor, "currency": "USD", "reference": reference}
    return people.operator.apart().post(f"players/{player.id}/deposits", body)


def refusal(answer: Answer) -> tuple[int, str, str]:
    """Return what a refusal by a limit says."""
    assert answer.status == 409, answer
    return answer.json["limit_minor"], answer.json["kind"], answer.json["period"]


# --- LIM-01: they can be set


@pytest.mark.parametrize("period", PERIODS)
@pytest.mark.parametrize("kind", KINDS)
def test_lim_01_a_player_sets_a_limit_and_sees_it(player: Person, kind: str, period: str) -> None:
    body = {"period": period, "amount_minor": 5000}
    answer = player.api.call("PUT", f"me/limits/{kind}", body)
    assert answer.status == 200
    assert answer.json | {"effective_at": ""} == {
        "kind": kind,
        "period": period,
        "set_by": "player",
        "currency": "USD",
        "amount_minor": 5000,
        "effective_at": "",
    }
    [shown] = player.api.get("me").json["limits"]
    used = 1000 if kind == "deposit" else 0
    assert shown == {
        "kind": kind,
        "period": period,
        "set_by": "player",
        "amount_minor": 5000,
        "used_minor": used,
        "next_amount_minor": None,
        "next_effective_at": None,
    }


@pytest.mark.parametrize("amount_minor", [0, 1, 12_345, 10**15])
def test_lim_05_a_limit_is_any_figure_he_writes(player: Person, amount_minor: int) -> None:
    body = {"period": "week", "amount_minor": amount_minor}
    assert player.api.call("PUT", "me/limits/deposit", body).json["amount_minor"] == amount_minor


def test_a_limit_of_no_kind_is_not_found(people: People, player: Person) -> None:
    body = {"period": "day", "amount_minor": 5000}
    for caller, path in ((player.api, "me"), (people.operator, f"players/{player.id}")):
        assert caller.call("PUT", f"{path}/limits/lunch", body).status in {404, 422}
    assert not Limit.objects.exists()


def test_a_limit_is_one_entry_with_what_was_before(player: Person) -> None:
    limit(player, "wager", 500)
    limit(player, "wager", 300)
    entries = [
        entry
        for entry in audit.entries_of(f"player:{player.id}", player_id=player.id)
        if entry["event"] == "limit.set"
    ]
    assert [entry["payload"]["before"]["amount_minor"] for entry in entries] == [None, 500]
    assert [entry["payload"]["after"]["amount_minor"] for entry in entries] == [500, 300]


# --- LIM-02: the strictest counts


def test_lim_02_the_stricter_of_player_and_operator_counts(people: People, player: Person) -> None:
    limit(player, "deposit", 2000)
    limit(player, "deposit", 1500, by="operator")
    assert refusal(deposit(people, player, 501)) == (1500, "deposit", "day")
    limit(player, "deposit", 1200)
    assert refusal(deposit(people, player, 201)) == (1200, "deposit", "day")
    assert deposit(people, player, 200).status == 201


def test_lim_02_of_several_periods_the_lowest_counts(people: People, player: Person) -> None:
    limit(player, "deposit", 3000, "day")
    limit(player, "deposit", 1300, "month")
    limit(player, "deposit", 2000, "week")
    assert refusal(deposit(people, player, 301)) == (1300, "deposit", "month")
    assert deposit(people, player, 300).status == 201


def test_lim_06_a_deposit_limit_is_of_gross_deposits(people: People, player: Person) -> None:
    limit(player, "deposit", 1500)
    body = {"amount_minor": 1000, "currency": "USD", "reference": "out"}
    assert people.operator.post(f"players/{player.id}/withdrawals", body).status == 201
    assert refusal(deposit(people, player, 501)) == (1500, "deposit", "day")


@pytest.mark.parametrize("kind", ["wager", "loss"])
def test_a_deposit_limit_and_the_others_do_not_touch_each_other(
    people: People, player: Person, kind: str
) -> None:
    limit(player, kind, 0)
    assert deposit(people, player, 1).status == 201
    limit(player, "deposit", 0)
    assert refusal(player.bet(100)) == (0, kind, "day")


# --- LIM-03: tighter at once, looser in a day


def test_lim_03_a_tighter_limit_is_in_force_at_once(people: People, player: Person) -> None:
    limit(player, "deposit", 1500)
    limit(player, "deposit", 1100)
    assert refusal(deposit(people, player, 101)) == (1100, "deposit", "day")


@pytest.mark.parametrize("looser", [501, 10_000, None])
def test_lim_03_a_looser_one_is_in_force_after_a_day(player: Person, looser: int | None) -> None:
    limit(player, "wager", 500)
    set_ = limit(player, "wager", looser)
    effective_at = datetime.fromisoformat(set_["effective_at"])
    assert abs(effective_at - now() - DAY) < timedelta(minutes=1)
    key = ("wager", "day", "player")
    assert in_force(player)[key][0] == 500
    assert in_force(player, effective_at - timedelta(microseconds=1))[key][0] == 500
    assert in_force(player, effective_at).get(key, (None,))[0] == looser


def test_lim_03_a_player_sees_the_looser_limit_that_waits(player: Person) -> None:
    def shown() -> list[tuple[Any, ...]]:
        told = player.api.get("me").json["limits"]
        return [
            (line["set_by"], line["amount_minor"], *(line[f"next_{name}"] for name in SET))
            for line in told
        ]

    limit(player, "wager", 500)
    limit(player, "wager", 700, by="operator")
    operators = ("operator", 700, None, None)
    assert sorted(shown()) == [operators, ("player", 500, None, None)]
    for looser in (900, None, 600):
        effective_at = limit(player, "wager", looser)["effective_at"]
        assert sorted(shown()) == [operators, ("player", 500, looser, effective_at)]
    limit(player, "wager", 400)
    assert sorted(shown()) == [operators, ("player", 400, None, None)]


SET = ("amount_minor", "effective_at")


def test_lim_03_a_tighter_one_takes_the_place_of_a_looser_one_that_waits(player: Person) -> None:
    limit(player, "wager", 500)
    limit(player, "wager", 900)
    limit(player, "wager", 400)
    for later in (timedelta(), DAY * 2):
        assert in_force(player, now() + later)["wager", "day", "player"][0] == 400


def test_lim_03_who_asks_for_less_looseness_does_not_get_the_more_he_asked_before(
    player: Person,
) -> None:
    limit(player, "wager", 500)
    limit(player, "wager", None)
    effective_at = datetime.fromisoformat(limit(player, "wager", 900)["effective_at"])
    key = ("wager", "day", "player")
    assert in_force(player, effective_at - timedelta(microseconds=1))[key][0] == 500
    assert in_force(player, effective_at)[key][0] == 900


def test_lim_03_the_operators_own_limit_changes_at_once(player: Person) -> None:
    limit(player, "wager", 500, by="operator")
    limit(player, "wager", 900, by="operator")
    assert in_force(player)["wager", "day", "operator"][0] == 900
    limit(player, "wager", None, by="operator")
    assert in_force(player) == {}


def test_lim_03_a_limit_set_while_an_act_waits_for_the_wallet_binds_it(player: Person) -> None:
    """The second try of an act has read the clock before it had the lock."""
    opened = player.api.token
    with transaction.atomic(durable=True):
        connection.cursor().execute("SELECT now()")
        at_once(lambda: limit(player, "wager", 50))
        place = table.read_place(hash_token(opened))
    assert [row["amount_minor"] for row in place.allowance or ()] == [50]


def test_lim_09_limits_survive_an_exclusion(player: Person) -> None:
    limit(player, "deposit", 1500)
    players.exclude(OPERATOR, player_id=player.id, kind="cooling_off", term=DAY)
    assert in_force(player, now() + DAY * 2)["deposit", "day", "player"][0] == 1500


# --- What is counted, and until when


def boundary(at: datetime, period: str) -> datetime:
    """Return when the period after the one of a moment begins, in UTC."""
    midnight = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if period == "day":
        return midnight + DAY
    if period == "week":
        return midnight + DAY * (7 - midnight.weekday())
    return (midnight.replace(day=1) + DAY * 32).replace(day=1)


@pytest.mark.parametrize("period", PERIODS)
def test_a_period_begins_anew_at_midnight_utc(player: Person, period: str) -> None:
    limit(player, "deposit", 5000, period)
    key, begins = ("deposit", period, "player"), boundary(now(), period)
    assert in_force(player, begins - timedelta(microseconds=1))[key] == (5000, 1000)
    assert in_force(player, begins)[key] == (5000, 0)


def used(player: Person) -> tuple[int, int]:
    """Return how much of a day's wager and loss limits is used."""
    limits = in_force(player)
    return limits["wager", "day", "player"][1], limits["loss", "day", "player"][1]


@pytest.fixture
def limited(player: Person) -> Person:
    """A player who may wager and lose 5.00 a day."""
    limit(player, "wager", 500)
    limit(player, "loss", 500)
    return player


@pytest.mark.parametrize(
    ("ranks", "wagered", "lost"), [(OPEN, 200, 200), (PONTOON, 200, -400), (LOST, 200, 200)]
)
def test_a_wager_counts_when_it_is_made_and_a_win_makes_room_for_losses(
    limited: Person, database: Database, ranks: str, wagered: int, lost: int
) -> None:
    deal(database.owner_url, limited, ranks)
    assert used(limited) == (wagered, lost)


@pytest.mark.parametrize("ranks", [OPEN, PONTOON, LOST])
def test_mal_02_a_voided_round_counts_as_never_played(
    limited: Person, database: Database, ranks: str
) -> None:
    round_ = deal(database.owner_url, limited, ranks)
    void(limited, round_)
    assert used(limited) == (0, 0)
    assert limited.api.get("me").json["session"]["net_minor"] == 0


def test_a_void_after_the_payout_was_withdrawn_counts_the_receivable_too(
    people: People, limited: Person, database: Database
) -> None:
    round_ = deal(database.owner_url, limited, PONTOON)
    body = {"amount_minor": limited.balance, "currency": "USD", "reference": "out"}
    assert people.operator.post(f"players/{limited.id}/withdrawals", body).status == 201
    void(limited, round_)
    assert used(limited) == (0, 0)


# --- LIM-10: within a round


@pytest.mark.parametrize(
    ("kind", "action"), [("wager", "double"), ("loss", "double"), ("wager", "split")]
)
def test_lim_10_a_wager_within_a_round_counts_and_the_hand_goes_on(
    player: Person, database: Database, kind: str, action: str
) -> None:
    limit(player, kind, 399)
    round_ = deal(database.owner_url, player, EIGHTS if action == "split" else OPEN)
    refused = player.act(round_["round_id"], 0, action)
    assert refusal(refused) == (399, kind, "day")
    assert refused.json["used_minor"] == 200
    over = player.finish(player.api.get("rounds/current").json)
    assert (over["state"], over["wagered_minor"]) == ("settled", 200)


def test_lim_10_up_to_the_limit_it_is_taken(limited: Person, database: Database) -> None:
    round_ = deal(database.owner_url, limited, OPEN, 200)
    assert limited.act(round_["round_id"], 0, "double").status == 200
    assert used(limited) == (400, 400)


def test_lim_10_a_limit_that_is_reached_does_not_stop_the_end_of_a_round(
    player: Person, database: Database
) -> None:
    round_ = deal(database.owner_url, player, OPEN, 200)
    limit(player, "wager", 0)
    limit(player, "loss", 0)
    assert player.finish(round_)["state"] == "settled"
    assert refusal(player.bet(100))[0] == 0


# --- Many at one moment


def test_ten_deposits_at_once_stay_within_the_limit(people: People, player: Person) -> None:
    limit(player, "deposit", 1300)
    answers = at_once(*[lambda n=n: deposit(people, player, 100, f"late{n}") for n in range(10)])
    counted = Counter((answer.status, answer.json.get("code")) for answer in answers)
    assert counted == {(201, "deposit"): 3, (409, "limit_reached"): 7}


def test_lim_03_of_ten_limits_set_at_once_the_tightest_is_in_force(player: Person) -> None:
    limit(player, "wager", 1000)
    amounts = range(100, 1000, 100)
    at_once(*[lambda amount=amount: limit(player, "wager", amount) for amount in amounts])
    assert in_force(player)["wager", "day", "player"][0] == 100


def test_rows_of_limits_stay_as_they_were_set(player: Person, app: psycopg.Connection) -> None:
    limit(player, "wager", 500)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("UPDATE wallets_limit SET amount_minor = 1000000")


# --- The rule by itself


@pytest.mark.parametrize("amount_minor", [0, 1, 100])
def test_without_limits_everything_is_within(amount_minor: int) -> None:
    require_within(None, kinds=KINDS, amount_minor=amount_minor)
    require_within([], kinds=KINDS, amount_minor=amount_minor)
