"""Who calls, and how he stands."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.services import NIL
from casino.players import queries, services
from casino.players.errors import NotAuthenticatedError, PlayerNotFoundError
from casino.players.models import Player, PlaySession
from casino.players.services import hash_token

Enter = Callable[..., tuple[PlaySession, str]]


def test_a_token_opens_the_door_in_one_query(enter: Enter, player: Player) -> None:
    session, token = enter(language="sv", profile="uk")
    with CaptureQueriesContext(connection) as asked:
        door, at = queries.door(hash_token(token))
    assert len(asked) == 1
    assert (door.session_id, door.player_id, door.urn) == (
        session.id,
        player.id,
        f"player:{player.id}",
    )
    assert (door.language, door.profile, door.currency) == ("sv", "uk", "USD")
    assert door.opened_at == door.last_seen_at <= at < door.expires_at


def test_the_door_is_found_by_indexes_alone(enter: Enter) -> None:
    _, token = enter()
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
        cursor.execute(
            "EXPLAIN SELECT * FROM players_door WHERE token_hash = %s", [hash_token(token)]
        )
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Seq Scan" not in plan
    assert "players_playsession_token_hash" in plan
    assert "Index Only Scan using players_exclusion_player" in plan


def test_aut_08_a_token_that_nobody_was_given_opens_nothing(database: object) -> None:
    with pytest.raises(NotAuthenticatedError):
        queries.door(hash_token("ps_guess"))
    with pytest.raises(NotAuthenticatedError):
        queries.active_key(hash_token("op_guess"))


def test_a_key_is_found_in_one_query(database: object) -> None:
    _, token = services.create_key("command:test", name="shop", scopes={"players:read"})
    with CaptureQueriesContext(connection) as asked:
        queries.active_key(hash_token(token))
    assert len(asked) == 1


def test_the_log_knows_who_called(enter: Enter, player: Player) -> None:
    _, token = enter()
    made, key_token = services.create_key("command:test", name="shop", scopes={"players:read"})
    facts = queries.active_key(hash_token(key_token))
    assert queries.who(facts) == (f"key:{made.id}", NIL)
    assert queries.who(hash_token(token)) == (f"player:{player.id}", player.id)
    assert queries.who(hash_token("ps_guess")) == queries.who(None) == ("nobody", NIL)


def test_a_player_is_found_by_either_id(player: Player, register: Callable[..., Player]) -> None:
    other = register("p2", currency="JPY")
    assert queries.player(player.id) == player
    assert list(queries.players(external_id="p2")) == [other]
    assert list(queries.players(external_id="p3")) == []
    assert list(queries.players()) == [other, player]
    assert queries.standing(other.id).currency == "JPY"


@pytest.mark.parametrize("ask", [queries.player, queries.standing, queries.play_session])
def test_what_nobody_made_is_not_found(database: object, ask: Callable[..., object]) -> None:
    with pytest.raises(PlayerNotFoundError):
        ask(uuid4())
