"""The staff's sessions: opened by a password, verified by a second factor, and ended at once.

AUT-06, AUT-08: thirty minutes unseen end one, and twelve hours whatever happens.
"""

from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet

from audit import services as audit
from audit.events import Event
from casino.staff.models import StaffSession, StaffUser

IDLE_FOR = timedelta(minutes=30)
OPEN_FOR = timedelta(hours=12)
SEEN_EVERY = timedelta(seconds=15)

AGENT_MAX = 200


def open_session(user: StaffUser, *, address: str, agent: str) -> StaffSession:
    """Open a session to which only the second step is open yet."""
    at = audit.now()
    return StaffSession.objects.create(
        user=user, opened_at=at, seen_at=at, address=address, agent=agent[:AGENT_MAX]
    )


def verify(session: StaffSession) -> StaffSession | None:
    """Let a half session in, under a new id; None if it is over."""
    id_ = uuid4()
    half = StaffSession.objects.filter(id=session.id, ended_at=None)
    half.update(id=id_, verified_at=audit.now())
    return StaffSession.objects.filter(id=id_).first()


def find_open(session_id: str, *, user: StaffUser, is_seen: bool) -> StaffSession | None:
    """Return a user's session if it is open; one that is too old ends here, and on record.

    `is_seen` says that a person has asked, and not a page by itself: that keeps it open.
    """
    try:
        found = StaffSession.objects.filter(id=UUID(session_id), user=user, ended_at=None).first()
    except ValueError:
        return None
    if found is None or not user.is_active or user.locked_at is not None:
        return None
    at = audit.now()
    because = _over(found, at)
    if because:
        end(user.urn, session=found, because=because)
        return None
    if is_seen and at - found.seen_at > SEEN_EVERY:
        StaffSession.objects.filter(id=found.id, ended_at=None).update(seen_at=at)
    return found


def _over(session: StaffSession, at: datetime) -> str:
    if at - session.opened_at > OPEN_FOR:
        return "too_old"
    return "idle" if at - session.seen_at > IDLE_FOR else ""


def open_of(user: StaffUser) -> QuerySet[StaffSession]:
    """Return a user's sessions that are open, newest first."""
    since = audit.now()
    return StaffSession.objects.filter(
        user=user, ended_at=None, seen_at__gt=since - IDLE_FOR, opened_at__gt=since - OPEN_FOR
    )


def end(actor: str, *, session: StaffSession, because: str) -> None:
    """End one session."""
    _end(actor, StaffSession.objects.filter(id=session.id), because)


def end_own(user: StaffUser, *, session_id: UUID) -> None:
    """End one of a user's own sessions, here or elsewhere; another's is none."""
    _end(user.urn, StaffSession.objects.filter(id=session_id, user=user), "ended_by_user")


def end_all(actor: str, *, user: StaffUser, because: str, but: StaffSession | None = None) -> None:
    """End all of a user's sessions, but perhaps the one in which he does it."""
    rows = StaffSession.objects.filter(user=user)
    _end(actor, rows.exclude(id=but.id) if but else rows, because)


def _end(actor: str, rows: QuerySet[StaffSession], because: str) -> None:
    with transaction.atomic():
        ending = rows.filter(ended_at=None).select_for_update(no_key=True).select_related(None)
        for session in ending:
            session.ended_at, session.ended_because = audit.now(), because
            session.save(update_fields=["ended_at", "ended_because"])
            audit.record(
                Event.STAFF_SESSION_ENDED,
                subject=f"staff:{session.user_id}",
                actor=actor,
                payload={
                    "session": str(session.id),
                    "before": {"is_open": True},
                    "after": {"is_open": False, "because": because},
                },
            )
