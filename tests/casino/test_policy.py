"""The panel's policy: files of this service alone, on every answer under it."""

import pytest
from django.test import Client

from tests.conftest import Database
from tests.panel import Panel


def directives(headers: object) -> dict[str, str]:
    told = headers["Content-Security-Policy"]  # type: ignore[index]
    return dict(one.strip().partition(" ")[::2] for one in told.split(";"))


def test_the_panel_loads_and_runs_nothing_but_its_own_files(database: Database) -> None:
    panel = Panel()
    for path in ("", "pontoon/round/", "reports/ggr/", "search", "live"):
        policy = directives(panel.client.get(f"/panel/{path}").headers)
        assert policy["default-src"] == "'none'", path
        assert policy["script-src"] == policy["style-src"] == "'self'"
        assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert "unsafe" not in str(policy)
        assert "http" not in str(policy)


@pytest.mark.parametrize("path", ["/panel/login/", "/panel/nothing/"])
def test_the_door_has_the_same_policy(database: Database, path: str) -> None:
    assert directives(Client().get(path).headers)["script-src"] == "'self'"


def test_other_pages_have_their_own(database: Database) -> None:
    answer = Client().get("/health/live")
    assert directives(answer.headers)["default-src"] == "'none'"
