"""May he act now? Said before the act is decided, and again inside its commit."""

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import DatabaseError, connection

from audit.services import now
from casino.players import services
from casino.players.admission import require_admitted, require_not_excluded, require_session
from casino.players.errors import (
    CoolingOffError,
    PlayerError,
    SelfExcludedError,
    SessionExpiredError,
)
from casino.players.models import IDLE_MAX, Player, PlaySession
from casino.players.queries import Door, door, standing
from casino.players.services import hash_token
from tests.conftest import Database
from tests.players.crowd import KEY

Enter = Callable[..., tuple[PlaySession, str]]
AT = datetime(2026, 7, 1, 12, tzinfo=UTC)


def seen(**facts: Any) -> Door:
    """Return the door of a player who may play at AT, with other facts."""
    told = {
        "session_id": uuid4(), "player_id": uuid4(), "currency": "USD", "country": "GB",
        "language": "en", "profile": "default", "is_test": False, "opened_at": AT,
        "last_seen_at": AT, "expires_at": AT + IDLE_MAX, "closed_at": None, "closed_because": "",
        "exclusion": None, "exclusion_until": None, "check_every_min": None, "checked_at": None,
    }  # fmt: skip
    return Door(**told | facts)


CLOSED = {"closed_at": AT, "closed_because": "replaced"}
EXCLUDED = {"exclusion": "self_exclusion"}
BREAK = {"exclusion": "cooling_off", "exclusion_until": AT + timedelta(days=3)}


@pytest.mark.parametrize(
    ("name", "facts", "error", "told"),
    [
        ("AUT-06 idle", {"expires_at": AT}, SessionExpiredError, {"because": "expired"}),
        ("AUT-08 closed", CLOSED, SessionExpiredError, {"because": "replaced"}),
        ("AUT-08 before EXC-01", CLOSED | EXCLUDED, SessionExpiredError, {"because": "replaced"}),
        ("EXC-01 excluded for good", EXCLUDED, SelfExcludedError, {"until": None}),
        ("EXC-01 on a break", BREAK, CoolingOffError, {"until": "2026-07-04T12:00:00+00:00"}),
    ],
)  # fmt: skip
def test_who_may_not_wager_is_told_why(
    name: str, facts: dict[str, Any], error: type[PlayerError], told: dict[str, Any]
) -> None:
    with pytest.raises(error) as refused:
        require_admitted(seen(**facts), AT)
    assert refused.value.facts == told


def test_a_player_with_a_session_may_wager_until_its_last_microsecond() -> None:
    require_admitted(seen(), AT + IDLE_MAX - timedelta(microseconds=1))


@pytest.mark.parametrize("facts", [EXCLUDED, BREAK])
def test_exc_02_an_excluded_player_keeps_his_session(facts: dict[str, Any]) -> None:
    require_session(seen(**facts), AT)


# --- the same in the database


@pytest.fixture
def session(enter: Enter) -> PlaySession:
    """The player's open session."""
    return enter()[0]


@pytest.fixture
def elsewhere(database: Database) -> Iterator[psycopg.Connection]:
    """Another connection of the application, which keeps its transaction open."""
    with psycopg.connect(database.app_url) as other:
        yield other
        other.rollback()


def admit(session: PlaySession, at: datetime | None = None) -> str:
    """Ask inside a commit: "" if admitted, else the SQLSTATE."""
    arguments = [session.player_id, session.id, at or now()]
    return call("SELECT players_admit(%s, %s, %s)", arguments)


