"""The panel as a whole: nothing is edited in it, and each sees what is his."""

import re

import pytest
from django.contrib import admin
from django.test import RequestFactory

from casino.staff.roles import TABLES, Role
from tests.conftest import Database
from tests.panel import Panel, hire

REGISTRY = sorted(admin.site._registry.items(), key=lambda one: one[0]._meta.label_lower)


@pytest.mark.parametrize("role", Role)
def test_no_record_is_added_edited_or_deleted_by_anybody(database: Database, role: str) -> None:
    request = RequestFactory().get("/panel/")
    request.user = hire(role)
    for model, shown in REGISTRY:
        name = model._meta.label_lower
        assert name in TABLES, name
        assert not shown.has_add_permission(request), name
        assert not shown.has_change_permission(request), name
        assert not shown.has_delete_permission(request), name
        assert not shown.get_actions(request), name
        assert not shown.get_inline_instances(request), name


@pytest.mark.parametrize("role", Role)
def test_every_page_of_the_navigation_opens_for_whom_it_is_shown(
    database: Database, role: str
) -> None:
    panel = Panel(role)
    links = set(re.findall(r'<li><a href="(/panel/[^"]*)"', panel.see("")))
    assert "/panel/" in links
    for link in links:
        assert panel.client.get(link).status_code == 200, link


@pytest.mark.parametrize(
    ("language", "word"), [("en", "Dashboard"), ("es", "Panel de control"), ("sv", "Översikt")]
)
def test_the_panel_speaks_the_readers_language(
    database: Database, language: str, word: str
) -> None:
    panel = Panel()
    panel.client.post("/language", {"language": language, "next": "/panel/"})
    page = panel.see("")
    assert f'<html lang="{language}">' in page
    assert f"<h1>{word}</h1>" in page
