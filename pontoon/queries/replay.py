"""A stored round, played again: its record, and what its player may see of it."""

from uuid import UUID

from cryptography.fernet import InvalidToken

from pontoon import engine, vault
from pontoon.engine import Action, Over, Playing, Record, Seeds, View
from pontoon.engine.game import DealerView
from pontoon.errors import UnplayableError
from pontoon.lifecycle import REVEALED
from pontoon.models import Told
from pontoon.queries.place import RoundFacts, facts_of

_SAMPLE = 20


def record_of(facts: RoundFacts) -> Record:
    """Return a round's record: all that its cards and money depend on. It holds the open seed."""
    return Record(
        rules=facts.rules,
        wager=facts.stake_minor,
        source=Seeds(vault.unseal(facts.sealed), facts.client_seed),
        actions=tuple(Action(action) for action, _, _ in facts.actions),
    )


def replayed(facts: RoundFacts) -> Playing | Over:
    """Replay a stored round. Errors: UnplayableError: no key opens its seed, or it is broken."""
    try:
        return engine.replay(record_of(facts))
    except (InvalidToken, engine.PontoonError, ValueError) as error:
        raise UnplayableError from error


def reads_others(player_id: UUID) -> bool:
    """Say whether this process can replay what others played last: its keys and build are right."""
    for told in Told.objects.exclude(player_id=player_id).order_by("-settled_at")[:_SAMPLE]:
        try:
            replayed(facts_of(told))
        except UnplayableError:
            continue
        return True
    return False


def view_of(facts: RoundFacts) -> View:
    """Replay a round and return what its player may see of it."""
    return engine.find_game(facts.rules).view(engine.replay(record_of(facts)), 0)


def view_or_nothing(facts: RoundFacts) -> View:
    """As `view_of`, but without a card when no key opens the seed: the rest must still be told."""
    try:
        return view_of(facts)
    except InvalidToken:
        return View(hands=(), dealer=DealerView(()), active_hand=None, options=(), moves=())


def told_record(facts: RoundFacts) -> str | None:
    """Return the record of a round that is over as text, its seed revealed; None before.

    And None when no key opens the seed: such a round can still be voided (INT-05).
    """
    if facts.state not in REVEALED:
        return None
    try:
        return engine.format_record(record_of(facts))
    except InvalidToken:
        return None


def told_seed(facts: RoundFacts) -> str | None:
    """Return the server seed of a round that is over, in hexadecimal; None as for its record."""
    if facts.state not in REVEALED:
        return None
    try:
        return vault.unseal(facts.sealed).hex()
    except InvalidToken:
        return None


def moves_made(view: View) -> list[tuple[str, int]]:
    """Return the actions of a view with the hand that each was taken on."""
    return [(move.action.value, move.hand) for move in view.moves]
