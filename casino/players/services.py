"""What happens at the door: who comes in, who leaves, who shuts himself out.

Each act is one transaction with one entry of the log. `actor` is who does it, as the log names
him: `key:…`, `player:…`, `command:…`. With a `key` (of the caller's own making) an act that is
asked for twice is done once.
"""

import hashlib
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from django.db import connection, models, transaction
from django.utils.crypto import salted_hmac

from audit import services as audit
from audit.errors import InvalidError
from audit.events import Event
from casino.players import admission, queries
from casino.players.errors import PlayerConflictError, PlayerNotFoundError
from casino.players.models import ApiKey, Exclusion, Player, PlaySession, RealityCheck
from casino.players.profiles import get_currency, get_profile

SCOPES = frozenset(
    {
        "players:read",
        "players:write",
        "sessions:write",
        "money:write",
        "exclusions:write",
        "limits:write",
        "rounds:read",
        "reports:read",
        "verifications:read",
        "malfunctions:write",
        "exports:write",
        "log:read",
        "webhooks:write",
    }
)
AUDITOR_SCOPES = frozenset({"reports:read", "exports:write", "log:read"})
"""What an auditor may be let in to: to look, and at nobody's request to act."""

EXCLUSION_KINDS = ("self_exclusion", "cooling_off")

