"""Why the table says no, beside what the engine refuses.

TableError
├─ StakeError
│  ├─ StakeNotWholeError
│  ├─ StakeBelowMinimumError
│  ├─ StakeAboveMaximumError
│  └─ StakeOffStepError
├─ GameNotOfferedError
├─ RoundNotFoundError
├─ RoundOpenError           with the open round
├─ RoundOverError
├─ UnplayableError          our fault: a stored round that does not replay
├─ SeqConflictError         with the round as it stands
├─ RoundConflictError       the id was used for another request
├─ HintNotOfferedError
├─ TooSoonError
├─ SuspendedError
├─ MalfunctionNotFoundError
├─ SuspensionNotFoundError
├─ NoticeNotFoundError
├─ RequestConflictError     the key was used for another request
├─ CountOutdatedError       the list is not the one that was seen
└─ CaseError                of a large win
   ├─ CaseNotReadyError     its file is not there yet
   └─ CaseDisagreesError    its file says that the win does not hold

Who decides on what he raised, or on what is decided, is told so by casino/staff/errors.py.
"""

from collections.abc import Mapping
from typing import Any

from audit.errors import HouseError


class TableError(HouseError):
    """The table says no."""


class StakeError(TableError):
    """The stake is none that the table takes."""


class StakeNotWholeError(StakeError):
    """A stake is a whole number of minor units."""

    code = "stake_not_whole"


class StakeBelowMinimumError(StakeError):
    """The stake is below the minimum."""

    code = "stake_below_minimum"


class StakeAboveMaximumError(StakeError):
    """The stake is above the maximum."""

    code = "stake_above_maximum"


class StakeOffStepError(StakeError):
    """The stake is not a multiple of the step."""

    code = "stake_off_step"


class GameNotOfferedError(TableError):
    """The game is not offered."""

    code = "unknown_game"


class RoundNotFoundError(TableError):
    """The player has no such round."""

    code = "not_found"


class RoundOpenError(TableError):
    """A round is open; it comes first (GAM-02)."""

    code = "round_open"


class RoundOverError(TableError):
    """The round takes no more actions."""

    code = "round_over"


class UnplayableError(TableError):
    """A stored round cannot be replayed: a fault of ours, and no code of the caller's."""

    code = "internal_error"

    @property
    def fault(self) -> str:
        """What went wrong, for the record."""
        return f"{type(self.__cause__).__name__}: {self.__cause__}"


class SeqConflictError(TableError):
    """The action is not the round's next, and not one it has seen."""

    code = "seq_conflict"


class RoundConflictError(TableError):
    """The id was used for a request with other content."""

    code = "idempotency_conflict"


class HintNotOfferedError(TableError):
    """The session's profile does not let the best play be asked for."""

    code = "hint_not_offered"


class TooSoonError(TableError):
    """The next round may start only some seconds after the last one started (RGT-01)."""

    code = "too_soon"


class CaseError(TableError):
    """The large win cannot be decided on."""


class CaseNotReadyError(CaseError):
    """Nobody decides before the case file is there."""

    code = "case_not_ready"


class CaseDisagreesError(CaseError):
    """A win that its case file contradicts is not released."""

    code = "case_disagrees"


class SuspendedError(TableError):
    """Play, or a payment, is suspended: by which suspension, and whether for a malfunction."""

    code = "suspended"

    @classmethod
    def of(cls, stop: Mapping[str, Any]) -> "SuspendedError":
        """Return the error of a suspension that stands."""
        why = "malfunction" if stop["malfunction_id"] else "stopped"
        return cls(suspension_id=str(stop["id"]), reason=why)


class MalfunctionNotFoundError(TableError):
    """There is no such malfunction."""

    code = "not_found"


class SuspensionNotFoundError(TableError):
    """There is no such suspension."""

    code = "not_found"


class NoticeNotFoundError(TableError):
    """The player has no such notice."""

    code = "not_found"


class RequestConflictError(TableError):
    """The key was used for a request with other content."""

    code = "idempotency_conflict"


class CountOutdatedError(TableError):
    """What is to be approved is not the list as it is now."""

    code = "count_outdated"
