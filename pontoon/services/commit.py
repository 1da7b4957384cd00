"""Committing an act on a round: settle what is over, and write all of it in one call."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from audit import services as audit
from audit.events import Event
from casino.days import begin_of, day_of, find_zone
from casino.players.profiles import Profile, get_currency, get_profile, large_win_line
from pontoon import engine, queries
from pontoon.engine import Over, Playing
from pontoon.errors import RoundConflictError
from pontoon.lifecycle import TRANSITIONS, State
from pontoon.queries import Place, RoundFacts, StandingSuspensions
from wallets import services as wallets
from wallets.queries import Wallet
from wallets.services import Move

Answered = TypeVar("Answered")


@dataclass(frozen=True, slots=True)
class Desk:
    """What an act of the house on a player's round is decided on: no session, so no place."""

    wallet: Wallet
    at: datetime
    standing: StandingSuspensions


@dataclass(frozen=True, slots=True)
class RoundAct:
    """One act on a round: as it was (None: not there), as it is now, and the money it moved.

    `why` is what its entry tells beside that.
    """

    place: Place | Desk
    before: RoundFacts | None
    facts: RoundFacts
    moves: list[Move]
    actor: str
    why: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player was told of his act, and the request by which he gets it again."""

    key: str
    fingerprint: bytes
    body: bytes


def retrying(attempt: Callable[[], Answered], *, player_of: Callable[[], UUID | None]) -> Answered:
    """Try an act on a round; if somebody was faster, again under all that it is decided on."""
    return wallets.retrying(attempt, player_of=player_of, hold=queries.hold_standing)


def played(
    facts: RoundFacts, after: Playing | Over, at: datetime, *, by: str = "player"
) -> RoundFacts:
    """Return a round as it is stored after the actions that the engine has taken."""
    view = engine.find_game(facts.rules).view(after, 0)
    actions = facts.actions + [
        [action, hand, by] for action, hand in queries.moves_made(view)[facts.action_count :]
    ]
    return replace(
        facts,
        action_count=len(actions),
        actions=actions,
        wagered_minor=view.wagered,
        last_action_at=at,
    )


def settle_if_over(act: RoundAct, round_: Playing | Over) -> RoundAct:
    """Pay a round that is over, or hold what a person must see first (H17, H18)."""
    if isinstance(round_, Playing):
        return act
    facts, place = act.facts, act.place
    payouts = engine.find_game(facts.rules).settle(round_)
    payout_minor = sum(payout.amount for payout in payouts)
    line = line_reached(act, payout_minor)
    reason = _held_reason(act, payout_minor, line)
    moves = act.moves + (wallets.hold if reason else wallets.pay)(
        round_id=facts.id,
        wagered_minor=facts.wagered_minor,
        payout_minor=payout_minor,
        actor=act.actor,
    )
    facts = replace(
        facts,
        state=State.HELD if reason else State.SETTLED,
        held_reason=reason,
        payout_minor=payout_minor,
        balance_after_minor=wallets.after(place.wallet, moves),
        settled_at=place.at,
    )
    return replace(act, facts=facts, moves=moves, why={**act.why, **line})


def _held_reason(act: RoundAct, payout_minor: int, line: Mapping[str, Any]) -> str | None:
    """Say why a payout waits, if it does: what comes to nothing has nothing to wait for."""
    if payout_minor and act.place.standing.holds(act.facts):
        return "malfunction"
    return "large_win" if line else None


def line_reached(act: RoundAct, payout_minor: int) -> dict[str, Any]:
    """Return which line a round reaches, from which a person verifies it; empty if none (H17).

    The day's is reached by wins alone: a loss is not held, however much was won before it.
    """
    facts = act.facts
    profile = get_profile(facts.profile.partition("/")[0])
    line = large_win_line(profile, get_currency(facts.currency))
    taken_minor = facts.wagered_minor if profile.large_win_basis == "win" else 0
    counted_minor = payout_minor - taken_minor
    if counted_minor >= line.win_minor:
        return _reached(profile, "round", line.win_minor, counted_minor)
    if line.day_minor is None or payout_minor <= facts.wagered_minor:
        return {}
    zone = find_zone(profile.gaming_day_zone)
    counted_minor += queries.won_since(
        begin_of(day_of(act.place.at, zone), zone),
        player_id=facts.player_id,
        basis=profile.large_win_basis,
    )
    if counted_minor < line.day_minor:
        return {}
    return _reached(profile, "day", line.day_minor, counted_minor)


def _reached(profile: Profile, of: str, line_minor: int, counted_minor: int) -> dict[str, Any]:
    return {
        "line": {
            "of": of,
            "basis": profile.large_win_basis,
            "line_minor": line_minor,
            "counted_minor": counted_minor,
        }
    }


def tell(act: RoundAct, round_: Playing | Over, *, next_commitment: str | None) -> bytes:
    """Return what the player is told of the act, the bytes that a retry gets again."""
    view = engine.find_game(act.facts.rules).view(round_, 0)
    balance_minor = wallets.after(act.place.wallet, act.moves)
    shown = queries.show(
        act.facts, view, balance_minor=balance_minor, next_commitment=next_commitment
    )
    return json.dumps(shown, separators=(",", ":"), ensure_ascii=False).encode()


def commit(
    act: RoundAct, *, seed: Mapping[str, Any] | None = None, answer: Answer | None = None
) -> None:
    """Write an act: money, round, actions, mark, next seed, answer and entry, all or none.

    Errors: StaleReadError.
    """
    audit.commit("pontoon_commit", act_of(act, seed=seed, answer=answer))
    if act.facts.held_reason == "large_win":
        audit.wake("audit.tasks.seal_log")  # a case file is of sealed entries
        audit.wake("pontoon.tasks.verify_wins")


def act_of(
    act: RoundAct, *, seed: Mapping[str, Any] | None = None, answer: Answer | None = None
) -> dict[str, Any]:
    """Return an act as `pontoon_commit` takes it."""
    facts, place = act.facts, act.place
    transition = TRANSITIONS[act.before.state if act.before else None, facts.state]
    optional = {
        "session_id": str(place.door.session_id) if isinstance(place, Place) else None,
        "actions": _new_actions(act),
        "mark": transition.mark,
        "notice": _notice(act),
        "seed": seed,
        "answer": answer and _answer_row(answer),
    }
    return (
        {
            "player_id": str(facts.player_id),
            "version": place.wallet.version,
            "limit_count": place.wallet.limit_count,
            "at": place.at.isoformat(),
            "transfers": wallets.postings(place.wallet, act.moves),
            "from": act.before and act.before.state,
            "seq": act.before.action_count if act.before else 0,
            "round": queries.as_row(facts),
            "entry": _entry(act, transition.event, answer),
        }
        | ({"standing": place.standing.number} if _is_stoppable(act) else {})
        | {name: value for name, value in optional.items() if value}
    )


def _is_stoppable(act: RoundAct) -> bool:
    """Say whether the act would have been another one under another suspension."""
    was = act.before.state if act.before else None
    return (was, act.facts.state) != (State.OPEN, State.OPEN) and act.facts.state != State.VOIDED


def _notice(act: RoundAct) -> dict[str, Any] | None:
    """Return what the player is told beside the round itself (MAL-04)."""
    before, facts = act.before, act.facts
    if facts.state is State.VOIDED:
        kind = "round_voided"
    elif facts.held_reason == "malfunction":
        kind = "round_held"
    elif before and before.held_reason == "malfunction" and facts.state is State.SETTLED:
        kind = "round_released"
    else:
        return None
    return {
        "id": str(audit.new_id(act.place.at)),
        "kind": kind,
        "malfunction_id": act.why.get("malfunction_id"),
        "reason": act.why.get("reason", ""),
    }


def _answer_row(answer: Answer) -> dict[str, str]:
    return {
        "key": answer.key,
        "fingerprint": answer.fingerprint.hex(),
        "body": answer.body.decode(),
    }


def repeat(given: tuple[bytes, str] | None, fingerprint: bytes) -> bytes:
    """Return the answer that this request had. Errors: RoundConflictError, if it was another."""
    if given is None or given[0] != fingerprint:
        raise RoundConflictError
    return given[1].encode()


def _new_actions(act: RoundAct) -> list[dict[str, Any]]:
    facts, place = act.facts, act.place
    seen_count = act.before.action_count if act.before else 0
    return [
        {
            "player_id": str(facts.player_id),
            "round_id": str(facts.id),
            "seq": seq,
            "action": action,
            "hand_index": hand,
            "by": by,
            "session_id": str(place.door.session_id) if isinstance(place, Place) else None,
            "at": place.at.isoformat(),
        }
        for seq, (action, hand, by) in enumerate(facts.actions)
        if seq >= seen_count
    ]


def _entry(act: RoundAct, event: Event, answer: Answer | None) -> dict[str, Any]:
    """Return the entry of the act: the round before and after it, and the money between.

    And what tells the answer from any other, so that nobody changes unnoticed what a retry gets.
    """
    before, facts, wallet = act.before, act.facts, act.place.wallet
    balance_minor = wallets.after(wallet, act.moves)
    payload: dict[str, Any] = {
        **act.why,
        "session_id": str(facts.session_id),
        "profile": facts.profile,
        "build": facts.build,
        "rules": facts.rules,
        "currency": facts.currency,
        "seed_number": facts.seed_number,
        "commitment": facts.commitment,
        "client_seed": facts.client_seed,
        "actions": facts.actions,
        "transfers": [str(move.id) for move in act.moves],
        "before": before and _state_of(before) | {"balance_minor": wallet.balance_minor},
        "after": _state_of(facts) | {"balance_minor": balance_minor},
    }
    if record := queries.told_record(facts):
        payload["record"] = record
    if answer:
        sha256 = hashlib.sha256(answer.body).hexdigest()
        named = {"key": answer.key, "fingerprint": answer.fingerprint.hex()}
        payload["answer"] = named | {"sha256": sha256}
    return audit.entry(
        event,
        subject=facts.urn,
        actor=act.actor,
        at=act.place.at,
        player_id=facts.player_id,
        payload=payload,
    )


def _state_of(facts: RoundFacts) -> dict[str, Any]:
    return {
        "state": facts.state.value,
        "held_reason": facts.held_reason,
        "action_count": facts.action_count,
        "stake_minor": facts.stake_minor,
        "wagered_minor": facts.wagered_minor,
        "payout_minor": facts.payout_minor,
    }
