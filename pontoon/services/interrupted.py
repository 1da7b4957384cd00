"""Rounds that the service itself cannot continue: voided at once, and flagged (INT-05)."""

import logging
from uuid import UUID

from pontoon import queries
from pontoon.errors import RoundOverError, UnplayableError
from pontoon.services.house import void_round
from pontoon.services.malfunctions import flag_malfunction

INTERRUPTER = "system:interrupt"

log = logging.getLogger(__name__)


def interrupt(error: UnplayableError, *, player_id: UUID, round_id: UUID) -> None:
    """Give the wagers of an open round back that cannot be played on, and flag it for the staff.

    Where no other round can be read either, the fault is this process's, its keys or its build,
    and not the round's: then nothing is voided, and what was wrong is raised.
    """
    log.error("round %s cannot be continued: %s", round_id, error.fault)
    if not queries.reads_others(player_id):
        raise error.__cause__ or error
    made = flag_malfunction(
        INTERRUPTER,
        scope={"round": str(round_id)},
        cause="The round cannot be continued.",
        evidence={"fault": error.fault},
        fault_key=f"round:{round_id}",
    )
    try:
        void_round(
            INTERRUPTER,
            player_id=player_id,
            round_id=round_id,
            reason=made.cause,
            malfunction_id=made.id,
        )
    except RoundOverError:
        return  # somebody was faster
