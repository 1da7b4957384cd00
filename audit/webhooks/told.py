"""What a webhook tells of an entry: ids and public facts; no seed, no card, no name, no address."""

import json
from typing import Any
from uuid import UUID

from audit.events import Event

LIMIT_REACHED = "limit.reached"

_TOLD = (
    Event.ROUND_SETTLED,
    Event.ROUND_HELD,
    Event.ROUND_RELEASED,
    Event.ROUND_VOIDED,
    Event.WIN_CHECKED,
    Event.WIN_ESCALATED,
    Event.WIN_REJECTED,
    Event.SUSPENSION_RAISED,
    Event.SUSPENSION_LIFTED,
    Event.MALFUNCTION_RAISED,
    Event.MALFUNCTION_APPROVED,
    Event.MALFUNCTION_VOIDED,
    Event.MALFUNCTION_CLEARED,
)
_LIMITED = {
    Event.WAGER_REFUSED: "wager",
    Event.DEPOSIT_REFUSED: "deposit",
}

TYPES = (*(event.value for event in _TOLD), LIMIT_REACHED)
"""What an endpoint may be told of."""

SOURCES = (*(event.value for event in _TOLD), *(event.value for event in _LIMITED))
"""The events of which entries are told."""

_PUBLIC = ("currency", "rules", "profile", "scope", "reason")
_PUBLIC_AFTER = (
    "state", "held_reason", "stake_minor", "wagered_minor", "payout_minor", "agrees", "level",
    "verdict",
)  # fmt: skip


def type_of(entry: dict[str, Any]) -> str | None:
    """Return the type under which an entry is told, or None if it is not."""
    event = entry["event"]
    if event in _LIMITED:
        return LIMIT_REACHED if entry["payload"].get("code") == "limit_reached" else None
    return str(event) if event in _TOLD else None


def body_of(type_: str, entry: dict[str, Any]) -> str:
    """Return what is sent, the bytes that are signed: type, time of the entry, and data."""
    data = {"entry_id": entry["id"]} | (
        {"player_id": entry["player_id"]} if UUID(entry["player_id"]).int else {}
    )
    payload = entry["payload"]
    if type_ == LIMIT_REACHED:
        data |= {"kind": _LIMITED[entry["event"]], "request_id": payload["request_id"]}
    else:
        kind, _, id_ = entry["subject"].partition(":")
        after = payload.get("after")
        facts = after if isinstance(after, dict) else {"state": after}
        data[f"{kind}_id"] = id_
        data |= {name: payload[name] for name in _PUBLIC if name in payload}
        data |= {name: facts[name] for name in _PUBLIC_AFTER if name in facts}
    told = {"type": type_, "timestamp": entry["at"], "data": data}
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False)
