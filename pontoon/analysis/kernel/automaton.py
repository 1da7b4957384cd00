"""A rule set and a strategy as one automaton: a round is a walk from state to state, card by card.

This is a second reading of the rulebook. Of the engine it takes the numbers of a rule set and the
names of actions and ranks, and none of the code that applies them, so that their agreement means
something.

A state below `LIVE` is final: a hand's strength, and what is at stake. Any other is a hand that
draws a card next. Player and dealer share one table, and what the strategy decides is built in.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from math import lcm
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pontoon.analysis.rules import Variant
from pontoon.engine import Action
from pontoon.engine.cards import RANKS

BUST, POINTS_MIN, POINTS_MAX, TRICK, PONTOON = 0, 4, 21, 22, 23
"""Strengths of hands (H5); points count as they are."""
STRENGTHS: Final = PONTOON + 1

DOUBLED, CUT_SHORT = 1, 2
"""Flags of a final state: two stakes are wagered; it ended by the rules, not by a stand."""
LIVE: Final = STRENGTHS * 4

NO_RANK: Final = len(RANKS)
STOP, PAIR = 13, 14
"""Columns after the 13 ranks: the final state of two cards on which nobody acts; a pair's rank."""
COLUMNS: Final = 16

DECKS_MAX, HANDS_MAX = 8, 8
DEALER, DEALT = 0, 1
"""Whose hand: of the player, how many hands he has at its turn. `LIVE` plus this is its start."""


@dataclass(frozen=True, slots=True)
class Spot:
    """All that a total-dependent strategy knows when it decides; `pair` is the rank of one."""

    cards: int
    total: int
    soft: bool
    doubled: bool
    pair: str | None
    options: frozenset[Action]


Strategy: TypeAlias = Callable[[Spot], Action]
"""Chooses one of the spot's options, the same whenever the spot is the same."""


@dataclass(frozen=True, slots=True)
class Automaton:
    """The tables, and how to read them.

    `table` is [state, column]. `pay` is [final state, dealer's strength]: a hand's wager in stakes,
    times `nets`, plus its net result; the code of a round is the sum over its hands. Net results
    are whole numbers of 1/`unit` of a stake: 1 with odds of 2 to 1, 2 with odds of 3 to 2.
    """

    table: NDArray[np.uint16]
    pay: NDArray[np.int64]
    decks: int
    wagers: int  # a round wagers less stakes than this
    nets: int  # and has one of so many net results, from `net_min` on
    net_min: int
    unit: int
    actions: tuple[Action | None, ...]  # by state: what the player draws for

    @property
    def digest(self) -> str:
        """A fingerprint in hexadecimal: equal for equal play under equal rules."""
        tables = self.table.tobytes() + self.pay.tobytes()
        return sha256(b"%d " % self.decks + tables).hexdigest()


@dataclass(frozen=True, slots=True)
class Cards:
    """What matters of some cards: how many, their points with every ace as 1, any ace (H2)."""

    count: int = 0
    points: int = 0
    has_ace: bool = False

    def add(self, rank: int) -> "Cards":
        """Put a card to them."""
        return Cards(self.count + 1, self.points + min(rank + 1, 10), self.has_ace or rank == 0)

    @property
    def soft(self) -> bool:
        """Say whether an ace counts 11."""
        return self.has_ace and self.points <= 11

    @property
    def total(self) -> int:
        """Count an ace as 11 where that does not bust."""
        return self.points + 10 * self.soft

    def strength(self, trick_cards: int | None) -> int:
        """H5."""
        if self.total > POINTS_MAX:
            return BUST
        if self.count == trick_cards:
            return TRICK
        return PONTOON if (self.count, self.total) == (2, 21) else self.total


@dataclass(frozen=True, slots=True)
class Place:
    """A hand that draws next, and why: a live state before it has a number."""

    origin: int
    cards: Cards = Cards()
    rank: int = NO_RANK  # of a single card, or of a pair to be split
    doubled: bool = False
    action: Action | None = None


State: TypeAlias = Place | int
"""A place, or the number of a final state."""


def build(rules: Variant, strategy: Strategy) -> Automaton:
    """Compile; raises ValueError if the strategy chooses what is not allowed."""
    if not (1 <= rules.decks <= DECKS_MAX and 1 <= rules.hands_max <= HANDS_MAX):
        raise ValueError(f"at most {DECKS_MAX} decks and {HANDS_MAX} hands")
    steps = dict(_explore(rules, strategy))
    numbers: dict[State, int] = {final: final for final in range(LIVE)}
    numbers |= {place: LIVE + index for index, place in enumerate(steps)}
    table = np.zeros((len(numbers), COLUMNS), np.uint16)
    table[:LIVE, STOP] = [final & ~DOUBLED for final in range(LIVE)]
    table[:, PAIR] = NO_RANK
    for place, followers in steps.items():
        row = table[numbers[place]]
        row[: len(followers)] = [numbers[state] for state in followers]
        row[STOP] = _final(place.cards.strength(rules.trick_cards), False, CUT_SHORT)
        row[PAIR] = place.rank if place.action is Action.SPLIT else NO_RANK
    odds = _odds(rules).values()
    unit = lcm(*[times.denominator for times in odds])
    stakes_max = 2 * rules.hands_max
    nets = stakes_max * int(unit * (1 + max(odds))) + 1
    return Automaton(
        table=table,
        pay=_make_pay(rules, nets, unit),
        decks=rules.decks,
        wagers=stakes_max + 1,
        nets=nets,
        net_min=-stakes_max * unit,
        unit=unit,
        actions=(*[None] * LIVE, *[place.action for place in steps]),
    )


