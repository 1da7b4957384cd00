"""What import-linter is told is all there is: a new module cannot be forgotten."""

import re
import tomllib
from pathlib import Path

from tests.tidy import source

CONTRACTS = tomllib.loads(source.text(Path("pyproject.toml")))["tool"]["importlinter"]["contracts"]


def test_the_layers_of_the_house_name_every_module_of_the_front_desk() -> None:
    layers = " : ".join(CONTRACTS[0]["layers"])
    named = set(re.findall(r"casino[\w.]+", layers))
    modules = {
        ".".join(path.with_suffix("").parts[: 3 if path.parts[1] == "staff" else 2])
        for path in source.modules()
        if path.parts[0] == "casino" and not re.fullmatch(r"casino/(staff/)?__init__.py", str(path))
    }
    assert named - modules == set(), "gone"
    assert modules - named == set(), "in no layer"
