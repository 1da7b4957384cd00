"""What the house does to a round: pay out what was held, or void it."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from audit.errors import StaleReadError
from casino.players import queries as players
from pontoon import queries
from pontoon.errors import RoundOverError, SuspendedError
from pontoon.lifecycle import State
from pontoon.queries import RoundFacts
from pontoon.services.commit import Desk, RoundAct, commit, retrying
from wallets import queries as ledger
from wallets import services as wallets
from wallets.queries import Wallet
from wallets.services import Move


def released(actor: str, desk: Desk, facts: RoundFacts) -> RoundAct:
    """Return the act that pays a held round out. Errors: RoundOverError if it is not held."""
    if facts.state is not State.HELD:
        raise RoundOverError(state=facts.state.value)
    if stop := desk.standing.holds(facts):
        raise SuspendedError.of(stop)
    moves = wallets.release(round_id=facts.id, payout_minor=facts.payout_minor or 0, actor=actor)
    after = replace(
        facts,
        state=State.SETTLED,
        held_reason=None,
        balance_after_minor=wallets.after(desk.wallet, moves),
    )
    return RoundAct(desk, facts, after, moves, actor)


def void_round(
    actor: str, *, player_id: UUID, round_id: UUID, reason: str, malfunction_id: UUID
) -> None:
    """Give every wager of a round back and take its payout back; nothing is deleted (H18, MAL-02).

    The database refuses it for a malfunction that does not allow it. Errors: RoundNotFoundError,
    RoundOverError if it was voided before.
    """
    why = {"reason": reason, "malfunction_id": str(malfunction_id)}
    retrying(lambda: _void_once(actor, player_id, round_id, why), player_of=lambda: player_id)


def _void_once(actor: str, player_id: UUID, round_id: UUID, why: Mapping[str, str]) -> None:
    desk, facts = read_desk(player_id, round_id)
    commit(voided(actor, desk, facts, why))


def voided(actor: str, desk: Desk, facts: RoundFacts, why: Mapping[str, str]) -> RoundAct:
    """Return the act that voids a round. Errors: RoundOverError if it was voided before."""
    if facts.state is State.VOIDED:
        raise RoundOverError(state=facts.state.value)
    moves = _given_back(facts, desk.wallet, actor)
    after = replace(
        facts,
        state=State.VOIDED,
        held_reason=None,
        balance_after_minor=wallets.after(desk.wallet, moves),
    )
    return RoundAct(desk, facts, after, moves, actor, why)


def _given_back(facts: RoundFacts, wallet: Wallet, actor: str) -> list[Move]:
    refund = wallets.refund(
        round_id=facts.id,
        wagered_minor=facts.wagered_minor,
        was_settled=facts.state is not State.OPEN,
        actor=actor,
    )
    return refund + wallets.reverse(
        round_id=facts.id,
        payout_minor=facts.payout_minor or 0,
        was_held=facts.state is State.HELD,
        cash_minor=wallets.after(wallet, refund),
        actor=actor,
    )


def read_desk(player_id: UUID, round_id: UUID) -> tuple[Desk, RoundFacts]:
    """Return what an act of the house is decided on. Errors: RoundNotFoundError, StaleReadError.

    The wallet first: what another commits between the two is then seen, or makes this stale.
    """
    standing = queries.read_standing(player_id)
    seen = ledger.read_wallet(player_id, players.standing(player_id).currency)
    facts = queries.read_facts(player_id, round_id)
    if facts.last_action_at > seen.at:
        raise StaleReadError
    return Desk(seen.wallet, seen.at, standing), facts
