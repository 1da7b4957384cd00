"""What an entry is: its id, its bytes, its leaf, and where and when the database takes it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
import rfc8785
from django.db import transaction
from hypothesis import example, given
from hypothesis import strategies as st
from psycopg import errors
from psycopg.types.json import Jsonb

from audit import queries, services, tree
from audit.events import KEYS, Event
from audit.models import Entry
from audit.services import NIL, entry, new_id
from tests.conftest import Database

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PAYLOAD = {"before": None, "after": {"limit": 5}}


# --- The id


@example(2_148_861_643_713, 0)  # as a float of seconds it is a millisecond less
@given(st.integers(1_700_000_000_000, 4_100_000_000_000), st.integers(0, 999))
def test_an_id_is_a_uuid_7_of_its_time_to_the_millisecond(ms: int, us: int) -> None:
    """Source: RFC 9562 section 5.7."""
    id_ = new_id(EPOCH + timedelta(milliseconds=ms, microseconds=us))
    assert (id_.version, id_.variant) == (7, "specified in RFC 4122")
    assert id_.int >> 80 == ms


def test_ids_of_one_time_differ_and_ids_sort_by_time() -> None:
    at = datetime(2026, 5, 1, tzinfo=UTC)
    ids = {new_id(at) for _ in range(1000)}
    assert len(ids) == 1000
    assert max(ids) < new_id(at + timedelta(microseconds=1))


# --- The bytes


def made(**other: Any) -> dict[str, Any]:
    told: dict[str, Any] = {
        "subject": "player:7",
        "actor": "key:7",
        "at": datetime(2026, 5, 1, 12, 30, 0, 250, tzinfo=UTC),
        "payload": PAYLOAD,
    }
    return entry(Event.LIMIT_SET, **told | other)


def test_an_entry_is_the_canonical_text_of_itself_and_its_leaf() -> None:
    """Source: RFC 8785, RFC 6962 section 2.1."""
    written = made()
    body = json.loads(written["body"])
    assert body == {
        "id": written["id"],
        "player_id": str(NIL),
        "event": "limit.set",
        "subject": "player:7",
        "actor": "key:7",
        "at": "2026-05-01T12:30:00.000250+00:00",
        "payload": PAYLOAD,
    }
    assert written["body"].encode() == rfc8785.dumps(body)
    assert written["leaf_hash"] == tree.leaf_hash(written["body"].encode()).hex()


@pytest.mark.parametrize("event", Event)
def test_an_entry_carries_the_keys_of_its_event(event: Event) -> None:
    for key in KEYS[event]:
        told = dict.fromkeys(KEYS[event] - {key})
        with pytest.raises(ValueError, match=key):
            entry(event, subject="s", actor="a", at=EPOCH, payload=told)
    assert entry(event, subject="s", actor="a", at=EPOCH, payload=dict.fromkeys(KEYS[event]))


NUMBERS = {
    "2^63": (2**63, "9223372036854775808"),
    "-2^63": (-(2**63), "-9223372036854775808"),
    "2^53": (2**53, "9007199254740992"),
    "2^53-1": (2**53 - 1, 2**53 - 1),
    "0.5": (0.5, "0.5"),
    "1e3": (1e3, "1000.0"),
    "1e400": (float("inf"), "inf"),
    "true": (True, True),
    "null": (None, None),
}


@pytest.mark.parametrize(("value", "written"), NUMBERS.values(), ids=NUMBERS)
def test_f17_what_canonical_json_would_round_is_a_string(value: Any, written: Any) -> None:
    told = made(payload=PAYLOAD | {"asked": {"n": [value, {"m": value}]}})
    asked = json.loads(told["body"])["payload"]["asked"]
    assert asked == {"n": [written, {"m": written}]}
    assert type(asked["n"][0]) is type(written)


# --- The database takes it


@pytest.fixture
def record(app: psycopg.Connection) -> Callable[..., dict[str, Any]]:
    """Record an entry by the database's function, so long after its time."""

    def record(ago: timedelta = timedelta(), **other: Any) -> dict[str, Any]:
        (at,) = app.execute("SELECT clock_timestamp()").fetchone() or ()
        written = made(at=at - ago) | other
        app.execute("SELECT audit_record(%s)", [Jsonb(written)])
        return written

    return record


def stored(app: psycopg.Connection, *columns: str) -> list[tuple[Any, ...]]:
    return app.execute(f"SELECT {', '.join(columns)} FROM audit_entry").fetchall()  # noqa: S608


def test_an_entry_is_stored_as_it_was_written(app: psycopg.Connection, record: Any) -> None:
    written = record()
    [(id_, body, leaf)] = stored(app, "id::text", "body", "encode(leaf_hash, 'hex')")
    assert (id_, body, leaf) == (written["id"], written["body"], written["leaf_hash"])


