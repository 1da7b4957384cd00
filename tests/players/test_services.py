"""Who comes in, who leaves, who shuts himself out; each act once, and each on record."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from audit import queries as audit
from audit.errors import InvalidError
from audit.models import Entry
from audit.services import NIL, now
from casino.players import services
from casino.players.errors import (
    NotAuthenticatedError,
    PlayerConflictError,
    PlayerNotFoundError,
    SessionExpiredError,
    UnknownCurrencyError,
)
from casino.players.models import ApiKey, Exclusion, Player, PlaySession
from casino.players.queries import active_key, door
from casino.players.services import Visit, hash_token
from tests.players.crowd import KEY, at_once

Enter = Callable[..., tuple[PlaySession, str]]
Register = Callable[..., Player]
NOBODY = UUID("00000000-0000-7000-8000-000000000000")


def entries(subject: str, player_id: UUID = NIL) -> list[tuple[str, str, Any]]:
    """Return a subject's entries as (event, actor, payload)."""
    return [
        (entry["event"], entry["actor"], entry["payload"])
        for entry in audit.entries_of(subject, player_id=player_id)
    ]


# --- register


def test_registering_a_player_is_one_entry(player: Player) -> None:
    after = {
        "external_id": "p1",
        "currency": "USD",
        "country": "GB",
        "language": "en",
        "is_test": False,
    }
    assert entries(f"player:{player.id}", player.id) == [
        ("player.registered", KEY, {"before": None, "after": after})
    ]
    assert player.id.version == 7


def test_the_same_facts_again_are_the_same_player(register: Register) -> None:
    first, second = register(), register()
    assert second == first
    assert Entry.objects.count() == 1


@pytest.mark.parametrize(
    "other", [{"currency": "EUR"}, {"country": "SE"}, {"language": "sv"}, {"is_test": True}]
)
def test_other_facts_for_the_same_external_id_are_a_conflict(
    register: Register, other: dict[str, Any]
) -> None:
    player = register()
    with pytest.raises(PlayerConflictError) as refused:
        register(**other)
    assert refused.value.player_id == str(player.id)
    assert Player.objects.get() == player


def test_twenty_registrations_of_one_external_id_at_once_are_one_player(
    register: Register,
) -> None:
    players = at_once(20, register)
    assert len({player.id for player in players}) == 1
    assert Player.objects.count() == Entry.objects.count() == 1


def test_of_two_that_differ_at_once_one_player_comes_and_one_conflict(register: Register) -> None:
    currencies = iter(["USD", "EUR"] * 5)
    came = at_once(10, lambda: register(currency=next(currencies)))
    kept = Player.objects.get()
    assert sum(isinstance(one, PlayerConflictError) for one in came) == 5
    assert all(one == kept for one in came if isinstance(one, Player))
    assert Entry.objects.count() == 1


def test_a_currency_that_is_not_offered_registers_nobody(register: Register) -> None:
    with pytest.raises(UnknownCurrencyError):
        register(currency="XAU")
    assert not Player.objects.exists()


# --- sessions


def test_aut_08_a_session_token_is_random_and_only_its_hash_is_stored(enter: Enter) -> None:
    session, token = enter()
    _, second = enter()
    stored = PlaySession.objects.get(id=session.id)
    assert bytes(stored.token_hash) == hash_token(token)
    assert token.startswith("ps_")
    assert len(token) == 3 + 43  # 32 bytes
    assert token != second
    assert token not in "".join(Entry.objects.values_list("body", flat=True))


def test_opening_a_session_is_one_entry_with_its_address(enter: Enter, player: Player) -> None:
    session, _ = enter(profile="uk")
    [(event, actor, payload)] = entries(f"session:{session.id}", player.id)
    assert (event, actor, payload["before"]) == ("session.opened", KEY, None)
    assert payload["after"] == {
        "language": "en",
        "profile": "uk",
        "address": "192.0.2.1",
        "device": "",
        "opened_at": session.opened_at.isoformat(),
    }


def test_aut_09_a_second_session_ends_the_first(enter: Enter, player: Player) -> None:
    first, token = enter()
    enter()
    with pytest.raises(SessionExpiredError) as refused:
        services.enter(hash_token(token))
    assert refused.value.because == "replaced"
    assert [event for event, _, _ in entries(f"session:{first.id}", player.id)] == [
        "session.opened",
        "session.closed",
    ]


