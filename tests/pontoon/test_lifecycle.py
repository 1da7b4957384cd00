"""The states of a round, twice: what lifecycle.py says, the database enforces."""

import json
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import errors
from psycopg.types.json import Jsonb

from audit.events import Event
from pontoon import queries
from pontoon.lifecycle import REVEALED, TRANSITIONS, State
from tests.cluster import Cluster
from tests.conftest import Database
from tests.people import People
from tests.seeds import deal

OVER = {State.SETTLED, State.HELD}


@pytest.fixture(scope="module")
def owner(cluster: Cluster, template: str) -> Iterator[psycopg.Connection]:
    """The owner of the tables, who may write rows past the commit functions."""
    name = cluster.clone(template)
    with psycopg.connect(cluster.owner_url(name), autocommit=True) as connection:
        # Who decided is another question, and has tests of its own.
        for trigger in ("guard_payment", "guard_void"):
            connection.execute(f"ALTER TABLE pontoon_round DISABLE TRIGGER {trigger}")
        yield connection
    cluster.drop(name)


def columns(state: State) -> dict[str, Any]:
    """Return what moves on with a round, as it is in a state."""
    is_over = state in OVER
    return {
        "state": state,
        "held_reason": "large_win" if state is State.HELD else None,
        "action_count": 1,
        "wagered_minor": 200,
        "payout_minor": 300 if is_over else None,
        "balance_after_minor": 1100 if is_over else None,
        "last_action_at": "2026-01-01T00:00:01Z",
        "settled_at": "2026-01-01T00:00:01Z" if is_over else None,
    }


def dealt(state: State, **other: Any) -> dict[str, Any]:
    """Return a round in a state."""
    return (
        {
            "player_id": uuid4(),
            "id": uuid4(),
            "game": "house",
            "rules": "house/1",
            "currency": "USD",
            "stake_minor": 200,
            "seed_number": 0,
            "client_seed": "",
            "session_id": uuid4(),
            "profile": "default/1",
            "build": "1",
            "opened_at": "2026-01-01T00:00:00Z",
            "balance_before_minor": 1000,
        }
        | columns(state)
        | other
    )


def insert(owner: psycopg.Connection, row: dict[str, Any]) -> dict[str, Any]:
    names = ", ".join(row)
    values = ", ".join(f"%({name})s" for name in row)
    owner.execute(f"INSERT INTO pontoon_round ({names}) VALUES ({values})", row)  # noqa: S608
    return row


def update(owner: psycopg.Connection, row: dict[str, Any], **change: Any) -> None:
    change_ = ", ".join(f"{name} = %({name})s" for name in change)
    done = owner.execute(
        f"UPDATE pontoon_round SET {change_} WHERE player_id = %(key)s",  # noqa: S608
        change | {"key": row["player_id"]},
    )
    assert done.rowcount == 1


# --- All pairs


@pytest.mark.parametrize(("before", "after"), list(product(State, State)), ids=str)
def test_the_trigger_lets_a_round_go_where_the_table_says(
    owner: psycopg.Connection, before: State, after: State
) -> None:
    row = brought(owner, before)
    if (before, after) in TRANSITIONS:
        update(owner, row, **columns(after) | _kept(before, after))
    else:
        with pytest.raises(errors.CheckViolation, match="does not go from"):
            update(owner, row, **columns(after))


def brought(owner: psycopg.Connection, state: State) -> dict[str, Any]:
    """Return a stored round in a state; nothing is born voided, so that one was open."""
    row = insert(owner, dealt(State.OPEN if state is State.VOIDED else state))
    if state is State.VOIDED:
        update(owner, row, state=state)
    return row


def _kept(before: State, after: State) -> dict[str, Any]:
    """A payout that was made stays on record; what is held on waits for another reason."""
    if before is after is State.HELD:
        return {"held_reason": "malfunction"}
    if after is State.VOIDED and before in OVER:
        return {"payout_minor": 300, "settled_at": "2026-01-01T00:00:01Z"}
    return {}


@pytest.mark.parametrize("state", State)
def test_a_round_is_born_where_the_table_says(owner: psycopg.Connection, state: State) -> None:
    if (None, state) in TRANSITIONS:
        insert(owner, dealt(state))
    else:
        with pytest.raises(errors.CheckViolation):
            insert(owner, dealt(state))


def test_the_database_knows_the_same_states(owner: psycopg.Connection) -> None:
    with pytest.raises(errors.CheckViolation, match="pontoon_round_state_check"):
        insert(owner, dealt(State.SETTLED) | {"state": "paused"})


def test_every_move_is_told_by_an_event_of_the_round() -> None:
    assert all(event.startswith("round.") for event, _ in TRANSITIONS.values())
    told = {event for event in Event if event.startswith("round.")}
    assert {event for event, _ in TRANSITIONS.values()} == told
    assert {after for _, after in TRANSITIONS} == set(State)
    assert set(State) - {State.OPEN} == REVEALED


# --- What stays


