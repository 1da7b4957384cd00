"""What was: history, statements and proofs over REST (REC-01, WAL-06)."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.conftest import Database
from tests.people import Answer, Api, People, Person
from tests.seeds import LARGE_WIN_ACTIONS, LARGE_WIN_SEED, deal, plant_seed


@pytest.fixture
def player(people: People) -> Person:
    """A player with 1,000.00 USD."""
    return people.player()


@pytest.fixture
def played(player: Person) -> list[dict[str, Any]]:
    """Seven rounds that are over, newest first."""
    rounds = [player.finish(player.bet(100 * number).json) for number in range(1, 8)]
    return rounds[::-1]


def pages(api: Api, path: str) -> Iterator[list[dict[str, Any]]]:
    """Follow `next` to the end."""
    while path:
        answer = api.get(path)
        assert answer.status == 200, answer
        yield answer.json["results"]
        path = path_of(answer.json["next"])


def path_of(link: str | None) -> str:
    return (link or "").replace("http://testserver", "")


def ids(rounds: list[dict[str, Any]]) -> list[str]:
    return [round_["round_id"] for round_ in rounds]


def test_rec_01_history_is_all_rounds_newest_first(player: Person, played: list):
    answer = player.api.get("rounds")
    assert list(answer.json) == ["results", "next", "previous"]
    assert ids(answer.json["results"]) == ids(played)
    told = answer.json["results"]
    for was, then in zip(told, played, strict=True):
        assert was == then
        assert was["balance_before_minor"] + was["win_minor"] == was["balance_after_minor"]


def test_a_round_that_is_over_tells_what_its_next_one_was_bound_to(player: Person, played: list):
    told = player.api.get("rounds").json["results"]
    coming = [player.api.get("me").json["next_commitment"]]
    assert [was["next_commitment"] for was in told] == coming + [
        was["commitment"] for was in told[:-1]
    ]
    for was in told:
        one = player.api.get(f"rounds/{was['round_id']}").json
        assert one["next_commitment"] == was["next_commitment"]


def test_history_comes_in_pages_that_neither_repeat_nor_leave_out(player: Person, played: list):
    seen = list(pages(player.api, "rounds?limit=3"))
    assert [len(page) for page in seen] == [3, 3, 1]
    assert [id_ for page in seen for id_ in ids(page)] == ids(played)
    second = player.api.get(path_of(player.api.get("rounds?limit=3").json["next"]))
    first = player.api.get(path_of(second.json["previous"]))
    assert ids(first.json["results"]) == ids(played[:3])


def test_a_round_that_comes_between_two_pages_moves_nothing(player: Person, played: list):
    first = player.api.get("rounds?limit=3").json
    player.finish(player.bet(100).json)
    second = player.api.get(path_of(first["next"])).json
    assert ids(second["results"]) == ids(played[3:6])


def test_history_is_filtered_by_state_and_currency(
    player: Person, played: list, database: Database
):
    open_ = deal(database.owner_url, player, "2 * 3 2345678")
    assert ids(player.api.get("rounds?state=open").json["results"]) == [open_["round_id"]]
    assert ids(player.api.get("rounds?state=settled").json["results"]) == ids(played)
    assert player.api.get("rounds?state=voided").json["results"] == []
    assert player.api.get("rounds?currency=EUR").json["results"] == []
    assert len(player.api.get("rounds?currency=USD&state=settled&limit=200").json["results"]) == 7


@pytest.mark.parametrize("offset", ["Z", "+00:00", "+05:30"])
def test_history_is_filtered_by_time_from_included_to_excluded(
    player: Person, played: list, offset: str
):
    start, end = (datetime.fromisoformat(played[index]["opened_at"]) for index in (4, 1))
    shift = timedelta(hours=5, minutes=30) if offset == "+05:30" else timedelta()
    since, until = (
        quote((at + shift).strftime("%Y-%m-%dT%H:%M:%S.%f") + offset) for at in (start, end)
    )
    found = player.api.get(f"rounds?from={since}&to={until}").json["results"]
    assert ids(found) == ids(played[2:5])
    seen = list(pages(player.api, f"rounds?from={since}&to={until}&limit=1"))
    assert [id_ for page in seen for id_ in ids(page)] == ids(played[2:5])


def test_an_operator_reads_what_the_player_reads(player: Person, people: People, played: list):
    his = player.api.get("rounds").json["results"]
    assert people.operator.get(f"players/{player.id}/rounds").json["results"] == his
    assert people.operator.get(f"rounds/{played[0]['round_id']}").json == his[0]
    assert people.operator.get(f"players/{played[0]['round_id']}/rounds").status == 404


def test_nobody_reads_anothers_history(player: Person, people: People, played: list):
    assert people.player().api.get("rounds").json["results"] == []
    assert len(people.player().api.get("me/statement").json["results"]) == 1


# --- Statements ---------------------------------------------------------------------------------


def test_wal_03_wal_06_a_statement_reconciles_to_the_cent(
    player: Person, people: People, played: list
):
    lines = [line for page in pages(player.api, "me/statement?limit=5") for line in page]
    assert lines == people.operator.get(f"players/{player.id}/statement?limit=200").json["results"]
    balance_minor = 0
    for number, line in enumerate(reversed(lines), start=1):
        assert line["version"] == number
        assert line["balance_before_minor"] == balance_minor
        sign = (line["credit"] == "cash") - (line["debit"] == "cash")
        balance_minor += sign * line["amount_minor"]
        assert line["balance_after_minor"] == balance_minor
    assert balance_minor == player.balance
    wagered = sum(line["amount_minor"] for line in lines if line["code"] == "wager")
    paid = sum(line["amount_minor"] for line in lines if line["code"] == "payout")
    assert wagered == sum(round_["wagered_minor"] for round_ in played)
    assert paid == sum(round_["payout_minor"] for round_ in played)


def test_a_statement_is_filtered_by_time(player: Person, played: list):
    since = quote(played[0]["opened_at"])
    lines = player.api.get(f"me/statement?from={since}").json["results"]
    assert {line["round_id"] for line in lines} == {played[0]["round_id"]}
    earlier = player.api.get(f"me/statement?to={since}&limit=200").json["results"]
    assert earlier[-1]["code"] == "deposit"
    assert played[0]["round_id"] not in {line["round_id"] for line in earlier}


def test_wal_04_f05_a_deposit_is_confirmed_and_the_same_reference_is_the_same_deposit(
    player: Person, people: People
):
    def deposit(change: dict[str, Any] | None = None, **headers: str) -> Answer:
        body = {"amount_minor": 500, "currency": "USD", "reference": "psp-1"} | (change or {})
        return people.operator.post(f"players/{player.id}/deposits", body, **headers)

    first = deposit(idempotency_key="k")
    assert (first.status, first.headers["Cache-Control"]) == (201, "no-store")
    assert first.json["code"] == "deposit"
    assert first.json["balance_before_minor"] == 100_000
    assert first.json["balance_after_minor"] == 100_500
    for again in (deposit(idempotency_key="k"), deposit(), deposit()):
        assert (again.status, again.body) == (201, first.body)
    for change in ({"amount_minor": 600}, {"reference": "psp-2"}):
        other = deposit(change, idempotency_key="k")
        assert (other.status, other.json["code"]) == (409, "idempotency_conflict")
    assert deposit({"amount_minor": 600}).json["code"] == "idempotency_conflict"
    assert player.balance == 100_500


def test_lim_03_a_players_limit_tightens_at_once_and_loosens_in_a_day(player: Person):
    def put(amount_minor: int | None) -> Answer:
        body = {"amount_minor": amount_minor, "period": "day"}
        return player.api.call("PUT", "me/limits/wager", body)

    tight = put(300).json
    assert (tight["kind"], tight["set_by"], tight["amount_minor"]) == ("wager", "player", 300)
    loose = put(None).json
    assert datetime.fromisoformat(loose["effective_at"]) - datetime.fromisoformat(
        tight["effective_at"]
    ) > timedelta(hours=23)
    player.finish(player.bet(300).json)
    refused = player.bet(100)
    assert refused.json["code"] == "limit_reached"
    assert refused.json["used_minor"] >= 300
    assert player.api.get("me").json["limits"][0]["amount_minor"] == 300


# --- Proofs -------------------------------------------------------------------------------------


def verify(proof: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the outsiders' command, which has no database and no Django."""
    path = folder / "proof.json"
    path.write_text(json.dumps(proof))
    return subprocess.run(
        [sys.executable, "-m", "pontoon.engine", "verify", str(path)],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip


def test_a_settled_rounds_proof_verifies_without_us(player: Person, played: list, tmp_path: Path):
    for round_ in played[:3]:
        proof = player.api.get(f"rounds/{round_['round_id']}/proof").json
        checked = verify(proof, tmp_path)
        assert checked.returncode == 0, checked.stdout
        assert "statements hold" in checked.stdout
        forged = proof | {"payout_minor": proof["payout_minor"] + 200}
        assert verify(forged, tmp_path).returncode == 1


def test_a_held_rounds_proof_of_three_doubled_hands_verifies(
    people: People, database: Database, tmp_path: Path
):
    player = people.player(cash=1_000_000)
    plant_seed(database.owner_url, player, LARGE_WIN_SEED)
    round_ = player.bet(100_000).json
    for action in LARGE_WIN_ACTIONS:
        round_ = player.act(round_["round_id"], round_["seq"], action).json
    proof = people.operator.get(f"rounds/{round_['round_id']}/proof").json
    assert (proof["state"], len(proof["hands"])) == ("held", 3)
    assert verify(proof, tmp_path).returncode == 0


def test_an_open_rounds_proof_does_not_verify(player: Person, database: Database, tmp_path: Path):
    round_ = deal(database.owner_url, player, "2 * 3 2345678")
    proof = player.api.get(f"rounds/{round_['round_id']}/proof").json
    checked = verify(proof, tmp_path)
    assert checked.returncode == 1
    assert "not revealed" in checked.stdout


def test_a_proof_carries_the_rounds_transfers_and_entries(player: Person, played: list):
    round_ = played[0]
    proof = player.api.get(f"rounds/{round_['round_id']}/proof").json
    statement = player.api.get("me/statement?limit=200").json["results"]
    of_round = [line for line in statement if line["round_id"] == round_["round_id"]]
    assert proof["transfers"] == of_round[::-1]
    assert len(proof["entries"]) == max(1, round_["seq"] + (round_["seq"] > 0))
    assert proof["entries"][-1]["event"] == "round.settled"
    assert all(entry["subject"] == f"round:{round_['round_id']}" for entry in proof["entries"])
    recorded = {id_ for entry in proof["entries"] for id_ in entry["payload"]["transfers"]}
    assert recorded == {line["transfer_id"] for line in of_round}


# --- The rules ----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "es", "pt", "sv"])
def test_rul_01_crd_02_the_rules_are_read_without_a_token_in_every_language(
    api: Api, language: str
):
    answer = api.get(f"rules/house/1?lang={language}")
    assert (answer.status, answer.json["language"]) == (200, language)
    numbers = [clause["number"] for clause in answer.json["clauses"]]
    assert numbers == [f"H{number}" for number in range(1, 22)]
    assert answer.json["numbers"]["decks"] == 8
    assert "public" in answer.headers["Cache-Control"]
    if language != "en":
        assert answer.json["text"] != api.get("rules/house/1?lang=en").json["text"]
        by_header = api.get("rules/house/1", accept_language=language).json
        assert by_header == answer.json


def test_rtp_01_rtp_02_the_return_is_that_of_the_best_strategy_and_says_so(api: Api):
    told = api.get("rules/house/1").json["rtp"]
    strategy = api.get("rules/house/1/strategy").json
    assert told["percent"] == f"{strategy['rtp_percent']:.2f}" == "99.57"
    assert strategy["strategy_is"] in told["basis"]
    assert strategy["rtp_percent"] == pytest.approx(100 - 100 * strategy["house_edge"])
    assert {"pair": "8", "actions": ["split", "stand", "hit", "double"]} in strategy["pairs"]


def test_rul_03_the_currencies_state_minimum_maximum_step_chips_and_line(api: Api):
    offered = {line["currency"]: line for line in api.get("currencies").json["results"]}
    assert {"USD", "EUR", "BRL", "SEK", "JPY"} <= offered.keys()
    assert offered["JPY"]["exponent"] == 0
    assert offered["USD"] == {
        "currency": "USD", "exponent": 2, "minimum_minor": 100, "maximum_minor": 100_000,
        "step_minor": 100, "chips_minor": [100, 500, 2500, 10_000, 50_000],
        "large_win_minor": 1_000_000,
    }  # fmt: skip


@pytest.mark.parametrize(
    "path", ["rules/house/2", "rules/bank/9", "rules/nothing/1", "rules/house/2/strategy"]
)
def test_rules_that_nobody_published_are_unknown(api: Api, path: str):
    assert api.get(path).json["code"] == "unknown_game"
