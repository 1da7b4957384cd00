"""The tree of errors: each has a code, a sentence, and its facts."""

import pickle
import re

import pytest

from pontoon.engine import errors
from pontoon.engine.errors import (
    DoubleUsedError,
    NotationError,
    PontoonError,
    ShoeExhaustedError,
    UnknownGameError,
    WagerError,
)
from pontoon.engine.game import Action, Option


def tree(root: type[PontoonError]) -> list[type[PontoonError]]:
    return [root, *(error for child in root.__subclasses__() for error in tree(child))]


ENGINE = [error for error in tree(PontoonError) if error.__module__ == errors.__name__]


def test_every_error_has_a_code_of_its_own() -> None:
    codes = [error.code for error in ENGINE]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z0-9_]+", code) for code in codes)


@pytest.mark.parametrize("error", ENGINE)
def test_every_error_is_drawn_in_the_tree_and_says_a_sentence(error: type[PontoonError]) -> None:
    assert errors.__doc__ is not None
    assert error.__name__ in errors.__doc__
    assert error.__doc__ is not None
    assert error.__doc__.endswith(".")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (PontoonError(), "The game cannot do what was asked."),
        (DoubleUsedError("double", (Option(Action.HIT),)), "A hand can be doubled only once."),
        (WagerError(-1), "A wager is a whole number, at least 1."),
        (ShoeExhaustedError(52), "All cards of the shoe have been drawn."),
        (NotationError("no such card", 3), "line 3: no such card"),
        (UnknownGameError("poker"), "There is no game or rule set 'poker'."),
    ],
)
def test_errors_say_what_is_wrong_and_survive_pickling(error: PontoonError, text: str) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert str(error) == str(again) == text
    assert vars(error) == vars(again)
