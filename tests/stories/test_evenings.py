"""Whole evenings over HTTP, on a web server of its own process and a database that keeps all."""

import json
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command

from pontoon.engine.__main__ import main as engine
from tests.conftest import Database
from tests.people import Answer, People, Person
from tests.seeds import deal, plant
from tests.stories.conftest import Server


def at_once(count: int, act: Callable[[int], Answer]) -> list[Answer]:
    """Act so many times in parallel, all set off at one moment."""
    barrier = threading.Barrier(count)

    def run(number: int) -> Answer:
        barrier.wait()
        return act(number)

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(run, range(count)))


def told(answers: list[Answer]) -> Counter[Any]:
    """Count answers by status, and by code where they are problems."""
    return Counter(
        answer.json["code"] if answer.status >= 400 else answer.status for answer in answers
    )


def statement(player: Person) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = player.api.get("me/statement?limit=200").json["results"]
    return lines


def banking(people: People, player: Person, act: str, amount_minor: int, **more: Any) -> Answer:
    body = {"amount_minor": amount_minor, "currency": "USD", "reference": str(uuid4())} | more
    return people.operator.post(f"players/{player.id}/{act}", body)


def test_an_evening_from_the_first_deposit_to_the_last_withdrawal(people: People, tmp_path: Path):
    player = people.player(cash=50_000)
    rounds = []
    for number in range(10):
        promised = player.api.get("me").json["next_commitment"]
        stake_minor = 100 * (number + 1)
        opened = player.bet(stake_minor, client_seed=f"hand {number}", round_id=str(uuid4()))
        assert opened.json["commitment"] == promised
        rounds.append(player.finish(opened.json))
    history = player.api.get("rounds").json["results"]
    assert [was["round_id"] for was in history] == [was["round_id"] for was in rounds[::-1]]
    for round_ in rounds:
        proof = player.api.get(f"rounds/{round_['round_id']}/proof").json
        (tmp_path / "proof.json").write_text(json.dumps(proof))
        assert engine(["verify", str(tmp_path / "proof.json")]) == 0
    balance_minor = 50_000 + sum(round_["win_minor"] for round_ in rounds)
    lines = statement(player)
    assert lines[0]["balance_after_minor"] == balance_minor == player.balance
    assert player.api.get("me").json["session"]["net_minor"] == balance_minor - 50_000
    paid_out = banking(people, player, "withdrawals", balance_minor)
    assert (paid_out.status, paid_out.json["balance_after_minor"]) == (201, 0)
    assert player.bet(100).json["code"] == "insufficient_funds"
    assert player.api.call("DELETE", "sessions/current").status == 204
    assert player.api.get("me").json["code"] == "session_expired"
    assert_all_holds()


def test_exc_01_exc_02_an_excluded_player_finishes_his_round_and_takes_his_money(
    people: People, database: Database
):
    player = people.player(cash=10_000)
    round_ = deal(database.owner_url, player, "2 23456789 3 23456789")
    excluded = player.api.post("me/exclusions", {"kind": "self_exclusion", "days": 180})
    assert excluded.status == 201
    assert player.act(round_["round_id"], 0, "double").json["code"] == "excluded"
    over = player.finish(player.api.get("rounds/current").json)
    assert over["state"] == "settled"
    assert player.bet(100).json["code"] == "excluded"
    assert banking(people, player, "deposits", 100).json["code"] == "excluded"
    player.api = people.enter(player.id)
    assert player.bet(100).json["code"] == "excluded"
    assert player.api.get("me").json["excluded"] == "self_exclusion"
    assert banking(people, player, "withdrawals", player.balance).status == 201
    assert player.balance == 0
    assert player.api.post("me/exclusions", {"kind": "cooling_off", "days": 1}).status == 201
    assert player.bet(100).json["code"] == "excluded"
    assert_all_holds()


