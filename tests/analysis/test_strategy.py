"""The stored strategy is the one that the analysis finds, and advice is taken from it."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pontoon.analysis.__main__ import main
from pontoon.analysis.rules import digest, find_variant
from pontoon.analysis.strategy import advise, read_strategy
from pontoon.analysis.strategy_tables import make_document
from pontoon.engine import Action, Playing, arrange, house, parse_cards
from pontoon.engine.errors import UnknownGameError

RULES = house.RULES["house/1"]


@cache
def found() -> dict[str, Any]:
    document = make_document("house/1", find_variant("house/1"), "composition")
    return dict(json.loads(json.dumps(document)))


def playing(shoe: str, actions: str = "") -> Playing:
    round_ = house.deal(RULES, arrange(parse_cards(shoe)), 10)
    for action in actions.split():
        round_ = house.act(round_, Action(action))
    assert isinstance(round_, Playing)
    return round_


@pytest.mark.parametrize("part", ["pairs", "totals", "exceptions"])
def test_the_stored_strategy_is_the_one_that_is_found(part: str) -> None:
    assert read_strategy("house/1")[part] == found()[part]


def test_the_stored_figures_are_those_that_are_found() -> None:
    stored, figures = read_strategy("house/1"), found()
    assert stored.keys() == figures.keys()
    for name, value in figures.items():
        if isinstance(value, float) or name == "results":
            assert stored[name] == pytest.approx(value, rel=1e-9)
        else:
            assert stored[name] == value


def test_the_stored_strategy_is_tied_to_the_numbers_of_its_rule_set() -> None:
    assert read_strategy("house/1")["sha256"] == digest(find_variant("house/1"))
    assert digest(find_variant("house/1", {"decks": 6})) != digest(find_variant("house/1"))


def test_by_total_is_as_good_as_by_composition_in_house_1() -> None:
    by_total = make_document("house/1", find_variant("house/1"), "total")
    assert by_total["house_edge"] == pytest.approx(found()["house_edge"], abs=1e-15)
    assert found()["exceptions"] == by_total["exceptions"] == []


@pytest.mark.parametrize(
    ("shoe", "actions", "expected"),
    [
        pytest.param("TS 9D 5H 7C", "", "stand", id="hard 15 of two cards"),
        pytest.param("TS 9D 4H 7C", "", "hit", id="hard 14 of two cards"),
        pytest.param("2S 9D 3H 7C 4S 6D", "hit hit", "double", id="hard 15 of four cards"),
        pytest.param("2S 9D 3H 7C 4S 6D", "double hit", "hit", id="doubled already"),
        pytest.param("2S 9D 4H 7C 4S 7D", "hit hit", "hit", id="hard 17 of four cards"),
        pytest.param("AS 9D 5H 7C 4S", "hit", "double", id="soft 20 of three cards"),
        pytest.param("AS 9D 9H 7C", "", "stand", id="soft 20 of two cards"),
        pytest.param("8S 9D 8H 7C", "", "split", id="eights"),
        pytest.param("QS 9D QH 7C", "", "stand", id="queens"),
        pytest.param("9S 9D 9H 7C", "", "stand", id="nines"),
        pytest.param("8S 9D 8H 7C 8D 3H", "split", "split", id="eights once more"),
        pytest.param("8S 9D 8H 7C 8D 8C 8S 3H", "split split", "stand", id="three hands of eights"),
        pytest.param("8S 9D 8H 7C 3D 3H", "split", "double", id="eleven after a split"),
    ],
)
def test_advice_is_the_best_action(shoe: str, actions: str, expected: str) -> None:
    assert advise(house.view(playing(shoe, actions))) == expected


def test_advice_takes_the_next_best_if_the_best_is_not_allowed() -> None:
    seen = house.view(playing("8S 9D 8H 7C"))
    options = tuple(option for option in seen.options if option.action is not Action.SPLIT)
    assert advise(replace(seen, options=options)) == Action.STAND


def test_a_round_that_is_over_takes_no_advice() -> None:
    over = house.act(playing("TS 9D 9H TC"), Action.STAND)
    with pytest.raises(ValueError, match="over"):
        advise(house.view(over))


def test_an_unknown_rule_set_has_no_strategy() -> None:
    with pytest.raises(UnknownGameError):
        read_strategy("house/99")


def test_the_command_writes_a_grid(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategy", "house/1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "hard 17     H    S    S" in lines
    assert "soft 20     D    D    S" in lines
    assert "split    A 8" in lines


def test_the_command_names_hands_whose_cards_matter(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategy", "house/1", "--set", "decks=1"]) == 0
    out = capsys.readouterr().out
    assert "but      4444: hit" in out
    assert "but      A27, doubled after a split to 2 of 7: hit" in out


def test_the_command_refuses_what_is_no_rule_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategy", "house/1", "--set", "jokers=2"]) == 2
    assert "no number 'jokers'" in capsys.readouterr().err