def call(statement: str, arguments: list[Any]) -> str:
    """Run a statement: "" if it ran, else the SQLSTATE."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement, arguments)
    except DatabaseError as error:
        return str(getattr(error.__cause__, "sqlstate", error))
    return ""


def exclude(player_id: Any, term: timedelta | None = None) -> None:
    """Shut a player out, for good or for a break."""
    kind = "cooling_off" if term else "self_exclusion"
    services.exclude(KEY, player_id=player_id, kind=kind, term=term)


def test_aut_06_the_database_and_the_code_agree_how_long_a_session_idles(
    database: Database,
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT players_idle_max()")
        assert cursor.fetchone() == (IDLE_MAX,)


def test_an_open_session_is_admitted(session: PlaySession) -> None:
    assert admit(session) == ""


@pytest.mark.parametrize(("ago", "state"), [("29 minutes", ""), ("30 minutes", "PN409")])
def test_aut_06_a_commit_refuses_a_session_idle_for_30_minutes(
    session: PlaySession, put_back: Callable[..., None], ago: str, state: str
) -> None:
    put_back(session.id, ago)
    assert admit(session) == state


def test_aut_08_a_commit_refuses_a_closed_session(session: PlaySession) -> None:
    services.close_session(KEY, session_id=session.id)
    assert admit(session) == "PN409"


def test_aut_09_a_commit_refuses_a_replaced_session(session: PlaySession, enter: Enter) -> None:
    enter()
    assert admit(session) == "PN409"


@pytest.mark.parametrize("term", [None, timedelta(days=3)])
def test_exc_01_a_commit_refuses_an_excluded_player(
    session: PlaySession, term: timedelta | None
) -> None:
    exclude(session.player_id, term)
    assert admit(session) == "PN409"
    assert call("SELECT players_admit_deposit(%s)", [session.player_id]) == "PN409"


def test_a_commit_refuses_another_players_session(
    session: PlaySession, register: Callable[..., Player]
) -> None:
    stolen = PlaySession(id=session.id, player_id=register("p2").id)
    assert admit(stolen) == "PN409"


def test_a_deposit_needs_a_player_and_no_session(player: Player) -> None:
    assert call("SELECT players_admit_deposit(%s)", [player.id]) == ""
    assert call("SELECT players_admit_deposit(%s)", [uuid4()]) == "PN409"


@pytest.mark.parametrize(("ago", "is_written"), [("29 seconds", False), ("31 seconds", True)])
def test_a_bet_rarely_writes_the_session_row(
    session: PlaySession, put_back: Callable[..., None], ago: str, is_written: bool
) -> None:
    put_back(session.id, ago)
    at = now()
    assert admit(session, at) == ""
    session.refresh_from_db()
    assert (session.last_seen_at == at) is is_written


def test_exc_01_when_an_exclusion_is_told_no_wager_is_in_flight(
    session: PlaySession, elsewhere: psycopg.Connection
) -> None:
    elsewhere.execute(
        "SELECT players_admit(%s, %s, clock_timestamp())", [session.player_id, session.id]
    )
    told = threading.Event()

    def shut_out() -> None:
        exclude(session.player_id)
        told.set()
        connection.close()

    excluding = threading.Thread(target=shut_out)
    excluding.start()
    assert not told.wait(0.3)  # the wager that began first is not over
    elsewhere.commit()
    excluding.join(10)
    assert told.is_set()
    assert admit(session) == "PN409"


def test_exc_01_a_wager_that_waited_for_an_exclusion_is_refused(
    session: PlaySession, owner: psycopg.Connection
) -> None:
    states: list[str] = []

    def wager() -> None:
        states.append(admit(session))
        connection.close()

    with owner.transaction():
        owner.execute("SELECT pg_advisory_xact_lock(players_gate(%s))", [session.player_id])
        wagering = threading.Thread(target=wager)
        wagering.start()
        wagering.join(0.3)
        assert wagering.is_alive()
        owner.execute(
            "INSERT INTO players_exclusion (id, player_id, kind, requested_at, starts_at, reason,"
            " by) VALUES (gen_random_uuid(), %s, 'self_exclusion', clock_timestamp(),"
            " clock_timestamp(), '', 'tests')",
            [session.player_id],
        )
    wagering.join(10)
    assert states == ["PN409"]


# --- which exclusion binds


def test_exc_01_the_strictest_exclusion_binds(player: Player) -> None:
    require_not_excluded(standing(player.id))
    exclude(player.id, timedelta(days=2))
    exclude(player.id, timedelta(days=5))
    exclude(player.id, timedelta(days=1))
    told = standing(player.id)
    assert told.exclusion == "cooling_off"
    assert told.exclusion_until is not None
    assert told.exclusion_until > now() + timedelta(days=4)
    exclude(player.id)
    with pytest.raises(SelfExcludedError) as refused:
        require_not_excluded(standing(player.id))
    assert refused.value.until is None


def test_an_exclusion_that_is_over_binds_no_more(
    player: Player, enter: Enter, owner: psycopg.Connection
) -> None:
    _, token = enter()
    owner.execute(
        "INSERT INTO players_exclusion (id, player_id, kind, requested_at, starts_at, ends_at,"
        " reason, by) SELECT gen_random_uuid(), %s, 'cooling_off', at, at, at + '3 days', '',"
        " 'tests' FROM (SELECT now() - interval '3 days' AS at)",
        [player.id],
    )
    require_admitted(*door(hash_token(token)))
    require_not_excluded(standing(player.id))
