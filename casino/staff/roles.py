"""Who may do what in the panel, on one page.

A leaf, so that every room's admin.py and services may ask it. It knows roles and acts, and no
table: whoever is asked about has a `role` and an `is_active`. Refusals are recorded by the panel's
middleware, wherever they are raised.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from django.core.exceptions import PermissionDenied

from casino.staff.errors import SamePersonError


class Act(StrEnum):
    """What somebody may be let do. The value is public: it is in the log."""

    LOOK_PLAYERS = "look_players"
    LOOK_ROUNDS = "look_rounds"
    LOOK_MONEY = "look_money"
    LOOK_LOG = "look_log"
    LOOK_REPORTS = "look_reports"
    LOOK_CASES = "look_cases"
    LOOK_STAFF = "look_staff"
    LOOK_MALFUNCTIONS = "look_malfunctions"
    LOOK_OPERATIONS = "look_operations"  # the dashboard, suspensions, queues, webhooks

    DECIDE_WIN = "decide_win"
    RAISE_MALFUNCTION = "raise_malfunction"
    APPROVE_MALFUNCTION = "approve_malfunction"
    RAISE_SUSPENSION = "raise_suspension"
    LIFT_SUSPENSION = "lift_suspension"
    RAISE_ADJUSTMENT = "raise_adjustment"
    APPROVE_ADJUSTMENT = "approve_adjustment"
    SETTLE_RECEIVABLE = "settle_receivable"
    REQUEST_EXPORT = "request_export"
    EXCLUDE_PLAYER = "exclude_player"
    SET_LIMIT = "set_limit"
    MANAGE_STAFF = "manage_staff"
    MANAGE_KEYS = "manage_keys"
    MANAGE_WEBHOOKS = "manage_webhooks"
    RETRY_WORK = "retry_work"


class Role(StrEnum):
    """What somebody of the staff is there for. Who has none yet may do nothing."""

    SUPPORT = "support"
    FLOOR = "floor"
    COMPLIANCE = "compliance"
    ENGINEER = "engineer"
    AUDITOR = "auditor"


LOOKS: Final = frozenset(act for act in Act if act.startswith("look_"))

# Who raises an adjustment is not who approves it, and who looks over all changes nothing.
GRANTS: Final[Mapping[str, frozenset[Act]]] = {
    Role.SUPPORT: frozenset({
        Act.LOOK_PLAYERS, Act.LOOK_ROUNDS, Act.LOOK_MONEY, Act.LOOK_MALFUNCTIONS,
        Act.EXCLUDE_PLAYER, Act.SET_LIMIT, Act.RAISE_ADJUSTMENT,
    }),
    Role.FLOOR: frozenset({
        Act.LOOK_PLAYERS, Act.LOOK_ROUNDS, Act.LOOK_MONEY, Act.LOOK_REPORTS, Act.LOOK_CASES,
        Act.LOOK_OPERATIONS, Act.LOOK_MALFUNCTIONS,
        Act.DECIDE_WIN, Act.RAISE_MALFUNCTION, Act.APPROVE_MALFUNCTION, Act.RAISE_SUSPENSION,
        Act.LIFT_SUSPENSION, Act.APPROVE_ADJUSTMENT, Act.SETTLE_RECEIVABLE, Act.EXCLUDE_PLAYER,
    }),
    Role.COMPLIANCE: LOOKS | {Act.REQUEST_EXPORT},
    Role.ENGINEER: frozenset({
        Act.LOOK_ROUNDS, Act.LOOK_LOG, Act.LOOK_OPERATIONS, Act.LOOK_STAFF,
        Act.LOOK_MALFUNCTIONS,
        Act.RAISE_MALFUNCTION, Act.RAISE_SUSPENSION, Act.RETRY_WORK,
        Act.MANAGE_STAFF, Act.MANAGE_KEYS, Act.MANAGE_WEBHOOKS,
    }),
    Role.AUDITOR: LOOKS | {Act.REQUEST_EXPORT},
}  # fmt: skip

# The act that a table of the panel asks of who looks at it. What has no line, nobody sees.
TABLES: Final[Mapping[str, Act]] = {
    "players.player": Act.LOOK_PLAYERS,
    "players.playsession": Act.LOOK_PLAYERS,
    "players.exclusion": Act.LOOK_PLAYERS,
    "players.apikey": Act.LOOK_OPERATIONS,
    "wallets.account": Act.LOOK_MONEY,
    "wallets.transfer": Act.LOOK_MONEY,
    "wallets.limit": Act.LOOK_PLAYERS,
    "wallets.adjusting": Act.LOOK_MONEY,
    "pontoon.round": Act.LOOK_ROUNDS,
    "pontoon.returnwatch": Act.LOOK_REPORTS,
    "pontoon.verification": Act.LOOK_CASES,
    "pontoon.malfunction": Act.LOOK_MALFUNCTIONS,
    "pontoon.suspension": Act.LOOK_OPERATIONS,
    "audit.entry": Act.LOOK_LOG,
    "audit.export": Act.REQUEST_EXPORT,
    "audit.work": Act.LOOK_OPERATIONS,
    "audit.endpoint": Act.LOOK_OPERATIONS,
    "audit.delivery": Act.LOOK_OPERATIONS,
    "staff.staffuser": Act.LOOK_STAFF,
}


def may(user: Any, act: Act) -> bool:
    """Say whether somebody may do an act: by his role alone. Nobody is above the roles."""
    is_active = getattr(user, "is_active", False)
    return bool(is_active) and act in GRANTS.get(getattr(user, "role", ""), ())


def require(user: Any, act: Act) -> None:
    """Refuse an act that is not somebody's. Errors: PermissionDenied, which the panel records."""
    if not may(user, act):
        raise PermissionDenied(act.value)


def require_other(user_urn: str, raised_by_urn: str) -> None:
    """Refuse who would decide on what he raised himself (OPR-02). Errors: SamePersonError."""
    if user_urn == raised_by_urn:
        raise SamePersonError(raised_by=raised_by_urn)


def may_look(user: Any, permission: str) -> bool:
    """Say whether a permission of Django's (`app.view_model`) is somebody's: looks alone are."""
    app_label, _, name = permission.partition(".")
    verb, _, model = name.partition("_")
    act = TABLES.get(f"{app_label}.{model}")
    return verb == "view" and act is not None and may(user, act)


def may_enter(user: Any, app_label: str) -> bool:
    """Say whether an app has any table that somebody may look at."""
    return any(
        may(user, act) for table, act in TABLES.items() if table.partition(".")[0] == app_label
    )
