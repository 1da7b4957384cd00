"""RTP-04: the watch over returns, on rounds that are made by chance, fair and not."""

import random
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import add
from uuid import UUID

import psycopg
import pytest

from audit.models import Entry
from pontoon import queries
from pontoon.models import ReturnWatch
from pontoon.reports import watch
from pontoon.reports.theory import Theory, theory_of
from pontoon.reports.watch import Sums, judge, watch_returns
from tests.conftest import Database
from tests.people import People

NOTHING = Sums(0, 0, 0, 0)
FAIR = {int(net): chance for net, chance in queries.strategy("house/1")["results"].items()}


@pytest.fixture
def theory() -> Theory:
    found = theory_of("house/1")
    assert found is not None
    return found


def play(dice: random.Random, count: int, results: dict[int, float] = FAIR) -> Sums:
    """Return what so many rounds come to, with stakes of 1.00 to 50.00."""
    nets = dice.choices(list(results), list(results.values()), k=count)
    stakes = dice.choices([100, 200, 500, 1000, 5000], k=count)
    return Sums(
        count,
        sum(stakes),
        sum(net * stake for net, stake in zip(nets, stakes, strict=True)),
        sum(stake * stake for stake in stakes),
    )


def looks(sums: Sequence[Sums], theory: Theory) -> Iterator[str]:
    """Judge after every few rounds, as the watch does."""
    for total in accumulate(sums, add):
        yield judge(total, theory, stake_minor=1000, error_rate=0.01, margin=0.0)


def test_the_theory_is_that_of_the_exact_analysis(theory: Theory) -> None:
    mean = sum(net * chance for net, chance in FAIR.items())
    variance = sum((net - mean) ** 2 * chance for net, chance in FAIR.items())
    assert -mean == pytest.approx(theory.edge, abs=1e-6)
    assert variance == pytest.approx(theory.variance, rel=1e-6)
    assert theory_of("house/99") is None


def test_rtp_04_a_fair_game_is_hardly_ever_suspected_however_often_it_is_looked_at(
    theory: Theory,
) -> None:
    dice = random.Random(7)  # noqa: S311  for a test the same again
    suspected = sum(
        any(found != "inside" for found in looks([play(dice, 500) for _ in range(60)], theory))
        for _ in range(40)
    )
    assert suspected <= 2


FAULTS = {
    "ties push": (-1, 0, 0.08, "above"),
    "a win is paid twice": (1, 2, 0.29, "above"),
    "a win is not paid": (1, -1, 0.10, "below"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_rtp_04_a_faulty_game_is_found(theory: Theory, fault: str) -> None:
    instead_of, paid, chance, expected = FAULTS[fault]
    results = dict(FAIR)
    results[instead_of] -= chance
    results[paid] = results.get(paid, 0) + chance
    dice = random.Random(7)  # noqa: S311
    found = list(looks([play(dice, 1000, results) for _ in range(60)], theory))
    assert found[-1] == expected
    assert found.index(expected) < 40


def test_rtp_04_bad_play_is_no_fault(theory: Theory) -> None:
    lost = Sums(1_000_000, 10**9, -int(0.11 * 10**9), 10**12)
    told = {"stake_minor": 1000, "error_rate": 0.001}
    assert judge(lost, theory, margin=0.12, **told) == "inside"
    assert judge(lost, theory, margin=0.05, **told) == "below"


def test_a_few_rounds_say_nothing(theory: Theory) -> None:
    lucky = Sums(999, 99_900, 12 * 99_900, 9_990_000)
    assert judge(lucky, theory, stake_minor=100, error_rate=0.01, margin=0) == "inside"


# --- In the database ----------------------------------------------------------------------------


def strew(
    dba: psycopg.Connection, count: int, *, payout_minor: int, player: UUID, age: str
) -> None:
    """Write settled rounds of 1.00 past the front door."""
    dba.execute(
        "INSERT INTO pontoon_round (player_id, id, game, rules, currency, stake_minor, seed_number,"
        "  client_seed, session_id, build, profile, opened_at, balance_before_minor, state,"
        "  action_count, wagered_minor, payout_minor, balance_after_minor, last_action_at,"
        "  settled_at)"
        " SELECT %(player)s, gen_random_uuid(), 'house', 'house/1', 'USD', 100,"
        "        1000000 * %(payout)s + n, '', %(player)s, '0', 'default/1', t.at, 0, 'settled', 0,"
        "        100, %(payout)s, 0, t.at, t.at"
        "   FROM generate_series(1, %(count)s) n, (SELECT now() - %(age)s::interval AS at) t",
        {"player": player, "payout": payout_minor, "count": count, "age": age},
    )


def test_rtp_04_an_excursion_is_an_entry_once_and_a_notice(
    people: People, dba: psycopg.Connection
) -> None:
    player = people.player().id
    strew(dba, 2000, payout_minor=200, player=player, age="1 hour")
    (changed,) = watch_returns()
    assert (changed.rules, changed.currency, changed.state) == ("house/1", "USD", "above")
    assert changed.round_count == 2000
    assert watch_returns() == []
    (entry,) = Entry.objects.filter(event="rtp.excursion")
    assert '"state":"above"' in entry.body
    assert '"rtp_actual":"200.0000"' in entry.body


def test_rtp_04_the_watch_counts_each_round_once_and_voids_no_more(
    people: People, dba: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "SETTLED_BY", watch.timedelta())
    player = people.player().id
    strew(dba, 300, payout_minor=0, player=player, age="1 hour")
    watch_returns()
    strew(dba, 200, payout_minor=200, player=player, age="0")
    watch_returns()
    watch_returns()
    assert ReturnWatch.objects.get().round_count == 500
    dba.execute(
        "INSERT INTO pontoon_roundmark SELECT player_id, id, 'voided', clock_timestamp()"
        "  FROM pontoon_round WHERE payout_minor = 200 LIMIT 50"
    )
    watch_returns()
    row = ReturnWatch.objects.get()
    assert (row.round_count, row.net_minor) == (450, 150 * 100 - 300 * 100)


def test_acc_10_the_watch_leaves_test_players_out(
    people: People, database: Database, dba: psycopg.Connection
) -> None:
    made = people.operator.post(
        "players",
        {"external_id": "t", "currency": "USD", "country": "SE", "language": "sv", "test": True},
    )
    strew(dba, 2000, payout_minor=200, player=UUID(made.json["player_id"]), age="1 hour")
    assert watch_returns() == []
    assert not ReturnWatch.objects.exists()
