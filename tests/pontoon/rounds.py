"""What the house does to a round, and how its money and its record are read, in a word each."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from audit import queries as audit
from audit.errors import HouseError
from audit.services import now
from pontoon import queries, services
from pontoon.queries import RoundFacts
from pontoon.services.commit import commit, retrying
from pontoon.services.house import read_desk, released
from tests.people import Person
from wallets import queries as wallets

STAFF = "staff:7"
OPEN = "56 789T 56 789T 5678"
FIFTEEN = "78 789T 89 789T 23"
PONTOON = "A 789 TJQK 789"
SPLIT = "8 23456789 8 23456789 78 78"
"""Two eights; split, both hands stand at fifteen or sixteen."""


def void(player: Person, round_: dict[str, Any]) -> None:
    services.void_round(
        STAFF, player_id=player.id, round_id=UUID(round_["round_id"]), reason="a card was torn"
    )


def release(player: Person, round_: dict[str, Any]) -> None:
    release_win(STAFF, player_id=player.id, round_id=UUID(round_["round_id"]))


def release_win(actor: str, *, player_id: UUID, round_id: UUID) -> None:
    """Pay a held round out as its decision does, whatever it is held for."""
    retrying(
        lambda: commit(released(actor, *read_desk(player_id, round_id))),
        player_of=lambda: player_id,
    )


def close(player: Person, round_: dict[str, Any], later: timedelta = timedelta(hours=1)) -> None:
    services.close_round(
        player_id=player.id, round_id=UUID(round_["round_id"]), before=now() + later
    )


def facts(player: Person, round_: dict[str, Any]) -> RoundFacts:
    return queries.read_facts(player.id, UUID(round_["round_id"]))


def money(player: Person) -> dict[str, int]:
    """Return what is in a player's accounts, zeros left out."""
    return {kind: minor for kind, minor in wallets.balances(player.id).items() if minor}


def moved(player: Person, round_: dict[str, Any]) -> list[tuple[str, str, str, int]]:
    """Return a round's transfers: code, from, to, amount."""
    lines = map(wallets.line, wallets.transfers_of_round(player.id, UUID(round_["round_id"])))
    return [(line["code"], line["debit"], line["credit"], line["amount_minor"]) for line in lines]


def events(player: Person, round_: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the events of a round and who did them, oldest first."""
    entries = audit.entries_of(f"round:{round_['round_id']}", player_id=player.id)
    return [(entry["event"], entry["actor"]) for entry in entries]


def outcome(act: Callable[[], Any]) -> Callable[[], Any]:
    """Return the act so that a refusal is what came of it."""

    def run() -> Any:
        try:
            return act()
        except HouseError as error:
            return type(error).__name__

    return run
