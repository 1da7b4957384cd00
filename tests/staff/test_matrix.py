"""The whole URL map of the panel, as each role and as nobody: what is not granted is refused.

The map is read from Django, so a page that is added later is in it; what each page asks for stands
in ASKS, and a page that nobody has thought of fails the test.
"""

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from audit.models import Entry
from casino.acts import Acting
from casino.desk import player_acts
from casino.looks import is_of_players
from casino.staff.roles import GRANTS, TABLES, Act, Role
from tests.panel import Panel, give_password, hire, log_in

SOME_ID = UUID(int=1)

# What a page asks of who opens it, beside the pages of tables: an act; None, of all of the staff.
ASKS: dict[str, Act | None] = {
    "panel/": None,
    "panel/logout/": None,
    "panel/second/": None,
    "panel/password_change/": None,
    "panel/password_change/done/": None,
    "panel/account/": None,
    "panel/account/sessions/<uuid:session_id>/end/": None,
    "panel/jsi18n/": None,
    "panel/live": Act.LOOK_OPERATIONS,
    "panel/receivables": Act.LOOK_MONEY,
    "panel/search": None,  # and finds what the role may look at
    "panel/reports/<slug:name>/": Act.LOOK_REPORTS,
    "panel/pontoon/malfunction/<uuid:malfunction_id>/live/": Act.LOOK_MALFUNCTIONS,
    "panel/audit/export/ask/": Act.REQUEST_EXPORT,
    "panel/audit/export/<uuid:export_id>/download/": Act.REQUEST_EXPORT,
    "panel/staff/staffuser/hire/": Act.MANAGE_STAFF,
    "panel/staff/staffuser/changes/<int:change_id>/decide/": Act.MANAGE_STAFF,
    "panel/staff/staffuser/<int:person_id>/role/": Act.MANAGE_STAFF,
    "panel/staff/staffuser/<int:person_id>/link/": Act.MANAGE_STAFF,
    "panel/staff/staffuser/<int:person_id>/deactivate/": Act.MANAGE_STAFF,
    "panel/staff/staffuser/<int:person_id>/unlock/": Act.MANAGE_STAFF,
    "panel/staff/staffuser/<int:person_id>/device/": Act.MANAGE_STAFF,
}
OPEN = {"panel/login/", "panel/welcome/<str:token>/"}  # to everybody
SHUT = {  # to everybody
    "panel/autocomplete/",
    "panel/search/",
    "panel/r/<path:content_type_id>/<path:object_id>/",
}
WRITES = {"add/", "<path:object_id>/delete/", "<path:object_id>/history/", "<path:object_id>/"}

SAMPLES = {
    "uuid": str(SOME_ID), "int": "1", "slug": "ggr", "path": "1", "str": "x",
}  # fmt: skip


def routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    """Yield every route of the panel."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        elif route.startswith("panel/") and "?P<" not in route:
            yield route


ROUTES = sorted(set(routes(get_resolver().url_patterns)))


def table_of(route: str) -> tuple[str, str] | None:
    """Return the table whose page a route is, and which page; None if it is no table's."""
    found = re.match(r"panel/(\w+)/(\w+)/(.*)", route)
    if found and f"{found[1]}.{found[2]}" in TABLES and route not in ASKS:
        return f"{found[1]}.{found[2]}", found[3]
    return None


def path_of(route: str) -> str:
    """Return a route with something in every place."""
    return "/" + re.sub(r"<(\w+):\w+>", lambda found: SAMPLES[found[1]], route)


def is_granted(role: str, route: str) -> bool:
    """Say what the matrix says of a route."""
    acts = GRANTS.get(role, frozenset())
    table = table_of(route)
    if table is not None and "do/<slug:deed>/" in table[1]:
        return True  # each button asks for its own act: see `deeds`
    if table is not None:
        return TABLES[table[0]] in acts
    asked = ASKS[route]
    return asked is None or asked in acts


def is_elsewhere(answer: Any, route: str) -> bool:
    """Say whether an answer shows nothing: another method is asked for, or another page."""
    is_old_address = route.endswith("<path:object_id>/") and answer.status_code == 302
    return answer.status_code == 405 or is_old_address


def refusals() -> int:
    """Return how many refusals of pages are on record."""
    return Entry.objects.filter(event="access.refused").count()


def test_every_page_of_the_panel_says_what_it_asks() -> None:
    unknown = [
        route
        for route in ROUTES
        if table_of(route) is None and route not in ASKS.keys() | OPEN | SHUT
    ]
    assert unknown == []
    assert ASKS.keys() - set(ROUTES) == set()


