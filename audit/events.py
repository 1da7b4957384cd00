"""Every event's name and the keys its entry must carry, on one page.

Names are `subject.what happened`. An act writes one entry: a round that is over as soon as it is
dealt is one `round.settled`, whose `before` is null.
"""

from enum import StrEnum


class Event(StrEnum):
    """What an entry tells. The value is public and never changed."""

    ACCESS_REFUSED = "access.refused"
    REQUEST_REFUSED = "request.refused"
    WAGER_REFUSED = "wager.refused"
    DEPOSIT_REFUSED = "deposit.refused"
    WITHDRAWAL_REFUSED = "withdrawal.refused"
    RATE_EXCEEDED = "rate.exceeded"

    KEY_CREATED = "key.created"
    KEY_REVOKED = "key.revoked"
    PLAYER_REGISTERED = "player.registered"
    PLAYER_EXCLUDED = "player.excluded"
    SESSION_OPENED = "session.opened"
    SESSION_CLOSED = "session.closed"
    REALITY_CHECK_SET = "reality_check.set"
    REALITY_CHECK_SEEN = "reality_check.seen"
    STAFF_CREATED = "staff.created"
    STAFF_PASSWORD_CHANGED = "staff.password_changed"  # noqa: S105  an event
    STAFF_UNLOCKED = "staff.unlocked"
    STAFF_PASSWORD_ACCEPTED = "staff.password_accepted"  # noqa: S105  an event
    STAFF_LOGGED_IN = "staff.logged_in"
    STAFF_REFUSED = "staff.refused"
    STAFF_SESSION_ENDED = "staff.session_ended"
    STAFF_LOOKED = "staff.looked"
    STAFF_LINK_MADE = "staff.link_made"
    STAFF_DEVICE_ENROLLED = "staff.device_enrolled"
    STAFF_DEVICE_RESET = "staff.device_reset"
    STAFF_ROLE_ASKED = "staff.role_asked"
    STAFF_ROLE_CHANGED = "staff.role_changed"
    STAFF_ROLE_REFUSED = "staff.role_refused"
    STAFF_DEACTIVATED = "staff.deactivated"

    MONEY_DEPOSITED = "money.deposited"
    MONEY_WITHDRAWN = "money.withdrawn"
    LIMIT_SET = "limit.set"
    ADJUSTMENT_RAISED = "adjustment.raised"
    ADJUSTMENT_APPROVED = "adjustment.approved"
    ADJUSTMENT_DECLINED = "adjustment.declined"

    SEED_COMMITTED = "seed.committed"
    ROUND_OPENED = "round.opened"
    ROUND_PLAYED = "round.played"
    ROUND_SETTLED = "round.settled"
    ROUND_HELD = "round.held"
    ROUND_HELD_ON = "round.held_on"
    ROUND_RELEASED = "round.released"
    ROUND_VOIDED = "round.voided"
    WIN_CHECKED = "win.checked"
    WIN_ESCALATED = "win.escalated"
    WIN_REJECTED = "win.rejected"

    SUSPENSION_RAISED = "suspension.raised"
    SUSPENSION_LIFTED = "suspension.lifted"
    MALFUNCTION_RAISED = "malfunction.raised"
    MALFUNCTION_COUNTED = "malfunction.counted"
    MALFUNCTION_RECOUNTED = "malfunction.recounted"
    MALFUNCTION_APPROVED = "malfunction.approved"
    MALFUNCTION_VOIDED = "malfunction.voided"
    MALFUNCTION_REFUSED = "malfunction.void_refused"
    MALFUNCTION_CLEARED = "malfunction.cleared"

    LOG_KEYS_CHANGED = "log.keys_changed"
    LOG_BROKEN = "log.broken"
    LOG_ARCHIVED = "log.archived"
    CLOCK_CHANGED = "clock.changed"
    SOFTWARE_IDENTIFIED = "software.identified"
    SOFTWARE_CHANGED = "software.changed"

    RTP_EXCURSION = "rtp.excursion"

    EXPORT_REQUESTED = "export.requested"
    EXPORT_BUILT = "export.built"
    EXPORT_FAILED = "export.failed"
    EXPORT_DOWNLOADED = "export.downloaded"

    WORK_DIED = "work.died"
    WORK_RETRIED = "work.retried"

    WEBHOOK_REGISTERED = "webhook.registered"
    WEBHOOK_ROTATED = "webhook.rotated"
    WEBHOOK_ENABLED = "webhook.enabled"
    WEBHOOK_DISABLED = "webhook.disabled"
    WEBHOOK_REMOVED = "webhook.removed"
    WEBHOOK_REPLAYED = "webhook.replayed"


_REFUSAL = frozenset({"code", "method", "path", "request_id", "address", "asked"})
_CHANGE = frozenset({"before", "after"})

APPROVALS = frozenset(
    {
        Event.ADJUSTMENT_APPROVED, Event.ADJUSTMENT_DECLINED,
        Event.MALFUNCTION_APPROVED, Event.MALFUNCTION_VOIDED, Event.MALFUNCTION_REFUSED,
        Event.MALFUNCTION_CLEARED, Event.SUSPENSION_LIFTED,
        Event.STAFF_ROLE_CHANGED, Event.STAFF_ROLE_REFUSED,
    }
)  # fmt: skip
"""What one person raised and another decided on: who was who is told of each (EVT-02)."""

_APPROVAL = _CHANGE | {"raised_by", "authorised_by", "reason"}

KEYS: dict[Event, frozenset[str]] = (
    {event: _REFUSAL if event.endswith((".refused", ".exceeded")) else _CHANGE for event in Event}
    | {
        Event.CLOCK_CHANGED: _CHANGE | {"step_ms", "last_look"},
        Event.STAFF_REFUSED: frozenset({"address", "reason"}),
        Event.STAFF_PASSWORD_ACCEPTED: frozenset({"address"}),
        Event.STAFF_LOOKED: frozenset({"what", "address", "path", "query"}),
        Event.WIN_REJECTED: _CHANGE | {"processed_by", "authorised_by", "reason"},
    }
    | dict.fromkeys(APPROVALS, _APPROVAL)
)
