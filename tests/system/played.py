"""Rounds as the API tells them, played by the engine without a server: to be checked elsewhere."""

import random
from hashlib import sha256
from itertools import count, islice
from typing import Any

from pontoon import engine
from pontoon.engine import Action, Over, Record, Seeds

STAKE_MINOR = 500
CLIENT_SEEDS = ("", "a player's own words", "ñandú ♠ 漢字", "x" * 64, "0", " spaced out ")


def play_rounds(round_count: int, seed: int) -> list[dict[str, Any]]:
    """Return rounds that are over, each played at random to its end."""
    dice = random.Random(seed)  # noqa: S311  tests, and told by their number
    return [_play(dice, number) for number in range(round_count)]


def _play(dice: random.Random, number: int) -> dict[str, Any]:
    client_seed = CLIENT_SEEDS[number % len(CLIENT_SEEDS)] + (str(number) if number % 2 else "")
    server_seed = _seed(number, client_seed[:64])
    record = Record(
        rules="house/1",
        wager=STAKE_MINOR,
        source=Seeds(server_seed, client_seed[:64]),
        actions=(),
    )
    game = engine.find_game(record.rules)
    round_ = engine.replay(record)
    while not isinstance(round_, Over):
        options = [option.action for option in game.legal_actions(round_)]
        # What can be split, is: more to check than a player would give.
        choice = Action.SPLIT if Action.SPLIT in options else dice.choice(options)
        round_ = game.act(round_, choice)
    view = game.view(round_, 0)
    return {
        "round_id": f"round-{number}",
        "state": "settled",
        "stake_minor": STAKE_MINOR,
        "commitment": sha256(server_seed).hexdigest(),
        "server_seed": server_seed.hex(),
        "client_seed": client_seed[:64],
        "hands": [{"cards": list(hand.cards), "payout_minor": hand.payout} for hand in view.hands],
        "dealer": {"cards": list(view.dealer.cards)},
        "actions": [{"action": move.action.value, "hand": move.hand} for move in view.moves],
    }


def _seed(number: int, client_seed: str) -> bytes:
    """Return the seed of a round; of every other one, the player's first two cards are a pair."""
    for turn in count():
        seed = sha256(b"a round for a browser %d %d" % (number, turn)).digest()
        first, _, second = islice(engine.shuffle(8, engine.shoe_seed(seed, client_seed)), 3)
        if number % 2 or first.rank == second.rank:
            return seed
    raise AssertionError
