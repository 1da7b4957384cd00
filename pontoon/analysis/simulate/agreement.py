"""The kernel against the production engine, round by round: moves, amounts, cards drawn.

Both play the same shoes, shuffled by the production function, with the same strategies. Beside the
published one there are strategies that choose among the options as a hash decides, the same each
time: they split what they may, double what they should not, and come where good play never does.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pontoon.analysis.kernel.automaton import (
    CUT_SHORT,
    LIVE,
    PONTOON,
    STRENGTHS,
    Automaton,
    Spot,
    Strategy,
    build,
)
from pontoon.analysis.kernel.compiled import BATCH, MARKS, NO_CARD, ROW, play_rows
from pontoon.analysis.rules import Variant
from pontoon.analysis.simulate.published import play_as_published
from pontoon.engine import Action, Card, Move, Playing, Rules, Shoe, house, shoe_seed, shuffle
from pontoon.engine.cards import RANKS
from pontoon.engine.house import Hand

STAKE = 500  # of the smallest unit, as the engine counts
STRETCH = 1 << 14  # rounds with one plan
_LOG_ROW = 64  # numbers that a round may write

Plan: TypeAlias = tuple[Rules, Strategy]


@dataclass(frozen=True, slots=True)
class Played:
    """What a round came to: its moves, wager and payout of each hand, how many cards it drew."""

    moves: tuple[Move, ...]
    amounts: tuple[tuple[int, int], ...]
    cards: int


def make_plan(number: int) -> Plan:
    """Return rules and a strategy: the published pair first, then every fourth other rules too."""
    if number == 0:
        return Rules(), play_as_published
    strategy = make_arbitrary(number)
    return (Rules() if number % 4 else _make_rules(number)), strategy


def make_arbitrary(number: int) -> Strategy:
    """Return a strategy that does anything allowed, but splits every other pair."""

    def choose(spot: Spot) -> Action:
        options = sorted(spot.options)
        facts = spot.cards, spot.total, spot.soft, spot.doubled, spot.pair, options
        drawn = crc32(f"{number} {facts}".encode())
        if Action.SPLIT in options and drawn & 1:
            return Action.SPLIT
        return options[(drawn >> 1) % len(options)]

    return choose


def _make_rules(number: int) -> Rules:
    """Change any of the numbers that the engine takes."""
    choices = {
        "decks": (1, 2, 4, 6, 8),
        "stand_points_min": (12, 15, 16, 17),
        "double_cards_max": (2, 3, 4),
        "hands_max": (1, 2, 3, 4),
        "split_aces_play_on": (True, False),
        "dealer_hits_soft_17": (True, False),
        "dealer_trick": (True, False),
        "dealer_wins_ties": (True, False),
        "pontoon_odds": (1, 2, 3),
        "trick_odds": (1, 2, 3),
    }
    changes: dict[str, int] = {
        name: values[crc32(f"{number} {name}".encode()) % len(values)]
        for name, values in choices.items()
    }
    return replace(Rules(), **changes)  # type: ignore[arg-type]


def find_differences(plan: Plan, rounds: range) -> Iterator[str]:
    """Play rounds of a plan twice; yield what differs, in words. A round's number is its seed."""
    rules, strategy = plan
    play = make_player(rules, strategy)
    automaton = build(Variant(**asdict(rules)), strategy)
    for first in range(rounds.start, rounds.stop, BATCH):
        numbers = range(first, min(first + BATCH, rounds.stop))
        shoes = [make_shoe(rules, number) for number in numbers]
        by_engine = [play(shoe) for shoe in shoes]
        orders = [
            list(islice(shoe, played.cards)) for shoe, played in zip(shoes, by_engine, strict=True)
        ]
        by_kernel = play_orders(automaton, orders)
        for number, engine, kernel in zip(numbers, by_engine, by_kernel, strict=True):
            if engine != kernel:
                yield f"round {number}: the engine {engine}, the kernel {kernel}"


