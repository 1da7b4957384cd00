"""What is said, and what is not left unsaid."""

import ast
import re

import pytest

from tests.tidy import source

EMPTY_FOR_EVER = "pontoon/__init__.py"  # importing the engine must not load Django
THIS_FILE = "tests/tidy/test_words.py"


def test_every_module_says_what_the_room_is_for() -> None:
    silent = [
        str(path)
        for path in source.modules()
        if not ast.get_docstring(source.tree(path)) and str(path) != EMPTY_FOR_EVER
    ]
    assert not silent, "\n".join(silent)


def is_public(node: source.Definition, around: tuple[str, ...]) -> bool:
    return not any(name.startswith("_") for name in (node.name, *around))


def test_every_public_function_and_class_and_every_model_says_what_it_is() -> None:
    silent = [
        f"{path}:{node.lineno} {node.name}"
        for path in source.modules()
        for node, around in source.definitions(path)
        if is_public(node, around) or (path.name == "models.py" and isinstance(node, ast.ClassDef))
        if not ast.get_docstring(node)
    ]
    assert not silent, "\n".join(silent)


HUSHED = {
    "a TODO has the number of an issue": (
        r"(?:#|--|//|/\*|<!--)[^\n]*\b(?:TODO|FIXME|XXX)\b(?!\s*\(?#\d+)"
    ),
    "noqa says which rule": r"#\s*noqa(?!: ?[A-Z]+\d+)",
    "type: ignore says which error": r"#\s*type:\s*ignore(?!\[[a-z, -]+\])",
}


@pytest.mark.parametrize("what", HUSHED)
def test_what_is_put_off_or_hushed_up_has_a_name(what: str) -> None:
    read = [
        path
        for path in source.files()
        if path.suffix in {".py", ".sql", ".sh", ".md", ".toml", ".js", ".css", ".html", ".yaml"}
        and str(path) != THIS_FILE
    ]
    assert source.places(read, HUSHED[what]) == []


# Django finds app configs by itself, URLs are one map, a request's shape stands beside its view,
# and a helper belongs to the room it helps.
NO_ROOM = {"apps", "urls", "serializers", "utils", "helpers", "signals", "base"}


def test_no_file_is_named_for_what_has_no_room() -> None:
    named = {str(path) for path in source.files(ends=".py") if path.stem in NO_ROOM}
    assert named == {"casino/urls.py"}


# Services that only reckon, or whose two facts are one reading: nobody can mix them up.
POSITIONAL = {
    "audit.services.commit": "the function's name, then its act, as SQL has it",
    "casino.players.services.touch": "a door, and the time at which it was read",
    "wallets.services.take_wager": "a wallet and its limits, read together",
    "wallets.services.require_funds": "reckons",
    "wallets.services.after": "reckons",
    "wallets.services.moved_on": "reckons",
    "wallets.services.postings": "reckons",
}


def services() -> dict[str, source.Function]:
    """Return the functions of every services.py, and of its folder those that it exports."""
    found = {}
    for path in source.modules():
        room = path.parent if path.stem != "services" else path.with_suffix("")
        if room.name != "services":
            continue
        exported = source.text(path.parent / "__init__.py") if path.stem != "services" else ""
        for node in source.tree(path).body:
            if isinstance(node, source.Function) and is_service(node.name, exported):
                found[f"{'.'.join(room.parts)}.{node.name}"] = node
    return found


def is_service(name: str, exported: str) -> bool:
    return f'"{name}"' in exported if exported else not name.startswith("_")


def test_a_service_takes_keywords_only_after_its_actor() -> None:
    loose = {
        name
        for name, function in services().items()
        if len(function.args.posonlyargs + function.args.args) > 1
    }
    assert loose == set(POSITIONAL)


# Waiting for a clock makes a test slow and, one day, wrong. These wait for other processes.
SLEEPERS = {"tests/deploy/waiting.py", "tests/bench/web.py", "tests/pontoon/test_races.py"}


def test_no_test_sleeps() -> None:
    sleepers = {
        str(path)
        for path in source.tests()
        if any(source.called(call) == "sleep" for call in source.nodes(path, ast.Call))
    }
    assert sleepers <= SLEEPERS


def test_a_lock_names_no_host() -> None:
    locks = source.files(ends=".lock")
    assert locks
    assert source.places(locks, r"(?i)[a-z+]+://|--(?:extra-)?index-url|--find-links") == []
    for path in locks:
        pinned = len(re.findall(r"^[A-Za-z0-9][^ ]*==", source.text(path), re.M))
        hashed = len(re.findall(r"^[A-Za-z0-9][^ ]*==.*\\\n\s+--hash=", source.text(path), re.M))
        assert pinned == hashed > 0, path
