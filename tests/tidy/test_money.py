"""Money is whole, and one pen moves it."""

import ast
import re
from pathlib import Path

from tests.tidy import source

PEN = "wallets/sql/ledger.sql"
WRITE = r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(?!OR\b)"


def test_engine_and_cage_know_no_fractions() -> None:
    fractions = [
        f"{path}:{node.lineno}"
        for path in source.modules()
        if path.parts[0] == "wallets" or path.parts[:2] == ("pontoon", "engine")
        for node in source.nodes(path, ast.Constant, ast.BinOp, ast.AugAssign)
        if is_fraction(node)
    ]
    assert fractions == []


def is_fraction(node: ast.AST) -> bool:
    """Say whether a node is a float or a true division; a path over a name is neither."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float)
    right = node.right if isinstance(node, ast.BinOp) else node.value  # type: ignore[attr-defined]
    is_path = isinstance(right, ast.Constant) and isinstance(right.value, str)
    return isinstance(node.op, ast.Div) and not is_path  # type: ignore[attr-defined]


def test_f03_balances_and_transfers_are_written_in_one_file() -> None:
    others = [path for path in source.files(*source.CODE) if path.suffix in {".py", ".sql"}]
    others.remove(Path(PEN))
    table = r"wallets_(?:account|transfer)\b"
    assert source.places([Path(PEN)], rf"(?i){WRITE}{table}")
    assert source.places(others, rf"(?i){WRITE}{table}") == []
    assert source.places(others, r"\b(?<!class )(?:Account|Transfer)\(\w") == []
    saved = r"\b(?:Account|Transfer)\.objects\b[^\n]*\.(?!select)\w*(?:update|create|delete)"
    assert source.places(others, saved) == []


# --- SQL that writes --------------------------------------------------------------------------

FUNCTION = re.compile(
    r"^CREATE (?:OR REPLACE )?FUNCTION (?P<name>[\w.]+)\((?P<head>.*?)"
    r"\bAS\s+(?P<quote>\$\$|')(?P<body>.*?)(?P=quote);",
    re.S | re.M,
)


def definitions() -> list[tuple[str, str, str]]:
    """Return every definition of a function in our SQL: name, head, body, comments left out."""
    return [
        (match["name"], match["head"], match["body"])
        for path in source.files(*source.CODE, ends=".sql")
        for match in FUNCTION.finditer(re.sub(r"--[^\n]*", "", source.text(path)))
    ]


def sql_functions() -> dict[str, tuple[str, str]]:
    """Return every function that our SQL makes, as it was defined last: name → (head, body)."""
    return {name: (head, body) for name, head, body in definitions()}


def is_guarded(head: str) -> bool:
    """Say whether a function acts as its owner, and sees no temporary table before his."""
    return "SECURITY DEFINER" in head and bool(re.search(r"search_path = [\w, ]+, pg_temp\b", head))


def test_every_function_is_read_by_these_tests() -> None:
    written = sum(
        len(re.findall(r"CREATE (?:OR REPLACE )?FUNCTION\b", source.text(path)))
        for path in source.files(*source.CODE, ends=".sql")
    )
    assert len(definitions()) == written > 0


def test_sql_that_writes_does_so_as_its_owner_or_is_called_by_such() -> None:
    functions = sql_functions()
    writers = {name for name, (_, body) in functions.items() if re.search(f"(?i){WRITE}", body)}
    assert writers
    unguarded = {
        name: callers
        for name in writers
        if not is_guarded(functions[name][0])
        for callers in [
            {
                caller
                for caller, (_, body) in functions.items()
                if re.search(rf"\b{re.escape(name)}\(", body)
            }
        ]
        if not callers or not all(is_guarded(functions[caller][0]) for caller in callers)
    }
    assert unguarded == {}


def test_whoever_acts_as_owner_says_where_he_looks() -> None:
    loose = [
        name
        for name, (head, _) in sql_functions().items()
        if "SECURITY DEFINER" in head and not is_guarded(head)
    ]
    assert loose == []
