"""check_ledger against the log: what stands beside the rounds and the money is as entries tell it.

A superuser whom no trigger sees changes columns that no replay and no sum depends on.
"""

from collections.abc import Iterator
from io import StringIO

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from pontoon import queries, services
from tests.cluster import Cluster
from tests.conftest import point
from tests.people import Api, People
from tests.pontoon.rounds import OTHER, STAFF, TWENTY, adjust, flag, void, void_counted, win_large
from tests.seeds import deal
from wallets import services as wallets


@pytest.fixture(scope="module")
def original(cluster: Cluster, template: str, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """A player who has played, limited himself and shut himself out, and an operator's key."""
    name = cluster.clone(template)
    point("default", cluster.app_url(name))
    with django_db_blocker.unblock():
        people = People(Api(Client()))
        player = people.player()
        player.api.call("PUT", "me/limits/wager", {"period": "day", "amount_minor": 50_000})
        actions: list[object] = []
        while not actions:
            actions = player.finish(player.bet(100).json)["actions"]
        player.api.call("PUT", "me/reality-check", {"interval_min": 60})
        player.api.post("me/exclusions", {"kind": "cooling_off", "days": 3, "reason": "rest"})
        decide(people, cluster.owner_url(name))
        connections.close_all()
    yield name
    cluster.drop(name)


def decide(people: People, owner_url: str) -> None:
    """Have staff decide on adjustments, malfunctions, suspensions and a large win."""
    player, winner = people.player(), people.player(cash=1_000_000)
    adjust(player, "credit", 300)
    asked = wallets.Correction(player.id, "debit", 100, "a torn card", "key")
    adjustment_id = wallets.raise_adjustment(STAFF, correction=asked)
    wallets.decline_adjustment(OTHER, adjustment_id=adjustment_id, reason="it was whole")
    flag(player.finish(player.bet(100).json))
    void_counted()
    (notice,) = player.api.get("me").json["notices"]
    assert player.api.post(f"me/notices/{notice['notice_id']}/read").status == 204
    flag(player.finish(player.bet(100).json))
    (waiting,) = queries.malfunctions().filter(state="raised")
    services.clear_malfunction(OTHER, malfunction_id=waiting.id, reason="it was mended")
    round_ = deal(owner_url, player, TWENTY, 100)
    flag(round_)
    assert player.act(round_["round_id"], 0, "stand").json["state"] == "held"
    (waiting,) = queries.malfunctions().filter(state="raised")
    services.clear_malfunction(OTHER, malfunction_id=waiting.id, reason="it was mended")
    assert services.let_go() == 1
    void(player, round_)
    stop = services.suspend(STAFF, scope={"player": str(player.id)}, reason="a drill")
    services.lift(OTHER, suspension_id=stop.id, reason="it is over")
    services.suspend(STAFF, scope={"player": str(player.id)}, reason="another drill")
    for decide_on in (services.release_large_win, services.reject_large_win):
        decide_on(OTHER, round_id=win_large(winner, owner_url), reason="looked at")


@pytest.fixture
def copy(
    cluster: Cluster, original: str, django_db_blocker: DjangoDbBlocker
) -> Iterator[psycopg.Connection]:
    """A copy of it, as the superuser."""
    name = cluster.clone(original)
    point("default", cluster.app_url(name))
    with django_db_blocker.unblock():
        with psycopg.connect(cluster.superuser_url(name), autocommit=True) as dba:
            dba.execute("SET session_replication_role = replica")
            yield dba
        connections.close_all()
    cluster.drop(name)


def check() -> str:
    """Return what check_ledger finds; "" if all holds."""
    out = StringIO()
    try:
        call_command("check_ledger", stdout=out)
    except CommandError:
        return out.getvalue()
    return ""


def test_it_is_silent_when_the_log_tells_all_of_it(copy: psycopg.Connection) -> None:
    assert check() == ""


LATER, LONG_AGO = "= {0} + interval '1 ms'", "= {0} - interval '1 hour'"
CHANGED = {
    "pontoon_answer": {
        "body": "= replace(body, '\"is_win\":', '\"is_won\":')",
        "fingerprint": "= sha256('')",
        "key": "= key || 'x'",
        "round_id": "= gen_random_uuid()",
        "player_id": "= gen_random_uuid()",
    },
    "pontoon_roundaction": {"at": LATER, "session_id": "= gen_random_uuid()"},
    "pontoon_roundmark": {"at": LATER, "player_id": "= gen_random_uuid()"},
    "pontoon_seed": {"at": LATER, "number": "= number + 100"},
    "wallets_account": {"last_at": LATER, "limit_count": "= limit_count + 1"},
    "wallets_transfer": {
        "cluster": "= cluster + 1", "xid": "= (xid::text::bigint + 1)::text::xid8",
    },
    "wallets_limit": {
        "amount_minor": "= amount_minor + 1", "period": "= 'week'", "kind": "= 'loss'",
        "set_by": "= 'operator'", "at": "= at - interval '1 ms'", "effective_at": LATER,
        "player_id": "= gen_random_uuid()",
    },
    "players_exclusion": {
        "ends_at": LATER, "starts_at": LATER, "kind": "= 'self_exclusion'", "reason": "= 'none'",
        "by": "= 'staff:7'", "requested_at": LONG_AGO, "id": "= gen_random_uuid()",
        "player_id": "= gen_random_uuid()",
    },
    "players_realitycheck": {
        "every_min": "= every_min + 1", "set_at": LONG_AGO, "player_id": "= gen_random_uuid()",
    },
    "wallets_adjustment": {
        "amount_minor": "= amount_minor + 1", "currency": "= 'SEK'", "reason": "= 'x'",
        "round_id": "= gen_random_uuid()", "raised_at": LATER, "raised_by": "= 'staff:9'",
        "kind": "= 'settle'", "player_id": "= gen_random_uuid()", "id": "= gen_random_uuid()",
    },
    "wallets_adjustmentdecision": {
        "reason": "= 'x'", "decided_at": LATER, "decided_by": "= 'staff:9'",
        "verdict": "= CASE verdict WHEN 'approved' THEN 'declined' ELSE 'approved' END",
        "player_id": "= gen_random_uuid()", "adjustment_id": "= gen_random_uuid()",
    },
    "pontoon_suspension": {
        "scope": "= jsonb_build_object('all', true)", "reason": "= 'x'",
        "player_id": "= gen_random_uuid()",
        "malfunction_id": "= gen_random_uuid()", "raised_by": "= 'staff:9'", "raised_at": LATER,
        "lifted_by": "= 'staff:9'", "lifted_at": LATER, "lift_reason": "= 'x'",
        "id": "= gen_random_uuid()",
    },
    "pontoon_malfunction": {
        "scope": "= jsonb_build_object('all', true)", "cause": "= 'x'",
        "evidence": "= jsonb_build_object('x', 1)",
        "fault_key": "= 'x'", "raised_by": "= 'staff:9'", "raised_at": LATER,
        "state": "= 'refused'", "state_at": LATER, "act_count": "= act_count + 1",
        "id": "= gen_random_uuid()",
    },
    "pontoon_malfunctionact": {
        "malfunction_id": "= gen_random_uuid()", "number": "= number + 9", "state": "= 'refused'",
        "actor": "= 'staff:9'", "at": LATER, "facts": "= facts || jsonb_build_object('x', 1)",
    },
    "pontoon_malfunctionround": {
        "malfunction_id": "= gen_random_uuid()", "player_id": "= gen_random_uuid()",
        "round_id": "= gen_random_uuid()", "state": "= 'open'",
        "wagered_minor": "= wagered_minor + 1", "payout_minor": "= payout_minor + 1",
    },
    "pontoon_notice": {
        "player_id": "= gen_random_uuid()", "id": "= gen_random_uuid()", "reason": "= 'x'",
        "kind": "= 'round_released'", "round_id": "= gen_random_uuid()", "at": LATER,
        "malfunction_id": "= gen_random_uuid()",
    },
    "pontoon_noticeread": {
        "player_id": "= gen_random_uuid()", "notice_id": "= gen_random_uuid()", "at": LONG_AGO,
    },
    "pontoon_casefile": {
        "player_id": "= gen_random_uuid()", "round_id": "= gen_random_uuid()", "at": LATER,
        "number": "= number + 1", "agrees": "= NOT agrees",
    },
    "pontoon_decision": {
        "player_id": "= gen_random_uuid()", "round_id": "= gen_random_uuid()", "at": LATER,
        "number": "= number + 1", "actor": "= 'staff:9'", "reason": "= 'x'",
        "verdict": "= CASE verdict WHEN 'released' THEN 'rejected' ELSE 'released' END",
    },
    "players_player": {
        "is_test": "= NOT is_test", "country": "= 'SE'", "language": "= 'sv'",
        "currency": "= 'SEK'", "external_id": "= 'another'", "id": "= gen_random_uuid()",
        "registered_at": LONG_AGO,
    },
    "players_apikey": {
        "scopes": "= array_append(scopes, 'money:write')", "name": "= 'x'",
        "revoked_at": "= now()", "id": "= gen_random_uuid()",
    },
}  # fmt: skip
ALL = [(table, column) for table, columns in CHANGED.items() for column in columns]


@pytest.mark.parametrize(("table", "column"), ALL)
def test_aud_02_a_column_that_is_not_as_the_log_tells_it_is_named(
    copy: psycopg.Connection, table: str, column: str
) -> None:
    change = CHANGED[table][column].format(column)
    where = "kind = 'cash'" if table == "wallets_account" else "true"
    row = f"SELECT ctid FROM {table} WHERE {where} LIMIT 1"  # noqa: S608
    done = copy.execute(f"UPDATE {table} SET {column} {change} WHERE ctid = ({row})")  # noqa: S608
    assert done.rowcount == 1
    assert check() != ""


GONE = {
    "wallets_adjustment": "adjustment:", "wallets_adjustmentdecision": "adjustment:",
    "pontoon_suspension": "suspension ", "pontoon_malfunction": "malfunction:",
    "pontoon_malfunctionact": "malfunction:", "players_realitycheck": "reality check of player ",
    "players_exclusion": "exclusion ", "players_player": "player ", "players_apikey": "key:",
    "wallets_limit": "limit ", "pontoon_answer": "answer ",
}  # fmt: skip


@pytest.mark.parametrize("table", GONE)
def test_aud_02_a_row_of_which_the_log_tells_and_that_is_gone_is_named(
    copy: psycopg.Connection, table: str
) -> None:
    copy.execute(f"DELETE FROM {table}")  # noqa: S608
    lines = [line for line in check().splitlines() if line.startswith(GONE[table])]
    assert any("is gone; entry " in line for line in lines), lines
