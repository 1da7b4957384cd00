"""House-banked Pontoon: one player against the house. The numbers are those of the rulebook.

A round is a frozen value, `Playing` until its last hand is complete and `Over` from then on.
`deal` and `act` give a new one; amounts are whole numbers of any currency's smallest unit.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeAlias

from pontoon.engine.cards import Card, face_down, face_up
from pontoon.engine.errors import (
    ActionNotNowError,
    DoubleUsedError,
    IllegalActionError,
    NoSuchActionError,
    RoundOverError,
    SplitLimitError,
    SplitNotEqualError,
    StandBelow15Error,
    WagerError,
)
from pontoon.engine.game import (
    Action,
    DealerView,
    HandView,
    Move,
    Option,
    Outcome,
    Payout,
    Status,
    View,
)
from pontoon.engine.hands import Kind, Value, evaluate
from pontoon.engine.shoe import Shoe


@dataclass(frozen=True, slots=True)
class Rules:
    """The numbers of a rule set; the defaults are house/1."""

    decks: int = 8  # H1
    stand_points_min: int = 15  # H7
    double_cards_max: int = 4  # H9
    hands_max: int = 3  # H10
    split_aces_play_on: bool = True  # H10; if not, each gets its one card and is complete
    trick_cards: int = 5  # H5, H6
    dealer_hits_soft_17: bool = True  # H12
    dealer_trick: bool = True  # H13; if not, his five cards count as points
    dealer_wins_ties: bool = True  # H14; if not, a tie gives the wager back, but not H4's
    pontoon_odds: int = 2  # H15, "2 to 1"
    trick_odds: int = 2  # H15


RULES: Mapping[str, Rules] = MappingProxyType({"house/1": Rules()})
"""The published rule sets. An entry is never edited: a changed number is a new entry."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand of the player. It is complete when it takes no more decisions (H6)."""

    cards: tuple[Card, ...]
    value: Value
    stake: int
    wager: int
    from_split: bool
    is_complete: bool

    @property
    def is_doubled(self) -> bool:
        """Whether the hand has used its double (H9)."""
        return self.wager > self.stake


@dataclass(frozen=True, slots=True)
class Playing:
    """A round with a hand that is not complete: the first such hand is the active one (H10)."""

    rules: Rules
    shoe: Shoe
    dealer: tuple[Card, ...] = field(repr=False)
    hands: tuple[Hand, ...]
    moves: tuple[Move, ...] = ()

    @property
    def active_hand(self) -> int:
        """The index of the hand whose turn it is."""
        return next(index for index, hand in enumerate(self.hands) if not hand.is_complete)


@dataclass(frozen=True, slots=True)
class Over:
    """A round in which nothing more is decided: the dealer has shown his cards, and drawn."""

    rules: Rules
    shoe: Shoe
    dealer: tuple[Card, ...]
    hands: tuple[Hand, ...]
    moves: tuple[Move, ...] = ()


Round: TypeAlias = Playing | Over


def deal(rules: Rules, shoe: Shoe, wager: int) -> Round:
    """Deal two cards each, the player first (H3); the dealer looks for a pontoon (H4).

    Raises WagerError and ShoeExhaustedError.
    """
    if type(wager) is not int or wager < 1:
        raise WagerError(wager)
    first, shoe = shoe.draw()
    dealer_first, shoe = shoe.draw()
    second, shoe = shoe.draw()
    dealer_second, shoe = shoe.draw()
    hand = _make_hand(rules, (first, second), stake=wager)
    dealer = (dealer_first, dealer_second)
    if evaluate(dealer).kind is Kind.PONTOON:
        return Over(rules, shoe, dealer, (hand,))
    return _finish(Playing(rules, shoe, dealer, (hand,)))


def legal_actions(round_: Round) -> tuple[Option, ...]:
    """List what the active hand may do, always in the same order; nothing when the round is over.

    Double and split add a wager equal to the stake, neither more nor less (H9, H10).
    """
    if isinstance(round_, Over):
        return ()
    stake = round_.hands[round_.active_hand].stake
    amounts = {Action.DOUBLE: stake, Action.SPLIT: stake}
    return tuple(
        Option(action, amounts.get(action, 0), amounts.get(action, 0))
        for action in _STEPS
        if _find_refusal(round_, action) is None
    )


