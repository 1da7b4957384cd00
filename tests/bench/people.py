"""The bench's data: players who sit at the table, with cash, an open session and a first seed."""

import hashlib
from collections.abc import Iterator

from casino.players import services as players
from pontoon import queries
from pontoon import services as table
from wallets import services as wallets

BET = {"stake_minor": 500, "currency": "USD"}
HIT = {"seq": 0, "action": "hit"}
ACTOR = "command:bench"


def seat(count: int) -> Iterator[str]:
    """Register players; yield their tokens."""
    for number in range(count):
        player = players.register(
            ACTOR,
            external_id=f"b{number}",
            currency="USD",
            country="GB",
            language="en",
            is_test=True,
        )
        banking = wallets.Banking(player.id, 1_000_000, "USD", reference="bench")
        wallets.deposit(ACTOR, banking=banking)
        visit = players.Visit(language="en")
        _, token = players.open_session(
            ACTOR, player_id=player.id, visit=visit, address="127.0.0.1"
        )
        table.ensure_seed(queries.read_place(hashlib.sha256(token.encode()).digest()))
        yield token
