"""What is promised by number is tried by number."""

import re
from pathlib import Path

import pytest

from tests.tidy import source

BOOKS = Path("pontoon/rulebook")
REQUIREMENTS = Path("docs/requirements.md")


def spoken() -> str:
    """Return all that the tests say: golden rounds and file names too, this folder not."""
    told = [
        path
        for path in source.files("tests")
        if "tidy" not in path.parts and path.suffix in {".py", ".round", ".js"}
    ]
    return "\n".join(f"{path} {source.text(path)}" for path in told)


def missing(numbers: list[str]) -> list[str]:
    tests = spoken()
    return [number for number in numbers if not re.search(spelled(number), tests)]


def spelled(number: str) -> str:
    """Return how a number may be written: H4 is h04 in a file's name, WAL-02 is WAL_02."""
    letters, digits = re.fullmatch(r"([A-Z]+)-?(\d+)", number).groups()  # type: ignore[union-attr]
    return rf"(?i)(?<![a-z0-9]){letters}[-_]?0*{int(digits)}(?![0-9])"


@pytest.mark.parametrize("book", ["house.en.md"])
def test_every_rule_of_the_rulebook_occurs_in_a_test(book: str) -> None:
    numbers = re.findall(r"^- \*\*([A-Z]\d+)\*\*", source.text(BOOKS / book), re.M)
    assert numbers
    assert missing(numbers) == []


def test_every_requirement_of_tier_1_that_is_claimed_occurs_in_a_test() -> None:
    row = r"^\|\s*([A-Z]{3}-\d\d)\s*\|\s*1\s*\|"
    claimed = re.findall(row, source.text(REQUIREMENTS), re.M)
    assert claimed
    assert missing(claimed) == []
