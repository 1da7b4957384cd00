"""What the tables refuse, whoever writes; and what the application's role may not do."""

from collections.abc import Callable

import psycopg
import pytest

from casino.players import services
from casino.players.models import Player, PlaySession
from tests.conftest import Database
from tests.players.crowd import KEY

Enter = Callable[..., tuple[PlaySession, str]]

ROWS = {
    "player": {
        "id": "gen_random_uuid()",
        "external_id": "'p9'",
        "currency": "'USD'",
        "country": "'GB'",
        "language": "'en'",
        "is_test": "false",
        "registered_at": "now()",
    },
    "apikey": {
        "id": "gen_random_uuid()",
        "name": "'shop'",
        "prefix": "'op_'",
        "token_hash": "sha256('t')",
        "scopes": "'{players:read}'",
        "created_at": "now()",
        "revoked_at": "NULL",
    },
    "playsession": {
        "id": "gen_random_uuid()",
        "player_id": "gen_random_uuid()",
        "token_hash": "sha256('t')",
        "language": "'en'",
        "profile": "'default'",
        "lobby_url": "''",
        "opened_at": "now()",
        "last_seen_at": "now()",
        "closed_at": "NULL",
        "closed_because": "''",
    },
    "exclusion": {
        "id": "gen_random_uuid()",
        "player_id": "gen_random_uuid()",
        "kind": "'self_exclusion'",
        "requested_at": "now()",
        "starts_at": "now()",
        "ends_at": "NULL",
        "reason": "''",
        "by": "'tests'",
    },
}


def insert(table: str, **values: str) -> str:
    """Return the insert of a row that is right but for what is said."""
    row = ROWS[table] | values
    return f"INSERT INTO players_{table} ({', '.join(row)}) VALUES ({', '.join(row.values())})"  # noqa: S608


def states(connection: psycopg.Connection, statements: list[str]) -> dict[str, str]:
    """Run each statement by itself; return its SQLSTATE, "" if it ran."""
    told = {}
    for statement in statements:
        try:
            connection.execute(statement)
            told[statement] = ""
        except psycopg.Error as error:
            told[statement] = error.sqlstate or "?"
    return told


def test_a_row_that_is_right_is_taken(owner: psycopg.Connection) -> None:
    assert set(states(owner, [insert(table) for table in ROWS]).values()) == {""}


def test_a_row_that_cannot_be_is_refused_even_from_the_owner(owner: psycopg.Connection) -> None:
    wrong = [
        insert("player", external_id="''"),
        insert("player", currency="'usd'"),
        insert("player", country="'G'"),
        insert("player", language="'fr'"),
        insert("apikey", name="''"),
        insert("apikey", token_hash="'short'"),
        insert("apikey", scopes="'{}'"),
        insert("apikey", revoked_at="now() - interval '1 s'"),
        insert("playsession", token_hash="'short'"),
        insert("playsession", language="'fr'"),
        insert("playsession", closed_at="now()"),
        insert("playsession", closed_because="'closed'"),
        insert("playsession", closed_at="now()", closed_because="'bored'"),
        insert("playsession", closed_at="now() - interval '1 s'", closed_because="'closed'"),
        insert("playsession", last_seen_at="now() - interval '1 s'"),
        insert("exclusion", kind="'sulking'"),
        insert("exclusion", kind="'cooling_off'"),
        insert("exclusion", ends_at="now()"),
        insert("exclusion", starts_at="now() - interval '1 s'"),
        insert("exclusion", by="''"),
    ]
    told = states(owner, wrong)
    assert {statement: state for statement, state in told.items() if state != "23514"} == {}


def test_aut_09_the_database_has_one_open_session_a_player(
    owner: psycopg.Connection, enter: Enter
) -> None:
    opened, _ = enter()
    with pytest.raises(psycopg.errors.UniqueViolation):
        owner.execute(
            "INSERT INTO players_playsession SELECT gen_random_uuid(), player_id, sha256('other'),"
            " language, profile, lobby_url, address, opened_at, last_seen_at, NULL, ''"
            " FROM players_playsession WHERE id = %s",
            [opened.id],
        )


@pytest.fixture
def everything(player: Player, enter: Enter) -> None:
    """A row in each table."""
    enter()
    services.create_key("command:test", name="shop", scopes={"players:read"})
    services.exclude(KEY, player_id=player.id, kind="self_exclusion", term=None)


@pytest.mark.usefixtures("everything")
def test_exc_05_the_application_cannot_rewrite_or_remove(database: Database) -> None:
    statements = [
        *(f"DELETE FROM players_{table}" for table in ROWS),  # noqa: S608
        *(f"TRUNCATE players_{table}" for table in ROWS),
        "UPDATE players_player SET currency = 'EUR'",
        "UPDATE players_exclusion SET ends_at = now() + interval '1 day'",
        "UPDATE players_playsession SET player_id = gen_random_uuid()",
        "UPDATE players_playsession SET token_hash = sha256('mine')",
        "UPDATE players_apikey SET scopes = '{money:write}'",
        "UPDATE players_apikey SET token_hash = sha256('mine')",
    ]
    with psycopg.connect(database.app_url, autocommit=True) as application:
        told = states(application, statements)
    assert {statement: state for statement, state in told.items() if state != "42501"} == {}


@pytest.mark.usefixtures("everything")
def test_exc_05_not_even_the_owner_rewrites_an_exclusion(owner: psycopg.Connection) -> None:
    statements = [
        "UPDATE players_exclusion SET ends_at = now()",
        "DELETE FROM players_exclusion",
        *(f"TRUNCATE players_{table}" for table in ROWS),
    ]
    assert set(states(owner, statements).values()) == {"23001"}


def test_rows_have_names_that_people_can_read(player: Player, enter: Enter) -> None:
    opened, _ = enter()
    made, _ = services.create_key("command:test", name="shop", scopes={"players:read"})
    shut = services.exclude(KEY, player_id=player.id, kind="self_exclusion", term=None)
    assert [str(row) for row in (player, opened, made, shut)] == [
        "p1",
        f"{player.id} {opened.opened_at:%Y-%m-%d %H:%M}",
        f"shop ({made.prefix}…)",
        f"{player.id} self_exclusion",
    ]
