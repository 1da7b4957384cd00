"""What was asked for: a line of another time, player or currency does not belong to an export."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

_NIL = str(UUID(int=0))
_TIMES = {"entries": "at", "transfers": "at", "rounds": "opened_at"}


class Scope:
    """The bounds of an export, as its manifest tells them; None is no bound."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self._begin, self._end = asked["from"], asked["to"]
        self._player_id, self._currency = asked["player_id"], asked["currency"]

    def faults(self, part: str, row: dict[str, Any]) -> Iterator[str]:
        """Yield how a line is not of what was asked for. Errors: KeyError, TypeError."""
        at = row[_TIMES[part]] if part in _TIMES else None
        if at and ((self._begin and at < self._begin) or (self._end and at >= self._end)):
            yield f"is of {at}, and was not asked for"
        players = {self._player_id, _NIL} if part == "accounts" else {self._player_id}
        if self._player_id and row["player_id"] not in players:
            yield f"is of player {row['player_id']}, and was not asked for"
        currency = row["payload"].get("currency") if part == "entries" else row["currency"]
        if self._currency and currency != self._currency:
            yield f"is in {currency}, and was not asked for"