def act(round_: Round, action: Action) -> Round:
    """Take an action on the active hand.

    Raises an IllegalActionError, the first that applies, in this order: round_over,
    no_such_action; stand: stand_below_15; double: double_used, action_not_now;
    split: action_not_now, split_not_equal, split_limit. Raises ShoeExhaustedError.
    """
    if isinstance(round_, Over):
        raise RoundOverError(action, ())
    if refusal := _find_refusal(round_, action):
        raise refusal(action, legal_actions(round_))
    active = round_.active_hand
    hands, shoe = _STEPS[action](round_.rules, round_.hands[active], round_.shoe)
    return _finish(
        Playing(
            rules=round_.rules,
            shoe=shoe,
            dealer=round_.dealer,
            hands=(*round_.hands[:active], *hands, *round_.hands[active + 1 :]),
            moves=(*round_.moves, Move(action, active)),
        )
    )


def absent_action(playing: Playing) -> Action:
    """Choose for a player who does not come back: hit until the hand may stand (H21)."""
    return Action.HIT if _find_refusal(playing, Action.STAND) else Action.STAND


def settle(over: Over) -> tuple[Payout, ...]:
    """Pay every hand of a finished round: one payout a hand, first to last (H14, H15)."""
    dealer = _evaluate_dealer(over.rules, over.dealer)
    return tuple(_pay(over.rules, hand, dealer) for hand in over.hands)


def view(round_: Round, seat: int = 0) -> View:
    """Show the round to the player, who has the only seat, 0.

    The dealer's cards lie face down until the round is over (H3).
    """
    if seat != 0:
        raise ValueError("the house game has one seat, 0")
    return _view_over(round_) if isinstance(round_, Over) else _view_playing(round_)


def _find_refusal(playing: Playing, action: Action) -> type[IllegalActionError] | None:
    """Say why this action is refused, or None: the one place that knows what is legal."""
    rules, hand = playing.rules, playing.hands[playing.active_hand]
    match action:
        case Action.HIT:  # H8
            return None
        case Action.STAND:  # H7
            return StandBelow15Error if hand.value.total < rules.stand_points_min else None
        case Action.DOUBLE:
            return _find_double_refusal(rules, hand)
        case Action.SPLIT:
            return _find_split_refusal(rules, hand, len(playing.hands))
        case _:
            return NoSuchActionError


def _find_double_refusal(rules: Rules, hand: Hand) -> type[IllegalActionError] | None:
    """H9."""
    if hand.is_doubled:
        return DoubleUsedError
    if len(hand.cards) > rules.double_cards_max:
        return ActionNotNowError
    return None


def _find_split_refusal(
    rules: Rules, hand: Hand, hand_count: int
) -> type[IllegalActionError] | None:
    """H10."""
    if len(hand.cards) != 2:
        return ActionNotNowError
    if hand.cards[0].rank != hand.cards[1].rank:
        return SplitNotEqualError
    if hand_count >= rules.hands_max:
        return SplitLimitError
    return None


Step: TypeAlias = Callable[[Rules, Hand, Shoe], tuple[tuple[Hand, ...], Shoe]]
"""What an action makes of the active hand and the shoe: the hands in its place, and the shoe."""


def _hit(rules: Rules, hand: Hand, shoe: Shoe) -> tuple[tuple[Hand, ...], Shoe]:
    """H8."""
    card, shoe = shoe.draw()
    cards = (*hand.cards, card)
    return (_make_hand(rules, cards, hand.stake, hand.wager, from_split=hand.from_split),), shoe


def _stand(_rules: Rules, hand: Hand, shoe: Shoe) -> tuple[tuple[Hand, ...], Shoe]:
    """H7."""
    return (replace(hand, is_complete=True),), shoe


def _double(rules: Rules, hand: Hand, shoe: Shoe) -> tuple[tuple[Hand, ...], Shoe]:
    """H9: the card comes at once, and the hand goes on."""
    return _hit(rules, replace(hand, wager=hand.wager + hand.stake), shoe)


def _split(rules: Rules, hand: Hand, shoe: Shoe) -> tuple[tuple[Hand, ...], Shoe]:
    """H10: each half gets one card at once, the first hand first."""
    left, right = hand.cards
    left_card, shoe = shoe.draw()
    right_card, shoe = shoe.draw()
    halves = ((left, left_card), (right, right_card))
    return tuple(_make_hand(rules, half, hand.stake, from_split=True) for half in halves), shoe


_STEPS: Mapping[Action, Step] = {
    Action.HIT: _hit,
    Action.STAND: _stand,
    Action.DOUBLE: _double,
    Action.SPLIT: _split,
}


