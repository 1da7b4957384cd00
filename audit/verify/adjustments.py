"""Adjustments: each approved one is what one person asked for and another decided on, once."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid5

_ASKED = ("kind", "amount_minor", "currency", "round_id")
_DECIDED = {"adjustment.approved", "adjustment.declined"}


class Adjustments:
    """What was asked for and is not decided, as the entries come."""

    def __init__(self, *, is_whole: bool) -> None:
        """`is_whole` when no entry is left out, so that whatever was decided was asked for."""
        self._is_whole = is_whole
        self._asked: dict[str, tuple[Any, ...]] = {}

    def faults(self, told: dict[str, Any]) -> Iterator[str]:
        """Yield what does not hold of an entry. Errors: KeyError, TypeError, ValueError."""
        id_, payload = told["subject"].partition(":")[2], told["payload"]
        if told["event"] == "adjustment.raised":
            self._asked[id_] = (told["player_id"], told["actor"], *_facts(payload["after"]))
        elif told["event"] in _DECIDED:
            yield from self._decision_faults(id_, told)

    def _decision_faults(self, id_: str, told: dict[str, Any]) -> Iterator[str]:
        payload = told["payload"]
        asked = self._asked.pop(id_, None)
        if asked is None and self._is_whole:
            yield "decides on what nobody asked for, or on what was decided"
        elif asked and asked != (told["player_id"], payload["raised_by"], *_facts(payload)):
            yield "decides on another adjustment than was asked for"
        if payload["authorised_by"] != told["actor"] or told["actor"] == payload["raised_by"]:
            yield "is not another person's decision than of who asked"
        is_approved = told["event"] == "adjustment.approved"
        made = [str(uuid5(UUID(id_), "adjustment"))] if is_approved else []
        if payload["transfers"] != made:
            yield f"makes the transfers {payload['transfers']}, not {made}"


def _facts(told: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(told[name] for name in _ASKED)
