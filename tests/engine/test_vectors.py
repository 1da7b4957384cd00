"""`python -m pontoon.engine check`: rounds of another implementation, and faulty lines."""

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pontoon.engine.__main__ import main
from pontoon.engine.vectors import find_differences

ROUNDS = Path(__file__).parent / "vectors" / "house-1.jsonl"
LINES = ROUNDS.read_bytes().splitlines()


def changed(path: str, value: object, number: int = 0) -> bytes:
    """A round of the file with one member changed, or removed if the value is `...`."""
    *way, last = path.split(".")
    round_ = json.loads(LINES[number])
    place: Any = round_
    for step in way:
        place = place[int(step) if step.isdigit() else step]
    if value is ...:
        del place[last]
    else:
        place[int(last) if last.isdigit() else last] = value
    return json.dumps(round_).encode()


@pytest.mark.parametrize("start", range(0, len(LINES), 100))
def test_the_rounds_of_the_other_implementation_agree(start: int) -> None:
    for line in LINES[start : start + 100]:
        assert find_differences(line) == []


def test_the_command_says_how_many_agree(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["pontoon.engine", "check", str(ROUNDS)])
    monkeypatch.delitem(sys.modules, main.__module__)
    with pytest.raises(SystemExit) as left:
        runpy.run_module("pontoon.engine", run_name="__main__")
    assert left.value.code == 0
    assert capsys.readouterr().out == "2000 agree, 0 differ\n"


def test_the_command_names_each_difference_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rounds.jsonl"
    wrong = changed("expected.cards_used", 8)
    path.write_bytes(b"\n".join([LINES[0], b"", wrong, b"{", b'{"deck": []}', LINES[1], b"\xff"]))
    assert main(["check", str(path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "line 3: expected.cards_used: expected 8, got 9",
        "line 4: this is not JSON",
        "line 5: this is a round of bank/1, which is not known here yet",
        "line 7: this is not JSON",
        "2 agree, 4 differ",
    ]


def test_a_file_that_cannot_be_read_is_said_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(tmp_path / "nowhere")]) == 2
    assert main(["check", str(tmp_path)]) == 2
    said = capsys.readouterr().err.splitlines()
    assert [line.partition("cannot be read: ")[2] for line in said] == [
        "No such file or directory.",
        "Is a directory.",
    ]


@pytest.mark.parametrize(
    ("path", "value", "difference"),
    [
        ("expected.player_hands.0.cards.2", "8D", 'cards[2]: expected "8D", got "7D"'),
        ("expected.player_hands.0.kind", "total", 'kind: expected "total", got "bust"'),
        ("expected.player_hands.0.total", 24.0, "total: expected 24.0, got 24"),
        ("expected.player_hands.0.soft", 0, "soft: expected 0, got false"),
        ("expected.player_hands.0.stake", 5, "stake: expected 5, got 10"),
        ("expected.player_hands.0.doubled", False, "doubled: expected false, got true"),
        ("expected.player_hands.0.from_split", False, "from_split: expected false, got true"),
        ("expected.player_hands.0.outcome", "win", 'outcome: expected "win", got "lost"'),
        ("expected.player_hands.0.returned", 20, "returned: expected 20, got 0"),
        ("expected.player_hands.0.returned", ..., "returned: expected null, got 0"),
        ("expected.player_hands.0.insured", True, "insured: expected true, got null"),
        ("expected.player_hands", [], "player_hands: expected [], got [{"),
        ("expected.dealer_hand.total", 15, "dealer_hand.total: expected 15, got 14"),
        ("expected.outcomes.1", "win", 'outcomes[1]: expected "win", got "lost"'),
        ("expected.total_staked", 10, "total_staked: expected 10, got 15"),
        ("expected.total_returned", 1, "total_returned: expected 1, got 0"),
        ("expected", 5, "expected: expected 5, got {"),
        ("expected", ..., "expected is missing"),
        ("shoe", ..., "shoe is missing"),
        ("shoe", "AS", "shoe is not a list"),
        ("shoe.3", 7, "shoe[3] is not a text"),
        ("shoe.3", "1D", "'1D' is not a card"),
        ("shoe", ["AS", "TD"], "shoe_exhausted: All cards of the shoe have been drawn."),
        ("bets", [], "house/1 takes one bet"),
        ("bets", [5, 5], "house/1 takes one bet"),
        ("bets", [5.0], "bets[0] is not a whole number"),
        ("bets", [True], "bets[0] is not a whole number"),
        ("bets", [0], "stake_not_whole: A wager is a whole number, at least 1."),
        ("bets", [10**18], "a number has more than 18 digits"),
        ("actions.0", "fly", "'fly' is not an action"),
        ("actions", ["split", "split"], "the action split is refused: split_not_equal"),
        ("actions", ["split"], "the round is not over after its actions"),
    ],
)
def test_what_differs_is_named(path: str, value: object, difference: str) -> None:
    (said, *_) = find_differences(changed(path, value))
    assert difference in said


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"[]", "the document is not an object"),
        (b"null", "the document is not an object"),
        (b'{"shoe": [], "shoe": []}', "a member occurs twice in one object"),
        (b'{"shoe": [[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]}', "more than 16 levels"),
        (b"[" * 100_000, "this is not JSON"),
        (b"9" * 5000, "a number has more than 18 digits"),
    ],
)
def test_a_line_that_is_no_round_is_a_difference(line: bytes, reason: str) -> None:
    (said,) = find_differences(line)
    assert reason in said


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(
    st.sampled_from(["shoe", "bets", "actions", "expected", "expected.player_hands", "deck"]),
    json_values,
)
def test_any_json_gets_an_answer(path: str, value: object) -> None:
    assert find_differences(changed(path, value))


@given(st.binary())
def test_any_bytes_get_an_answer(line: bytes) -> None:
    assert find_differences(line)
