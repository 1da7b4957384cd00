"""Players to register, sessions to open, and the owner's hand, which can put a clock back."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from casino.players import services
from casino.players.models import Player, PlaySession
from casino.players.services import Visit
from tests.conftest import Database
from tests.players.crowd import KEY


@pytest.fixture
def register(database: Database) -> Callable[..., Player]:
    """Register a player; what is not said is a player of USD in Great Britain."""

    def register(external_id: str = "p1", **facts: Any) -> Player:
        told = {"currency": "USD", "country": "GB", "language": "en", "is_test": False} | facts
        return services.register(KEY, external_id=external_id, **told)

    return register


@pytest.fixture
def player(register: Callable[..., Player]) -> Player:
    """A player."""
    return register()


@pytest.fixture
def enter(player: Player) -> Callable[..., tuple[PlaySession, str]]:
    """Open a session for the player: the session and its token."""

    def enter(key: str | None = None, **visit: str) -> tuple[PlaySession, str]:
        return services.open_session(
            KEY,
            player_id=player.id,
            visit=Visit(**{"language": "en"} | visit),
            address="192.0.2.1",
            key=key,
        )

    return enter


@pytest.fixture
def owner(database: Database) -> Iterator[psycopg.Connection]:
    """A connection as the owner of the tables, in autocommit."""
    with psycopg.connect(database.owner_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def put_back(owner: psycopg.Connection) -> Callable[..., None]:
    """Make a session as old as if it had begun, and was last seen, so long ago."""

    def put_back(session_id: UUID, ago: str) -> None:
        owner.execute(
            "UPDATE players_playsession SET opened_at = opened_at - %(ago)s::interval,"
            " last_seen_at = last_seen_at - %(ago)s::interval WHERE id = %(id)s",
            {"ago": ago, "id": session_id},
        )

    return put_back
