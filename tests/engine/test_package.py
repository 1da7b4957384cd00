"""The engine stands apart: no framework, no clock, no dice comes in with it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pontoon
import pontoon.engine

ENGINE = Path(pontoon.engine.__file__).parent
FORBIDDEN = {
    "django", "rest_framework", "celery", "psycopg",
    "random", "secrets", "datetime", "time", "os", "logging",
}  # fmt: skip


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("path", sorted(ENGINE.glob("*.py")), ids=lambda path: path.stem)
def test_no_module_of_the_engine_imports_a_framework_a_clock_or_dice(path: Path) -> None:
    assert imported(path) & FORBIDDEN == set()


def test_importing_the_engine_does_not_load_django() -> None:
    code = "import sys, pontoon.engine, pontoon.engine.__main__; print('django' in sys.modules)"
    root = ENGINE.parent.parent
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=True)
    assert done.stdout.strip() == b"False"


def test_the_package_above_the_engine_is_empty() -> None:
    assert Path(pontoon.__file__).read_text(encoding="utf-8") == ""


def test_every_public_name_is_there_once() -> None:
    names = pontoon.engine.__all__
    assert len(set(names)) == len(names)
    assert all(hasattr(pontoon.engine, name) for name in names)
