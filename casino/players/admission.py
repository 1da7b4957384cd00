"""May this player act now? The one gate of every wager and deposit, whatever the game.

What is said here is said again inside the commit, by `players_admit` and `players_admit_deposit`
of sql/door.sql, and by `players_admit_deal` of sql/reality.sql: between the read and the commit
the answer may change.
"""

from datetime import datetime

from casino.players.errors import (
    CoolingOffError,
    NotAdmittedError,
    RealityCheckDueError,
    SelfExcludedError,
    SessionExpiredError,
)
from casino.players.queries import Door, Standing

_REFUSALS: dict[str, type[NotAdmittedError]] = {
    "self_exclusion": SelfExcludedError,
    "cooling_off": CoolingOffError,
}


def require_admitted(door: Door, at: datetime) -> None:
    """Let a player wager. Errors: SessionExpiredError, SelfExcludedError, CoolingOffError.

    Source: AUT-06, AUT-08, EXC-01.
    """
    require_session(door, at)
    require_not_excluded(door)


def require_session(door: Door, at: datetime) -> None:
    """Let a player see his own: it stays open to an excluded one. Errors: SessionExpiredError.

    Source: AUT-06, AUT-08, EXC-02.
    """
    if door.closed_at is not None:
        raise SessionExpiredError(because=door.closed_because)
    if door.expires_at <= at:
        raise SessionExpiredError(because="expired")


def require_reality_checked(door: Door, at: datetime) -> None:
    """Let a player begin a round: he has seen how long he plays. Errors: RealityCheckDueError.

    The round that is open goes on. Source: RCK-01.
    """
    if door.check_due_at is not None and door.check_due_at <= at:
        raise RealityCheckDueError(elapsed_s=int((at - door.opened_at).total_seconds()))


def require_not_excluded(player: Door | Standing) -> None:
    """Let a player's money in. Errors: SelfExcludedError, CoolingOffError, with `until`.

    Source: EXC-01.
    """
    if player.exclusion is not None:
        until = player.exclusion_until
        raise _REFUSALS[player.exclusion](until=until and until.isoformat())
