"""Many at one moment on one wallet and one round: what comes out is one of the orders."""

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import connections
from django.test import RequestFactory

from audit import services as audit
from audit.events import Event
from audit.models import Entry
from casino.wsgi import application
from pontoon.models import Round
from tests.conftest import Database
from tests.people import Answer, Api, People, Person, at_once
from tests.seeds import deal, plant
from wallets.models import Transfer

OPEN = "56 789T 56 789T 5678"
"""Ten to twelve against no pontoon: the hand is open, and a double leaves it so."""

FIFTEEN = "78 789T 89 789T 23"
"""Fifteen to seventeen: the hand may stand, and a hit leaves it open."""


@pytest.fixture
def player(people: People) -> Person:
    """A player with 10.00 USD."""
    return people.player(cash=1000)


def told(answers: list[Answer]) -> Counter[Any]:
    """Count what came back: the status, and the code of a refusal."""
    return Counter(
        (answer.status, answer.json.get("code") if answer.status >= 400 else None)
        for answer in answers
    )


def bet(player: Person, stake_minor: int = 1000, key: str | None = None, **more: Any) -> Any:
    """Return an act: the player opens a round, on a line of his own."""
    body = {"stake_minor": stake_minor, "currency": player.currency} | more
    headers = {"idempotency_key": key} if key else {}
    return lambda: player.api.apart().post("rounds", body, **headers)


def act(player: Person, round_id: str, seq: int, action: str) -> Any:
    """Return an act: the player takes an action."""
    body = {"seq": seq, "action": action}
    return lambda: player.api.apart().post(f"rounds/{round_id}/actions", body)


def withdraw(people: People, player: Person, amount_minor: int) -> Any:
    """Return an act: the cashier pays out."""
    body = {"amount_minor": amount_minor, "currency": player.currency, "reference": str(uuid4())}
    operator = people.operator.apart()
    return lambda: operator.post(f"players/{player.id}/withdrawals", body)


# --- The seed


def test_ten_looks_at_once_at_a_new_player_promise_one_seed(people: People) -> None:
    player = people.player(cash=0)
    looks = at_once(*[lambda: player.api.apart().get("me")] * 10)
    promised = {look.json["next_commitment"] for look in looks}
    assert promised == {player.api.get("me").json["next_commitment"]}
    assert Entry.objects.filter(event="seed.committed").count() == 1


# --- F15: a round opened again


@pytest.mark.parametrize("named_by", ["key", "round_id"])
def test_f15_ten_identical_deals_are_one_round(player: Person, named_by: str) -> None:
    answers = at_once(*[bet(player, 100, **{named_by: str(uuid4())})] * 10)
    assert told(answers) == {(201, None): 10}
    assert len({answer.body for answer in answers}) == 1
    assert Round.objects.count() == 1
    assert Transfer.objects.filter(code="wager").count() == 1
    assert Entry.objects.filter(subject__startswith="round:").count() == 1


def test_f15_gam_02_ten_different_deals_open_one_round(player: Person, database: Database) -> None:
    plant(database.owner_url, player, OPEN)
    answers = at_once(*[bet(player, 100, f"key-{n}") for n in range(10)])
    assert told(answers) == {(201, None): 1, (409, "round_open"): 9}
    [opened] = [answer.json for answer in answers if answer.status == 201]
    shown = [answer.json["round"] for answer in answers if answer.status == 409]
    assert shown == [opened] * 9


def test_f07_one_key_for_two_bets_at_once_is_one_round_and_conflicts(
    player: Person, database: Database
) -> None:
    plant(database.owner_url, player, OPEN)
    answers = at_once(*[bet(player, 100 + 100 * (n % 2), "key") for n in range(10)])
    assert told(answers) == {(201, None): 5, (409, "idempotency_conflict"): 5}
    assert Round.objects.count() == 1


def test_f07_one_round_id_under_two_keys_is_one_round(player: Person, database: Database) -> None:
    plant(database.owner_url, player, "A 789 TJQK 789")  # over as soon as it is dealt
    round_id = str(uuid4())
    answers = at_once(*[bet(player, 100, f"key-{n}", round_id=round_id) for n in range(6)])
    assert told(answers) == {(201, None): 1, (409, "idempotency_conflict"): 5}
    assert Round.objects.count() == 1


# --- F01: one balance