def make_shoe(rules: Rules, number: int) -> Shoe:
    """Shuffle as production does, from a server seed that is a number."""
    return shuffle(rules.decks, shoe_seed(number.to_bytes(32, "big"), "agreement"))


def make_player(rules: Rules, strategy: Strategy) -> Callable[[Shoe], Played]:
    """Return what plays a round on the engine; it remembers what the strategy said."""
    known: dict[tuple[object, ...], Action] = {}

    def choose(playing: Playing) -> Action:
        hand = playing.hands[playing.active_hand]
        value, pair = hand.value, _find_pair(hand)
        facts = len(hand.cards), value.total, value.soft, hand.is_doubled, pair, len(playing.hands)
        if facts not in known:
            options = frozenset(option.action for option in house.legal_actions(playing))
            known[facts] = strategy(Spot(*facts[:5], options))
        return known[facts]

    def play(shoe: Shoe) -> Played:
        round_ = house.deal(rules, shoe, STAKE)
        while isinstance(round_, Playing):
            round_ = house.act(round_, choose(round_))
        amounts = tuple((payout.wager, payout.amount) for payout in house.settle(round_))
        return Played(round_.moves, amounts, round_.shoe.drawn)

    return play


def _find_pair(hand: Hand) -> str | None:
    first, second = hand.cards[:2]
    return first.rank if len(hand.cards) == 2 and first.rank == second.rank else None


def play_orders(automaton: Automaton, orders: Sequence[Sequence[Card]]) -> list[Played]:
    """Play known orders in machine code; to draw more cards than there are is told by `cards`."""
    shoe = np.full(MARKS + (len(orders) + 1) * ROW, NO_CARD, np.uint16)
    rows = shoe[MARKS:].reshape(-1, ROW)
    for row, order in zip(rows, orders, strict=False):
        row[: len(order)] = [16 * copy + _RANK[card.rank] for copy, card in enumerate(order)]
    rows[-1] = [16 * copy for copy in range(ROW)]  # an end for whoever overdraws
    log = np.zeros(1 + len(orders) * _LOG_ROW, np.int64)
    rounds = np.zeros(automaton.wagers * automaton.nets, np.int64)
    hands = np.zeros((LIVE, STRENGTHS), np.int64)
    play_rows(automaton.table, automaton.pay, shoe, log, rounds, hands)
    return list(_read_log(automaton, log))


_RANK = {rank: index for index, rank in enumerate(RANKS)}


def _read_log(automaton: Automaton, log: NDArray[np.int64]) -> Iterator[Played]:
    states: list[int] = []
    for number in log[1 : log[0] + 1].tolist():
        if number < 0:
            yield _read_round(automaton, states, -number)
            states = []
        else:
            states.append(number)


def _read_round(automaton: Automaton, states: list[int], cards: int) -> Played:
    """Tell moves and amounts from the states of each hand in turn and, at last, of the dealer."""
    moves: list[Move] = []
    finals: list[int] = []
    for state in states:
        action = automaton.actions[state] if state >= LIVE else _stand(state)
        if action:
            moves.append(Move(action, len(finals)))
        if state < LIVE:
            finals.append(state)
    dealer = finals.pop() // 4
    has_acted = dealer != PONTOON  # H4
    own = tuple(move for move in moves if has_acted and move.hand < len(finals))
    return Played(own, tuple(_read_amounts(automaton, final, dealer) for final in finals), cards)


def _stand(final: int) -> Action | None:
    is_points = 0 < final // 4 < STRENGTHS - 2
    return Action.STAND if is_points and not final & CUT_SHORT else None


def _read_amounts(automaton: Automaton, final: int, dealer: int) -> tuple[int, int]:
    code = int(automaton.pay[final, dealer])
    stakes, net = divmod(code - automaton.net_min, automaton.nets)
    wager = STAKE * stakes
    return wager, wager + STAKE * (net + automaton.net_min) // automaton.unit