STAYS = {
    "player_id": uuid4(),
    "id": uuid4(),
    "game": "bank",
    "rules": "house/2",
    "currency": "EUR",
    "stake_minor": 100,
    "seed_number": 5,
    "client_seed": "another",
    "session_id": uuid4(),
    "profile": "uk/1",
    "build": "2",
    "opened_at": "2025-12-31T00:00:00Z",
    "balance_before_minor": 5,
    "action_count": 0,
    "wagered_minor": 199,
}


@pytest.mark.parametrize("column", STAYS)
def test_gam_04_what_a_round_was_dealt_with_stays(owner: psycopg.Connection, column: str) -> None:
    row = insert(owner, dealt(State.OPEN))
    with pytest.raises(errors.CheckViolation):
        update(owner, row, **{column: STAYS[column]})


@pytest.mark.parametrize("before", [State.SETTLED, State.HELD])
@pytest.mark.parametrize(
    "change",
    [{"payout_minor": 301}, {"action_count": 2}, {"wagered_minor": 400}, {"payout_minor": None}],
    ids=str,
)
def test_what_a_round_came_to_stays_when_it_is_voided(
    owner: psycopg.Connection, before: State, change: dict[str, Any]
) -> None:
    row = insert(owner, dealt(before))
    with pytest.raises(errors.CheckViolation):
        update(owner, row, **columns(State.VOIDED) | _kept(before, State.VOIDED) | change)


def test_every_column_of_a_round_is_named_here(owner: psycopg.Connection) -> None:
    names = owner.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = 'pontoon_round'::regclass AND attnum > 0"
    ).fetchall()
    assert {name for (name,) in names} == STAYS.keys() | columns(State.OPEN).keys()


WRONG = {
    "a stake of nothing": {"stake_minor": 0},
    "a wager below the stake": {"wagered_minor": 199},
    "a negative payout": {"payout_minor": -1},
    "fewer than no actions": {"action_count": -1},
    "a client seed that is too long": {"client_seed": "x" * 65},
    "held for no reason": {"state": "held", "held_reason": None},
    "held for a reason that is none": {"state": "held", "held_reason": "luck"},
    "open with a payout": {"state": "open", "held_reason": None},
    "over without a payout": {"payout_minor": None},
    "over without a time": {"settled_at": None},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_the_tables_own_checks_refuse(owner: psycopg.Connection, wrong: dict[str, Any]) -> None:
    with pytest.raises(errors.CheckViolation):
        insert(owner, dealt(State.SETTLED) | wrong)


def test_gam_02_a_player_has_one_open_round_of_a_game(owner: psycopg.Connection) -> None:
    row = insert(owner, dealt(State.OPEN))
    with pytest.raises(errors.UniqueViolation, match="one_open_round"):
        insert(owner, row | {"id": uuid4(), "seed_number": 1})


def test_a_seed_is_of_one_round(owner: psycopg.Connection) -> None:
    row = insert(owner, dealt(State.SETTLED))
    with pytest.raises(errors.UniqueViolation, match="seed_number"):
        insert(owner, row | {"id": uuid4()})


# --- Once


@pytest.mark.parametrize("mark", ["settled", "released", "voided"])
def test_a_round_is_marked_once(owner: psycopg.Connection, mark: str) -> None:
    statement = "INSERT INTO pontoon_roundmark VALUES (%s, %s, %s, now())"
    row = [uuid4(), uuid4(), mark]
    owner.execute(statement, row)
    with pytest.raises(errors.UniqueViolation):
        owner.execute(statement, row)


def committed(facts: queries.RoundFacts, player: Any, mark: str, to: State) -> dict[str, Any]:
    """Return an act without money that only marks a round, as somebody might forge it."""
    return {
        "player_id": str(facts.player_id),
        "version": player["version"],
        "limit_count": 0,
        "at": player["at"],
        "transfers": [],
        "from": facts.state,
        "seq": facts.action_count,
        "round": queries.as_row(facts) | {"state": to},
        "mark": mark,
    }


@pytest.mark.parametrize(("mark", "to"), [("settled", "settled"), ("settled", "voided")])
def test_not_even_the_commit_settles_a_round_twice(
    people: People, database: Database, app: psycopg.Connection, mark: str, to: State
) -> None:
    player = people.player()
    round_ = deal(database.owner_url, player, "A 789 TJQK 789")
    facts = queries.read_facts(player.id, UUID(round_["round_id"]))
    row = app.execute(
        "SELECT version, clock_timestamp()::text FROM wallets_account"
        " WHERE player_id = %s AND kind = 'cash'",
        [player.id],
    ).fetchone()
    assert row is not None
    act = committed(facts, {"version": row[0], "at": row[1]}, mark, to)
    with pytest.raises((errors.UniqueViolation, errors.CheckViolation)):
        app.execute(
            "SELECT pontoon_commit(%s)", [Jsonb(act, dumps=partial(json.dumps, default=str))]
        )
    assert queries.read_facts(player.id, facts.id) == facts
