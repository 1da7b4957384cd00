"""The models and the tables that SQL makes are the same tables."""

from collections import defaultdict

import psycopg
import pytest
from django.apps import apps

from tests.conftest import Database

APPS = ("audit", "wallets", "pontoon", "players", "staff")

NO_MODEL = {
    "audit_entry": {"cluster", "xid"},  # for the sealer, which reads by SQL
    "wallets_transfer": {"cluster", "xid"},  # for the roll-up
    "wallets_rollup": {"xid"},
    "audit_leaf": {"xid"},
}
"""Columns that only SQL reads: Django has no type for a transaction id."""

NO_MODELS = {
    *("pontoon_answer", "pontoon_roundaction", "pontoon_roundmark", "pontoon_seed"),
    *("pontoon_casefile", "pontoon_decision", "pontoon_escalation"),  # `pontoon_verification`
    *("pontoon_minute", "pontoon_noticeread", "pontoon_tally"),
    *("wallets_adjustment", "wallets_adjustmentdecision"),  # `wallets_adjusting`
    *("audit_archive", "audit_key", "audit_manifest", "audit_tile", "audit_timestamp"),
}
"""Tables that only the functions and views of the rooms' SQL touch, and queries in SQL."""


@pytest.fixture(scope="module")
def columns(recorded: Database) -> dict[str, dict[str, bool]]:
    """Return table or view → column → whether it may be null."""
    with psycopg.connect(recorded.owner_url) as connection:
        rows = connection.execute(
            "SELECT table_name, column_name, is_nullable = 'YES' FROM information_schema.columns"
            " WHERE table_schema = 'public'"
        ).fetchall()
    tables: dict[str, dict[str, bool]] = defaultdict(dict)
    for table, column, is_nullable in rows:
        tables[table][column] = is_nullable
    return tables


MODELS = [
    model for model in apps.get_models(include_auto_created=True) if model._meta.app_label in APPS
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.db_table)
def test_a_model_has_the_columns_of_its_table(
    model: type, columns: dict[str, dict[str, bool]]
) -> None:
    table = model._meta.db_table
    own = {field.column: field.null for field in model._meta.concrete_fields if field.column}
    stored = {
        name: null for name, null in columns[table].items() if name not in NO_MODEL.get(table, ())
    }
    assert own.keys() == stored.keys()
    if model._meta.managed:  # a view's columns may all be null
        assert own == stored


def test_every_table_of_ours_has_a_model_or_a_reason(columns: dict[str, dict[str, bool]]) -> None:
    ours = {
        table
        for table in columns
        if table.startswith(tuple(f"{app}_" for app in APPS)) and not table.startswith("audit_e")
    }
    modelled = {model._meta.db_table for model in MODELS}
    views = {"pontoon_place", "players_door", "players_standing"}
    assert ours - modelled - NO_MODELS - views == set()
    assert columns.keys() >= NO_MODELS
