"""Rounds that another implementation has played, compared with ours: one JSON object a line.

A line has the cards in deal order (`shoe`), `bets`, `actions` and what must come out (`expected`).
The words of such files differ from ours in places; `_WORDS` translates them.
"""

from collections.abc import Iterable, Iterator

from pontoon.engine import Over, Record, replay
from pontoon.engine.cards import parse_cards
from pontoon.engine.documents import Node, format_value, is_same, parse_document
from pontoon.engine.errors import IllegalActionError, NotationError, PontoonError
from pontoon.engine.game import DealerView, HandView
from pontoon.engine.house import view
from pontoon.engine.notation import parse_action

RULES_ID = "house/1"

_WORDS = {"total": "points", "twenty_one": "points", "win": "won", "lose": "lost"}


def check_rounds(lines: Iterable[bytes]) -> Iterator[tuple[int, list[str]]]:
    """Check every line but blank ones: its number, from 1, and its differences, if any."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, find_differences(line)


def find_differences(line: bytes) -> list[str]:
    """Play one round and say in a sentence each where it comes out otherwise than expected."""
    try:
        return list(_check_round(parse_document(line)))
    except IllegalActionError as error:
        return [f"the action {error.action} is refused: {error.code}"]
    except NotationError as error:
        return [error.reason]
    except PontoonError as error:
        return [f"{error.code}: {error}"]


def _check_round(given: Node) -> Iterator[str]:
    if given.has("deck"):
        return iter(["this is a round of bank/1, which is not known here yet"])
    expected = given.member("expected")
    round_ = replay(_read_record(given))
    if not isinstance(round_, Over):
        return iter(["the round is not over after its actions"])
    return _compare(expected.path, expected.value, _describe(round_))


def _read_record(given: Node) -> Record:
    bets = [bet.read(int) for bet in given.member("bets").items()]
    if len(bets) != 1:
        raise NotationError(f"{RULES_ID} takes one bet")
    return Record(
        rules=RULES_ID,
        wager=bets[0],
        source=parse_cards(" ".join(given.member("shoe").read_texts())),
        actions=tuple(parse_action(word) for word in given.member("actions").read_texts()),
    )


def _describe(over: Over) -> dict[str, object]:
    """Tell a finished round as the files tell it, but in our words."""
    seen = view(over)
    return {
        "player_hands": [_describe_hand(hand) for hand in seen.hands],
        "dealer_hand": _describe_cards(seen.dealer),
        "outcomes": [hand.outcome for hand in seen.hands],
        "total_staked": seen.wagered,
        "total_returned": seen.payout,
        "cards_used": over.shoe.drawn,
    }


def _describe_hand(hand: HandView) -> dict[str, object]:
    return _describe_cards(hand) | {
        "seat": 0,
        "stake": hand.wager,
        "doubled": hand.doubled,
        "from_split": hand.from_split,
        "outcome": hand.outcome,
        "returned": hand.payout,
    }


def _describe_cards(hand: HandView | DealerView) -> dict[str, object]:
    return {
        "cards": list(hand.cards),
        "kind": hand.kind,
        "total": hand.total,
        "soft": hand.soft,
    }


def _compare(path: str, expected: object, actual: object) -> Iterator[str]:
    """Compare member by member; a member that only one side has counts as null on the other."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for name in sorted(expected.keys() | actual.keys()):
            yield from _compare(f"{path}.{name}", expected.get(name), actual.get(name))
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, pair in enumerate(zip(expected, actual, strict=True)):
            yield from _compare(f"{path}[{index}]", *pair)
    elif not is_same(_translate(expected), actual):
        yield f"{path}: expected {format_value(expected)}, got {format_value(actual)}"


def _translate(value: object) -> object:
    return _WORDS.get(value, value) if isinstance(value, str) else value
