"""The seed of a player's next round: made, committed to and sealed before he bets on it."""

from typing import Any

from audit import services as audit
from audit.events import Event
from pontoon import engine, queries, vault
from pontoon.queries import Place


def ensure_seed(place: Place) -> str:
    """Commit to a player's first seed if he has none yet; return the commitment to his next round.

    Every later seed is made by the deal of the round before it.
    """
    if place.seed is not None:
        return place.seed[1]
    seed = next_seed(place, 0)
    entry = audit.entry(
        Event.SEED_COMMITTED,
        subject=place.door.urn,
        actor="house",
        at=place.at,
        player_id=place.door.player_id,
        payload={"before": None, "after": {"number": 0, "commitment": seed["commitment"]}},
    )
    audit.commit("pontoon_first_seed", {"seed": seed, "entry": entry})
    # Two looks may come at once: the seed that is kept is the one to promise.
    return queries.next_commitment(place.door.player_id)


def next_seed(place: Place, number: int) -> dict[str, Any]:
    """Make the seed of a player's round by its number, as a row: committed to, and sealed."""
    seed = vault.make_seed()
    return {
        "player_id": str(place.door.player_id),
        "number": number,
        "commitment": engine.commitment(seed),
        "sealed": vault.seal(seed),
        "at": place.at.isoformat(),
    }
