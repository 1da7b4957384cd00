"""What the table adds to an export: every round in the cut, as far as it had come, with its record.

A record holds the server seed, so a round has one only when it is over.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from cryptography.fernet import InvalidToken

from audit import queries as audit
from audit.export.parts import CHUNK, Chunk, Column, Cut, Part, Place, chunk_of, select, tally
from audit.services import NIL
from casino.days import format_time
from pontoon import engine, queries
from pontoon.lifecycle import REVEALED, State
from pontoon.models import Told

_PAGE_SQL = """
SELECT r.player_id, r.id FROM pontoon_round r
 WHERE (r.player_id, r.id) > (%(after_player)s::uuid, %(after_id)s::uuid)
   AND (%(begin)s::timestamptz IS NULL OR r.opened_at >= %(begin)s)
   AND (%(end)s::timestamptz IS NULL OR r.opened_at < %(end)s)
   AND (%(player_id)s::uuid IS NULL OR r.player_id = %(player_id)s)
   AND (%(currency)s::text IS NULL OR r.currency = %(currency)s)
 ORDER BY r.player_id, r.id LIMIT %(limit)s::integer
"""

_SUMS = ("wagered_minor", "payout_minor")
_GROUP = ("currency", "rules", "state")
_AS_STORED = (
    "player_id", "game", "rules", "currency", "stake_minor", "seed_number", "commitment",
    "client_seed", "session_id", "build", "profile", "opened_at", "balance_before_minor", "state",
    "held_reason", "action_count", "wagered_minor", "payout_minor", "balance_after_minor",
    "last_action_at", "settled_at", "actions",
)  # fmt: skip


def _read(cut: Cut, after: Place | None) -> Chunk:
    """Read on after [player, round]."""
    player_id, id_ = after or [str(NIL), str(NIL)]
    page = select(
        _PAGE_SQL,
        cut.parameters | {"after_player": player_id, "after_id": id_, "limit": CHUNK},
    )
    lines = _lines([row["id"] for row in page], cut)
    place = [str(page[-1]["player_id"]), str(page[-1]["id"])] if len(page) == CHUNK else None
    return chunk_of("rounds", lines, after=place, sums=tally(lines, _GROUP, _SUMS))


def _lines(round_ids: Sequence[UUID], cut: Cut) -> list[dict[str, Any]]:
    """Return the lines of these rounds; one that was opened after the cut has none."""
    rounds = Told.objects.filter(id__in=round_ids).order_by("player_id", "id")
    last = audit.last_in_cut(
        [f"round:{id_}" for id_ in round_ids], size=cut.size, end=cut.asked.span.end
    )
    lines = []
    for told in rounds:
        entry, is_last = last.get(f"round:{told.id}", (None, True))
        if entry or is_last:
            lines.append(_line(told, None if is_last else entry))
    return lines


def _line(told: Told, entry: dict[str, Any] | None) -> dict[str, Any]:
    """Return a round as it is stored or, if it has moved on since, as its entry in the cut says."""
    stored = {name: _plain(getattr(told, name)) for name in _AS_STORED}
    line = stored | (_as_told(stored, entry) if entry else {})
    is_over = State(line["state"]) in REVEALED
    return {"round_id": str(told.id), "record": _record(told) if is_over else None} | line


def _record(told: Told) -> str:
    """Return the record of a round; "" if somebody has made it one that nobody can read."""
    try:
        return engine.format_record(queries.record_of(queries.facts_of(told)))
    except (ValueError, InvalidToken):
        return ""


def _as_told(stored: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    payload = entry["payload"]
    after = payload["after"]
    is_open = after["state"] == State.OPEN
    return {
        "state": after["state"],
        "held_reason": after["held_reason"],
        "action_count": after["action_count"],
        "wagered_minor": after["wagered_minor"],
        "payout_minor": after["payout_minor"],
        "balance_after_minor": None if is_open else after["balance_minor"],
        "last_action_at": entry["at"] if is_open else stored["last_action_at"],
        "settled_at": None if is_open else stored["settled_at"],
        "actions": payload["actions"],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return format_time(value)
    return str(value) if isinstance(value, UUID) else value


ROUNDS = Part(
    "rounds",
    (
        Column("round_id", "id", "the round"),
        Column("player_id", "id", "who played it"),
        Column("game", "text", "which game: house"),
        Column("rules", "text", "the rule set, by which its record replays"),
        Column("state", "text", "open, settled, held, voided"),
        Column("held_reason", "text", "of a held round: large_win, malfunction"),
        Column("currency", "text", "ISO 4217"),
        Column("stake_minor", "minor", "the first wager"),
        Column("wagered_minor", "minor", "all wagers, doubles and splits with them"),
        Column("payout_minor", "minor", "all that came back, wagers in it; empty while open"),
        Column("balance_before_minor", "minor", "the player's cash before the first wager"),
        Column(
            "balance_after_minor", "minor", "his cash after the last act on it; empty while open"
        ),
        Column("opened_at", "time", "when it was dealt"),
        Column("last_action_at", "time", "when the last action was taken"),
        Column("settled_at", "time", "when it was over; empty while open"),
        Column("action_count", "whole", "how many actions were taken"),
        Column("actions", "json", "[action, hand index, player or house] in order"),
        Column("seed_number", "whole", "which of the player's seeds"),
        Column("commitment", "text", "SHA-256 of the server seed, told before the wager"),
        Column("client_seed", "text", "the player's own part of the shuffle"),
        Column("record", "text", "the round as text, server seed in it; empty while open"),
        Column("session_id", "id", "the play session"),
        Column("build", "text", "the software that dealt it"),
        Column("profile", "text", "the jurisdiction profile under which it was dealt"),
    ),
    _read,
    group=_GROUP,
    sums=_SUMS,
)
