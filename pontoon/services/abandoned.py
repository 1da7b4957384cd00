"""Rounds that nobody came back to: the house plays them out (H21)."""

from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.conf import settings

from audit import services as audit
from pontoon import engine, queries
from pontoon.engine import Playing
from pontoon.errors import UnplayableError
from pontoon.lifecycle import State
from pontoon.services.commit import RoundAct, commit, played, retrying, settle_if_over
from pontoon.services.house import read_desk
from pontoon.services.interrupted import interrupt


def close_abandoned(*, count_max: int = 100) -> int:
    """Play out rounds whose players stayed away too long (H21); return how many there were.

    A round that cannot be played out waits its turn with its reason, and the others are not
    kept from theirs.
    """
    before = audit.now() - timedelta(hours=settings.ABANDONED_AFTER_H)
    waiting = queries.abandoned(before, count_max=count_max)
    begun = queries.half_closed(count_max=count_max)
    for player_id, round_id in dict.fromkeys(waiting + begun):
        audit.attempt(
            queries.CLOSING,
            subject=f"round:{round_id}",
            player_id=player_id,
            unit=partial(_close, player_id, round_id, before),
        )
    return len(waiting)


def _close(player_id: UUID, round_id: UUID, before: datetime) -> None:
    try:
        close_round(player_id=player_id, round_id=round_id, before=before)
    except UnplayableError as error:
        interrupt(error, player_id=player_id, round_id=round_id)


def close_round(*, player_id: UUID, round_id: UUID, before: datetime) -> None:
    """Play a round out by rule H21, unless somebody has touched it since `before`."""
    retrying(lambda: _close_once(player_id, round_id, before), player_of=lambda: player_id)


def _close_once(player_id: UUID, round_id: UUID, before: datetime) -> None:
    desk, facts = read_desk(player_id, round_id)
    if facts.state is not State.OPEN or facts.last_action_at >= before:
        return
    game, round_ = engine.find_game(facts.rules), queries.replayed(facts)
    while isinstance(round_, Playing):
        round_ = game.act(round_, game.absent_action(round_))
    after = played(facts, round_, desk.at, by="house")
    commit(settle_if_over(RoundAct(desk, facts, after, [], actor="house"), round_))
