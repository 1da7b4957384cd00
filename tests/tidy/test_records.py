"""Every error has its row, every event is recorded, every lock is as weak as it may be."""

import ast
from collections import Counter
from pathlib import Path

from casino.codes import CODES, IN_PANEL
from tests.tidy import source

# Codes of the engine that no request can reach: a caller of the engine sees them, and the web
# would answer 500, since they are a programmer's mistake.
ENGINE_ONLY = {
    "pontoon_error": "the root, never raised",
    "illegal_action": "the branch above the actions' own codes, never raised",
    "no_such_action": "the request's shape knows every action of the house game",
    "shoe_exhausted": "416 cards are more than a round can use",
    "malformed_record": "read from files and from what we wrote ourselves",
}


def error_codes() -> list[tuple[str, str]]:
    """Return the code of each error class that has one, with the place where."""
    return [
        (line.value.value, f"{path}:{line.lineno}")
        for path in source.modules()
        for node, _ in source.definitions(path)
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error")
        for line in node.body
        if isinstance(line, ast.Assign | ast.AnnAssign) and isinstance(line.value, ast.Constant)
        if "code" in {name.id for name in ast.walk(line) if isinstance(name, ast.Name)}
    ]


def strings(path: str) -> set[str]:
    return {
        node.value for node in source.nodes(Path(path), ast.Constant) if isinstance(node.value, str)
    }


def test_every_error_that_a_caller_can_see_has_a_row() -> None:
    codes = dict(error_codes())
    assert ENGINE_ONLY.keys() <= codes.keys()
    assert codes.keys() & CODES.keys() & ENGINE_ONLY.keys() == set()
    orphans = {code: at for code, at in codes.items() if code not in CODES | ENGINE_ONLY}
    assert orphans == {}


def test_every_row_is_somebodys() -> None:
    raised = dict(error_codes()).keys() | strings("casino/problems.py")
    assert CODES.keys() - raised == set()


def test_a_code_of_the_panel_has_one_class() -> None:
    classes = Counter(code for code, _ in error_codes() if code in IN_PANEL)
    assert dict(classes) == dict.fromkeys(IN_PANEL, 1)


def test_an_error_is_a_noun_with_a_sentence() -> None:
    for path in source.modules():
        for node, _ in source.definitions(path):
            if isinstance(node, ast.ClassDef) and node.name.endswith(("Error", "Exception")):
                assert node.name.endswith("Error"), f"{path}:{node.lineno}"


def test_every_event_is_recorded_somewhere() -> None:
    page = Path("audit/events.py")
    events = {
        line.targets[0].id  # type: ignore[attr-defined]
        for node, _ in source.definitions(page)
        if isinstance(node, ast.ClassDef) and node.name == "Event"
        for line in node.body
        if isinstance(line, ast.Assign)
    }
    recorded = {
        node.attr
        for path in source.modules()
        if path != page
        for node in source.nodes(path, ast.Attribute)
        if source.called(node.value) == "Event"
    }
    assert events
    assert events - recorded == set()


def test_every_row_lock_lets_keys_be_read() -> None:
    locks = [
        (f"{path}:{call.lineno}", {keyword.arg for keyword in call.keywords})
        for path in source.modules()
        for call in source.nodes(path, ast.Call)
        if source.called(call) == "select_for_update"
    ]
    assert locks
    assert [place for place, keywords in locks if "no_key" not in keywords] == []
    statements = [*source.modules(), *source.files(*source.CODE, ends=".sql")]
    assert source.places(statements, r"\bFOR UPDATE\b") == []


def test_a_password_is_set_by_the_service_that_records_it() -> None:
    others = [path for path in source.modules() if path.parts[:2] != ("casino", "staff")]
    assert source.places(others, r"(?<!\bstaff\.)\b(?:set|make)_password\(") == []
