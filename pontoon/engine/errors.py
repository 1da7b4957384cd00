"""What the engine refuses, each refusal a type with a public code and its facts as attributes.

PontoonError
├── IllegalActionError      action, options
│   ├── ActionNotNowError   action_not_now
│   ├── StandBelow15Error   stand_below_15
│   ├── DoubleUsedError     double_used
│   ├── SplitNotEqualError  split_not_equal
│   ├── SplitLimitError     split_limit
│   ├── NoSuchActionError   no_such_action
│   └── RoundOverError      round_over
├── WagerError              stake_not_whole: wager
├── ShoeExhaustedError      shoe_exhausted: size
├── NotationError           malformed_record: reason, line
└── UnknownGameError        unknown_game: name
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from pontoon.engine.game import Option


class PontoonError(Exception):
    """The game cannot do what was asked."""

    code: ClassVar[str] = "pontoon_error"

    def __str__(self) -> str:
        return self.__doc__ or self.code


class IllegalActionError(PontoonError):
    """This action is not allowed in this round; the options say what is."""

    code = "illegal_action"

    def __init__(self, action: str, options: tuple[Option, ...]) -> None:
        super().__init__(action, options)
        self.action = action
        self.options = options


class ActionNotNowError(IllegalActionError):
    """The hand does not have the number of cards that this action needs."""

    code = "action_not_now"


class StandBelow15Error(IllegalActionError):
    """A hand may stand only when its total is high enough."""

    code = "stand_below_15"


class DoubleUsedError(IllegalActionError):
    """A hand can be doubled only once."""

    code = "double_used"


class SplitNotEqualError(IllegalActionError):
    """Only two cards of the same rank can be split."""

    code = "split_not_equal"


class SplitLimitError(IllegalActionError):
    """The round has as many hands as splitting allows."""

    code = "split_limit"


class NoSuchActionError(IllegalActionError):
    """This game has no such action."""

    code = "no_such_action"


class RoundOverError(IllegalActionError):
    """The round is over and takes no more actions."""

    code = "round_over"


class WagerError(PontoonError):
    """A wager is a whole number, at least 1."""

    code = "stake_not_whole"

    def __init__(self, wager: object) -> None:
        super().__init__(wager)
        self.wager = wager


class ShoeExhaustedError(PontoonError):
    """All cards of the shoe have been drawn."""

    code = "shoe_exhausted"

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.size = size


class NotationError(PontoonError):
    """A text is not a card, a record or a round as written; the line counts from 1."""

    code = "malformed_record"

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason, line)
        self.reason = reason
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class UnknownGameError(PontoonError):
    """There is no game or rule set of this name."""

    code = "unknown_game"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"There is no game or rule set {self.name!r}."