_TOUCH_AFTER = timedelta(seconds=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """How a player comes in: in which language and profile, from which device (as the operator
    describes it), and the lobby he goes back to.
    """

    language: str
    profile: str = "default"
    lobby_url: str = ""
    device: str = ""


def register(
    actor: str, *, external_id: str, currency: str, country: str, language: str, is_test: bool
) -> Player:
    """Register a player, once per external id: the same facts again are the same player.

    Errors: UnknownCurrencyError, PlayerConflictError.
    """
    get_currency(currency)
    facts = {"currency": currency, "country": country, "language": language, "is_test": is_test}
    with transaction.atomic(durable=True):
        at = audit.now()
        player, is_new = Player.objects.get_or_create(
            external_id=external_id,
            defaults=facts | {"id": audit.new_id(at), "registered_at": at},
        )
        if is_new:
            audit.record(
                Event.PLAYER_REGISTERED,
                subject=f"player:{player.id}",
                actor=actor,
                player_id=player.id,
                payload={"before": None, "after": {"external_id": external_id} | facts},
            )
    if facts != {name: getattr(player, name) for name in facts}:
        raise PlayerConflictError(player_id=str(player.id))
    return player


def open_session(
    actor: str, *, player_id: UUID, visit: Visit, address: str, key: str | None = None
) -> tuple[PlaySession, str]:
    """Open a play session, and return it with its token. One that was open is closed (AUT-09).

    An excluded player may come in: he sees his balance and history, but cannot wager (EXC-02).
    Errors: PlayerNotFoundError, InvalidError (no such profile), PlayerConflictError.
    """
    get_profile(visit.profile)
    with transaction.atomic(durable=True):
        at = _shut_gate(player_id)
        session_id = _id_of(player_id, "session", key, at)
        asked = PlaySession(
            id=session_id,
            player_id=player_id,
            token_hash=hash_token(_token_of(session_id)),
            address=address or None,
            opened_at=at,
            last_seen_at=at,
            **asdict(visit),
        )
        session = PlaySession.objects.filter(id=session_id).first() or _open(actor, asked)
    if any(getattr(session, name) != fact for name, fact in asdict(visit).items()):
        raise PlayerConflictError(session_id=str(session.id))
    return session, _token_of(session.id)


def _open(actor: str, session: PlaySession) -> PlaySession:
    queries.player(session.player_id)
    session.check_every_min = _check_every_min(session)
    for earlier in PlaySession.objects.filter(player_id=session.player_id, closed_at=None):
        _close(actor, earlier, session.opened_at, because="replaced")
    session.save(force_insert=True)
    audit.record(
        Event.SESSION_OPENED,
        subject=f"session:{session.id}",
        actor=actor,
        player_id=session.player_id,
        payload={
            "before": None,
            "after": _facts(session, "language", "profile", "address", "device", "opened_at"),
        },
    )
    return session


def _check_every_min(session: PlaySession) -> int | None:
    """Return what the player asked for last, or what his jurisdiction begins with."""
    asked = RealityCheck.objects.filter(player_id=session.player_id).first()
    return asked.every_min if asked else get_profile(session.profile).reality_check_default_min


def set_reality_check(door: queries.Door, *, every_min: int | None) -> queries.Door:
    """Say how often a player is told how long he has played; None for never (RCK-01).

    When this returns, no round is dealt past it. One that is due is answered first.
    Errors: SessionExpiredError, RealityCheckDueError.
    """
    with transaction.atomic(durable=True):
        session, at = _lock_session(door)
        admission.require_reality_checked(queries.door_of(session.id), at)
        if session.check_every_min != every_min:
            RealityCheck.objects.create(
                id=audit.new_id(at), player_id=door.player_id, every_min=every_min, set_at=at
            )
            before = _facts(session, "check_every_min")
            session.check_every_min = every_min
            session.save(update_fields=["check_every_min"])
            _record_check(Event.REALITY_CHECK_SET, door, before, _facts(session, "check_every_min"))
    return queries.door_of(door.session_id)


def acknowledge_reality_check(door: queries.Door, *, told: dict[str, Any]) -> queries.Door:
    """Note that a player has seen how long he plays, and what he was `told`; once, when it is due.

    Errors: SessionExpiredError.
    """
    with transaction.atomic(durable=True):
        session, at = _lock_session(door)
        if queries.reality_check_of(queries.door_of(session.id), at)["is_due"]:
            before = _facts(session, "checked_at")
            session.checked_at = at
            session.save(update_fields=["checked_at"])
            elapsed_s = int((at - session.opened_at).total_seconds())
            after = _facts(session, "checked_at") | {"elapsed_s": elapsed_s, "told": told}
            _record_check(Event.REALITY_CHECK_SEEN, door, before, after)
    return queries.door_of(door.session_id)


def _lock_session(door: queries.Door) -> tuple[PlaySession, datetime]:
    """Hold the player's gate; return his session as it is now. Errors: SessionExpiredError."""
    at = _shut_gate(door.player_id)
    admission.require_session(queries.door_of(door.session_id), at)
    return queries.play_session(door.session_id), at


def _record_check(
    event: Event, door: queries.Door, before: dict[str, Any], after: dict[str, Any]
) -> None:
    audit.record(
        event,
        subject=f"session:{door.session_id}",
        actor=door.urn,
        player_id=door.player_id,
        payload={"before": before, "after": after},
    )


def close_session(actor: str, *, session_id: UUID) -> None:
    """End a session; one that is over stays as it ended. Errors: PlayerNotFoundError."""
    player_id = queries.play_session(session_id).player_id
    with transaction.atomic(durable=True):
        at = _shut_gate(player_id)
        session = queries.play_session(session_id)
        if session.closed_at is None:
            _close(actor, session, at, because="closed")


def _close(actor: str, session: PlaySession, at: datetime, *, because: str) -> None:
    before = _facts(session, "closed_at", "closed_because")
    session.closed_because = "expired" if session.expires_at <= at else because
    session.closed_at = max(at, session.opened_at)  # a clock may have been set back
    session.save(update_fields=["closed_at", "closed_because"])
    audit.record(
        Event.SESSION_CLOSED,
        subject=f"session:{session.id}",
        actor=actor,
        player_id=session.player_id,
        payload={"before": before, "after": _facts(session, "closed_at", "closed_because")},
    )


def enter(token_hash: bytes) -> tuple[queries.Door, datetime]:
    """Let a player see his own, and note that he was here: for a call that wagers nothing.

    Errors: NotAuthenticatedError, SessionExpiredError.
    """
    door, at = queries.door(token_hash)
    admission.require_session(door, at)
    touch(door, at)
    return door, at


def touch(door: queries.Door, at: datetime) -> None:
    """Note that a session was seen, when that was last noted more than 30 s ago."""
    if door.last_seen_at < at - _TOUCH_AFTER:
        PlaySession.objects.filter(
            id=door.session_id, closed_at=None, last_seen_at__lt=at - _TOUCH_AFTER
        ).update(last_seen_at=at)


def exclude(
    actor: str,
    *,
    player_id: UUID,
    kind: str,
    term: timedelta | datetime | None,
    reason: str = "",
    key: str | None = None,
) -> Exclusion:
    """Shut a player out from this instant: for a term, until a time, or (None) for good.

    When this returns, no wager or deposit commits any more (EXC-01). Nothing shortens it.
    Errors: PlayerNotFoundError, InvalidError, PlayerConflictError.
    """
    with transaction.atomic(durable=True):
        at = _shut_gate(player_id)
        asked = Exclusion(
            id=_id_of(player_id, "exclusion", key, at),
            player_id=player_id,
            kind=kind,
            requested_at=at,
            starts_at=at,
            ends_at=_end(term, at),
            reason=reason,
            by=actor,
        )
        exclusion = Exclusion.objects.filter(id=asked.id).first() or _exclude(asked)
    told = (exclusion.kind, exclusion.ends_at, exclusion.reason)
    if told != (kind, _end(term, exclusion.starts_at), reason):
        raise PlayerConflictError(exclusion_id=str(exclusion.id))
    return exclusion


def _end(term: timedelta | datetime | None, starts_at: datetime) -> datetime | None:
    return starts_at + term if isinstance(term, timedelta) else term


def _exclude(exclusion: Exclusion) -> Exclusion:
    queries.player(exclusion.player_id)
    _require_term(exclusion)
    exclusion.save(force_insert=True)
    audit.record(
        Event.PLAYER_EXCLUDED,
        subject=f"player:{exclusion.player_id}",
        actor=exclusion.by,
        player_id=exclusion.player_id,
        payload={
            "before": None,
            "after": _facts(exclusion, "id", "kind", "starts_at", "ends_at", "reason"),
        },
    )
    return exclusion


def _require_term(exclusion: Exclusion) -> None:
    if exclusion.ends_at is None:
        if exclusion.kind == "cooling_off":
            raise InvalidError(fields={"days": ["required"]})
    elif exclusion.ends_at <= exclusion.starts_at:
        raise InvalidError(fields={"ends_at": ["too_early"]})


def create_key(
    actor: str, *, name: str, scopes: Collection[str], is_auditors: bool = False
) -> tuple[ApiKey, str]:
    """Make an operator's or an auditor's key, and return it with its token, shown this once.

    Errors: InvalidError for no scope, or one that is none of his SCOPES.
    """
    known = AUDITOR_SCOPES if is_auditors else SCOPES
    if not scopes or not known.issuperset(scopes):
        raise InvalidError(fields={"scopes": sorted(set(scopes) - known) or ["required"]})
    token = f"{'au_' if is_auditors else 'op_'}{secrets.token_urlsafe(32)}"
    with transaction.atomic(durable=True):
        at = audit.now()
        api_key = ApiKey.objects.create(
            id=audit.new_id(at),
            name=name,
            prefix=token[:10],
            token_hash=hash_token(token),
            scopes=sorted(scopes),
            created_at=at,
        )
        _record_key(Event.KEY_CREATED, actor, api_key, before=None)
    return api_key, token


def revoke_key(actor: str, *, key_id: UUID) -> ApiKey:
    """End a key for good; one that is revoked stays as it is. Errors: PlayerNotFoundError."""
    with transaction.atomic(durable=True):
        api_key = _lock_key(key_id)
        if api_key.revoked_at is None:
            before = _facts(api_key, *_KEY_FACTS)
            api_key.revoked_at = max(audit.now(), api_key.created_at)
            api_key.save(update_fields=["revoked_at"])
            _record_key(Event.KEY_REVOKED, actor, api_key, before=before)
    return api_key


def _lock_key(key_id: UUID) -> ApiKey:
    try:
        return ApiKey.objects.select_for_update(no_key=True).get(id=key_id)
    except ApiKey.DoesNotExist:
        raise PlayerNotFoundError from None


_KEY_FACTS = ("name", "scopes", "revoked_at")


def _record_key(
    event: Event, actor: str, api_key: ApiKey, *, before: dict[str, Any] | None
) -> None:
    audit.record(
        event,
        subject=f"key:{api_key.id}",
        actor=actor,
        payload={"before": before, "after": _facts(api_key, *_KEY_FACTS)},
    )


def hash_token(token: str) -> bytes:
    """Return what is kept of a token: its SHA-256. It is random enough to need no salt."""
    return hashlib.sha256(token.encode()).digest()


def _token_of(session_id: UUID) -> str:
    # Derived, not drawn: a retry must show the token again, of which only the hash is kept. Who
    # has the database without SECRET_KEY has no token.
    secret = salted_hmac("casino.players.session", session_id.hex, algorithm="sha256").digest()
    return "ps_" + urlsafe_b64encode(secret).rstrip(b"=").decode()


def _shut_gate(player_id: UUID) -> datetime:
    """Wait until nothing of the player's is in flight, hold what comes, and return the time."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(players_gate(%s))", [player_id])
    return audit.now()


def _id_of(player_id: UUID, act: str, key: str | None, at: datetime) -> UUID:
    """Return the id of an act: of the caller's key, so that a retry meets it, or a new one."""
    return uuid5(player_id, f"{act}:{key}") if key else audit.new_id(at)


def _facts(row: models.Model, *names: str) -> dict[str, Any]:
    """Return columns of a row as the log writes them."""
    return {name: _plain(getattr(row, name)) for name in names}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value
