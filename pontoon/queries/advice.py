"""The hint: what the best play does now, of what the player sees and nothing else."""

from typing import Any

from casino.players.profiles import get_profile
from pontoon.analysis.strategy import advise, read_strategy
from pontoon.errors import HintNotOfferedError, RoundOverError
from pontoon.lifecycle import State
from pontoon.queries.place import Place, require_round
from pontoon.queries.replay import view_of
from pontoon.queries.shown import show_at


def advice(place: Place) -> dict[str, Any]:
    """Return the best action of a place's round.

    It is asked of the view, in which the dealer's cards are face down: it tells nothing of them.
    Errors: HintNotOfferedError, RoundNotFoundError, RoundOverError.
    """
    if not get_profile(place.door.profile).hint_allowed:
        raise HintNotOfferedError
    facts = require_round(place)
    if facts.state is not State.OPEN:
        raise RoundOverError(round=show_at(place, facts))
    return {
        "round_id": str(facts.id),
        "seq": facts.action_count,
        "action": advise(view_of(facts), facts.rules).value,
        "rules": facts.rules,
        "strategy_is": read_strategy(facts.rules)["strategy_is"],
    }
