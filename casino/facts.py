"""The facts that a problem may tell beside its standard members: name → JSON Schema.

docs/errors.md says which code tells which; the tests hold every refusal against this list.
"""

from typing import Any

from django.conf import settings

from casino.requests import CURRENCY_CODE


def _text(told: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": told} | more


def _minor(told: str) -> dict[str, Any]:
    return {"type": "integer", "description": f"{told}, minor units."}


def _id(told: str) -> dict[str, Any]:
    return _text(f"Of `idempotency_conflict`: {told} that was made before.", format="uuid")


FACTS: dict[str, dict[str, Any]] = {
    "fields": {
        "type": "object",
        "description": "Of `invalid`: member → codes of what is wrong with it.",
        "additionalProperties": True,
    },
    "because": _text(
        "Of `session_expired`: why the session is over.", enum=["closed", "replaced", "expired"]
    ),
    "elapsed_s": {
        "type": "integer",
        "description": "Of `reality_check_due`: seconds since the session was opened.",
    },
    "refused_because": _text(
        "Of `webhook_url_refused`: what is wrong with the address.",
        enum=["scheme", "malformed", "too_long", "unknown_host", "private_address"],
    ),
    "count_max": {
        "type": "integer",
        "description": "Of `replay_too_large`: how many are told again at once, at the most.",
    },
    "scope": _text("Of `not_allowed`: the scope, or the token, that the call needs."),
    "until": {
        "type": ["string", "null"],
        "format": "date-time",
        "description": "Of `excluded` and `cooling_off`: when it ends; null is for good.",
    },
    "bytes_max": {
        "type": "integer",
        "description": f"Of `too_large`: how many bytes are read, {settings.BODY_BYTES_MAX}.",
    },
    "round": {
        "$ref": "#/components/schemas/RoundBody",
        "description": "Of `round_open`, `round_over` and `seq_conflict`: the round as it stands.",
    },
    "action": _text("Of a refused action: the one that was asked for."),
    "options": {
        "type": "array",
        "description": "Of a refused action: what may be done instead.",
        "items": {"$ref": "#/components/schemas/OptionLine"},
    },
    "game": _text("Of `unknown_game`: what was asked for."),
    "currency": _text(f"{CURRENCY_CODE} Of the amounts told, or the one that was asked for."),
    "expected": _text(f"Of `currency_mismatch`: the account's own. {CURRENCY_CODE}"),
    "needed_minor": _minor("What the act would take"),
    "balance_minor": _minor("Of `insufficient_funds`: the player's cash"),
    "kind": _text("Of `limit_reached`: what is limited.", enum=["deposit", "wager", "loss"]),
    "period": _text("Of `limit_reached`: in which time.", enum=["day", "week", "month"]),
    "limit_minor": _minor("Of `limit_reached`: the limit"),
    "used_minor": _minor("Of `limit_reached`: what of it is used in the running period"),
    "minimum_minor": _minor("The least stake or amount, included"),
    "maximum_minor": _minor("The largest stake or amount, included"),
    "step_minor": _minor("Of a refused stake: stakes are multiples of it"),
    "amount": _text("Of `amount_not_whole`: the first 40 characters of what was sent."),
    "player_id": _id("the player"),
    "session_id": _id("the session"),
    "exclusion_id": _id("the exclusion"),
    "transfer_id": _id("the transfer"),
    "export_id": _id("the export"),
    "malfunction_id": _id("the malfunction"),
    "suspension_id": _text(
        "Of `suspended`: the suspension that stands. Of `idempotency_conflict`: the one that was"
        " made before.",
        format="uuid",
    ),
    "reason": _text(
        "Of `suspended`: `malfunction` when a fault is looked into, `stopped` when the operator"
        " stopped play.",
        enum=["malfunction", "stopped"],
    ),
    "counted": _text(
        "Of `too_many_requests`: whose requests were too many; `refused` are log-ins refused to"
        " one address.",
        enum=sorted(settings.RATE_LIMITS),
    ),
    "limit": _text("Of `too_many_requests`: how many in which time, `300 per 1 minute`."),
    "retry_after_s": {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "After how many seconds to try again; the header rounds it up.",
    },
}