def test_f01_of_deals_and_withdrawals_with_funds_for_one_one_has_it(
    people: People, player: Person, database: Database
) -> None:
    plant(database.owner_url, player, OPEN)
    withdrawals = [withdraw(people, player, 1000) for _ in range(8)]
    answers = at_once(*[bet(player)] * 8, *withdrawals)
    by_result = told(answers)
    assert by_result[201, None] == 1
    assert by_result[201, None] + by_result[409, "insufficient_funds"] + by_result[
        409, "round_open"
    ] == len(answers)
    assert player.balance == 0


@pytest.mark.parametrize("number", range(3))
def test_f01_f13_a_double_and_a_withdrawal_at_once_share_no_money(
    people: People, database: Database, number: int
) -> None:
    player = people.player(cash=2000)
    round_ = deal(database.owner_url, player, OPEN, 1000)
    double, paid_out = at_once(
        act(player, round_["round_id"], 0, "double"), withdraw(people, player, 1000)
    )
    assert {double.status, paid_out.status} == {409, 201 if paid_out.status == 201 else 200}
    refused = double if double.status == 409 else paid_out
    assert refused.json["code"] == "insufficient_funds"
    assert player.balance == 0
    over = player.finish(player.api.get("rounds/current").json)
    assert over["state"] == "settled"


# --- GAM-03: one round


def test_gam_03_ten_identical_actions_are_one(player: Person, database: Database) -> None:
    round_ = deal(database.owner_url, player, OPEN, 100)
    answers = at_once(*[act(player, round_["round_id"], 0, "double")] * 10)
    assert told(answers) == {(200, None): 10}
    assert len({answer.body for answer in answers}) == 1
    assert answers[0].json["wagered_minor"] == 200
    assert Transfer.objects.filter(code="wager").count() == 2


def test_gam_03_of_two_tabs_one_acts_and_one_is_told_what_happened(
    player: Person, database: Database
) -> None:
    round_ = deal(database.owner_url, player, FIFTEEN, 100)
    acts = [act(player, round_["round_id"], 0, action) for action in ("hit", "stand") * 4]
    by_result = told(at_once(*acts))
    assert by_result == {(200, None): 4, (409, "seq_conflict"): 4}
    assert Round.objects.get().action_count == 1


# --- An answer that was lost


def lose(person: Api, path: str, body: dict[str, Any], **headers: str) -> None:
    """Call over a line that breaks when the first byte of the answer comes."""
    told = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    asked = RequestFactory().generic(
        "POST",
        f"/api/v1/{path}",
        Api.encode(body),
        content_type="application/json",
        HTTP_AUTHORIZATION=f"Bearer {person.token}",
        **told,
    )

    def broken(status: str, *_: Any) -> None:
        raise ConnectionResetError(status)

    with pytest.raises(ConnectionResetError, match="20"):
        application(asked.environ, broken)


def test_wal_12_a_deal_whose_answer_was_lost_is_answered_when_it_comes_again(
    player: Person,
) -> None:
    asked = {"stake_minor": 100, "currency": "USD"}
    lose(player.api, "rounds", asked, idempotency_key="key")
    assert Round.objects.count() == 1
    again = bet(player, 100, "key")
    first, second = again(), again()
    assert (first.status, first.body) == (201, second.body)
    assert Round.objects.count() == 1
    assert Entry.objects.filter(subject__startswith="round:").count() == 1


def test_wal_12_an_action_whose_answer_was_lost_is_answered_when_it_comes_again(
    player: Person, database: Database
) -> None:
    round_ = deal(database.owner_url, player, OPEN, 100)
    path = f"rounds/{round_['round_id']}/actions"
    lose(player.api, path, {"seq": 0, "action": "double"})
    assert Round.objects.get().wagered_minor == 200
    again = act(player, round_["round_id"], 0, "double")
    first, second = again(), again()
    assert (first.status, first.body) == (200, second.body)
    assert Round.objects.get().wagered_minor == 200


def test_wal_12_a_payment_whose_answer_was_lost_is_answered_when_it_comes_again(
    people: People, player: Person
) -> None:
    path, asked = f"players/{player.id}/withdrawals", {"amount_minor": 400, "currency": "USD"}
    asked["reference"] = "once"
    lose(people.operator, path, asked)
    assert player.balance == 600
    first, second = (people.operator.post(path, asked) for _ in range(2))
    assert (first.status, first.body) == (201, second.body)
    assert player.balance == 600


# --- Between the read and the commit


