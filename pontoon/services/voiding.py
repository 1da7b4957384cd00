"""Counting what a malfunction touched, and voiding what another person approved of it (MAL-02).

The list is the work, and a round's state says whether it is done: whoever is killed has voided
what he committed, and whoever comes next goes on. Several may work at once: they part by players.
"""

import logging
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import groupby
from random import Random
from time import monotonic
from uuid import UUID

from django.db import DatabaseError, transaction

from audit import services as audit
from audit.errors import HouseError, StaleReadError
from pontoon import queries
from pontoon.lifecycle import FaultState, State
from pontoon.models import Malfunction
from pontoon.queries import StandingSuspensions
from pontoon.services.commit import Desk, act_of, retrying
from pontoon.services.house import voided
from pontoon.services.malfunctions import move_on
from wallets import queries as ledger
from wallets import services as wallets

COUNTER, VOIDER = "system:count", "system:void"
COUNTING, VOIDING = "count_malfunction", "void_round"
COUNT_BATCH = 5000
ROUNDS_AT_ONCE = 25
"""How many rounds of one player are voided in one transaction: he waits that long at most."""

NOTHING_STANDS = StandingSuspensions(0, ())
"""A void asks for no suspension: it goes on whatever is stopped."""

SHARE = timedelta(seconds=25)
"""How long one task works before it lets others have their turn."""

Owner = tuple[UUID, str]
"""A player and his currency."""

log = logging.getLogger(__name__)


# --- The count ----------------------------------------------------------------------------------


def count_malfunctions() -> int:
    """Count what every raised malfunction touched; return how many there were to count."""
    due = [row.id for row in queries.malfunctions().filter(state=FaultState.RAISED)]
    for id_ in due:
        audit.attempt(COUNTING, subject=f"malfunction:{id_}", unit=partial(count_malfunction, id_))
    return len(due)


def count_malfunction(malfunction_id: UUID, *, batch: int = COUNT_BATCH) -> bool:
    """Take the rounds of a malfunction into its list, and say what they come to; a dry run.

    Returns whether it is counted: a long one goes on with the next task, where this one ended.
    """
    until = monotonic() + SHARE.total_seconds()
    try:
        while not queries.count_step(malfunction_id, batch):
            if monotonic() > until:
                return False
        with transaction.atomic(durable=True):
            seen = queries.malfunction(malfunction_id)
            if seen.state == FaultState.RAISED:
                move_on(COUNTER, seen, FaultState.COUNTED, queries.sum_up(malfunction_id))
    except StaleReadError:
        log.info("malfunction %s was decided on while it was counted", malfunction_id)
    return True


# --- The void -----------------------------------------------------------------------------------


def void_malfunctions(*, within: timedelta = SHARE) -> int:
    """Void what was approved, for about so long; return how many rounds that were.

    Harmless when it comes twice, late, or at once with others: then each does a part.
    """
    until = monotonic() + within.total_seconds()
    count = 0
    for seen in queries.malfunctions().filter(state=FaultState.APPROVED).order_by("id"):
        count += void_malfunction(seen, until=until)
    if count and monotonic() > until:
        audit.wake("pontoon.tasks.void_malfunctions")
    return count


def void_malfunction(seen: Malfunction, *, until: float) -> int:
    """Void rounds of a list until a moment; when none is left, say that it is done."""
    why = queries.reason_of_void(seen.id)
    slices = list(range(queries.SLICES))
    Random().shuffle(slices)  # noqa: S311  only so that workers begin at different places
    count = 0
    for slice_ in slices:
        count += _void_slice(seen.id, slice_, why, until)
        if monotonic() > until:
            return count
    if not queries.has_work(seen.id):
        _finish(seen)
    return count


def _void_slice(malfunction_id: UUID, slice_: int, why: dict[str, str], until: float) -> int:
    """Void what is left of a slice; leave it to whoever is there already."""
    count, after = 0, (audit.NIL, audit.NIL)
    while monotonic() <= until:
        chunk = queries.work_of(malfunction_id, slice_, after)
        if not chunk:
            return count
        for owner, rows in groupby(chunk, key=lambda row: (row[0], row[2])):
            done = _void_of(owner, [row[1] for row in rows], why)
            if done is None:
                return count
            count += done
        after = chunk[-1][:2]
    return count


def _void_of(owner: Owner, round_ids: list[UUID], why: dict[str, str]) -> int | None:
    """Void rounds of a player, some in each transaction; None if another is about it."""
    count = 0
    for first in range(0, len(round_ids), ROUNDS_AT_ONCE):
        some = round_ids[first : first + ROUNDS_AT_ONCE]
        try:
            done = retrying(partial(_void_once, owner, some, why), player_of=lambda: owner[0])
        except (HouseError, StaleReadError, DatabaseError, ValueError):
            log.exception("rounds of player %s: one after the other", owner[0])
            done = _void_singly(owner, some, why)
        if done is None:
            return None
        count += done
    return count


def _void_singly(owner: Owner, round_ids: list[UUID], why: dict[str, str]) -> int:
    """Void rounds each by itself: the one that fails is tried again later, the others not."""
    return sum(
        audit.attempt(
            VOIDING,
            subject=f"round:{round_id}",
            player_id=owner[0],
            unit=partial(
                retrying,
                partial(_void_once, owner, [round_id], why),
                player_of=lambda: owner[0],
            ),
        )
        for round_id in round_ids
    )


def _void_once(owner: Owner, round_ids: list[UUID], why: dict[str, str]) -> int | None:
    """Void rounds of one player in one transaction, one entry each; he is read once."""
    player_id, currency = owner
    with transaction.atomic():
        if not queries.claim_work(player_id):
            return None
        seen = ledger.read_wallet(player_id, currency)
        rounds = queries.rounds_of(player_id, round_ids)
        if any(facts.last_action_at > seen.at for facts in rounds):
            raise StaleReadError
        acts, wallet = [], seen.wallet
        for facts in rounds:
            if facts.state is not State.VOIDED:
                act = voided(VOIDER, Desk(wallet, seen.at, NOTHING_STANDS), facts, why)
                acts.append(act_of(act))
                wallet = wallets.moved_on(wallet, act.moves)
        audit.commit("pontoon_commit_all", {"acts": acts})
    return len(acts)


def _finish(seen: Malfunction) -> None:
    """Say that all is voided, and what it came to; what can take nothing more stands no longer."""
    totals = queries.void_totals(seen.id)
    is_past = "round" in seen.scope or _is_over(seen.scope.get("window", {}).get("to"))
    try:
        with transaction.atomic(durable=True):
            move_on(
                VOIDER, seen, FaultState.DONE, totals, lift_because="voided" if is_past else None
            )
    except StaleReadError:
        log.info("malfunction %s was finished by another", seen.id)


def _is_over(end: str | None) -> bool:
    return end is not None and datetime.fromisoformat(end) <= datetime.now(UTC)
