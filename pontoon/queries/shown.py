"""A round, and a player, as JSON: what the API says of them."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from audit import queries as audit
from casino.days import format_time
from casino.players import queries as players
from casino.players.profiles import get_profile
from pontoon.engine import Option, View
from pontoon.engine.game import HandView
from pontoon.lifecycle import REVEALED, State
from pontoon.models import Told
from pontoon.queries.notices import unread_notices
from pontoon.queries.place import Place, RoundFacts, facts_of
from pontoon.queries.replay import told_seed, view_or_nothing
from wallets import queries as wallets

APPEAL = _("If you do not agree, write to us: every complaint is answered and kept.")


def show(
    facts: RoundFacts, view: View, *, balance_minor: int, next_commitment: str | None
) -> dict[str, Any]:
    """Return a round as its player sees it: the view's cards, never the round's.

    The seed, and the commitment to the next one, are shown when the round is over. A voided round
    pays its wagers back, whatever it paid before (H18).
    """
    is_over = facts.state in REVEALED
    return {
        **_head(facts),
        "hands": [_hand(hand, is_voided=facts.state is State.VOIDED) for hand in view.hands],
        "active_hand": view.active_hand if facts.state is State.OPEN else None,
        "dealer": {
            "cards": list(view.dealer.cards),
            "total": view.dealer.total,
            "soft": view.dealer.soft,
            "kind": view.dealer.kind,
        },
        "options": options(view.options) if facts.state is State.OPEN else [],
        "actions": [
            {"action": action, "hand": hand, "by": by} for action, hand, by in facts.actions
        ],
        "commitment": facts.commitment,
        "client_seed": facts.client_seed,
        "server_seed": told_seed(facts),
        "opened_at": format_time(facts.opened_at),
        "settled_at": facts.settled_at and format_time(facts.settled_at),
        "balance_before_minor": facts.balance_before_minor,
        "balance_after_minor": facts.balance_after_minor,
        "balance_minor": balance_minor,
        "next_commitment": next_commitment if is_over else None,
        "void": facts.void and _void(facts.void),
    }


def _void(void: dict[str, Any]) -> dict[str, Any]:
    """Return why a round was voided, and what its player may do about it (MAL-04)."""
    at = datetime.fromisoformat(void["at"])
    return void | {"at": format_time(at.astimezone(UTC)), "appeal": str(APPEAL)}


def _head(facts: RoundFacts) -> dict[str, Any]:
    """What a round is, where it stands, and its money."""
    payout_minor = facts.wagered_minor if facts.state is State.VOIDED else facts.payout_minor
    due = decide_by(facts)
    return {
        "round_id": str(facts.id),
        "game": facts.game,
        "rules": facts.rules,
        "state": facts.state.value,
        "held_reason": facts.held_reason,
        "decide_by": due and format_time(due),
        "seq": facts.action_count,
        "currency": facts.currency,
        "stake_minor": facts.stake_minor,
        "wagered_minor": facts.wagered_minor,
        "payout_minor": payout_minor,
        "win_minor": None if payout_minor is None else payout_minor - facts.wagered_minor,
        "is_win": payout_minor is not None and payout_minor > facts.wagered_minor,
    }


def decide_by(facts: RoundFacts) -> datetime | None:
    """Return until when the house has promised to decide on a win that waits; None if none does."""
    if facts.state is not State.HELD or facts.held_reason != "large_win" or not facts.settled_at:
        return None
    profile = get_profile(facts.profile.partition("/")[0])
    return facts.settled_at + timedelta(hours=profile.decide_within_h[0])


def options(offered: tuple[Option, ...]) -> list[dict[str, Any]]:
    """Return what may be done now, with what it adds to the wager where it adds something."""
    return [
        {"action": option.action.value}
        | ({"amount_minor": option.amount_max} if option.amount_max else {})
        for option in offered
    ]


def _hand(hand: HandView, *, is_voided: bool) -> dict[str, Any]:
    return {
        "cards": list(hand.cards),
        "total": hand.total,
        "soft": hand.soft,
        "kind": hand.kind.value,
        "status": hand.status.value,
        "stake_minor": hand.stake,
        "wager_minor": hand.wager,
        "doubled": hand.doubled,
        "from_split": hand.from_split,
        "outcome": "voided" if is_voided else hand.outcome and hand.outcome.value,
        "payout_minor": hand.wager if is_voided else hand.payout,
    }


def current_round(place: Place) -> dict[str, Any] | None:
    """Return the open round of a place, or None (INT-01)."""
    return None if place.round_ is None else show_at(place, place.round_)


def show_at(place: Place, facts: RoundFacts) -> dict[str, Any]:
    """Return a round with the balance of this moment."""
    return show(
        facts,
        view_or_nothing(facts),
        balance_minor=place.wallet.balance_minor,
        next_commitment=facts.next_commitment,
    )


def show_told(told: Told) -> dict[str, Any]:
    """Return a round of a history: REC-01, with the funds at its start and end."""
    facts = facts_of(told)
    return show(
        facts,
        view_or_nothing(facts),
        balance_minor=facts.balance_before_minor - facts.wagered_minor
        if facts.balance_after_minor is None
        else facts.balance_after_minor,
        next_commitment=facts.next_commitment,
    )


def proof_of(told: Told) -> dict[str, Any]:
    """Return all by which a round can be checked without us: the seeds once it is over, its
    transfers and its entries. `python -m pontoon.engine verify` reads it.
    """
    shown = show_told(told)
    for member in ("balance_minor", "next_commitment"):
        del shown[member]
    entries = audit.entries_of(f"round:{told.id}", player_id=told.player_id)
    return shown | {
        "transfers": [
            wallets.line(transfer)
            for transfer in wallets.transfers_of_round(told.player_id, told.id)
        ],
        "entries": entries,
        "inclusion": audit.inclusion_of([UUID(entry["id"]) for entry in entries]),
    }


# What a player's page does by his profile.
_PROFILE = (
    "name", "min_cycle_s", "client_seed_allowed", "large_win_basis", "hint_allowed",
    "autoplay_allowed", "reality_check_default_min",
)  # fmt: skip


def me(place: Place, next_commitment: str) -> dict[str, Any]:
    """Return a player's own view of himself: session, money, limits and the next commitment."""
    door = place.door
    held = wallets.balances(door.player_id)
    profile = get_profile(door.profile)
    return {
        "player_id": str(door.player_id),
        "currency": door.currency,
        "country": door.country,
        "language": door.language,
        "test": door.is_test,
        "session": {
            "session_id": str(door.session_id),
            "opened_at": format_time(door.opened_at),
            "expires_at": format_time(door.expires_at),
            "elapsed_s": int((place.at - door.opened_at).total_seconds()),
            "net_minor": wallets.net_minor(door.player_id, door.opened_at),
        },
        "balance_minor": place.wallet.balance_minor,
        "in_play_minor": held.get("escrow", 0),
        "held_minor": held.get("held", 0),
        "receivable_minor": held.get("receivable", 0),
        "net_deposits_minor": wallets.net_deposits_minor(door.player_id),
        "limits": place.allowance or [],
        "excluded": door.exclusion,
        "exclusion": players.exclusion_of(door),
        "reality_check": players.reality_check_of(door, place.at),
        "next_commitment": next_commitment,
        "notices": unread_notices(door.player_id),
        "profile": {name: getattr(profile, name) for name in _PROFILE},
    }
