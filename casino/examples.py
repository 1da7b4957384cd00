"""An example of a body, by the name of its component. A test plays the round that is told here."""

from typing import Any

_AT = "2026-03-14T20:15:07.482913+00:00"
_ROUND_ID = "01958f3a-7c1e-7d42-9b6e-3f0c5a8e2d11"


def _hand(cards: list[str], total: int, status: str) -> dict[str, Any]:
    return {
        "cards": cards,
        "total": total,
        "soft": False,
        "kind": "points",
        "status": status,
        "stake_minor": 200,
        "wager_minor": 200,
        "doubled": False,
        "from_split": True,
        "outcome": None,
        "payout_minor": None,
    }


_SPLIT_ROUND = {
    "round_id": _ROUND_ID,
    "game": "house",
    "rules": "house/1",
    "state": "open",
    "held_reason": None,
    "decide_by": None,
    "seq": 2,
    "currency": "USD",
    "stake_minor": 200,
    "wagered_minor": 400,
    "payout_minor": None,
    "win_minor": None,
    "is_win": False,
    "hands": [_hand(["8S", "8D", "3C"], 19, "playing"), _hand(["8H", "KC"], 18, "waiting")],
    "active_hand": 0,
    "dealer": {"cards": ["??", "??"], "total": None, "soft": None, "kind": None},
    "options": [
        {"action": "hit"},
        {"action": "stand"},
        {"action": "double", "amount_minor": 200},
    ],
    "actions": [
        {"action": "split", "hand": 0, "by": "player"},
        {"action": "hit", "hand": 0, "by": "player"},
    ],
    "commitment": "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
    "client_seed": "a lucky day",
    "server_seed": None,
    "opened_at": _AT,
    "settled_at": None,
    "balance_before_minor": 100_000,
    "balance_after_minor": None,
    "balance_minor": 99_600,
    "next_commitment": None,
    "void": None,
}

EXAMPLES: dict[str, dict[str, Any]] = {
    "BetBodyRequest": {"stake_minor": 200, "currency": "USD", "client_seed": "a lucky day"},
    "ActionBodyRequest": {"seq": 2, "action": "hit"},
    "RoundBody": _SPLIT_ROUND,
    "BankingBodyRequest": {
        "amount_minor": 100_000,
        "currency": "USD",
        "reference": "payment-2026-000117",
    },
    "TransferLine": {
        "transfer_id": "7b0d7e52-3c34-5f0a-8a53-54c0d3a5e0c9",
        "code": "deposit",
        "status": "confirmed",
        "debit": "cashier",
        "credit": "cash",
        "amount_minor": 100_000,
        "currency": "USD",
        "balance_before_minor": 0,
        "balance_after_minor": 100_000,
        "round_id": None,
        "reference": "payment-2026-000117",
        "version": 1,
        "actor": "key:01958f31-20aa-7c05-8f0e-6a1b2c3d4e5f",
        "at": _AT,
    },
    "Problem": {
        "type": "/api/v1/docs/problems#insufficient_funds",
        "title": "Insufficient funds",
        "status": 409,
        "detail": "The balance does not cover this amount.",
        "code": "insufficient_funds",
        "instance": "urn:request:5c1e7f0a9b2d4c6e8f10a2b3c4d5e6f7",
        "needed_minor": 200,
        "balance_minor": 100,
        "currency": "USD",
    },
}
