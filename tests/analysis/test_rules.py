"""The family of rule sets, as commands take them; and `edge`, which tells what they return."""

import json
from dataclasses import asdict

import pytest

from pontoon.analysis.__main__ import main
from pontoon.analysis.rules import NUMBERS, SettingError, find_variant, parse_settings
from pontoon.engine import Rules
from pontoon.engine.errors import UnknownGameError


def test_the_numbers_of_a_published_rule_set_are_those_of_the_engine() -> None:
    numbers = asdict(find_variant("house/1"))
    assert asdict(Rules()).items() <= numbers.items()
    assert numbers.keys() == NUMBERS.keys()


@pytest.mark.parametrize(
    ("setting", "name", "value"),
    [
        ("decks=6", "decks", 6),
        ("dealer_hits_soft_17=false", "dealer_hits_soft_17", False),
        ("dealer_wins_ties=No", "dealer_wins_ties", False),
        ("dealer_trick=1", "dealer_trick", True),
        ("pontoon_odds=3/2", "pontoon_odds", 1.5),
        ("pontoon_odds=3:2", "pontoon_odds", 1.5),
        ("trick_odds=1.5", "trick_odds", 1.5),
        ("trick_odds=3", "trick_odds", 3),
    ],
)
def test_a_number_is_read_as_it_is_written(setting: str, name: str, value: object) -> None:
    assert parse_settings([setting]) == {name: value}


def test_of_two_values_for_one_number_the_last_counts() -> None:
    assert parse_settings(["decks=6", "decks=2"]) == {"decks": 2}


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("decks=9", "decks is a whole number from 1 to 8, not '9'."),
        ("decks=two", "decks is a whole number from 1 to 8, not 'two'."),
        ("decks", "decks is a whole number from 1 to 8, written NAME=VALUE."),
        ("dealer_trick=maybe", "dealer_trick is true or false, not 'maybe'."),
        ("trick_odds=1/0", "trick_odds is odds to one, such as 2, 1.5 or 3/2, not '1/0'."),
        ("trick_odds=-1", "trick_odds is odds to one, such as 2, 1.5 or 3/2, not '-1'."),
    ],
)
def test_a_value_that_cannot_be_is_refused_in_a_sentence(setting: str, sentence: str) -> None:
    with pytest.raises(SettingError) as caught:
        parse_settings([setting])
    assert str(caught.value) == sentence


def test_an_unknown_number_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingError, match="no number 'jokers'; there are decks, "):
        parse_settings(["jokers=2"])


def test_an_unknown_rule_set_is_refused() -> None:
    with pytest.raises(UnknownGameError):
        find_variant("house/99")


def test_the_edge_is_told_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["edge", "house/1", "--set", "hands_max=1", "--set", "decks=6", "--json"]
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["rules"], report["changed"]) == ("house/1", {"decks": 6, "hands_max": 1})
    assert report["rtp_percent"] == pytest.approx(100 * (1 - report["house_edge"]))
    assert report["average_hands"] == pytest.approx(1)
    assert report["element_of_risk"] < report["house_edge"]
    results = {float(result): chance for result, chance in report["results"].items()}
    assert sum(results.values()) == pytest.approx(1)
    mean = sum(result * chance for result, chance in results.items())
    assert mean == pytest.approx(-report["house_edge"], abs=1e-12)
    assert report["largest_win"] == max(results) == 4


def test_the_edge_is_told_to_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edge", "house/1", "--set", "hands_max=1"]) == 0
    out = capsys.readouterr().out
    assert "house/1 with hands_max=1" in out
    assert "house edge           0.85692% of the stake" in out


@pytest.mark.parametrize("arguments", [["house/9"], ["house/1", "--set", "decks=0"]])
def test_what_is_no_rule_set_ends_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edge", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith(".\n")
