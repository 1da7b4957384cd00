"""What the service flags by itself: a replay that disagrees, a ledger that does not balance, a
log that does not verify (H18). Each fault is flagged once while it stands.
"""

from datetime import timedelta
from itertools import islice

from audit import queries as audit
from audit.services import now
from pontoon import queries
from pontoon.services.malfunctions import flag_malfunction
from wallets import queries as wallets

WATCHER = "system:watch"
LOOK_BACK = timedelta(minutes=15)
FAULTS_TOLD = 20


def watch_rounds(*, count_max: int = 1000) -> int:
    """Replay the rounds that were settled lately; flag each that does not hold, return how many.

    If not one of them holds it is this process that cannot read them, and none is flagged.
    """
    lately = queries.settled_since(now() - LOOK_BACK, count_max=count_max)
    found = [(told, list(queries.faults_of(told))) for told in lately]
    flagged = 0
    for told, faults in found:
        if faults and (faults != [queries.NO_KEY] or any(not other for _, other in found)):
            flagged += 1
            flag_malfunction(
                WATCHER,
                scope={"round": str(told.id)},
                cause=f"The round does not hold: {faults[0]}",
                evidence={"faults": faults},
                fault_key=f"round:{told.id}",
            )
    return flagged


def watch_ledger() -> bool:
    """Check the ledger as of one moment; flag all play if it does not hold. Say if it does."""
    with audit.one_moment():
        faults = list(islice(wallets.ledger_faults(), FAULTS_TOLD))
    if faults:
        flag_malfunction(
            WATCHER,
            scope={"all": True},
            cause=f"The ledger does not hold: {faults[0]}",
            evidence={"faults": faults},
            fault_key="ledger",
        )
    return not faults


def watch_log() -> bool:
    """Flag all play while the sealer refuses the log. Say whether it does not."""
    broken = audit.log_fault()
    if broken:
        flag_malfunction(
            WATCHER,
            scope={"all": True},
            cause="The log does not verify.",
            evidence={"entry": broken},
            fault_key="log",
        )
    return broken is None
