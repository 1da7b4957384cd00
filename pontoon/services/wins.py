"""Large wins (H17): check a win that is held, let a person decide, and remind who waits too long.

Whoever comes second finds the case filed, told or decided: the database keeps one of each.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal
from uuid import UUID

from django.db import transaction

from audit import services as audit
from audit.errors import StaleReadError
from audit.events import Event
from casino.players.profiles import get_profile
from casino.reasons import require_reason
from casino.staff.errors import AlreadyDecidedError
from pontoon import queries
from pontoon.errors import CaseDisagreesError, CaseNotReadyError
from pontoon.models import Verification
from pontoon.services.commit import act_of, retrying
from pontoon.services.house import read_desk, released
from pontoon.services.malfunctions import flag_malfunction
from wallets import queries as wallets

CHECKER = "system:wins"

Verdict = Literal["released", "rejected"]


def check_wins(*, count_max: int = 100) -> int:
    """File a case for each win that waits without one; return how many there were."""
    waiting = queries.wins_to_check(count_max=count_max)
    for player_id, round_id in waiting:
        audit.attempt(
            queries.CHECKING,
            subject=f"round:{round_id}",
            player_id=player_id,
            unit=partial(check_win, player_id=player_id, round_id=round_id),
        )
    return len(waiting)


def check_win(*, player_id: UUID, round_id: UUID) -> None:
    """Find out all that can be known of a win that is held, and file it for who decides.

    Nothing is filed while the log has not sealed the round's entries: the next sweep comes back.
    A seed that no key opens says nothing of the win: the try has failed (InvalidToken).
    A win that does not hold is flagged as a malfunction of its round, with what was found.
    """
    told = queries.round_of(round_id, player_id=player_id)
    found = queries.casefile_of(told)
    if found is None:
        return
    content, faults = found
    case = {
        "player_id": player_id,
        "round_id": round_id,
        "number": queries.case_number(player_id, round_id),
        "at": audit.now(),
        "agrees": not faults,
        "content": content,
    }
    with transaction.atomic(durable=True):
        audit.commit("pontoon_file_case", {"case": case, "entry": _filed(case, faults)})
        if faults:
            flag_malfunction(
                CHECKER,
                scope={"round": str(round_id)},
                cause=f"The large win does not hold: {faults[0]}",
                evidence={"case": case["number"], "faults": faults},
                fault_key=f"win:{round_id}:{case['number']}",
            )


def _filed(case: dict[str, Any], faults: list[str]) -> dict[str, Any]:
    """Return the entry of a case that is filed."""
    return audit.entry(
        Event.WIN_CHECKED,
        subject=f"round:{case['round_id']}",
        actor=CHECKER,
        at=case["at"],
        player_id=case["player_id"],
        payload={
            "before": None,
            "after": {"number": case["number"], "agrees": case["agrees"], "faults": faults},
            "line": case["content"]["line"],
        },
    )


def release_large_win(actor: str, *, round_id: UUID, reason: str) -> None:
    """Pay a large win out, as a person of the staff has decided; once, whoever comes second.

    Errors: RoundNotFoundError, CaseNotReadyError, CaseDisagreesError, AlreadyDecidedError,
    InvalidError without a reason.
    """
    why, found = require_reason(reason), queries.verification(round_id)
    retrying(lambda: _decide_once("released", actor, found, why), player_of=lambda: found.player_id)


def reject_large_win(actor: str, *, round_id: UUID, reason: str) -> None:
    """Say that a large win is not to be paid: a malfunction is raised on its round, which another
    person approves (wagers go back) or refuses (the win waits again). Nothing is confiscated.

    Errors: as `release_large_win`, but for CaseDisagreesError.
    """
    why, found = require_reason(reason), queries.verification(round_id)
    with transaction.atomic(durable=True):
        wallets.lock_wallet(found.player_id)
        _decide_once("rejected", actor, found, why)
        flag_malfunction(
            actor,
            scope={"round": str(round_id)},
            cause=why,
            evidence={"case": found.number},
        )


def _decide_once(verdict: Verdict, actor: str, seen: Verification, reason: str) -> None:
    # The wallet first: whatever is decided after it makes this stale.
    desk, facts = read_desk(seen.player_id, seen.id)
    found = _require_ready(queries.verification(seen.id), verdict)
    decision = {
        "player_id": found.player_id,
        "round_id": found.id,
        "number": found.number,
        "verdict": verdict,
        "actor": actor,
        "reason": reason,
        "at": desk.at,
    }
    why = {
        "number": found.number,
        "reason": reason,
        "processed_by": CHECKER,
        "authorised_by": actor,
    }
    if verdict == "released":
        act = replace(released(actor, desk, facts), why=why)
        audit.commit("pontoon_decide", {"decision": decision, "release": act_of(act)})
        return
    entry = audit.entry(
        Event.WIN_REJECTED,
        subject=facts.urn,
        actor=actor,
        at=desk.at,
        player_id=facts.player_id,
        payload=why | {"before": {"verdict": None}, "after": {"verdict": verdict}},
    )
    audit.commit("pontoon_decide", {"decision": decision, "entry": entry})


def _require_ready(found: Verification, verdict: Verdict) -> Verification:
    """Return a win that may be decided on. Errors: as `release_large_win`."""
    if found.state == "checking":
        raise CaseNotReadyError(round_id=str(found.id))
    if found.state != "waiting":
        raise AlreadyDecidedError(round_id=str(found.id), state=found.state)
    if verdict == "released" and not found.agrees:
        raise CaseDisagreesError(round_id=str(found.id))
    return found


def escalate_wins() -> int:
    """Tell of each win that has waited past a deadline of its profile; return how many are new."""
    at = audit.now()
    late = [
        (found, level)
        for found in queries.wins_waiting()
        for level in _levels_due(found, at)
        if level > (found.level or 0)
    ]
    for found, level in late:
        try:
            _escalate(found, level, at)
        except StaleReadError:
            continue  # decided just now
    return len(late)


def _levels_due(found: Verification, at: datetime) -> list[int]:
    profile = get_profile(found.profile.partition("/")[0])
    return [
        level
        for level, hours in enumerate(profile.decide_within_h, start=1)
        if at >= found.settled_at + timedelta(hours=hours)
    ]


def _escalate(found: Verification, level: int, at: datetime) -> None:
    late = {
        "player_id": found.player_id,
        "round_id": found.id,
        "number": found.number,
        "level": level,
        "at": at,
    }
    entry = audit.entry(
        Event.WIN_ESCALATED,
        subject=f"round:{found.id}",
        actor=CHECKER,
        at=at,
        player_id=found.player_id,
        payload={"before": {"level": level - 1}, "after": {"level": level}, "state": found.state},
    )
    audit.commit("pontoon_escalate", {"late": late, "entry": entry})
