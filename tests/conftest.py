"""What every test may ask for: a database of its own, a caller of the API, people to play with.

Nothing here is a fake: the server is PostgreSQL, the role is the application's, and what a test
commits is committed, in a clone that is thrown away after it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import dj_database_url
import psycopg
import pytest
from django.core.management import call_command
from django.db import connections
from pytest_django.plugin import DjangoDbBlocker

from tests.cluster import Cluster
from tests.contract import ContractClient
from tests.people import Api, People


@dataclass(frozen=True)
class Database:
    """The clone that a test works on, and how to reach it as somebody else."""

    name: str
    app_url: str
    owner_url: str
    superuser_url: str


def point(alias: str, url: str) -> None:
    """Connect an alias to another database, in this thread and all to come."""
    connections[alias].close()
    connections.settings[alias].update(dj_database_url.parse(url) | {"CONN_MAX_AGE": None})


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server for the whole run."""
    with Cluster() as running:
        yield running


@pytest.fixture(scope="session")
def template(cluster: Cluster, django_db_blocker: DjangoDbBlocker) -> str:
    """The migrated database that every test's own is cloned from."""

    def migrate(name: str) -> None:
        with django_db_blocker.unblock():
            point("owner", cluster.owner_url(name))
            call_command("migrate", database="owner", verbosity=0)
            connections["owner"].close()

    return cluster.create_template("pontoon_test", migrate)


@pytest.fixture
def database(
    cluster: Cluster, template: str, django_db_blocker: DjangoDbBlocker
) -> Iterator[Database]:
    """A database of the test's own, reached as the application's role."""
    name = cluster.clone(template)
    clone = Database(
        name, cluster.app_url(name), cluster.owner_url(name), cluster.superuser_url(name)
    )
    point("default", clone.app_url)
    point("owner", clone.owner_url)
    with django_db_blocker.unblock():
        yield clone
        connections.close_all()
    cluster.drop(name)


@pytest.fixture
def api(database: Database) -> Api:
    """A caller of the REST API, in this process; what it answers is held against the schema."""
    return Api(ContractClient(raise_request_exception=False))


@pytest.fixture
def people(api: Api) -> People:
    """An operator with a key, and players with money whom he lets in."""
    return People(api)


@pytest.fixture
def owner(database: Database) -> Iterator[psycopg.Connection]:
    """A connection as the tables' owner; every statement is a transaction of its own."""
    with psycopg.connect(database.owner_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def app(database: Database) -> Iterator[psycopg.Connection]:
    """A further connection as the application; every statement is a transaction of its own."""
    with psycopg.connect(database.app_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def dba(database: Database) -> Iterator[psycopg.Connection]:
    """A connection as the superuser whom no trigger sees: what only the checks can find."""
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        yield connection