def test_aut_09_twenty_sessions_at_once_leave_one_open(enter: Enter) -> None:
    opened = at_once(20, enter)
    assert len({session.id for session, _ in opened}) == 20
    assert PlaySession.objects.filter(closed_at=None).count() == 1
    assert Entry.objects.filter(event="session.opened").count() == 20
    assert Entry.objects.filter(event="session.closed").count() == 19


def test_the_same_key_is_the_same_session_and_token(enter: Enter) -> None:
    opened = at_once(10, lambda: enter(key="k1"))
    assert len(set(opened)) == 1
    assert PlaySession.objects.count() == 1
    assert Entry.objects.filter(event="session.opened").count() == 1


def test_the_same_key_meets_its_session_when_that_is_over(enter: Enter) -> None:
    first = enter(key="k1")
    enter(key="k2")
    assert enter(key="k1") == first
    with pytest.raises(SessionExpiredError):
        services.enter(hash_token(first[1]))


@pytest.mark.parametrize(
    "other", [{"language": "sv"}, {"profile": "uk"}, {"lobby_url": "https://a.example/"}]
)
def test_the_same_key_for_another_visit_is_a_conflict(enter: Enter, other: dict[str, str]) -> None:
    enter(key="k1")
    with pytest.raises(PlayerConflictError):
        enter(key="k1", **other)


def test_two_players_may_use_the_same_key(enter: Enter, register: Register) -> None:
    other = register("p2")
    session, _ = enter(key="k1")
    others, _ = services.open_session(
        KEY, player_id=other.id, visit=Visit(language="en"), address="", key="k1"
    )
    assert session.id != others.id


def test_a_session_needs_a_player_and_a_profile(enter: Enter) -> None:
    with pytest.raises(PlayerNotFoundError):
        services.open_session(KEY, player_id=NOBODY, visit=Visit(language="en"), address="")
    with pytest.raises(InvalidError):
        enter(profile="narnia")
    assert not PlaySession.objects.exists()


def test_aut_08_a_token_is_dead_after_the_session_is_closed(enter: Enter, player: Player) -> None:
    session, token = enter()
    services.close_session(f"player:{player.id}", session_id=session.id)
    with pytest.raises(SessionExpiredError) as refused:
        services.enter(hash_token(token))
    assert refused.value.because == "closed"
    event, actor, payload = entries(f"session:{session.id}", player.id)[-1]
    assert (event, actor) == ("session.closed", f"player:{player.id}")
    assert payload["before"] == {"closed_at": None, "closed_because": ""}
    assert payload["after"]["closed_because"] == "closed"


def test_closing_twice_is_closing_once(enter: Enter, player: Player) -> None:
    session, _ = enter()
    at_once(5, lambda: services.close_session(KEY, session_id=session.id))
    assert len(entries(f"session:{session.id}", player.id)) == 2


def test_a_session_that_idled_is_closed_as_expired(
    enter: Enter, put_back: Callable[..., None]
) -> None:
    session, _ = enter()
    put_back(session.id, "31 minutes")
    enter()
    session.refresh_from_db()
    assert session.closed_because == "expired"


def test_a_clock_set_back_does_not_keep_a_session_open(
    enter: Enter, put_back: Callable[..., None]
) -> None:
    session, _ = enter()
    put_back(session.id, "-1 hour")
    enter()
    session.refresh_from_db()
    assert session.closed_at == session.opened_at


def test_a_session_that_nobody_opened_cannot_be_closed(database: object) -> None:
    with pytest.raises(PlayerNotFoundError):
        services.close_session(KEY, session_id=NOBODY)


# --- being seen


def test_a_read_notes_that_it_was_here_every_30_s_at_most(
    enter: Enter, put_back: Callable[..., None]
) -> None:
    session, token = enter()
    services.enter(hash_token(token))
    session.refresh_from_db()
    assert session.last_seen_at == session.opened_at
    put_back(session.id, "31 seconds")
    _, at = services.enter(hash_token(token))
    session.refresh_from_db()
    assert session.last_seen_at == at


def test_aut_06_a_late_touch_does_not_revive_a_closed_session(
    enter: Enter, put_back: Callable[..., None]
) -> None:
    session, token = enter()
    put_back(session.id, "1 minute")
    seen = door(hash_token(token))
    services.close_session(KEY, session_id=session.id)
    services.touch(*seen)
    session.refresh_from_db()
    assert session.last_seen_at == session.opened_at


