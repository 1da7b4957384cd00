"""A round from the deal to its end under one strategy: what it wins and what it wagers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from pontoon.analysis.composition import ACE, NO_PAIR, TEN, Shoe, Stock, forget_pair, one
from pontoon.analysis.exact_dealer import Dealer
from pontoon.analysis.exact_hand import Choose, Deal, HandPlay, Spot, State, best, find_ends
from pontoon.analysis.exact_split import find_deals
from pontoon.analysis.rules import Variant
from pontoon.engine.game import Action
from pontoon.engine.hands import Kind


@dataclass(frozen=True, slots=True)
class Start:
    """Two cards, how probable they are, and the stock of their rank if they are a pair."""

    cards: int
    chance: float
    pair: Stock | None = None

    @property
    def state(self) -> State:
        """The cards as a hand, not doubled."""
        return self.cards, False

    @property
    def rank(self) -> int:
        """The rank of the pair, or NO_PAIR."""
        return self.pair.pair if self.pair else NO_PAIR


def find_starts(shoe: Shoe) -> Iterator[Start]:
    """List the first two cards that the player may have; tens are a pair only of one rank (H10)."""
    counts, size = shoe.stock.counts, shoe.stock.size
    orders = size * (size - 1)
    tens = counts[TEN] * (counts[TEN] - 1) / orders
    for low in range(TEN + 1):
        for high in range(low + 1, TEN + 1):
            yield Start(one(low) + one(high), 2 * counts[low] * counts[high] / orders)
    for stock, times in shoe.pairs:
        count = stock.counts[stock.pair]
        chance = times * count * (count - 1) / orders
        tens -= chance if stock.pair >= TEN else 0
        yield Start(forget_pair(2 * one(stock.pair)), chance, stock)
    yield Start(2 * one(TEN), tens)


class RoundPlay:
    """All rounds of a rule set and a shoe, played by one strategy; amounts are in stakes."""

    def __init__(
        self, variant: Variant, shoe: Shoe, choose: Choose = best, dealer: Dealer | None = None
    ) -> None:
        self.variant = variant
        self.shoe = shoe
        self.dealer = dealer or Dealer(variant, shoe.stock)
        self.starts = [start for start in find_starts(shoe) if start.chance > 0]
        self.first = HandPlay(variant, self.dealer, Deal(shoe.stock), choose)
        self.choose = choose
        self._splits: dict[Stock, list[HandPlay]] = {}

    @cached_property
    def dealer_pontoon(self) -> float:
        """The probability that the dealer has a pontoon, and ends the round (H4)."""
        return 1 - self.dealer.no_pontoon(0)

    @cached_property
    def even_pontoons(self) -> float:
        """The probability that both have a pontoon, where the dealer does not win that (H4)."""
        if not self.variant.pontoons_tie:
            return 0
        return sum(
            start.chance * (1 - self.dealer.no_pontoon(start.cards))
            for start in self.starts
            if self.first.hand(start.cards).kind is Kind.PONTOON
        )

    @cached_property
    def win(self) -> float:
        """The expected win of a round; the house edge is its opposite."""
        played = sum(start.chance * self.worth(start) for start in self.starts)
        return played + self.even_pontoons - self.dealer_pontoon

    def worth(self, start: Start) -> float:
        """Return the win that is expected with these cards, the dealer having no pontoon."""
        if self.is_split(start):
            return self.options(start)[Action.SPLIT]
        return self.first.worth(start.state)

    def is_split(self, start: Start) -> bool:
        """Say whether the strategy splits these cards, whenever it may (H10)."""
        worths = self.options(start)
        return Action.SPLIT in worths and self.choose(self.spot(start), worths) is Action.SPLIT

    def spot(self, start: Start) -> Spot:
        """Return what a strategy is told of the first two cards."""
        spot = self.first.spot(start.state)
        return Spot(spot.hand, spot.doubled, pair=start.rank)

    def options(self, start: Start) -> Mapping[Action, float]:
        """List what is allowed with the first two cards, and its worth."""
        worths = self.first.options(start.state)
        if start.pair and self.hands_max(start.pair) > 1:
            plays = self.split(start.pair)
            worths[Action.SPLIT] = sum(play.worth(play.start) for play in plays)
        return worths

    def hands_max(self, pair: Stock) -> int:
        """Return to how many hands a rank may be split (H10)."""
        takes_one_card = pair.pair == ACE and not self.variant.split_aces_play_on
        return min(self.variant.hands_max, 2) if takes_one_card else self.variant.hands_max

    def split(self, pair: Stock) -> list[HandPlay]:
        """Return the play of the hands that a pair is split to."""
        if pair not in self._splits:
            deals = find_deals(pair, self.hands_max(pair))
            self._splits[pair] = [self.play(deal) for deal in deals]
        return self._splits[pair]

    def play(self, deal: Deal) -> HandPlay:
        """Return the play of the hands of a deal, by the strategy of these rounds."""
        return HandPlay(self.variant, self.dealer, deal, self.choose)

    @cached_property
    def wager(self) -> float:
        """The expected wager of a round."""
        return self.dealer_pontoon + sum(chance * (1 + doubled) for doubled, chance in self._ends)

    @cached_property
    def hand_count(self) -> float:
        """The expected number of hands of a round."""
        return self.dealer_pontoon + sum(chance for _, chance in self._ends)

    @cached_property
    def _ends(self) -> list[tuple[bool, float]]:
        """All hands of all rounds without a pontoon of the dealer: if doubled, and probability."""
        return [
            (doubled, chance * play.chance(cards))
            for play, starts in self.begin()
            for (cards, doubled), chance in find_ends(play, starts).items()
        ]

    def begin(self) -> list[tuple[HandPlay, dict[State, float]]]:
        """Return all deals of hands that are played, with the cards that they start with."""
        halves = [
            (hands, hands.first_draws(chance))
            for pair, chance in self.pairs
            for hands in self.split(pair)
        ]
        return [(self.first, self.whole), *halves]

    @cached_property
    def pairs(self) -> list[tuple[Stock, float]]:
        """The pairs that the strategy splits, and how probable they are."""
        return [
            (start.pair, start.chance)
            for start in self.starts
            if start.pair and self.is_split(start)
        ]

    @cached_property
    def whole(self) -> dict[State, float]:
        """The first two cards that are not split, and how probable they are."""
        chances: dict[State, float] = defaultdict(float)
        for start in self.starts:
            chances[start.state] += 0 if self.is_split(start) else start.chance
        return chances
