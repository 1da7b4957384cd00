"""A stored round, played again: its record, and what its player may see of it."""

from pontoon import engine, vault
from pontoon.engine import Action, Record, Seeds, View
from pontoon.queries.place import RoundFacts


def record_of(facts: RoundFacts) -> Record:
    """Return a round's record: all that its cards and money depend on. It holds the open seed."""
    return Record(
        rules=facts.rules,
        wager=facts.stake_minor,
        source=Seeds(vault.unseal(facts.sealed), facts.client_seed),
        actions=tuple(Action(action) for action, _, _ in facts.actions),
    )


def view_of(facts: RoundFacts) -> View:
    """Replay a round and return what its player may see of it."""
    return engine.find_game(facts.rules).view(engine.replay(record_of(facts)), 0)


def moves_made(view: View) -> list[tuple[str, int]]:
    """Return the actions of a view with the hand that each was taken on."""
    return [(move.action.value, move.hand) for move in view.moves]
