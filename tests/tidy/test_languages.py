"""The house speaks four languages, and says the same in each."""

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from django.utils import translation

from casino.codes import CODES

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "casino" / "locale"
RULEBOOK = ROOT / "pontoon" / "rulebook"
TRANSLATED = ("es", "pt", "sv")
KEYWORDS = {
    "_": None, "gettext": None, "gettext_lazy": None, "ngettext": (1, 2), "ngettext_lazy": (1, 2),
}  # fmt: skip
TERMS = {
    "es": ("pontoon", "jugada de cinco cartas", "Pedir", "Plantarse", "Doblar", "Separar"),
    "pt": ("pontoon", "jogada de cinco cartas", "Pedir carta", "Ficar", "Dobrar", "Dividir"),
    "sv": ("pontoon", "femkortstrick", "Nytt kort", "Stanna", "Dubbla", "Dela"),
}

in_each_language = pytest.mark.parametrize("language", TRANSLATED)


def _catalog(language: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=language, domain="django", abort_invalid=True)


def _in_code() -> Iterator[str]:
    with (LOCALE / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)
    for found in extract_from_dir(ROOT, methods, options, KEYWORDS):
        message = found[2]
        yield message if isinstance(message, str) else message[0]


def _first(text: str | Sequence[str]) -> str:
    return text if isinstance(text, str) else text[0]


def _english(words: object) -> str:
    with translation.override("en"):
        return str(words)


# --- Messages -----------------------------------------------------------------------------------


@in_each_language
def test_every_message_of_the_code_is_in_the_catalog_and_no_other(language: str) -> None:
    catalog = _catalog(language)
    assert {_first(message.id) for message in catalog if message.id} == set(_in_code())
    assert not catalog.obsolete


@in_each_language
def test_every_message_is_translated_and_none_is_a_guess(language: str) -> None:
    for message in _catalog(language):
        if message.id:
            assert message.string, message.id
            assert all(message.string), message.id
            assert not message.fuzzy, message.id
            assert not list(message.check()), message.id
            here, english = _first(message.string), _first(message.id)
            assert english.endswith(".") == here.endswith("."), message.id


@in_each_language
def test_the_compiled_catalog_is_in_step_with_its_source(language: str) -> None:
    compiled = BytesIO()
    write_mo(compiled, _catalog(language))
    compiled.seek(0)
    with (LOCALE / language / "LC_MESSAGES" / "django.mo").open("rb") as file:
        committed = read_mo(file)
    assert _strings(committed) == _strings(read_mo(compiled))


def _strings(catalog: Catalog) -> dict[str, str]:
    return {str(message.id): str(message.string) for message in catalog if message.id}


@in_each_language
@pytest.mark.parametrize("code", CODES)
def test_every_problem_speaks_the_language(code: str, language: str) -> None:
    words = CODES[code].title, CODES[code].detail
    with translation.override(language):
        spoken = [str(word) for word in words]
    for here, english in zip(spoken, map(_english, words), strict=True):
        assert here
        assert here != english


# --- Rulebook -----------------------------------------------------------------------------------


def _book(language: str) -> str:
    return (RULEBOOK / f"house.{language}.md").read_text(encoding="utf-8")


def _clauses(language: str) -> dict[str, str]:
    return dict(re.findall(r"^- \*\*(H\d+)\*\* (.+)$", _book(language), re.MULTILINE))


def _numbers(clause: str) -> list[str]:
    """Return the numbers of a clause, sorted; 10,000.00 and 10 000,00 are the same."""
    joined = re.sub(r"(?<=\d)[ \u00a0.,](?=\d{3}\b)", "", clause).replace(",", ".")
    return sorted(re.findall(r"\d+(?:\.\d+)?", joined))


@in_each_language
def test_every_language_has_the_clauses_h1_to_h21_in_order(language: str) -> None:
    assert list(_clauses(language)) == [f"H{number}" for number in range(1, 22)]
    assert list(_clauses("en")) == list(_clauses(language))


@in_each_language
def test_a_clause_has_the_same_numbers_in_every_language(language: str) -> None:
    english = _clauses("en")
    for number, clause in _clauses(language).items():
        assert _numbers(clause) == _numbers(english[number]), number


@in_each_language
def test_every_language_has_the_same_headings_and_tables(language: str) -> None:
    shapes = {
        spoken: re.findall(r"^(#+|\|)", _book(spoken), re.MULTILINE) for spoken in ("en", language)
    }
    assert shapes[language] == shapes["en"]


@in_each_language
def test_the_rulebook_uses_the_words_of_the_buttons(language: str) -> None:
    book = _book(language)
    assert [term for term in TERMS[language] if term not in book] == []
