"""Rounds in machine code, from random shoes, each of them fresh, or from known orders.

The cards of round r are a function of a key and r (a counter through the finalizer of SplitMix64):
any round can be had by itself, and no number of workers, order of work or interruption changes a
result. This randomness is for statistics; the shoes that are dealt are `pontoon.engine.shoe`'s.

A shoe is one array, so that a hand needs few arguments: first a mark for each card, the last round
that drew it, then a row of cards for each round. A card is 16 × copy + rank. The cards of a row are
independent, and longer than a round; one that the round has drawn already is passed over, which is
to draw without replacement. A row that runs out, less than once in 10^12 rounds, goes on in the
next one.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pontoon.analysis.kernel.automaton import (
    DEALER,
    DEALT,
    DECKS_MAX,
    HANDS_MAX,
    LIVE,
    NO_RANK,
    PAIR,
    POINTS_MIN,
    PONTOON,
    STOP,
)

U64: TypeAlias = np.uint64
Unsigned: TypeAlias = Any
"""A number of 64 bits in machine code, where arithmetic wraps."""
Shoe: TypeAlias = NDArray[np.uint16]

ROW: Final = 32  # cards
BATCH: Final = 256  # rounds: shoes, tables and counts stay in a core's own cache
NO_CARD: Final = 64 * DECKS_MAX
"""Stands where there is no card. Its mark is the current round, so that it is passed over."""
MARKS: Final = NO_CARD + ROW  # rows stay aligned

_DEALT, _DEALER, _LIVE = U64(LIVE + DEALT), U64(LIVE + DEALER), U64(LIVE)
_STOP, _PAIR, _NO_RANK = U64(STOP), U64(PAIR), U64(NO_RANK)
_NO_CARD, _RANK_BITS, _STRENGTH = U64(NO_CARD), U64(15), U64(2)
_OPEN_FROM, _OPEN_COUNT = U64(POINTS_MIN * 4), U64((PONTOON - POINTS_MIN) * 4)
_DEALER_PONTOON = U64(PONTOON * 4)

_ROW_WORDS: Final = ROW // 4
_WEYL, _MIX_1, _MIX_2 = map(U64, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


@njit(nogil=True, cache=True)
def shuffle_rows(rows: Shoe, key: Unsigned, first_round: int, decks: int) -> None:
    """Fill rows with random cards; 16 bits each, mapped without bias by rejection (Lemire 2019)."""
    words = rows.view(np.uint64)
    start = key + U64(first_round * _ROW_WORDS) * _WEYL
    for index in range(len(words)):
        word = start + U64(index) * _WEYL
        word = (word ^ (word >> U64(30))) * _MIX_1
        word = (word ^ (word >> U64(27))) * _MIX_2
        words[index] = word ^ (word >> U64(31))
    size = np.uint32(52 * decks)
    refused_below = np.uint16(65536 % size)
    for index in range(len(rows)):
        product = np.uint32(rows[index]) * size
        card = np.uint16(product >> np.uint32(16))
        card += np.uint16(3) * (card // np.uint16(13))  # 13 × copy + rank: 16 × copy + rank
        rows[index] = card if np.uint16(product) >= refused_below else np.uint16(NO_CARD)


@njit(nogil=True, cache=True)
def _draw(shoe: Shoe, at: Unsigned) -> Any:
    """Draw the next card that the round has not drawn: its rank, and the place after it."""
    round_ = shoe[_NO_CARD]
    while shoe[shoe[at]] == round_:
        at += U64(1)
    card = shoe[at]
    shoe[card] = round_
    return U64(card) & _RANK_BITS, at + U64(1)


@njit(nogil=True, cache=True)
def _note(log: Any, number: Any) -> None:
    """Append to a log, if one is kept: its first number counts the others."""
    if log.size:
        log[0] += 1
        log[log[0]] = number


@njit(nogil=True, cache=True)
def _walk(table: Any, shoe: Shoe, log: Any, at: Unsigned, state: Unsigned) -> Any:
    """Play a hand, the player's or the dealer's, to its final state."""
    while state >= _LIVE:
        _note(log, state)
        rank, at = _draw(shoe, at)
        state = U64(table[state, rank])
    _note(log, state)
    return state, at


@njit(nogil=True, cache=True)
def _walk_pair(table: Any, shoe: Shoe, log: Any, at: Unsigned, state: Unsigned, finals: Any) -> Any:
    """Split a pair and play the hands, first to last (H10): their count, their final states.

    All of them begin with the same rank; of those that wait only the second card is kept.
    """
    rank = U64(table[state, _PAIR])
    seconds = np.empty(HANDS_MAX, np.uint64)
    waiting, done, hands = 0, 0, U64(1)
    while True:
        if table[state, _PAIR] != _NO_RANK:
            _note(log, state)
            left, at = _draw(shoe, at)
            seconds[waiting], at = _draw(shoe, at)
            seconds[waiting + 1] = left
            waiting += 2
            hands += U64(1)
        else:
            finals[done], at = _walk(table, shoe, log, at, state)
            done += 1
        if waiting == 0:
            return done, at
        waiting -= 1
        state = U64(table[U64(table[_LIVE + hands, rank]), seconds[waiting]])


@njit(nogil=True, cache=True)
def play_rows(table: Any, pay: Any, shoe: Shoe, log: Any, rounds: Any, hands: Any) -> None:
    """Play a round of every row but the last (H3 to H15).

    Counts rounds by code, hands by [final state, dealer's strength]. The log, if it is not empty,
    gets for every round the states of each hand to its final one, those of the dealer, and the
    number of cards drawn, below zero.
    """
    shoe[:NO_CARD] = 0
    finals = np.empty(HANDS_MAX, np.uint64)
    for row in range((len(shoe) - MARKS) // ROW - 1):
        shoe[_NO_CARD] = row + 1
        start = U64(MARKS + row * ROW)
        first, at = _draw(shoe, start)
        dealer_first, at = _draw(shoe, at)
        second, at = _draw(shoe, at)
        dealer_second, at = _draw(shoe, at)
        hand = U64(table[U64(table[_DEALT, first]), second])
        dealer = U64(table[U64(table[_DEALER, dealer_first]), dealer_second])
        count = 1
        if dealer == _DEALER_PONTOON:  # H4
            finals[0], at = _walk(table, shoe, log, at, U64(table[hand, _STOP]))
        elif table[hand, _PAIR] != _NO_RANK:
            count, at = _walk_pair(table, shoe, log, at, hand, finals)
        else:
            finals[0], at = _walk(table, shoe, log, at, hand)
        is_open = False  # to a draw of the dealer's (H12): neither bust nor a pontoon
        for index in range(count):
            is_open |= finals[index] - _OPEN_FROM < _OPEN_COUNT
        dealer = dealer if is_open else U64(table[dealer, _STOP])
        dealer, at = _walk(table, shoe, log, at, dealer)
        code = 0
        for index in range(count):
            hands[finals[index], dealer >> _STRENGTH] += 1
            code += pay[finals[index], dealer >> _STRENGTH]
        rounds[code] += 1
        _note(log, -np.int64(at - start))


@njit(nogil=True, cache=True)
def play_rounds(table: Any, pay: Any, decks: int, stretch: Any, rounds: Any, hands: Any) -> None:
    """Play a stretch of rounds (key, number of the first, how many) and count them."""
    key, first, count = stretch
    shoe = np.empty(MARKS + (BATCH + 1) * ROW, np.uint16)
    log = np.empty(0, np.int64)
    for done in range(0, count, BATCH):
        used = shoe[: MARKS + (min(BATCH, count - done) + 1) * ROW]
        shuffle_rows(used[MARKS:], key, first + done, decks)
        play_rows(table, pay, used, log, rounds, hands)