@pytest.mark.parametrize("role", [*Role, ""])
def test_opr_01_each_role_gets_what_the_matrix_grants_and_nothing_else(
    database: object, role: str
) -> None:
    panel = Panel(role)
    for route in ROUTES:
        if route in OPEN | {"panel/logout/"}:
            continue
        for method in ("GET", "POST"):
            before = refusals()
            answer = panel.client.generic(method, path_of(route))
            told = f"{method} {route} {answer.status_code}"
            table = table_of(route)
            if is_elsewhere(answer, route) or "do/<slug:deed>/" in route:
                continue
            if route in SHUT or not is_granted(role, route):
                assert answer.status_code == 403, told
                assert refusals() == before + 1, told
            elif table and (method == "POST" or table[1] in WRITES):
                assert answer.status_code in {302, 403, 404, 405, 200}, told
            else:
                assert answer.status_code not in {403, 500}, told
    assert panel.see("account/")


def deeds() -> Iterator[tuple[str, Act, Act]]:
    """Yield the address of every button, the act that it asks, and that which its table asks."""
    for model, shown in admin.site._registry.items():
        if isinstance(shown, Acting):
            label = model._meta.label_lower
            for deed in shown.list_deeds:
                yield f"/panel/{label.replace('.', '/')}/do/{deed.name}/", deed.act, deed.act
            for deed in shown.deeds:
                path = f"/panel/{label.replace('.', '/')}/{SOME_ID}/do/{deed.name}/"
                yield path, deed.act, TABLES[label]
    for deed in player_acts.DEEDS:
        path = f"/panel/players/player/{SOME_ID}/do/{deed.name}/"
        yield path, deed.act, Act.LOOK_PLAYERS


@pytest.mark.parametrize("role", [*Role, ""])
def test_opr_01_each_role_presses_the_buttons_that_the_matrix_grants(
    database: object, role: str
) -> None:
    panel = Panel(role)
    pressed = list(deeds())
    assert len(pressed) > 5
    for path, act, look in pressed:
        before = refusals()
        answer = panel.client.post(path)
        is_his = {act, look} <= GRANTS.get(role, frozenset())
        assert (answer.status_code == 403) == (not is_his), path
        assert is_his or refusals() == before + 1, path


def test_a_refusal_says_who_from_where_and_what(database: object) -> None:
    panel = Panel(Role.FLOOR)
    panel.client.get("/panel/audit/entry/", REMOTE_ADDR="192.0.2.9")
    panel.client.post("/panel/staff/staffuser/hire/", REMOTE_ADDR="192.0.2.9")
    looked, hired = [
        json.loads(entry.body)
        for entry in Entry.objects.filter(event="access.refused").order_by("id")
    ]
    assert (looked["actor"], looked["payload"]["address"]) == (panel.user.urn, "192.0.2.9")
    assert looked["payload"]["path"] == "/panel/audit/entry/"
    assert hired["payload"]["asked"] == {"act": "manage_staff"}
    assert hired["payload"]["code"] == "not_allowed"


def test_nobody_gets_in_without_logging_in(database: object) -> None:
    client = Client()
    for route in ROUTES:
        if route in OPEN:
            continue
        for method in ("GET", "POST"):
            answer = client.generic(method, path_of(route))
            assert answer.status_code == 302, route
            assert answer["Location"].startswith("/panel/login/"), route


@pytest.mark.parametrize("role", [Role.ENGINEER, Role.COMPLIANCE])
def test_nobody_gets_in_without_the_second_factor(database: object, role: str) -> None:
    user = hire(role)
    log_in(Client(), user)
    client = Client()
    give_password(client)
    half_open = OPEN | {"panel/second/", "panel/logout/"}
    for route in ROUTES:
        if route in half_open:
            continue
        for method in ("GET", "POST"):
            before = refusals()
            answer = client.generic(method, path_of(route))
            assert answer.status_code == 302, route
            assert answer["Location"].startswith("/panel/second/"), route
            assert refusals() == before + 1, route


def test_who_is_refused_everywhere_sees_no_more_in_the_list_of_tables(database: object) -> None:
    page = Panel(Role.SUPPORT).see("")
    for table, act in TABLES.items():
        link = f"/panel/{table.replace('.', '/')}/"
        assert (link in page) <= (act in GRANTS[Role.SUPPORT]), table


def test_every_table_that_names_players_is_known_to_hold_their_data() -> None:
    shown = {model._meta.label_lower for model in admin.site._registry if is_of_players(model)}
    assert {"players.player", "pontoon.round", "wallets.transfer", "audit.entry"} <= shown


def test_who_is_refused_is_told_so_on_a_page_of_the_panel(database: object) -> None:
    panel = Panel(Role.FLOOR)
    answer = panel.client.get("/panel/audit/entry/")
    assert answer.status_code == 403
    assert "That you asked is on record." in answer.content.decode()
