"""The page of the table, as it is served."""

import re
from pathlib import Path

from django.test import Client, override_settings


def policy(client: Client) -> dict[str, str]:
    """Return the page's Content-Security-Policy by directive."""
    header = client.get("/table").headers["Content-Security-Policy"]
    return dict(part.strip().split(" ", 1) for part in header.split(";"))


def test_the_page_loads_its_own_files_and_nothing_inline(client: Client) -> None:
    told = policy(client)
    assert told["default-src"] == "'none'"
    for kind in ("script-src", "style-src", "connect-src"):
        assert told[kind] == "'self'", kind
    assert told["frame-ancestors"] == "'none'"
    page = client.get("/table").content.decode()
    assert "<style" not in page
    assert " style=" not in page
    assert page.count("<script") == page.count('<script type="module" src=') == 1


def test_the_page_is_the_same_for_everybody(client: Client) -> None:
    assert client.get("/table?token=ps_x").content == client.get("/table").content


def test_what_is_no_page_may_load_nothing_and_be_framed_nowhere(client: Client) -> None:
    told = client.get("/health/live").headers["Content-Security-Policy"]
    assert "default-src 'none'" in told
    assert "frame-ancestors 'none'" in told


@override_settings(CONTENT_SECURITY_POLICY=None)
def test_the_pages_policy_is_its_own(client: Client) -> None:
    assert policy(client)["default-src"] == "'none'"
    assert "X-Frame-Options" not in client.get("/table").headers


STATIC = Path(__file__).parents[2] / "pontoon" / "static" / "pontoon"


def imported(module: str, known: set[str]) -> set[str]:
    """Return the modules that one brings with it, itself among them."""
    if module in known:
        return known
    text = (STATIC / module).read_text()
    for name in re.findall(r'^(?:import|export)[^;]*?from "\./([\w./]+)";', text, re.MULTILINE):
        known = imported(name, known | {module})
    return known | {module}


def test_the_page_asks_at_once_for_every_module_that_it_starts_with(client: Client) -> None:
    page = client.get("/table").content.decode()
    asked = re.findall(r'rel="modulepreload" href="/static/pontoon/([\w./]+)"', page)
    assert sorted({*asked, "main.js"}) == sorted(imported("main.js", set()))
