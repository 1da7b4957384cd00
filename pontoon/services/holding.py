"""Payouts that wait for a malfunction: letting them go when none covers them any more (MAL-01)."""

import logging
from dataclasses import replace
from functools import partial
from uuid import UUID

from django.db import transaction

from audit import services as audit
from pontoon import queries
from pontoon.lifecycle import State
from pontoon.queries import RoundFacts
from pontoon.services.commit import Desk, RoundAct, commit, line_reached
from pontoon.services.house import read_desk, released
from wallets import queries as wallets

KEEPER = "system:hold"
LETTING_GO = "let_go"

log = logging.getLogger(__name__)


def hold_win(actor: str, *, player_id: UUID, round_id: UUID, malfunction_id: UUID) -> None:
    """Let a large win wait for a malfunction of its round; the wallet is locked by the caller."""
    desk, facts = read_desk(player_id, round_id)
    if facts.state is State.HELD and facts.held_reason == "large_win":
        after = replace(facts, held_reason="malfunction")
        why = {"malfunction_id": str(malfunction_id)}
        commit(RoundAct(desk, facts, after, [], actor, why))


def let_go(*, count_max: int = 500) -> int:
    """Pay what waits for no malfunction any more; a large win waits on, for a person (H17).

    Returns how many there were. Harmless when it comes twice, late, or at once with another.
    """
    due = queries.let_go(count_max)
    for player_id, round_id in due:
        audit.attempt(
            LETTING_GO,
            subject=f"round:{round_id}",
            player_id=player_id,
            unit=partial(_let_go_once, player_id, round_id),
        )
    return len(due)


def _let_go_once(player_id: UUID, round_id: UUID) -> None:
    with transaction.atomic(durable=True):
        wallets.lock_wallet(player_id)
        queries.hold_standing()
        desk, facts = read_desk(player_id, round_id)
        if facts.state is not State.HELD or facts.held_reason != "malfunction":
            return
        if desk.standing.holds(facts):
            return
        if _is_large(desk, facts):
            commit(RoundAct(desk, facts, replace(facts, held_reason="large_win"), [], KEEPER))
        else:
            commit(released(KEEPER, desk, facts))


def _is_large(desk: Desk, facts: RoundFacts) -> bool:
    """Say whether a person verifies the round: a line, of then or now, or a case says so."""
    act = RoundAct(desk, facts, facts, [], KEEPER)
    return queries.is_large(facts) or bool(line_reached(act, facts.payout_minor or 0))