def _explore(rules: Variant, strategy: Strategy) -> Iterator[tuple[Place, list[State]]]:
    """Find every place that can be reached, the starts first, and what each rank makes of it."""
    places = [Place(origin) for origin in range(rules.hands_max + 1)]
    known = set(places)
    for place in places:
        ranks = range(0 if place.action is Action.SPLIT else len(RANKS))
        followers = [_step(rules, strategy, place, rank) for rank in ranks]
        yield place, followers
        for state in followers:
            if isinstance(state, Place) and state not in known:
                known.add(state)
                places.append(state)


def _step(rules: Variant, strategy: Strategy, place: Place, rank: int) -> State:
    """Draw a card."""
    cards = place.cards.add(rank)
    if place.origin == DEALER:
        return _step_dealer(rules, cards)
    if cards.count == 1:
        return replace(place, cards=cards, rank=rank)
    doubled = place.doubled or place.action is Action.DOUBLE
    pair = rank if place.rank == rank else NO_RANK
    if place.origin > DEALT and place.rank == 0 and not rules.split_aces_play_on:
        return _final(_player_strength(rules, place.origin, cards), doubled, CUT_SHORT)
    return _decide(rules, strategy, replace(place, cards=cards, rank=pair, doubled=doubled))


def _decide(rules: Variant, strategy: Strategy, place: Place) -> State:
    """Find what becomes of a hand of two cards or more: it ends, or draws on by an action."""
    strength = _player_strength(rules, place.origin, place.cards)
    is_open = strength == PONTOON and not rules.pontoon_completes
    if not (POINTS_MIN <= strength <= POINTS_MAX or is_open):  # H6
        return _final(strength, place.doubled)
    if place.doubled and not rules.double_plays_on:
        return _final(strength, place.doubled, CUT_SHORT)
    spot = _make_spot(rules, place)
    action = strategy(spot)
    if action not in spot.options:
        raise ValueError(f"the strategy may not {action} here: {spot}")
    if action is Action.STAND:
        return _final(strength, place.doubled)
    if action is Action.DOUBLE and not rules.double_draws:
        return _decide(rules, strategy, replace(place, doubled=True))
    pair = place.rank if action is Action.SPLIT else NO_RANK
    return Place(DEALT, place.cards, pair, place.doubled, action)


def _player_strength(rules: Variant, origin: int, cards: Cards) -> int:
    strength = cards.strength(rules.trick_cards)
    is_counted = strength == PONTOON and origin > DEALT and not rules.split_pontoon
    return POINTS_MAX if is_counted else strength  # H11


def _make_spot(rules: Variant, place: Place) -> Spot:
    """H7 to H10."""
    cards = place.cards
    is_pair = cards.count == 2 and place.rank != NO_RANK
    allowed = {
        Action.HIT: True,
        Action.STAND: cards.total >= rules.stand_points_min,
        Action.DOUBLE: not place.doubled and cards.count <= rules.double_cards_max,
        Action.SPLIT: is_pair and not place.doubled and place.origin < rules.hands_max,
    }
    return Spot(
        cards=cards.count,
        total=cards.total,
        soft=cards.soft,
        doubled=place.doubled,
        pair=RANKS[place.rank] if is_pair else None,
        options=frozenset(action for action, is_allowed in allowed.items() if is_allowed),
    )


def _step_dealer(rules: Variant, cards: Cards) -> State:
    """H12, H13."""
    strength = cards.strength(rules.trick_cards if rules.dealer_trick else None)
    hits_soft_17 = rules.dealer_hits_soft_17 and cards.soft and cards.total == 17
    draws_on = cards.total < rules.dealer_stands_min or hits_soft_17
    is_open = cards.count < rules.trick_cards and BUST < strength < TRICK
    if cards.count == 1 or (draws_on and is_open):
        return Place(DEALER, cards)
    is_hidden = strength == PONTOON and not rules.dealer_looks  # H4: nothing ends by it
    return _final(strength, False, CUT_SHORT if is_hidden else 0)


def _final(strength: int, doubled: bool, flag: int = 0) -> int:
    return strength * 4 + flag + doubled * DOUBLED


def _make_pay(rules: Variant, nets: int, unit: int) -> NDArray[np.int64]:
    return np.array(
        [
            [
                (1 + (final & DOUBLED)) * nets + int(unit * _win(rules, final, dealer))
                for dealer in range(STRENGTHS)
            ]
            for final in range(LIVE)
        ],
        np.int64,
    )


def _win(rules: Variant, final: int, dealer: int) -> Fraction:
    """What a hand wins, in stakes (H4, H14, H15)."""
    strength, wager = final // 4, Fraction(1 + (final & DOUBLED))
    dealer_wins = not rules.pontoons_tie if strength == PONTOON else rules.dealer_wins_ties
    if strength == BUST or strength < dealer or (strength == dealer and dealer_wins):
        return -wager
    if strength == dealer:
        return Fraction(0)
    return _odds(rules).get(strength, Fraction(1)) * (wager if rules.double_wins else 1)


def _odds(rules: Variant) -> dict[int, Fraction]:
    odds = {POINTS_MAX: rules.twenty_one_odds, TRICK: rules.trick_odds, PONTOON: rules.pontoon_odds}
    return {strength: Fraction(times).limit_denominator(100) for strength, times in odds.items()}
