"""What the house does to a round, and how its money and its record are read, in a word each."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

from audit import queries as audit
from audit import seal
from audit.errors import HouseError
from audit.services import now
from pontoon import queries, services
from pontoon.models import Malfunction
from pontoon.queries import RoundFacts
from tests.people import People, Person
from tests.seeds import LARGE_WIN_ACTIONS, LARGE_WIN_SEED, deal, plant_seed
from wallets import queries as wallets
from wallets import services as cage

STAFF, OTHER = "staff:7", "staff:8"
VOIDER = "system:void"
Adjusted = Literal["credit", "debit", "settle", "write_off"]
OPEN = "56 789T 56 789T 5678"
FIFTEEN = "78 789T 89 789T 23"
TWENTY = "TJQK 789 TJQK 789 TJQK"
PONTOON = "A 789 TJQK 789"
SPLIT = "8 23456789 8 23456789 78 78"
"""Two eights; split, both hands stand at fifteen or sixteen."""


def void(player: Person, round_: dict[str, Any]) -> None:
    """Void a round of which two persons have said that it is to be."""
    round_id = UUID(round_["round_id"])
    services.void_round(
        VOIDER,
        player_id=player.id,
        round_id=round_id,
        reason="a card was torn",
        malfunction_id=approve_void(round_id),
    )


def approve_void(round_id: UUID) -> UUID:
    """Have a round flagged and its void approved, once; return the malfunction's id."""
    scope = {"round": str(round_id)}
    if made := Malfunction.objects.filter(scope=scope, state="approved").first():
        return made.id
    made = services.flag_malfunction(STAFF, scope=scope, cause="a torn card", evidence={})
    services.count_malfunction(made.id)
    list_hash = queries.last_count(made.id)["list_hash"]
    services.approve_void(
        OTHER, malfunction_id=made.id, list_hash=list_hash, reason="a card was torn"
    )
    return made.id


def release(player: Person, round_: dict[str, Any]) -> None:
    check_wins()
    services.release_large_win(STAFF, round_id=UUID(round_["round_id"]), reason="the file agrees")


def check_wins() -> None:
    """File the cases of the large wins that wait."""
    seal.seal()
    services.check_wins()


def close(player: Person, round_: dict[str, Any], later: timedelta = timedelta(hours=1)) -> None:
    services.close_round(
        player_id=player.id, round_id=UUID(round_["round_id"]), before=now() + later
    )


def owing(people: People, owner_url: str) -> Person:
    """Return a player who withdrew what a round had paid, before it was voided."""
    player = people.player(cash=1_000)
    round_ = deal(owner_url, player, PONTOON, 200)
    banking = cage.Banking(player.id, player.balance, "USD", f"all of {player.id}")
    cage.withdraw("key:till", banking=banking)
    void(player, round_)
    assert money(player)["receivable"] < 0
    return player


def adjust(player: Person, kind: Adjusted, amount_minor: int) -> None:
    """Correct a player's money by hand: one person asks, another approves."""
    asked = cage.Correction(player.id, kind, amount_minor, "a torn card", f"={kind}")
    adjustment_id = cage.raise_adjustment(STAFF, correction=asked)
    cage.approve_adjustment(OTHER, adjustment_id=adjustment_id, reason="seen")


def flag(round_: dict[str, Any]) -> None:
    """Say that there was a malfunction in a round."""
    scope = {"round": round_["round_id"]}
    services.flag_malfunction(STAFF, scope=scope, cause="a torn card", evidence={})


def void_counted() -> None:
    """Have every malfunction counted, and what was counted approved and voided."""
    services.count_malfunctions()
    for counted in queries.malfunctions().filter(state="counted"):
        list_hash = queries.last_count(counted.id)["list_hash"]
        services.approve_void(
            OTHER if counted.raised_by == STAFF else STAFF,
            malfunction_id=counted.id,
            list_hash=list_hash,
            reason="torn",
        )
    services.void_malfunctions()


def win_large(player: Person, owner_url: str) -> UUID:
    """Have a player win largely, and the win checked; return the round, which is held."""
    plant_seed(owner_url, player, LARGE_WIN_SEED)
    round_ = player.bet(100_000).json
    for action in LARGE_WIN_ACTIONS:
        round_ = player.act(round_["round_id"], round_["seq"], action).json
    seal.seal()
    services.check_wins()
    return UUID(round_["round_id"])


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
