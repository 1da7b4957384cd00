"""All rounds that a small shoe can give, played by the production engine."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from pontoon.analysis.composition import NO_PAIR, PAIR_OF_TENS, TEN, one, shoe_of
from pontoon.analysis.exact_hand import Choose, Spot, Worths
from pontoon.analysis.exact_round import RoundPlay, Start
from pontoon.analysis.rules import Variant
from pontoon.engine import (
    DECK,
    Action,
    Playing,
    Round,
    Rules,
    Shoe,
    ShoeExhaustedError,
    arrange,
    house,
)
from pontoon.engine.cards import RANKS, Card
from pontoon.engine.house import Hand

CARDS = {rank: next(card for card in DECK if card.rank == rank) for rank in RANKS}

Counts = dict[str, int]
Strategy = Callable[[Playing], Action]


def erratic(spot: Spot, worths: Worths) -> Action:
    """Play as nobody would: split whatever can be split, else choose by the look of the cards."""
    if Action.SPLIT in worths:
        return Action.SPLIT
    number = spot.hand.cards % 101 + 3 * spot.doubled + 5 * spot.hand_count
    return sorted(worths)[number % len(worths)]


def play_rounds(variant: Variant, counts: Counts, choose: Choose) -> tuple[RoundPlay, Strategy]:
    """Return the analysis of a shoe, and its strategy as one for the engine's rounds."""
    play = RoundPlay(variant, shoe_of(counts), choose)
    return play, lambda playing: _decide(play, counts, playing)


def _decide(play: RoundPlay, counts: Counts, playing: Playing) -> Action:
    hand, hand_count = playing.hands[playing.active_hand], len(playing.hands)
    offered = {option.action for option in house.legal_actions(playing)}
    start = _find_start(play, counts, hand.cards[0].rank)
    if Action.SPLIT in offered and start and play.is_split(start):
        return Action.SPLIT
    if hand_count == 1:
        return play.first.action((_pack(hand, NO_PAIR), hand.is_doubled))
    assert start
    assert start.pair
    half = next(hands for hands in play.split(start.pair) if hands.hand_count == hand_count)
    return half.action((_pack(hand, start.rank), hand.is_doubled))


def _find_start(play: RoundPlay, counts: Counts, rank: str) -> Start | None:
    """Find the analysis of a pair of this rank; ranks of ten points are told by their counts."""
    index = min(RANKS.index(rank), PAIR_OF_TENS)
    index = PAIR_OF_TENS if index == TEN else index
    alike = (
        start
        for start in play.starts
        if start.pair and start.rank == index and start.pair.counts[index] == counts[rank]
    )
    return next(alike, None)


def _pack(hand: Hand, pair: int) -> int:
    """Return the cards of a hand as the analysis counts them."""
    split = hand.cards[0].rank
    return sum(
        one(PAIR_OF_TENS if pair == PAIR_OF_TENS and card.rank == split else _worth(card))
        for card in hand.cards
    )


def _worth(card: Card) -> int:
    return min(RANKS.index(card.rank), TEN)


def results_of(rules: Rules, counts: Counts, strategy: Strategy) -> Mapping[int, float]:
    """Play a shoe in every order; returns the probability of every net result."""
    results: dict[int, float] = defaultdict(float)
    rounds = list(_branch(lambda shoe: house.deal(rules, shoe, 1), counts))
    while rounds:
        round_, chance = rounds.pop()
        if isinstance(round_, Playing):
            step = partial(_act, round_, strategy(round_))
            branches = _branch(step, _left(counts, round_))
            rounds += [(after, chance * part) for after, part in branches]
        else:
            results[sum(payout.win for payout in house.settle(round_))] += chance
    return results


def _act(playing: Playing, action: Action, shoe: Shoe) -> Round:
    return house.act(replace(playing, shoe=shoe), action)


def _branch(
    step: Callable[[Shoe], Round], left: Counts, drawn: tuple[Card, ...] = ()
) -> Iterator[tuple[Round, float]]:
    """Take a step with every order of the cards that it draws; yields rounds and probabilities."""
    try:
        yield step(arrange(drawn)), 1.0
    except ShoeExhaustedError:
        size = sum(left.values())
        for rank in [rank for rank, count in left.items() if count]:
            fewer = left | {rank: left[rank] - 1}
            for round_, chance in _branch(step, fewer, (*drawn, CARDS[rank])):
                yield round_, chance * left[rank] / size


def _left(counts: Counts, playing: Playing) -> Counts:
    seen = [*playing.dealer, *(card for hand in playing.hands for card in hand.cards)]
    gone = Counter(card.rank for card in seen)
    return {rank: count - gone[rank] for rank, count in counts.items()}
