"""Large wins (H17): what a player has won lately, which wins wait, and what is known of each."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from audit import queries as audit
from audit import tree
from casino.days import format_time
from casino.players import queries as players
from pontoon import vault
from pontoon.errors import RoundNotFoundError
from pontoon.models import Told, Verification
from pontoon.queries.faults import faults_of
from pontoon.queries.rounds import history
from pontoon.queries.shown import show_told
from wallets import queries as wallets

WIN_STATES = ("checking", "waiting", "malfunction", "released", "voided")
"""Where the newest case of a large win may stand."""

CHECKING = "check_win"
"""The kind of work that files a case."""

_RECENT_COUNT = 20

# A round may have been opened a while before it was settled; how long, H21 says.
_WON_SQL = """
WITH today AS (
    SELECT r.*, EXISTS (SELECT FROM pontoon_roundmark m WHERE m.player_id = r.player_id
                           AND m.round_id = r.id AND m.mark = 'released') AS is_checked
      FROM pontoon_round r
     WHERE r.player_id = %(player)s AND r.opened_at >= %(since)s - interval '7 days'
       AND r.settled_at >= %(since)s
)
SELECT coalesce(sum(payout_minor - CASE WHEN %(basis)s = 'win' THEN wagered_minor ELSE 0 END), 0)
  FROM today
 WHERE state = 'settled' AND NOT is_checked
   AND settled_at > coalesce((SELECT max(settled_at) FROM today
                               WHERE state = 'held' OR is_checked), '-infinity')
"""


def won_since(since: datetime, *, player_id: UUID, basis: Literal["win", "payout"]) -> int:
    """Return what a player's rounds came to since a moment, or since one that was held, if later.

    Minor units, losses taken off; of the basis `payout`, all that was paid.
    """
    with connection.cursor() as cursor:
        cursor.execute(_WON_SQL, {"player": player_id, "since": since, "basis": basis})
        return int(cursor.fetchone()[0])


def wins_to_check(*, count_max: int) -> list[tuple[UUID, UUID]]:
    """Return (player, round) of the wins that wait and have no case file yet, oldest first.

    Those that cannot be checked wait their turn (`audit.attempt`), and do not keep the others.
    """
    with connection.cursor() as cursor:
        # The state is written out: as a parameter it would hide the partial index.
        cursor.execute(
            "SELECT player_id, id FROM pontoon_verification"
            " WHERE state = 'checking' AND audit_is_due(%s, 'round:' || id)"
            " ORDER BY settled_at, id LIMIT %s",
            [CHECKING, count_max],
        )
        return list(cursor.fetchall())


def wins_waiting() -> QuerySet[Verification]:
    """Return the wins that wait for a person or for their case file, oldest first."""
    waiting = Verification.objects.filter(state__in=["checking", "waiting"])
    return waiting.order_by("settled_at", "id")


def verifications() -> QuerySet[Verification]:
    """Return every large win, newest first."""
    return Verification.objects.all()


def verification(round_id: UUID) -> Verification:
    """Return one large win by its round. Errors: RoundNotFoundError."""
    found = Verification.objects.filter(id=round_id).first()
    if found is None:
        raise RoundNotFoundError
    return found


def case_number(player_id: UUID, round_id: UUID) -> int:
    """Return the number of a round's next case: how many were decided before it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pontoon_decision WHERE player_id = %s AND round_id = %s",
            [player_id, round_id],
        )
        return int(cursor.fetchone()[0])