# --- exclusions


def test_exc_05_an_exclusion_keeps_what_was_asked_and_when(player: Player) -> None:
    exclusion = services.exclude(
        f"player:{player.id}",
        player_id=player.id,
        kind="cooling_off",
        term=timedelta(days=3),
        reason="a break",
    )
    stored = Exclusion.objects.get()
    assert stored == exclusion
    assert stored.requested_at == stored.starts_at <= now()
    assert stored.ends_at == stored.starts_at + timedelta(days=3)
    event, actor, payload = entries(f"player:{player.id}", player.id)[-1]
    assert (event, actor, payload["before"]) == ("player.excluded", f"player:{player.id}", None)
    assert payload["after"] == {
        "id": str(stored.id),
        "kind": "cooling_off",
        "starts_at": stored.starts_at.isoformat(),
        "ends_at": stored.ends_at.isoformat(),
        "reason": "a break",
    }


def test_the_same_key_is_the_same_exclusion(player: Player) -> None:
    def exclude(days: int = 3) -> Exclusion:
        return services.exclude(
            KEY, player_id=player.id, kind="cooling_off", term=timedelta(days=days), key="k1"
        )

    assert len({exclusion.id for exclusion in at_once(10, exclude)}) == 1
    assert Entry.objects.filter(event="player.excluded").count() == 1
    with pytest.raises(PlayerConflictError):
        exclude(days=4)


def test_a_break_has_an_end_and_no_exclusion_ends_before_it_starts(player: Player) -> None:
    with pytest.raises(InvalidError) as endless:
        services.exclude(KEY, player_id=player.id, kind="cooling_off", term=None)
    assert endless.value.fields == {"days": ["required"]}
    with pytest.raises(InvalidError) as over:
        services.exclude(KEY, player_id=player.id, kind="self_exclusion", term=now())
    assert over.value.fields == {"ends_at": ["too_early"]}
    assert not Exclusion.objects.exists()


def test_nobody_cannot_be_excluded(database: object) -> None:
    with pytest.raises(PlayerNotFoundError):
        services.exclude(KEY, player_id=NOBODY, kind="self_exclusion", term=None)


# --- keys


def test_a_key_opens_with_its_token_until_it_is_revoked(database: object) -> None:
    api_key, token = services.create_key("command:test", name="shop", scopes={"players:read"})
    facts = active_key(hash_token(token))
    assert (facts.id, facts.name, facts.scopes) == (api_key.id, "shop", {"players:read"})
    services.revoke_key("command:test", key_id=api_key.id)
    with pytest.raises(NotAuthenticatedError):
        active_key(hash_token(token))


def test_a_key_keeps_the_hash_of_its_token_and_its_first_characters(database: object) -> None:
    api_key, token = services.create_key("command:test", name="shop", scopes={"players:read"})
    stored = ApiKey.objects.get()
    assert bytes(stored.token_hash) == hash_token(token)
    assert token.startswith(stored.prefix)
    assert len(stored.prefix) == 10
    assert token[10:] not in repr(vars(api_key))


def test_making_and_revoking_a_key_are_an_entry_each(database: object) -> None:
    api_key, _ = services.create_key(
        "command:test", name="shop", scopes=["players:write", "players:read"]
    )
    at_once(5, lambda: services.revoke_key("command:test", key_id=api_key.id))
    (made, _, first), (revoked, _, second) = entries(f"key:{api_key.id}")
    assert (made, revoked) == ("key.created", "key.revoked")
    assert first["after"]["scopes"] == ["players:read", "players:write"]
    assert second["before"]["revoked_at"] is None
    assert second["after"]["revoked_at"]


@pytest.mark.parametrize("scopes", [set(), {"everything"}, {"players:read", "root"}])
def test_a_key_needs_scopes_that_exist(database: object, scopes: set[str]) -> None:
    with pytest.raises(InvalidError):
        services.create_key("command:test", name="shop", scopes=scopes)
    assert not ApiKey.objects.exists()


def test_a_key_that_nobody_made_cannot_be_revoked(database: object) -> None:
    with pytest.raises(PlayerNotFoundError):
        services.revoke_key("command:test", key_id=NOBODY)
