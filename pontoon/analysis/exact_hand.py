"""What a hand is worth, and where it ends: decisions that know the hand's own cards alone.

Two facts make this exact. The cards that nobody has seen are exchangeable, so that the player's
next card is a plain draw from what he does not see, the dealer's hidden cards included. And the
game only goes on when the dealer has no pontoon (H4): that is no condition on each draw but one
factor at the end, for every worth here is reckoned *and the dealer has no pontoon*, as an expected
win times the probability of that.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from operator import mul
from typing import TypeAlias

from pontoon.analysis.composition import ACE, NO_PAIR, Hand, Stock, make_hand, one
from pontoon.analysis.exact_dealer import Dealer, Law
from pontoon.analysis.rules import Variant
from pontoon.engine.game import Action
from pontoon.engine.hands import LIMIT, Kind


@dataclass(frozen=True, slots=True)
class Spot:
    """What a decision may depend on: the hand, if it is doubled, and how many hands there are."""

    hand: Hand
    doubled: bool
    hand_count: int = 1
    pair: int = NO_PAIR

    @property
    def wager(self) -> int:
        """The wager in stakes."""
        return 2 if self.doubled else 1


Worths: TypeAlias = Mapping[Action, float]
"""What each action that is allowed is worth, in stakes."""

Choose: TypeAlias = Callable[[Spot, Worths], Action]
"""A strategy: what to do in a spot."""


def best(_spot: Spot, worths: Worths) -> Action:
    """Choose what is worth most."""
    return max(worths, key=worths.__getitem__)


@dataclass(frozen=True)
class Deal:
    """Where a hand comes from: what it starts with, and what is known of other cards.

    `gone` are cards known to lie elsewhere. `weights` tell of hidden cards: the deal is a sum of
    cases in which 0, 1, 2 … further cards are of the split rank, each times its weight.
    """

    stock: Stock
    start: int = 0
    gone: int = 0
    weights: tuple[int, ...] = (1,)
    hand_count: int = 1
    resplits: bool = False

    @property
    def is_split(self) -> bool:
        """Whether the hand comes from a split pair."""
        return self.hand_count > 1

    def is_elsewhere(self, cards: int) -> bool:
        """Say whether these cards are split on, and so never played as a hand of this deal."""
        return self.resplits and cards == 2 * self.start


State: TypeAlias = tuple[int, bool]
"""The cards of a hand, and whether it is doubled."""


class HandPlay:
    """The hands of one deal under one rule set, played by a strategy."""

    def __init__(self, variant: Variant, dealer: Dealer, deal: Deal, choose: Choose) -> None:
        self._variant = variant
        self._dealer = dealer
        self._deal = deal
        self._choose = choose
        self._laws: dict[int, Law] = {}
        self._worths: dict[State, float] = {}
        self._draws: dict[int, list[tuple[int, float]]] = {}

    @property
    def start(self) -> State:
        """The hand as the deal begins it: nothing yet, or one card of a split pair."""
        return self._deal.start, False

    @property
    def hand_count(self) -> int:
        """The number of hands on the table while such a hand is played."""
        return self._deal.hand_count

    @property
    def strengths(self) -> tuple[int, ...]:
        """What the dealer may end with, in the order of his laws."""
        return self._dealer.strengths

    def first_draws(self, chance: float) -> dict[State, float]:
        """List the second cards of a split hand that is played, times a probability."""
        return {
            state: chance * part
            for state, part in self.outcomes(self.start, Action.HIT)
            if not self._deal.is_elsewhere(state[0])
        }

    def worth(self, state: State) -> float:
        """Return the win that is expected from here on, the dealer having no pontoon."""
        if state not in self._worths:
            self._worths[state] = self._find_worth(state)
        return self._worths[state]

    def _find_worth(self, state: State) -> float:
        if self._deal.is_elsewhere(state[0]):
            return 0
        worths = self.options(state)
        if not worths:
            return self._stand(state)
        return worths[self._decide(state, worths)]

    def action(self, state: State) -> Action:
        """Return what the strategy does; a hand that is complete stands."""
        worths = self.options(state)
        return self._decide(state, worths) if worths else Action.STAND

    def _decide(self, state: State, worths: Worths) -> Action:
        """Ask the strategy, if there is a choice."""
        only, *others = worths
        return self._choose(self.spot(state), worths) if others else only

    def spot(self, state: State) -> Spot:
        """Return what a strategy is told of a state."""
        cards, doubled = state
        return Spot(self.hand(cards), doubled, self._deal.hand_count, self._deal.stock.pair)

    def hand(self, cards: int) -> Hand:
        """Value the hand; an ace and a ten after a split are 21 where they are no pontoon (H11)."""
        hand = make_hand(cards, self._variant.trick_cards)
        if hand.kind is Kind.PONTOON and self._deal.is_split and not self._variant.split_pontoon:
            return replace(hand, kind=Kind.POINTS)
        return hand

    def options(self, state: State) -> dict[Action, float]:
        """List what is allowed, but splits, and its worth; nothing if the hand is complete."""
        cards, doubled = state
        hand, rules = self.hand(cards), self._variant
        if self._is_complete(hand, doubled):
            return {}
        if hand.count < 2:  # the deal; a half of a split pair gets its card at once (H10)
            return {Action.HIT: self._expect(state, Action.HIT)}
        worths = {Action.HIT: self._expect(state, Action.HIT)}  # H8
        if hand.total >= rules.stand_points_min:  # H7
            worths[Action.STAND] = self._stand(state)
        if not doubled and hand.count <= rules.double_cards_max:  # H9
            worths[Action.DOUBLE] = self._expect(state, Action.DOUBLE)
        return worths

    def is_open(self, cards: int) -> bool:
        """Say whether a hand goes on with these cards, before any double."""
        return not self._is_complete(self.hand(cards), doubled=False)

    def _is_complete(self, hand: Hand, doubled: bool) -> bool:
        """H6; H10: split aces may get one card only."""
        rules = self._variant
        plays_on = rules.double_plays_on or not doubled
        is_open = hand.kind is Kind.POINTS or (
            hand.kind is Kind.PONTOON and not rules.pontoon_completes
        )
        return not is_open or not plays_on or self._is_split_ace(hand)

    def _is_split_ace(self, hand: Hand) -> bool:
        is_ace = self._deal.start == one(ACE) and hand.count == 2
        return is_ace and not self._variant.split_aces_play_on

    def _expect(self, state: State, action: Action) -> float:
        return sum(chance * self.worth(after) for after, chance in self.outcomes(state, action))

    def outcomes(self, state: State, action: Action) -> list[tuple[State, float]]:
        """List what a hit or a double makes of a hand, each with its probability."""
        cards, doubled = state
        becomes = doubled or action is Action.DOUBLE
        if action is Action.DOUBLE and not self._variant.double_draws:
            return [((cards, becomes), 1.0)]
        return [((cards + card, becomes), chance) for card, chance in self._draw(cards)]

    def _draw(self, cards: int) -> list[tuple[int, float]]:
        if cards not in self._draws:
            self._draws[cards] = self._deal.stock.draws(self._deal.gone + cards)
        return self._draws[cards]

    def _stand(self, state: State) -> float:
        cards, _ = state
        results = self.results(state)
        if len(set(results)) == 1:  # the dealer cannot change it (H12)
            return self.chance(cards) * results[0]
        worth: float = sum(map(mul, self.law(cards), results))
        return worth

    def chance(self, cards: int) -> float:
        """Return the probability of the deal, and no pontoon of the dealer, given these cards."""
        return sum(case * self._dealer.no_pontoon(seen) for seen, case in self._cases(cards))

    def law(self, cards: int) -> Law:
        """Return how the dealer ends when the hand ends with these cards."""
        if cards not in self._laws:
            self._laws[cards] = self._find_law(cards)
        return self._laws[cards]

    def _find_law(self, cards: int) -> Law:
        sums = [0.0] * len(self._dealer.strengths)
        for seen, case in self._cases(cards):
            law = self._dealer.law(seen)
            sums = [total + case * part for total, part in zip(sums, law, strict=True)]
        return tuple(sums)

    def _cases(self, cards: int) -> list[tuple[int, float]]:
        """List the cases of the deal: the cards that are gone, and the weight of the case."""
        deal, seen = self._deal, self._deal.gone + cards
        return [
            (seen + times * deal.start, weight * chance)
            for times, weight in enumerate(deal.weights)
            if weight and (chance := deal.stock.chance(times * deal.start, seen))
        ]

    def results(self, state: State) -> tuple[float, ...]:
        """Return what the hand wins, in stakes, against each end of the dealer."""
        cards, doubled = state
        return find_results(self._variant, self.hand(cards), doubled, self.strengths)


@cache
def find_results(
    rules: Variant, hand: Hand, doubled: bool, strengths: tuple[int, ...]
) -> tuple[float, ...]:
    """Return what a hand wins, in stakes, against each strength of the dealer (H4, H14, H15)."""
    wager = 2 if doubled else 1
    win = _find_odds(rules, hand) * (wager if rules.double_wins else 1)
    dealer_wins = not rules.pontoons_tie if hand.kind is Kind.PONTOON else rules.dealer_wins_ties
    tie = -wager if dealer_wins else 0
    if hand.kind is Kind.BUST:  # whatever the dealer ends with (H6)
        return (-wager,) * len(strengths)
    return tuple(
        win if hand.strength > strength else tie if hand.strength == strength else -wager
        for strength in strengths
    )


def _find_odds(rules: Variant, hand: Hand) -> float:
    """H15."""
    if hand.kind is Kind.PONTOON:
        return rules.pontoon_odds
    if hand.kind is Kind.FIVE_CARD_TRICK:
        return rules.trick_odds
    return rules.twenty_one_odds if hand.total == LIMIT else 1


def find_visits(play: HandPlay, starts: Mapping[State, float]) -> dict[State, float]:
    """Play hands to their ends; returns every state on the way, and its probability by draws."""
    visits: dict[State, float] = {}
    states = dict(starts)
    while states:
        visits |= states
        drawn: dict[State, float] = defaultdict(float)
        for state, chance in states.items():
            action = play.action(state)
            for after, part in [] if action is Action.STAND else play.outcomes(state, action):
                drawn[after] += chance * part
        states = drawn
    return visits


def find_ends(play: HandPlay, starts: Mapping[State, float]) -> dict[State, float]:
    """Play hands to their ends; returns the states that take no more cards."""
    visits = find_visits(play, starts)
    return {state: chance for state, chance in visits.items() if play.action(state) is Action.STAND}
