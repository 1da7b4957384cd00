"""The page speaks four languages: the same messages, the same values in them, every plural form."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel import Locale

STATIC = Path(__file__).parents[2] / "pontoon" / "static" / "pontoon"
TEMPLATE = STATIC.parents[1] / "templates" / "pontoon" / "table.html"
LANGUAGES = ("en", "es", "pt", "sv")
PARTS = (".js", ".sheets.js")
TERMS = {
    "en": ("Hit", "Stand", "Double", "Split"),
    "es": ("Pedir", "Plantarse", "Doblar", "Separar"),
    "pt": ("Pedir carta", "Ficar", "Dobrar", "Dividir"),
    "sv": ("Nytt kort", "Stanna", "Dubbla", "Dela"),
}
SAME = {"said.outcome"}
"""Words that two languages may share."""

Message = str | dict[str, str]

in_each_translation = pytest.mark.parametrize("language", LANGUAGES[1:])
in_each_language = pytest.mark.parametrize("language", LANGUAGES)
each_part = pytest.mark.parametrize("part", PARTS)


def messages(language: str, part: str) -> dict[str, Message]:
    """Return the messages of a module, which is JSON but for its first words and its commas."""
    text = (STATIC / "messages" / f"{language}{part}").read_text(encoding="utf-8")
    body = text.partition("export default ")[2].rstrip().removesuffix(";")
    quoted = re.sub(r"([{,] )(\w+):", r'\1"\2":', body)
    found: dict[str, Message] = json.loads(
        re.sub(r",\s*}", "}", quoted), object_pairs_hook=_no_repeats
    )
    return found


def _no_repeats(pairs: list[tuple[str, Message]]) -> dict[str, Message]:
    assert len(dict(pairs)) == len(pairs), [key for key, _ in pairs]
    return dict(pairs)


def every(language: str) -> dict[str, Message]:
    return messages(language, ".js") | messages(language, ".sheets.js")


def forms(message: Message) -> list[str]:
    return [message] if isinstance(message, str) else list(message.values())


def values_in(message: Message) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", " ".join(forms(message))))


@each_part
@in_each_translation
def test_a_language_has_the_messages_of_english_and_no_other(language: str, part: str) -> None:
    ours, english = messages(language, part).keys(), messages("en", part).keys()
    assert english - ours == set(), "missing"
    assert ours - english == set(), "extra"


@each_part
def test_no_message_stands_in_both_parts(part: str) -> None:
    other = next(name for name in PARTS if name != part)
    assert messages("en", part).keys() & messages("en", other).keys() == set()


@in_each_translation
def test_a_message_takes_the_same_values_in_every_language(language: str) -> None:
    english = every("en")
    differing = {
        key: values_in(message) ^ values_in(english[key])
        for key, message in every(language).items()
        if values_in(message) != values_in(english[key])
    }
    assert differing == {}


@in_each_language
def test_what_counts_has_every_plural_form_of_its_language(language: str) -> None:
    wanted = {*Locale(language).plural_form.tags, "other"}
    english = every("en")
    for key, message in every(language).items():
        assert isinstance(message, dict) == isinstance(english[key], dict), key
        if isinstance(message, dict):
            assert message.keys() == wanted, key
            assert all(values_in(form) == values_in(message) for form in message.values()), key


@in_each_translation
def test_every_message_is_translated(language: str) -> None:
    english = every("en")
    left = [
        key
        for key, message in every(language).items()
        if message == english[key] and len(str(message).split()) > 2 and key not in SAME
    ]
    assert [
        key for key in left if re.search("[a-z]{2}", re.sub(r"\{\w+\}", "", english[key]))
    ] == []  # type: ignore[arg-type]
    assert all(form.strip() for message in every(language).values() for form in forms(message))


@in_each_translation
def test_a_sentence_is_one_in_every_language(language: str) -> None:
    english = every("en")
    for key, message in every(language).items():
        ends = [form.rstrip()[-1] in ".?!" for form in forms(message)]
        assert set(ends) == {form.rstrip()[-1] in ".?!" for form in forms(english[key])}, key


@in_each_language
def test_the_actions_are_called_as_the_rulebook_calls_them(language: str) -> None:
    told = every(language)
    names = ("hit", "stand", "double", "split")
    assert tuple(told[f"action.{name}"] for name in names) == TERMS[language]


# --- What the page asks for -----------------------------------------------------------------------


def modules() -> Iterator[str]:
    for path in sorted(STATIC.rglob("*.js")):
        if path.parent.name != "messages":
            yield re.sub(r"(?s)/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"))


def strings() -> set[str]:
    """Return every text between quotation marks in the page's modules, and the template's keys."""
    code = "".join(modules())
    found = set(re.findall(r'"([a-z][\w.]*)"', code))
    return found | set(re.findall(r'data-t(?:-label)?="([\w.]+)"', TEMPLATE.read_text()))


def patterns() -> list[str]:
    """Return the keys that the page puts together, as patterns: `menu.${name}` is `menu\\..+`."""
    made = re.findall(r"`([a-z][\w.]*\.(?:[\w.]|\$\{[^}]*\})*)`", "".join(modules()))
    return [
        "[^.]+".join(re.escape(part) for part in re.split(r"\$\{[^}]*\}", text)) for text in made
    ]


def test_every_message_that_the_page_asks_for_is_there() -> None:
    told = every("en")
    asked = set(re.findall(r'\bt\(\s*"([\w.]+)"', "".join(modules())))
    asked |= set(re.findall(r'data-t(?:-label)?="([\w.]+)"', TEMPLATE.read_text()))
    assert len(asked) > 100
    assert asked - told.keys() == set()
    assert [made for made in patterns() if not any(re.fullmatch(made, key) for key in told)] == []


def test_every_message_is_asked_for() -> None:
    named, made = strings(), patterns()
    unused = [
        key
        for key in every("en")
        if key not in named and not any(re.fullmatch(pattern, key) for pattern in made)
    ]
    assert unused == []