@pytest.mark.parametrize(
    "ago",
    [timedelta(seconds=-1), timedelta(days=-1), timedelta(seconds=5.1), timedelta(hours=1)],
    ids=["a second ahead", "a day ahead", "older than 5 s", "an hour old"],
)
def test_clk_01_a_time_that_is_not_now_is_not_taken(
    app: psycopg.Connection, record: Any, ago: timedelta
) -> None:
    with pytest.raises(psycopg.Error, check=lambda error: error.sqlstate == "PN409"):
        record(ago)
    assert stored(app, "id") == []


def test_clk_01_a_time_of_some_seconds_ago_is(record: Any) -> None:
    assert record(timedelta(seconds=4))


def test_an_id_is_used_once(record: Any) -> None:
    written = record()
    with pytest.raises(errors.UniqueViolation):
        record(id=written["id"])


@pytest.mark.parametrize("missing", ["id", "player_id", "event", "subject", "actor", "at", "body"])
def test_an_entry_says_all_of_itself(record: Any, missing: str) -> None:
    with pytest.raises(errors.NotNullViolation):
        record(**{missing: None})


def test_a_leaf_has_32_bytes(record: Any) -> None:
    with pytest.raises(errors.CheckViolation):
        record(leaf_hash="00" * 31)


def test_where_and_when_it_was_written_is_the_databases_word(
    app: psycopg.Connection, record: Any
) -> None:
    record(cluster=1, xid="1")
    [(is_here, is_past)] = stored(
        app,
        "cluster = (SELECT system_identifier FROM pg_control_system())",
        "xid BETWEEN '2' AND pg_current_xact_id()",
    )
    assert (is_here, is_past) == (True, True)
    with pytest.raises(errors.InsufficientPrivilege):
        app.execute("INSERT INTO audit_entry (id, xid) VALUES (%s, '1')", [uuid4()])


def test_an_entry_lands_in_the_month_of_its_id(app: psycopg.Connection, record: Any) -> None:
    record()
    [(month,)] = stored(app, "tableoid::regclass::text")
    (now,) = app.execute("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')").fetchone() or ()
    assert month == f"audit_entry_{now}"


@pytest.mark.parametrize("at", [datetime(2020, 1, 1, tzinfo=UTC), datetime(2099, 1, 1, tzinfo=UTC)])
def test_what_no_month_has_room_for_is_kept_all_the_same(
    app: psycopg.Connection, record: Any, at: datetime
) -> None:
    record(id=str(new_id(at)))
    assert stored(app, "tableoid::regclass::text") == [("audit_entry_rest",)]


def test_the_months_meet_without_a_gap(app: psycopg.Connection) -> None:
    """The last id of a month and the first of the next are in the right one each."""
    bounds = app.execute(
        "SELECT audit_first_id('2026-05-01 00:00Z'), audit_first_id('2026-05-01 00:00:00.001Z')"
    ).fetchone()
    first, second = bounds or ()
    assert first == UUID(int=int(datetime(2026, 5, 1, tzinfo=UTC).timestamp() * 1000) << 80)
    assert second.int - first.int == 1 << 80
    assert first <= new_id(datetime(2026, 5, 1, tzinfo=UTC)) < second
    assert new_id(datetime(2026, 4, 30, 23, 59, 59, 999_999, tzinfo=UTC)) < first


def test_there_is_room_for_a_year(app: psycopg.Connection) -> None:
    assert app.execute("SELECT audit_months_ahead()").fetchone() == (11,)


# --- record, and the transaction of its act


def test_an_entry_is_undone_with_its_act(database: Database) -> None:
    def act() -> None:
        with transaction.atomic(durable=True):
            services.record(Event.LIMIT_SET, subject="s", actor="a", payload=PAYLOAD)
            raise KeyError("the act")

    with pytest.raises(KeyError):
        act()
    assert not Entry.objects.exists()


def test_entries_of_a_subject_are_read_oldest_first(database: Database) -> None:
    player = uuid4()
    for number in range(5):
        payload = {"before": number, "after": number + 1}
        services.record(
            Event.LIMIT_SET, subject="round:7", actor="a", payload=payload, player_id=player
        )
    services.record(Event.LIMIT_SET, subject="round:7", actor="a", payload=PAYLOAD)
    read = queries.entries_of("round:7", player_id=player)
    assert [told["payload"]["before"] for told in read] == list(range(5))
    for told in read:
        leaf = told.pop("leaf_hash")
        assert tree.leaf_hash(tree.canonical(told)).hex() == leaf


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": "1"}, False),
        ({"a": 1}, {"a": True}, False),
        ({"a": 2**53}, {"a": 2**53 + 1}, False),
        ({"a": None}, {}, False),
        (["x", ""], ["x"], False),
    ],
)
def test_a_fingerprint_tells_requests_apart(one: Any, other: Any, are_same: bool) -> None:
    assert (services.fingerprint(one) == services.fingerprint(other)) is are_same