def meanwhile(database: Database, player: Person, asked: Callable[[], Answer]) -> Answer:
    """Exclude a player after an act of his was decided and before it is committed."""

    def ask() -> Answer:
        try:
            return asked()
        finally:
            connections.close_all()

    with (
        psycopg.connect(database.app_url) as excluder,
        psycopg.connect(database.app_url, autocommit=True) as watch,
        ThreadPoolExecutor(1) as thread,
    ):
        excluder.execute("SELECT pg_advisory_xact_lock(players_gate(%s))", [player.id])
        excluder.execute(
            "INSERT INTO players_exclusion"
            " (id, player_id, kind, requested_at, starts_at, ends_at, reason, by)"
            " SELECT %s, %s, 'self_exclusion', at, at, NULL, '', 'tests'"
            "   FROM clock_timestamp() AS at",
            [uuid4(), player.id],
        )
        answer = thread.submit(ask)
        _until_somebody_waits(watch)
        excluder.commit()
        return answer.result(30)


def test_lim_03_a_limit_between_read_and_commit_stops_a_deal(
    player: Person, database: Database
) -> None:
    player.api.get("me")
    with (
        psycopg.connect(database.app_url) as setter,
        psycopg.connect(database.app_url, autocommit=True) as watch,
        ThreadPoolExecutor(1) as thread,
    ):
        setter.execute("SELECT wallet_set_limit(%s)", [_limit_of(player, 50)])
        # He reads no limit, and waits for the wallet to commit his deal.
        answer = thread.submit(_closing, bet(player, 100))
        _until_somebody_waits(watch)
        setter.commit()
        told = answer.result(30)
    assert (told.status, told.json["code"]) == (409, "limit_reached")


def _limit_of(player: Person, amount_minor: int) -> str:
    """Return the act that sets what a player may wager a day."""
    at = audit.now()
    limit = {
        "player_id": player.id, "id": uuid4(), "kind": "wager", "period": "day",
        "set_by": "player", "amount_minor": amount_minor, "currency": "USD",
        "at": at, "effective_at": at,
    }  # fmt: skip
    entry = audit.entry(
        Event.LIMIT_SET,
        subject=f"player:{player.id}",
        actor="test",
        at=at,
        player_id=player.id,
        payload={"before": None, "after": None},
    )
    return json.dumps({"open": [], "limit": limit, "entry": entry}, default=str)


def _closing(act: Callable[[], Answer]) -> Answer:
    """Act, and leave no connection of this thread behind."""
    try:
        return act()
    finally:
        connections.close_all()


def _until_somebody_waits(watch: psycopg.Connection) -> None:
    until = monotonic() + 30
    while watch.execute("SELECT FROM pg_locks WHERE NOT granted").fetchone() is None:
        assert monotonic() < until, "nobody waits: the commit does not ask the gate"
        sleep(0.005)


def test_exc_01_an_exclusion_between_read_and_commit_stops_a_deal(
    player: Person, database: Database
) -> None:
    player.api.get("me")
    answer = meanwhile(database, player, bet(player, 100))
    assert (answer.status, answer.json["code"]) == (403, "excluded")
    assert not Round.objects.exists()


def test_exc_01_and_a_double(player: Person, database: Database) -> None:
    round_ = deal(database.owner_url, player, OPEN, 100)
    answer = meanwhile(database, player, act(player, round_["round_id"], 0, "double"))
    assert (answer.status, answer.json["code"]) == (403, "excluded")
    assert Round.objects.get().wagered_minor == 100


def test_exc_01_and_a_deposit(people: People, player: Person, database: Database) -> None:
    body = {"amount_minor": 100, "currency": "USD", "reference": "late"}
    operator = people.operator.apart()
    answer = meanwhile(
        database, player, lambda: operator.post(f"players/{player.id}/deposits", body)
    )
    assert (answer.status, answer.json["code"]) == (403, "excluded")
    assert player.balance == 1000


def test_exc_03_but_not_the_end_of_an_open_round(player: Person, database: Database) -> None:
    round_ = deal(database.owner_url, player, FIFTEEN, 100)
    answer = meanwhile(database, player, act(player, round_["round_id"], 0, "stand"))
    assert (answer.status, answer.json["state"]) == (200, "settled")


def test_an_id_is_one_rounds_whoever_chose_it(people: People) -> None:
    round_id = str(uuid4())
    first, other = people.player(), people.player()
    assert first.bet(100, round_id=round_id).status == 201
    refused = other.bet(100, round_id=round_id)
    assert (refused.status, refused.json["code"]) == (409, "idempotency_conflict")
    assert other.balance == 100_000
