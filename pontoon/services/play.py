"""Playing a round: one action at a time."""

from collections.abc import Sequence
from uuid import UUID

from audit import services as audit
from casino.players import admission
from casino.players import queries as players
from pontoon import engine, queries
from pontoon.engine import Action, Option, Over, Playing
from pontoon.errors import (
    RoundConflictError,
    RoundNotFoundError,
    RoundOverError,
    SeqConflictError,
    UnplayableError,
)
from pontoon.lifecycle import State
from pontoon.queries import Place, RoundFacts
from pontoon.services.commit import (
    Answer,
    RoundAct,
    commit,
    played,
    repeat,
    retrying,
    settle_if_over,
    tell,
)
from pontoon.services.interrupted import interrupt
from wallets import services as wallets
from wallets.services import Move


def play(token: bytes, *, round_id: UUID, seq: int, action: Action) -> bytes:
    """Take one action; return the answer, which a retry gets again to the byte.

    Errors: SessionExpiredError, NotAdmittedError (of double and split), RoundNotFoundError,
    SeqConflictError, RoundOverError, IllegalActionError, InsufficientFundsError, LimitReachedError.
    """
    try:
        return retrying(
            lambda: _play_once(token, round_id, seq, action),
            player_of=lambda: players.door(token)[0].player_id,
        )
    except UnplayableError as error:
        interrupt(error, player_id=players.door(token)[0].player_id, round_id=round_id)
        place = queries.read_place(token, round_id=round_id)
        raise RoundOverError(round=queries.show_at(place, queries.require_round(place))) from error


def _play_once(token: bytes, round_id: UUID, seq: int, action: Action) -> bytes:
    answer_key = f"action:{round_id}:{seq}"
    place = queries.read_place(token, answer_key=answer_key, round_id=round_id)
    admission.require_session(place.door, place.at)
    if place.round_ is None:
        raise RoundNotFoundError
    if place.answer:
        return _repeat_action(place, place.round_, action)
    facts = _require_next(place, place.round_, seq)
    before = queries.replayed(facts)
    after = engine.find_game(facts.rules).act(before, action)
    act = settle_if_over(
        RoundAct(
            place=place,
            before=facts,
            facts=played(facts, after, place.at),
            moves=_wager_of(place, facts, before, action),
            actor=place.door.urn,
        ),
        after,
    )
    body = tell(act, after, next_commitment=place.seed and place.seed[1])
    commit(act, answer=Answer(answer_key, audit.fingerprint([action]), body))
    return body


def _require_next(place: Place, facts: RoundFacts, seq: int) -> RoundFacts:
    """Return the round if `seq` is its next. Errors: SeqConflictError, RoundOverError."""
    if seq != facts.action_count:
        raise SeqConflictError(round=queries.show_at(place, facts))
    if facts.state is not State.OPEN:
        raise RoundOverError(round=queries.show_at(place, facts))
    return facts


def _repeat_action(place: Place, facts: RoundFacts, action: Action) -> bytes:
    try:
        return repeat(place.answer, audit.fingerprint([action]))
    except RoundConflictError:
        raise SeqConflictError(round=queries.show_at(place, facts)) from None


def _wager_of(
    place: Place, facts: RoundFacts, before: Playing | Over, action: Action
) -> list[Move]:
    """Return the move of an action that adds to the wager; none for the others (WAL-02)."""
    amount_minor = _added(engine.find_game(facts.rules).legal_actions(before), action)
    if not amount_minor:
        return []
    admission.require_admitted(place.door, place.at)
    return [
        wallets.take_wager(
            place.wallet,
            place.allowance,
            round_id=facts.id,
            wager_index=facts.wagered_minor // facts.stake_minor,
            amount_minor=amount_minor,
            actor=place.door.urn,
        )
    ]


def _added(options: Sequence[Option], action: Action) -> int:
    return next(option.amount_max for option in options if option.action is action)
