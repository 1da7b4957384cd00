"""Rounds whose cards a test knows: a seed that deals them is searched for, and planted.

The product has no way to choose a card (CHG-02), and the tests need none. A server seed is looked
for whose shoe begins as a test wants it, and the owner of the tables writes it where the player's
next seed is kept, sealed as every other. From there on all is as with any round.
"""

from functools import cache
from hashlib import sha256
from itertools import count
from typing import Any

import psycopg

from pontoon import engine, vault
from tests.people import Person

# A win of ten stakes (H17): found by search among a million, two doubled tricks and a third hand.
LARGE_WIN_SEED = bytes.fromhex("30fe94825c0a4ad88bbd5019579cad2522e44a3691952bd0b35626e379f93f77")
LARGE_WIN_ACTIONS = (
    "split", "split", "double", "hit", "hit", "double", "hit", "hit", "double", "stand",
)  # fmt: skip

_ANY = "A23456789TJQK"


@cache
def find_seed(ranks: str, client_seed: str = "") -> bytes:
    """Return a server seed whose shoe begins as told: each word lists the ranks that a card may
    have, `*` any. `8 23456 8 * 3`: the first four are the player's first, the dealer's first,
    and then the second of both.
    """
    wanted = [_ANY if word == "*" else word for word in ranks.split()]
    for number in count():
        seed = sha256(b"pontoon tests %d" % number).digest()
        shoe = engine.shuffle(8, engine.shoe_seed(seed, client_seed))
        if all(card.rank in ranks_ for ranks_, card in zip(wanted, shoe, strict=False)):
            return seed
    raise AssertionError


def plant(owner_url: str, player: Person, ranks: str, client_seed: str = "") -> bytes:
    """Make the shoe of a player's next round begin with these ranks; return its server seed."""
    seed = find_seed(ranks, client_seed)
    plant_seed(owner_url, player, seed)
    return seed


def plant_seed(owner_url: str, player: Person, seed: bytes) -> None:
    """Make this the server seed of a player's next round."""
    with psycopg.connect(owner_url) as owner:
        owner.execute(
            "INSERT INTO pontoon_seed (player_id, number, commitment, sealed, at)"
            " SELECT %(player)s, coalesce(max(number) + 1, 0), %(commitment)s, %(sealed)s,"
            # A seed is of the time of an act, of which the log tells: here, of his last.
            "        (SELECT max(at) FROM audit_entry WHERE player_id = %(player)s)"
            "   FROM pontoon_seed WHERE player_id = %(player)s",
            {
                "player": player.id,
                "commitment": engine.commitment(seed),
                "sealed": vault.seal(seed),
            },
        )


def deal(
    owner_url: str, player: Person, ranks: str, stake_minor: int = 200, **bet: Any
) -> dict[str, Any]:
    """Deal a player a round whose shoe begins with these ranks, and return it."""
    plant(owner_url, player, ranks, bet.get("client_seed", ""))
    opened = player.bet(stake_minor, **bet)
    assert opened.status == 201, opened
    round_: dict[str, Any] = opened.json
    return round_
