"""Why the door stays shut.

PlayerError
├─ NotAuthenticatedError    no token, or one that opens nothing
├─ SessionExpiredError      the session is over: idle too long, closed, or replaced by another
├─ MissingScopeError        the key may not do this
├─ NotAdmittedError
│  ├─ SelfExcludedError
│  └─ CoolingOffError
├─ RealityCheckDueError     the player has to see how long he has played first
├─ PlayerNotFoundError
├─ PlayerConflictError      the external id or the key was used with other facts
└─ UnknownCurrencyError
"""

from audit.errors import HouseError


class PlayerError(HouseError):
    """The door stays shut."""


class NotAuthenticatedError(PlayerError):
    """No valid token came with the request."""

    code = "not_authenticated"


class SessionExpiredError(PlayerError):
    """The play session is over."""

    code = "session_expired"


class MissingScopeError(PlayerError):
    """The key may not do this."""

    code = "not_allowed"


class NotAdmittedError(PlayerError):
    """The player may not play or deposit now."""


class SelfExcludedError(NotAdmittedError):
    """The player has excluded himself."""

    code = "excluded"


class CoolingOffError(NotAdmittedError):
    """The player takes a break."""

    code = "cooling_off"


class RealityCheckDueError(PlayerError):
    """The player has to see how long he has played before the next round (RCK-01)."""

    code = "reality_check_due"


class PlayerNotFoundError(PlayerError):
    """There is no such player, session or exclusion."""

    code = "not_found"


class PlayerConflictError(PlayerError):
    """The external id, or the idempotency key, was used with other facts."""

    code = "idempotency_conflict"


class UnknownCurrencyError(PlayerError):
    """The currency is not offered."""

    code = "unknown_currency"