def _make_hand(
    rules: Rules,
    cards: tuple[Card, ...],
    stake: int,
    wager: int | None = None,
    *,
    from_split: bool = False,
) -> Hand:
    value = evaluate(cards, rules.trick_cards)
    is_complete = value.kind is not Kind.POINTS or (  # H6, H11
        from_split and cards[0].rank == "A" and not rules.split_aces_play_on
    )
    return Hand(cards, value, stake, wager or stake, from_split, is_complete)


def _finish(playing: Playing) -> Round:
    """End the round if every hand is complete: the dealer shows his cards and draws (H12)."""
    if not all([hand.is_complete for hand in playing.hands]):
        return playing
    dealer, shoe = playing.dealer, playing.shoe
    if _is_contested(playing.hands):
        dealer, shoe = _play_dealer(playing.rules, dealer, shoe)
    return Over(playing.rules, shoe, dealer, playing.hands, playing.moves)


def _is_contested(hands: tuple[Hand, ...]) -> bool:
    """Say whether the dealer's draw can still change a hand: neither bust nor a pontoon (H12)."""
    return any(hand.value.kind not in {Kind.BUST, Kind.PONTOON} for hand in hands)


def _play_dealer(
    rules: Rules, cards: tuple[Card, ...], shoe: Shoe
) -> tuple[tuple[Card, ...], Shoe]:
    while len(cards) < rules.trick_cards and _dealer_draws(rules, _evaluate_dealer(rules, cards)):
        card, shoe = shoe.draw()
        cards = (*cards, card)
    return cards, shoe


def _dealer_draws(rules: Rules, value: Value) -> bool:
    """H12: below seventeen, and on a soft seventeen."""
    return value.total < 17 or (value.total == 17 and value.soft and rules.dealer_hits_soft_17)


def _evaluate_dealer(rules: Rules, cards: tuple[Card, ...]) -> Value:
    return evaluate(cards, rules.trick_cards if rules.dealer_trick else None)


def _pay(rules: Rules, hand: Hand, dealer: Value) -> Payout:
    outcome = _judge(rules, hand.value, dealer)
    odds = {Kind.PONTOON: rules.pontoon_odds, Kind.FIVE_CARD_TRICK: rules.trick_odds}  # H15
    times = {Outcome.WON: 1 + odds.get(hand.value.kind, 1), Outcome.TIED: 1, Outcome.LOST: 0}
    return Payout(outcome, hand.wager, hand.wager * times[outcome])


def _judge(rules: Rules, hand: Value, dealer: Value) -> Outcome:
    """H5, H14; a bust hand has lost even if the dealer is bust too (H6).

    The dealer's pontoon wins of a player's by H4, whatever is done with ties.
    """
    if Kind.BUST is hand.kind or dealer.kind is Kind.PONTOON:
        return Outcome.LOST
    if hand.strength < dealer.strength:
        return Outcome.LOST
    if hand.strength > dealer.strength:
        return Outcome.WON
    return Outcome.LOST if rules.dealer_wins_ties else Outcome.TIED


def _view_playing(playing: Playing) -> View:
    active = playing.active_hand
    return View(
        hands=tuple(
            _view_open_hand(hand, Status.PLAYING if index == active else Status.WAITING)
            for index, hand in enumerate(playing.hands)
        ),
        dealer=DealerView(face_down(playing.dealer)),
        active_hand=active,
        options=legal_actions(playing),
        moves=playing.moves,
    )


def _view_over(over: Over) -> View:
    dealer = _evaluate_dealer(over.rules, over.dealer)
    return View(
        hands=tuple(
            _view_hand(hand, Status.COMPLETE, payout.outcome, payout.amount)
            for hand, payout in zip(over.hands, settle(over), strict=True)
        ),
        dealer=DealerView(face_up(over.dealer), dealer.total, dealer.soft, dealer.kind),
        active_hand=None,
        options=(),
        moves=over.moves,
    )


def _view_open_hand(hand: Hand, status: Status) -> HandView:
    """Show a hand of an open round; a bust hand has lost its wager already (H6)."""
    status = Status.COMPLETE if hand.is_complete else status
    if hand.value.kind is Kind.BUST:
        return _view_hand(hand, status, Outcome.LOST, 0)
    return _view_hand(hand, status, None, None)


def _view_hand(hand: Hand, status: Status, outcome: Outcome | None, payout: int | None) -> HandView:
    return HandView(
        cards=face_up(hand.cards),
        total=hand.value.total,
        soft=hand.value.soft,
        kind=hand.value.kind,
        status=status,
        stake=hand.stake,
        wager=hand.wager,
        doubled=hand.is_doubled,
        from_split=hand.from_split,
        outcome=outcome,
        payout=payout,
    )
