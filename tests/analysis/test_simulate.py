"""Long runs: the same result by any number of workers and over any interruption; the command."""

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

import pytest

from pontoon.analysis.kernel.automaton import build
from pontoon.analysis.rules import find_variant
from pontoon.analysis.simulate import runs
from pontoon.analysis.simulate.best import find_best
from pontoon.analysis.simulate.published import play_as_published
from pontoon.analysis.simulate.tally import Summary, Tally, summarize

ROUNDS = 5 * runs.CHUNK + 7
KILLED = """
import os, signal, sys
from pathlib import Path
from pontoon.analysis.simulate import runs
from tests.analysis.test_simulate import make_run
runs.SAVE_EVERY_S = 0
for count, _ in enumerate(runs.play(runs.load(make_run(), None), 2, Path(sys.argv[1]))):
    if count == 3:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def make_run(seed: int = 7, rounds: int = ROUNDS) -> runs.Run:
    automaton = build(find_variant("house/1"), play_as_published)
    return runs.Run(automaton, seed, rounds)


def finish(run: runs.Run, workers: int = 1, path: Path | None = None) -> Tally:
    state = runs.load(run, path)
    for _ in runs.play(state, workers, path):
        pass
    return state.tally


def is_same(one: Tally, other: Tally) -> bool:
    return bool((one.rounds == other.rounds).all() and (one.hands == other.hands).all())


def test_one_worker_and_two_count_the_same() -> None:
    one = finish(make_run())
    assert int(one.rounds.sum()) == ROUNDS
    assert is_same(one, finish(make_run(), workers=2))
    assert not is_same(one, finish(make_run(seed=8)))


def test_a_killed_run_goes_on_where_it_was_and_counts_the_same(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    state = runs.load(make_run(), path)
    assert 0 < state.rounds < ROUNDS
    assert is_same(finish(make_run(), path=path), finish(make_run()))
    assert runs.load(make_run(), path).todo() == []
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_state_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    finish(make_run(rounds=10), path=path)
    with pytest.raises(runs.StateError, match="belongs to other rules"):
        runs.load(make_run(seed=8, rounds=10), path)
    for text in ("", "[]", "{}", '{"run": 1}'):
        path.write_text(text)
        with pytest.raises(runs.StateError):
            runs.load(make_run(rounds=10), path)


def test_the_figures_follow_from_the_counts() -> None:
    summary = Summary({(1, -1.0): 6, (1, 1.0): 3, (2, 4.0): 1}, {})
    assert (summary.rounds, summary.net, summary.wagered) == (10, 0.1, 1.1)
    assert summary.variance == pytest.approx(2.5 - 0.01)
    assert summary.standard_error == pytest.approx(sqrt(2.49 / 10))
    low, high = summary.interval
    assert (low + high) / 2 == pytest.approx(1.1)
    assert (high - low) / 2 == pytest.approx(2.5758 * summary.standard_error, rel=1e-4)
    assert summary.by_net == {-1.0: 6, 1.0: 3, 4.0: 1}


def test_a_hand_counts_for_what_it_is() -> None:
    run = make_run(rounds=1_000_000)
    tally = finish(run)
    summary = summarize(run.automaton, tally)
    assert int(tally.hands.sum()) == summary.counts["hands"]
    dealt = summary.counts["dealer_pontoons"] / summary.rounds
    assert abs(dealt - 2 * 32 * 128 / (416 * 415)) < 0.001
    wagered = summary.counts["hands"] + summary.counts["doubles"]
    assert summary.wagered == pytest.approx(wagered / summary.rounds)
    assert max(summary.by_net) <= 12
    assert min(summary.by_net) >= -6


def test_100_million_rounds_agree_with_the_exact_analysis_within_three_standard_errors() -> None:
    """The seed is fixed, so this fails by a change of rules or play, and never by chance.

    On demand: `python -m pontoon.analysis simulate house/1 --rounds 1e10 --workers 2`.
    """
    house = find_variant("house/1")
    strategy, exact = find_best(house)
    run = runs.Run(build(house, strategy), 7, 10**8)
    summary = summarize(run.automaton, finish(run, workers=2))
    assert summary.standard_error < 0.00015
    assert abs(summary.deviation(exact)) < 3


@pytest.mark.parametrize(
    "changes",
    [
        {"decks": 2, "dealer_hits_soft_17": False, "pontoon_odds": 1.5},
        {"split_aces_play_on": False, "double_draws": False, "dealer_wins_ties": False},
        {"double_plays_on": False, "split_pontoon": False, "dealer_stands_min": 18},
        {"dealer_looks": False, "pontoons_tie": True, "twenty_one_odds": 2},
        {"dealer_looks": False, "dealer_wins_ties": False, "dealer_trick": False},
        {"pontoon_completes": False, "pontoons_tie": True, "double_draws": False},
        {"double_wins": False, "stand_points_min": 18, "trick_cards": 6},
    ],
    ids=str,
)
def test_other_rules_agree_with_the_exact_analysis_too(changes: dict[str, float]) -> None:
    variant = find_variant("house/1", changes)
    strategy, exact = find_best(variant)
    run = runs.Run(build(variant, strategy), 7, 10**7)
    summary = summarize(run.automaton, finish(run, workers=2))
    assert abs(summary.deviation(exact)) < 3


def simulate(*arguments: str) -> subprocess.CompletedProcess[str]:
    command: Sequence[str] = [sys.executable, "-m", "pontoon.analysis", "simulate", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_tells_the_figures_as_json(tmp_path: Path) -> None:
    path = str(tmp_path / "state.json")
    shared = ("house/1", "--rounds", "1e6", "--seed", "7", "--strategy", "published", "--json")
    first = simulate(*shared)
    assert first.returncode == 0, first.stderr
    told = json.loads(first.stdout)
    assert told["rounds"] == sum(told["by_net"].values()) == 1_000_000
    assert told["interval"][0] < told["return"] < told["interval"][1]
    again = simulate(*shared, "--workers", "2", "--resume", path)
    assert simulate(*shared, "--resume", path).stdout == again.stdout == first.stdout


def test_the_command_tells_the_figures_in_words() -> None:
    done = simulate("house/1", "--rounds", "1000", "--set", "trick_odds=3")
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stdout.split())
    assert "1,000 rounds return" in told
    assert "The exact return is 107.15" in told


def test_the_command_compares_the_engine() -> None:
    done = simulate("house/1", "--engine", "--rounds", "300")
    assert (done.returncode, done.stdout) == (0, "300 rounds agree, 0 differ\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("house/9",), "house/9"),
        (("house/1", "--set", "decks=9"), "decks"),
        (("house/1", "--rounds", "0"), "--rounds"),
        (("house/1", "--rounds", "1.5"), "not '1.5'"),
        (("house/1", "--rounds", "inf"), "a whole number from 1 to 1,000,000,000,000"),
        (("house/1", "--rounds", "1e30"), "a whole number from 1 to 1,000,000,000,000"),
        (("house/1", "--rounds", "many"), "not 'many'"),
        (("house/1", "--rounds", "10", "--resume", "/dev/null/state"), "/dev/null/state cannot be"),
        (("house/1", "--rounds", "10", "--resume", "/"), "/ cannot be used"),
        (("house/1", "--engine", "--set", "decks=6"), "--set"),
    ],
    ids=str,
)
def test_the_command_says_what_it_cannot_use(arguments: tuple[str, ...], told: str) -> None:
    done = simulate(*arguments)
    assert done.returncode == 2
    assert told in done.stderr