def decisions(round_id: UUID, *, player_id: UUID) -> list[dict[str, Any]]:
    """Return what was decided on a win, case by case."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT number, verdict, actor, reason, at FROM pontoon_decision"
            " WHERE player_id = %s AND round_id = %s ORDER BY number",
            [player_id, round_id],
        )
        names = ("number", "verdict", "actor", "reason", "at")
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def show_verification(found: Verification) -> dict[str, Any]:
    """Return a large win as the API lists it."""
    return {
        "verification_id": str(found.id),
        "round_id": str(found.id),
        "player_id": str(found.player_id),
        "state": found.state,
        "number": found.number,
        "currency": found.currency,
        "wagered_minor": found.wagered_minor,
        "payout_minor": found.payout_minor,
        "win_minor": found.payout_minor - found.wagered_minor,
        "held_at": format_time(found.settled_at),
        "checked_at": found.checked_at and format_time(found.checked_at),
        "agrees": found.agrees,
        "escalations": found.level or 0,
        "verdict": found.verdict,
        "decided_by": found.actor,
        "decided_at": found.decided_at and format_time(found.decided_at),
        "reason": found.reason,
    }


def casefile_of(told: Told) -> tuple[dict[str, Any], list[str]] | None:
    """Return all that is known of a win, and what of it does not hold; None while the log has
    not taken all of the round's entries in. Errors: InvalidToken, when no key opens the seed.
    """
    vault.unseal(told.sealed)
    entries = audit.entries_of(f"round:{told.id}", player_id=told.player_id)
    places = audit.inclusion_of([UUID(entry["id"]) for entry in entries])
    if len(places) < len(entries):
        return None
    faults = [*faults_of(told), *_log_faults(entries, places)]
    lines = map(wallets.line, wallets.transfers_of_round(told.player_id, told.id))
    recent = history(told.player_id).exclude(id=told.id)[:_RECENT_COUNT]
    return {
        "faults": faults,
        "round": show_told(told),
        "transfers": list(lines),
        "entries": [
            {"entry_id": entry["id"], "event": entry["event"], "at": entry["at"]}
            | {name: place[name] for name in ("index", "size", "leaf_hash", "root_hash")}
            for entry, place in zip(entries, places, strict=True)
        ],
        "line": entries[-1]["payload"].get("line"),
        "session": _session(told),
        "standing": _standing(told),
        "limits": wallets.read_wallet(told.player_id, told.currency).limits or [],
        "recent_rounds": [_briefly(one) for one in recent],
    }, faults


def _log_faults(entries: list[dict[str, Any]], places: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what does not hold of a round's entries in the log: hash, and path to the root."""
    told = {entry["id"]: entry["leaf_hash"] for entry in entries}
    for place in places:
        leaf, root = bytes.fromhex(place["leaf_hash"]), bytes.fromhex(place["root_hash"])
        steps = [bytes.fromhex(step) for step in place["hashes"]]
        if told[place["entry_id"]] != place["leaf_hash"]:
            yield f"entry {place['entry_id']} is not the one that was sealed"
        elif not tree.is_included(leaf, place["index"], place["size"], proof=steps, root=root):
            yield f"entry {place['entry_id']} does not lead to the log's root"


def _session(told: Told) -> dict[str, Any]:
    session = players.play_session(told.session_id)
    return {
        "session_id": str(session.id),
        "opened_at": format_time(session.opened_at),
        "last_seen_at": format_time(session.last_seen_at),
        "address": session.address,
        "device": session.device,
        "language": session.language,
        "profile": told.profile,
        "build": told.build,
    }


def _standing(told: Told) -> dict[str, Any]:
    player = players.player(told.player_id)
    standing = players.standing(told.player_id)
    return {
        "registered_at": format_time(player.registered_at),
        "country": standing.country,
        "test": standing.is_test,
        "exclusion": players.exclusion_of(standing),
        "balances": wallets.balances(told.player_id),
        "net_minor_since_session": wallets.net_minor(
            told.player_id, players.play_session(told.session_id).opened_at
        ),
    }


def _briefly(told: Told) -> dict[str, Any]:
    return {
        "round_id": str(told.id),
        "opened_at": format_time(told.opened_at),
        "state": told.state,
        "stake_minor": told.stake_minor,
        "wagered_minor": told.wagered_minor,
        "payout_minor": told.payout_minor,
    }
