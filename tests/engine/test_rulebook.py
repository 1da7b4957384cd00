"""The rulebook that players read says what the engine plays."""

import re
from pathlib import Path

import pytest

import pontoon
from pontoon.engine import find_rules

BOOK = Path(pontoon.__file__).parent / "rulebook" / "house.en.md"
CLAUSES = dict(
    re.findall(r"^- \*\*(H\d+)\*\* (.+)$", BOOK.read_text(encoding="utf-8"), re.MULTILINE)
)
RULES = find_rules("house/1")
WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 8: "eight"}


def test_the_clauses_are_numbered_from_1_to_21_without_a_gap() -> None:
    assert list(CLAUSES) == [f"H{number}" for number in range(1, 22)]


@pytest.mark.parametrize(
    ("clause", "phrase"),
    [
        ("H1", f"{WORDS[RULES.decks]} decks of 52 cards, {RULES.decks * 52} cards in all"),
        ("H5", f"{WORDS[RULES.trick_cards]} cards totalling 21 or less"),
        ("H7", f"total is {RULES.stand_points_min} or more"),
        ("H9", f"two, three or {WORDS[RULES.double_cards_max]} cards"),
        ("H10", f"up to {WORDS[RULES.hands_max]} hands in all"),
        ("H12", "on 16 or less and on a soft 17"),
        ("H12", f"stops at {WORDS[RULES.trick_cards]} cards"),
        ("H14", "The dealer wins every tie"),
        ("H15", f"wins {RULES.pontoon_odds} to 1; any other winning hand wins 1 to 1"),
        ("H21", f"hits below {RULES.stand_points_min} and then stands"),
    ],
)
def test_the_numbers_are_those_of_the_engine(clause: str, phrase: str) -> None:
    assert phrase in CLAUSES[clause]


@pytest.mark.parametrize(
    ("language", "phrase"),
    [
        ("en", "A break or an exclusion begins at once, for new rounds."),
        ("es", "Una pausa o una exclusión empieza de inmediato para las rondas nuevas."),
        ("pt", "Uma pausa ou uma exclusão começa de imediato para rondas novas."),
        ("sv", "En paus eller en avstängning börjar genast för nya rundor."),
    ],
)
def test_exc_03_every_language_tells_what_an_exclusion_does_to_an_open_round(
    language: str, phrase: str
) -> None:
    book = BOOK.with_name(f"house.{language}.md").read_text(encoding="utf-8")
    (paragraph,) = (told for told in book.split("\n\n") if told.startswith(phrase))
    assert paragraph.count(".") == 2
