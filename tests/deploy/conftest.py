"""A small copy of what the migrations make: one insert-only table, and one with partitions."""

from collections.abc import Iterator

import psycopg
import pytest

from tests.cluster import Cluster

LIKE_THE_MIGRATIONS = """
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION '% is insert-only', tg_table_name; END $$;

    CREATE TABLE wallets_transfer (id int PRIMARY KEY, amount_minor int NOT NULL);
    CREATE TABLE audit_entry (id int PRIMARY KEY, body text) PARTITION BY RANGE (id);
    CREATE TABLE audit_entry_1 PARTITION OF audit_entry FOR VALUES FROM (0) TO (100);
    CREATE TABLE lobby (id serial PRIMARY KEY, name text);

    CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON wallets_transfer
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER no_truncate BEFORE TRUNCATE ON wallets_transfer
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON audit_entry
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
    REVOKE UPDATE, DELETE, TRUNCATE ON wallets_transfer, audit_entry, audit_entry_1
        FROM pontoon_app;

    INSERT INTO wallets_transfer VALUES (1, 500);
    INSERT INTO audit_entry VALUES (1, 'round.opened');
"""


@pytest.fixture(scope="session")
def guarded_template(cluster: Cluster) -> str:
    """What every test's own database is cloned from."""
    return cluster.create_template("guarded", lambda name: _migrate(cluster.owner_url(name)))


@pytest.fixture
def guarded(cluster: Cluster, guarded_template: str) -> Iterator[str]:
    """The name of a clone that is thrown away after the test."""
    name = cluster.clone(guarded_template)
    yield name
    cluster.drop(name)


def _migrate(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(LIKE_THE_MIGRATIONS)
