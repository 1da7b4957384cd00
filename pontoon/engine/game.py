"""What every game has in common: the words of its answers, and the five verbs."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

from pontoon.engine.hands import Kind as Kind
from pontoon.engine.shoe import Shoe


class Action(StrEnum):
    """What a player does with a hand."""

    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"


class Outcome(StrEnum):
    """How a hand ended; ties exist only under rules in which the dealer does not win them."""

    WON = "won"
    LOST = "lost"
    TIED = "tied"


class Status(StrEnum):
    """Where a hand is in its round."""

    WAITING = "waiting"
    PLAYING = "playing"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class Option:
    """An action that is allowed now, and the range of what it adds to the wager."""

    action: Action
    amount_min: int = 0
    amount_max: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """An action that was taken, and the hand it was taken on, as numbered at that moment."""

    action: Action
    hand: int


@dataclass(frozen=True, slots=True)
class Payout:
    """What a hand's owner gets back, the wager included; a lost hand gets 0."""

    outcome: Outcome
    wager: int
    amount: int

    @property
    def win(self) -> int:
        """The payout less the wager; negative for a lost hand."""
        return self.amount - self.wager


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand as a seat sees it; a bust hand is lost at once, others when the round is over."""

    cards: tuple[str, ...]
    total: int
    soft: bool
    kind: Kind
    status: Status
    stake: int
    wager: int
    doubled: bool
    from_split: bool
    outcome: Outcome | None
    payout: int | None


@dataclass(frozen=True, slots=True)
class DealerView:
    """The dealer's cards as a seat sees them; no total is told while they lie face down."""

    cards: tuple[str, ...]
    total: int | None = None
    soft: bool | None = None
    kind: Kind | None = None


@dataclass(frozen=True, slots=True)
class View:
    """All that a seat may see of a round. It has no field for what a seat may not see."""

    hands: tuple[HandView, ...]
    dealer: DealerView
    active_hand: int | None
    options: tuple[Option, ...]
    moves: tuple[Move, ...]

    @property
    def wagered(self) -> int:
        """The wagers of all hands."""
        return sum(hand.wager for hand in self.hands)

    @property
    def payout(self) -> int | None:
        """The payouts of all hands, or None while one is still open."""
        amounts = [hand.payout for hand in self.hands if hand.payout is not None]
        return sum(amounts) if len(amounts) == len(self.hands) else None


RulesT = TypeVar("RulesT")
PlayingT = TypeVar("PlayingT")
OverT = TypeVar("OverT")


class Game(Protocol[RulesT, PlayingT, OverT]):
    """The five verbs. A module that has them, and its published rules, is a game."""

    RULES: Mapping[str, RulesT]

    def deal(self, rules: RulesT, shoe: Shoe, wager: int) -> PlayingT | OverT:
        """Open a round."""

    def legal_actions(self, round_: PlayingT | OverT) -> tuple[Option, ...]:
        """List what may be done now: at least one option while playing, none when over."""

    def act(self, round_: PlayingT | OverT, action: Action) -> PlayingT | OverT:
        """Make a new round of the old one, or raise IllegalActionError and change nothing."""

    def view(self, round_: PlayingT | OverT, seat: int) -> View:
        """Show what this seat may see."""

    def settle(self, over: OverT) -> tuple[Payout, ...]:
        """Pay every hand of a finished round."""

    def absent_action(self, playing: PlayingT) -> Action:
        """Choose for a player who does not come back."""
