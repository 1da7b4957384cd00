"""Rounds of the pure engine a second, one core."""

import random
import time

from pontoon import engine
from pontoon.engine import Playing


def measure(round_count: int = 5_000) -> float:
    """Return rounds a second: seeds to settlement, with a legal action chosen at random."""
    choose = random.Random(1)  # noqa: S311  the same rounds each time
    rules, game = engine.find_rules("house/1"), engine.find_game("house/1")
    started = time.process_time()
    for number in range(round_count):
        seed = engine.shoe_seed(number.to_bytes(32, "big"), "")
        round_ = game.deal(rules, engine.shuffle(rules.decks, seed), 100)
        while isinstance(round_, Playing):
            round_ = game.act(round_, choose.choice(game.legal_actions(round_)).action)
        game.settle(round_)
    return round_count / (time.process_time() - started)
