"""Rounds as text: records there and back, and the golden rounds in `rounds/`."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pontoon.engine import (
    DECK,
    Action,
    GoldenRound,
    NotationError,
    Over,
    Record,
    Seeds,
    format_end,
    format_record,
    house,
    parse_cards,
    parse_golden,
    parse_record,
    replay,
)

GOLDEN = sorted((Path(__file__).parent / "rounds").glob("*.round"))
SEED = bytes(range(32)).hex()

records = st.builds(
    Record,
    rules=st.from_regex(r"[a-z]{1,8}/[0-9]{1,3}", fullmatch=True),
    wager=st.integers(1, 2**53 - 1),
    source=st.one_of(
        st.builds(Seeds, st.binary(min_size=32, max_size=32), st.text()),
        st.lists(st.sampled_from(DECK)).map(tuple),
    ),
    actions=st.lists(st.sampled_from(Action)).map(tuple),
)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_rounds_come_out_as_written(path: Path) -> None:
    golden = parse_golden(path.read_text(encoding="utf-8"))
    round_ = replay(golden.record)
    assert isinstance(round_, Over)
    assert format_end(house.view(round_)) == golden.end
    assert tuple(payout.amount for payout in house.settle(round_)) == golden.pays


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_rounds_are_named_by_their_rule(path: Path) -> None:
    rule = parse_golden(path.read_text(encoding="utf-8")).title.split()[0]
    assert path.stem.startswith(f"h{int(rule.removeprefix('H')):02}_")


def test_the_golden_rounds_are_there() -> None:
    assert len(GOLDEN) >= 29


@given(records)
def test_a_record_is_written_and_read_back(record: Record) -> None:
    assert parse_record(format_record(record)) == record


def test_a_record_is_plain_text() -> None:
    cards = Record("house/1", 1000, parse_cards("2S TD"), (Action.HIT, Action.STAND))
    assert format_record(cards) == (
        "game         house/1\nwager        1000\nshoe         2S TD\nplay         hit stand\n"
    )
    seeds = Record("house/1", 5, Seeds(bytes.fromhex(SEED), 'a "b"\n'))
    assert format_record(seeds) == (
        "game         house/1\n"
        "wager        5\n"
        f"server_seed  {SEED}\n"
        'client_seed  "a \\"b\\"\\n"\n'
        "play\n"
    )


def test_a_golden_round_has_a_title_and_an_end() -> None:
    text = "# H15 title\n# more\n\ngame house/1\nwager 2\nshoe AS\nplay\nend AS | ?\npays 1 2\n"
    record = Record("house/1", 2, parse_cards("AS"))
    assert parse_golden(text) == GoldenRound("H15 title", record, "AS | ?", (1, 2))


def test_the_server_seed_does_not_show_in_a_repr() -> None:
    record = Record("house/1", 2, Seeds(b"\x07" * 32, "mine"))
    assert "07" not in repr(record)
    assert repr(record.source) == "Seeds(client_seed='mine')"


RIGHT = ["game house/1", "wager 10", "shoe AS TD 5H 9C", "play hit"]


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        ([*RIGHT, "end x"], 5, "'end' does not belong here"),
        ([*RIGHT, "wager 10"], 5, "'wager' occurs twice"),
        (RIGHT[:3], 3, "there is no line 'play'"),
        (RIGHT[1:], 3, "there is no line 'game'"),
        (["# H1", *RIGHT[:3], "play fold"], 5, "'fold' is not an action"),
        ([*RIGHT[:2], "shoe AS XX", "play"], 3, "'XX' is not a card"),
        (["game house/1", "wager ten", *RIGHT[2:]], 2, "'ten' is not an amount"),
        (["game house/1", "wager -1", *RIGHT[2:]], 2, "'-1' is not an amount"),
        (["game house/1", "wager 1.0", *RIGHT[2:]], 2, "'1.0' is not an amount"),
        (["game house/1", "wager \u0663", *RIGHT[2:]], 2, "'\u0663' is not an amount"),
        ([*RIGHT[:2], "play hit"], 3, "there is no line 'server_seed'"),
        ([*RIGHT[:2], "server_seed 00", "play"], 3, "a server seed is 64 hexadecimal digits"),
        ([*RIGHT[:2], "server_seed " + "AB" * 32, "play"], 3, "a server seed is"),
        ([*RIGHT[:2], f"server_seed {SEED}", "play"], 4, "there is no line 'client_seed'"),
        ([*RIGHT[:2], f"server_seed {SEED}", "client_seed x", "play"], 4, "not a JSON string"),
        ([*RIGHT[:2], f"server_seed {SEED}", "client_seed 5", "play"], 4, "not a text"),
        ([*RIGHT[:2], f"server_seed {SEED}", 'client_seed "\\ud800"', "play"], 4, "Unicode"),
        ([*RIGHT, f"server_seed {SEED}"], 5, "'server_seed' does not belong here"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(lines: list[str], line: int, reason: str) -> None:
    with pytest.raises(NotationError, match=r"^line \d") as caught:
        parse_record("\n".join(lines))
    assert caught.value.line == line
    assert reason in caught.value.reason


def test_a_golden_round_without_its_end_is_refused() -> None:
    with pytest.raises(NotationError, match="there is no line 'end'"):
        parse_golden("\n".join(RIGHT))


@given(st.text())
def test_any_text_is_a_record_or_refused(text: str) -> None:
    with suppress(NotationError):
        assert parse_record(text)
