"""What is shipped says what is so: the Makefile, the locks, the variables, the runbook."""

import re
import subprocess
import tomllib
from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deploy.local.secrets import MAKERS

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
TARGETS = {"run", "demo", "test", "test-system", "check", "bench", "lock", "format", "clean"}


def test_bare_make_prints_every_target_with_a_sentence() -> None:
    done = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
    lines = dict(re.findall(r"^make (\S+) +(\S.*)$", done.stdout, re.MULTILINE))
    assert set(lines) >= TARGETS | {"audit-deps"}
    makefile = (ROOT / "Makefile").read_text()
    phony = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert set(" ".join(phony).split()) == set(lines)


def pinned(lock: str) -> dict[str, str]:
    """Package and version of every line of a lock."""
    found = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


def wanted(extras: Collection[str]) -> Iterator[Requirement]:
    """What pyproject.toml asks for; an extra may name another of our own."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    for line in chain(project["dependencies"], *(optional[extra] for extra in extras)):
        requirement = Requirement(line)
        if requirement.name == project["name"]:
            yield from wanted(requirement.extras)
        else:
            yield requirement


@pytest.mark.parametrize(
    ("lock", "extras"), [("requirements.lock", []), ("tests/requirements.lock", ["dev"])]
)
def test_the_locks_are_in_step_with_pyproject(lock: str, extras: list[str]) -> None:
    versions = pinned(lock)
    for requirement in wanted(extras):
        assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)])


def test_the_locks_agree_and_name_no_index() -> None:
    runtime, development = pinned("requirements.lock"), pinned("tests/requirements.lock")
    assert runtime.items() <= development.items()
    for lock in ("requirements.lock", "tests/requirements.lock"):
        assert "://" not in (ROOT / lock).read_text()


def test_env_example_explains_every_variable() -> None:
    reads = r"""(?:environ(?:ment)?\.get|_flag|_list|_number)\((?:environment, )?"([A-Z_]+)\""""
    sources = [ROOT / "casino/settings.py", *DEPLOY.glob("local/*.py")]
    read = {name for source in sources for name in re.findall(reads, source.read_text())}
    read |= set(re.findall(r"\$\{([A-Z_]+)", (DEPLOY / "compose.yaml").read_text()))
    explained = re.findall(r"^#?([A-Z_]+)=", (DEPLOY / "env.example").read_text(), re.MULTILINE)
    assert len(explained) == len(set(explained))
    assert read | set(MAKERS) == set(explained)


def test_the_runbook_names_commands_that_exist() -> None:
    text = (DEPLOY / "runbook.md").read_text()
    named = set(re.findall(r"(?:^|`)(?:manage|python manage\.py|.*manage\.py) (\w+)", text, re.M))
    assert {"check_ledger", "ensure_partitions", "migrate", "replay_round"} <= named
    assert named <= set(get_commands())


def test_the_image_copies_what_there_is() -> None:
    copied = re.findall(r"^COPY (\S+) ", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    let_in = re.findall(r"^!(.*)$", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.MULTILINE)
    assert copied == let_in
    assert all((ROOT / path).exists() for path in copied)


def test_only_the_migration_is_given_the_owners_url() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    owners = [name for name, it in services.items() if "pontoon_owner" in str(it["environment"])]
    assert owners == ["migrate"]