@pytest.mark.timeout(280)
def test_wal_12_net_02_bck_02_what_a_kill_interrupted_is_done_once_by_its_retry(
    people: People, server: Server, database: Database
):
    """kill -9 at another moment of the requests each time; the same ids again are one act."""
    for attempt, delay_s in enumerate((0.0, 0.002, 0.004, 0.008, 0.015, 0.03)):
        bettor, actor = people.player(cash=1_000), people.player(cash=1_000)
        plant(database.owner_url, bettor, "2 23456789 3 23456789")
        round_ = deal(database.owner_url, actor, "2 23456789 3 23456789 2")
        round_id, reference = str(uuid4()), f"kill {attempt}"
        acts = [
            lambda who=bettor, id_=round_id: who.bet(200, round_id=id_),
            lambda who=actor, id_=round_["round_id"]: who.act(id_, 0, "double"),
            lambda who=actor, name=reference: banking(people, who, "deposits", 70, reference=name),
        ]
        before = interrupted(server, acts, delay_s)
        first, again = [act() for act in acts], [act() for act in acts]
        assert [answer.status for answer in first] == [201, 200, 201]
        assert [answer.body for answer in again] == [answer.body for answer in first]
        for answer, retried in zip(before, first, strict=True):
            assert answer is None or answer.body == retried.body
        assert [line["code"] for line in statement(bettor)] == ["wager", "deposit"]
        codes = Counter(line["code"] for line in statement(actor))
        assert codes == {"deposit": 2, "wager": 2}
        assert (bettor.balance, actor.balance) == (800, 670)
    assert_all_holds()


def interrupted(
    server: Server, acts: list[Callable[[], Answer]], delay_s: float
) -> list[Answer | None]:
    """Act, kill the server so much later, start it again; the answers that came through."""
    answers: list[Answer | None] = [None] * len(acts)

    def run(index: int) -> None:
        try:
            answers[index] = acts[index]()
        except (OSError, HTTPException):
            return

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(acts))]
    for thread in threads:
        thread.start()
    threads[0].join(delay_s)
    server.kill()
    for thread in threads:
        thread.join()
    server.start()
    return answers


def test_gam_03_f15_two_tabs_play_one_round(people: People, database: Database):
    player = people.player(cash=10_000)
    body = {"stake_minor": 200, "currency": "USD"}
    plant(database.owner_url, player, "8 23456789 8 23456789 2")
    dealt = at_once(10, lambda number: player.api.post("rounds", body, idempotency_key=f"{number}"))
    assert told(dealt) == {201: 1, "round_open": 9}
    round_ = next(answer.json for answer in dealt if answer.status == 201)
    shown = {answer.json["round"]["round_id"] for answer in dealt if answer.status == 409}
    assert shown == {round_["round_id"]}
    clicks = at_once(10, lambda _: player.act(round_["round_id"], 0, "double"))
    assert {(answer.status, answer.body) for answer in clicks} == {(200, clicks[0].body)}
    actions = ["hit", "stand", "double", "split"]
    race = at_once(8, lambda number: player.act(round_["round_id"], 1, actions[number % 4]))
    assert told(race)[200] == 2
    over = player.finish(player.api.get(f"rounds/{round_['round_id']}").json)
    assert [line["code"] for line in statement(player)].count("wager") == 2
    assert over["wagered_minor"] == 400
    again = at_once(10, lambda _: player.api.post("rounds", body, idempotency_key="once"))
    assert {(answer.status, answer.body) for answer in again} == {(201, again[0].body)}
    assert_all_holds()


def test_f01_f05_f11_many_at_once_with_funds_for_one(people: People, database: Database):
    player = people.player(cash=200)
    plant(database.owner_url, player, "2 23456789 3 23456789")
    bets = at_once(50, lambda _: player.bet(200, round_id=str(uuid4())))
    assert told(bets)[201] == 1
    assert told(bets).keys() <= {201, "round_open", "insufficient_funds", "unavailable"}
    assert told(bets)["unavailable"] == 0
    assert player.balance == 0
    drawer = people.player(cash=500)
    drawn = at_once(50, lambda _: banking(people, drawer, "withdrawals", 500))
    assert told(drawn) == {201: 1, "insufficient_funds": 49}
    paid = at_once(20, lambda _: banking(people, drawer, "deposits", 300, reference="once"))
    assert {(answer.status, answer.body) for answer in paid} == {(201, paid[0].body)}
    assert drawer.balance == 300
    assert_all_holds()


def assert_all_holds() -> None:
    """Let the product's own check go over every balance, transfer and round."""
    call_command("check_ledger", verbosity=0)
