"""What the tidy tests read: the files that git knows of or would take, and their syntax trees."""

import ast
import re
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = ("audit", "casino", "deploy", "pontoon", "wallets", "manage.py")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


@cache
def files(*tops: str, ends: str = "") -> tuple[Path, ...]:
    """Return the files under these folders (all, if none is named), relative to the root."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = sorted({Path(line) for line in listed.splitlines() if line.endswith(ends)})
    return tuple(path for path in paths if (ROOT / path).is_file() and _is_under(path, tops))


def _is_under(path: Path, tops: tuple[str, ...]) -> bool:
    return not tops or path.parts[0] in tops


def modules() -> list[Path]:
    """Return the source's modules; migrations are Django's."""
    return [path for path in files(*CODE, ends=".py") if "migrations" not in path.parts]


def tests() -> list[Path]:
    """Return the modules of the tests."""
    return list(files("tests", ends=".py"))


@cache
def text(path: Path) -> str:
    """Return a file as text."""
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    """Return a module as Python reads it."""
    return ast.parse(text(path), str(path))


def nodes(path: Path, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
    """Yield a module's nodes of these kinds."""
    return (node for node in ast.walk(tree(path)) if isinstance(node, kinds))


def definitions(path: Path) -> Iterator[tuple[Definition, tuple[str, ...]]]:
    """Yield what a module and its classes define, with the names of the classes around it."""

    def within(body: list[ast.stmt], around: tuple[str, ...]) -> Iterator[tuple[Definition, ...]]:
        for node in body:
            if isinstance(node, Definition):
                yield node, around
            if isinstance(node, ast.ClassDef):
                yield from within(node.body, (*around, node.name))

    return within(tree(path).body, ())


def functions(path: Path) -> Iterator[Function]:
    """Yield all functions of a module, those inside others too."""
    return nodes(path, ast.FunctionDef, ast.AsyncFunctionDef)


def called(node: ast.AST) -> str:
    """Return the last name of what a call calls: `b` of `a.b()`; "" of anything else."""
    target = node.func if isinstance(node, ast.Call) else node
    return getattr(target, "attr", getattr(target, "id", ""))


def places(
    paths: list[Path] | tuple[Path, ...], pattern: str, *, but: Callable[[str], bool] | None = None
) -> list[str]:
    """Return `file:line` of each match of a pattern in these files."""
    found = []
    for path in paths:
        for match in re.finditer(pattern, text(path)):
            line_index = text(path).count("\n", 0, match.start())
            line = text(path).splitlines()[line_index]
            if but is None or not but(line):
                found.append(f"{path}:{line_index + 1}")
    return found
