"""A database in which everything that is recorded has happened once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings as configured
from django.db import connections
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from audit.seal import seal
from audit.tree import TILE_WIDTH
from pontoon import queries
from pontoon import services as table
from pontoon.services import identify
from tests.audit.exporting import build, live, unpack
from tests.audit.sealing import pour
from tests.cluster import Cluster
from tests.conftest import Database, point
from tests.people import Api, People
from tests.receiver import Receiver, receiving
from wallets import services as wallets
from wallets.services import Correction

_RARE_SQL = """
SET session_replication_role = replica;
INSERT INTO audit_timestamp (size, answer) VALUES (1, sha256(''));
INSERT INTO audit_archive (from_id, to_id, entry_count, digest, entry_id)
VALUES (audit_first_id('2020-01-01'), audit_first_id('2020-02-01'), 0, sha256(''), uuidv7());
INSERT INTO pontoon_casefile VALUES (uuidv7(), uuidv7(), 0, now(), true, '{}');
INSERT INTO pontoon_decision VALUES (uuidv7(), uuidv7(), 0, 'released', 'staff:1', 'seen', now());
INSERT INTO pontoon_escalation VALUES (uuidv7(), uuidv7(), 0, 1, now())
"""


@pytest.fixture(scope="module")
def recorded(
    cluster: Cluster, template: str, django_db_blocker: DjangoDbBlocker
) -> Iterator[Database]:
    """One clone with a row in every table of the eye, the cage and the table."""
    name = cluster.clone(template)
    clone = Database(
        name, cluster.app_url(name), cluster.owner_url(name), cluster.superuser_url(name)
    )
    point("default", clone.app_url)
    with django_db_blocker.unblock():
        people = People(Api(Client()))
        _live(people)
        _correct(people)
        with psycopg.connect(clone.superuser_url, autocommit=True) as superuser:
            pour(superuser, TILE_WIDTH)
            superuser.execute(_RARE_SQL)
        identify("tests", because="tests")
        seal()
        connections.close_all()
    with psycopg.connect(clone.app_url, autocommit=True) as app:
        app.execute("SELECT wallet_roll_up()")
    yield clone
    cluster.drop(name)


def _live(people: People) -> None:
    """A deposit, a limit, rounds until one had an action, an exclusion."""
    player = people.player()
    player.api.call("PUT", "me/limits/wager", {"period": "day", "amount_minor": 50_000})
    actions: list[object] = []
    while not actions:
        actions = player.finish(player.bet(100).json)["actions"]
    player.api.call("PUT", "me/reality-check", {"interval_min": 60})
    player.api.post("me/exclusions", {"kind": "cooling_off", "days": 3})


def _correct(people: People) -> None:
    """An adjustment that was declined, and a malfunction whose round was voided, and told of."""
    player = people.player()
    asked = Correction(player.id, "credit", 100, "a torn card", "key")
    adjustment_id = wallets.raise_adjustment("staff:1", correction=asked)
    wallets.decline_adjustment("staff:2", adjustment_id=adjustment_id, reason="it was whole")
    player.finish(player.bet(100).json)
    scope = {"player": str(player.id)}
    flag = table.flag_malfunction("staff:1", scope=scope, cause="a torn card", evidence={})
    table.count_malfunctions()
    list_hash = queries.last_count(flag.id)["list_hash"]
    table.approve_void("staff:2", malfunction_id=flag.id, list_hash=list_hash, reason="torn")
    table.void_malfunctions()
    (notice,) = player.api.get("me").json["notices"]
    assert player.api.post(f"me/notices/{notice['notice_id']}/read").status == 204


@pytest.fixture(scope="module")
def exports(
    cluster: Cluster,
    template: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Path, Path]]:
    """Two whole exports of a casino in which everything has happened; the second has tables."""
    name = cluster.clone(template)
    clone = Database(
        name, cluster.app_url(name), cluster.owner_url(name), cluster.superuser_url(name)
    )
    point("default", clone.app_url)
    place = tmp_path_factory.mktemp("exports")
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(configured, "EXPORT_DIR", place)
        live(People(Api(Client())), clone.owner_url)
        made = build(), build(formats=["csv", "parquet"])
        connections.close_all()
    yield made
    cluster.drop(name)


@pytest.fixture(scope="module")
def packed(exports: tuple[Path, Path]) -> Path:
    """A whole export, in every format, as it is taken."""
    return exports[1]


@pytest.fixture(scope="module")
def tables(packed: Path) -> Path:
    """The folder that is in it."""
    return unpack(packed, packed.parent)


@pytest.fixture(scope="module")
def folder(exports: tuple[Path, Path]) -> Path:
    """The folder of a whole export that has lines alone."""
    return unpack(exports[0], exports[0].parent)


@pytest.fixture
def receivers_here(settings: Any) -> None:
    """Webhooks may go to receivers on this machine."""
    settings.WEBHOOK_PRIVATE = True


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Somebody who takes webhooks."""
    with receiving() as one:
        yield one
