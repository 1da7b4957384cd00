"""The OpenAPI schema of every endpoint: who may call it, what it takes, and all it may answer.

Apart from casino.rest: drf-spectacular imports DRF's views, which import what casino.rest defines.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent

from casino.codes import CODES
from casino.examples import EXAMPLES
from casino.facts import FACTS
from casino.requests import Body

ABOUT = """\
House-banked Pontoon: players, wallets, rounds and their proof.

**Tokens** are sent as `Authorization: Bearer …`. The operator has a key, `op_…`. With it he
registers a player once (`POST /players`) and opens a session each time the player comes
(`POST /players/{player_id}/sessions`): the answer holds the player's own token, `ps_…`, and the
address of our table with it.

**A round**, with the player's token:
1. `GET /me` tells the balance, and `next_commitment`, which binds the cards before the bet.
2. `POST /rounds` deals; a name of your own, `Idempotency-Key` or `round_id`, makes it once.
3. While it is `open`: `POST /rounds/{round_id}/actions` with one of `options`, and its `seq`.
4. When it is over, `win_minor` tells the result, and `server_seed` opens the commitment.
5. No answer? Send the same again. After a break, `GET /rounds/current` gives the open round.
"""

TAGS = {
    "player": "What a player does: with his session's token, `ps_…`.",
    "operator": "What an operator does: with a key, `op_…`, that has the scope in `x-scope`.",
    "public": "What anybody may read.",
    "auditor": "What an auditor may read, with a key, `au_…`.",
}

_TOKENS = {
    "player": ("playerToken", "A play session's token, `ps_…`."),
    "operator": ("operatorKey", "An operator's key, `op_…`, with the scope that the call needs."),
    "auditor": ("auditorKey", "An auditor's key, `au_…`, with the scope that the call needs."),
}

_AMOUNT = ("amount_not_whole", "amount_below_minimum", "amount_above_maximum", "currency_mismatch")
_SHUT_OUT = ("excluded", "cooling_off")

REFUSALS: dict[str, tuple[str, ...]] = {
    "post_players": ("unknown_currency", "idempotency_conflict"),
    "post_sessions": ("idempotency_conflict",),
    "post_player_exclusions": ("idempotency_conflict",),
    "post_my_exclusions": ("idempotency_conflict",),
    "post_deposits": (*_AMOUNT, *_SHUT_OUT, "limit_reached", "idempotency_conflict"),
    "post_withdrawals": (*_AMOUNT, "insufficient_funds", "idempotency_conflict"),
    "put_player_limits": ("amount_above_maximum",),
    "put_my_limits": ("amount_above_maximum",),
    "put_reality_check": ("reality_check_due",),
    "get_advice": ("hint_not_offered", "round_over"),
    "post_rounds": (
        *_SHUT_OUT, "unknown_game", "unknown_currency", "currency_mismatch", "stake_not_whole",
        "stake_below_minimum", "stake_above_maximum", "stake_off_step", "round_open", "too_soon",
        "reality_check_due",
        "insufficient_funds", "limit_reached", "idempotency_conflict", "suspended",
    ),
    "post_actions": (
        *_SHUT_OUT, "seq_conflict", "round_over", "action_not_now", "stand_below_15",
        "split_not_equal", "split_limit", "double_used", "insufficient_funds", "limit_reached",
    ),
    "get_report": ("unknown_currency",),
    "post_exports": ("unknown_currency", "idempotency_conflict"),
    "post_webhooks": ("webhook_url_refused", "idempotency_conflict"),
    "post_webhook_secret": ("idempotency_conflict",),
    "post_webhook_replay": ("replay_too_large", "idempotency_conflict"),
    "post_suspensions": ("idempotency_conflict",),
    "post_malfunctions": ("idempotency_conflict",),
    "get_rules": ("unknown_game",),
    "get_strategy": ("unknown_game",),
}  # fmt: skip
"""What an operation may refuse, beside what its shape tells: token, path, query, body."""


class Schema(AutoSchema):
    """The OpenAPI operation of a view; adds what a view says of itself by `who` and `scope`."""

    def get_operation_id(self) -> str:
        """Name an operation by its method and view: `post_rounds`, `get_my_statement`."""
        view = type(self.view).__name__.removesuffix("View")
        return f"{self.method.lower()}_{re.sub(r'(?<=[a-z])(?=[A-Z])', '_', view).lower()}"

    def get_summary(self) -> str:
        """Return the first sentence of the method's docstring."""
        told = getattr(self.view, self.method.lower()).__doc__
        return str(told).strip().splitlines()[0].rstrip(".")

    def get_tags(self) -> list[str]:
        """Group operations by who may call them."""
        return self._who()

    def get_auth(self) -> list[dict[str, list[str]]]:
        """Return the tokens, one of which opens the operation; none for a public one."""
        tokens = [_TOKENS[who] for who in self._who() if who in _TOKENS]
        for name, told in tokens:
            self.registry.register_on_missing(
                ResolvedComponent(  # type: ignore[no-untyped-call]
                    name=name,
                    type=ResolvedComponent.SECURITY_SCHEMA,
                    object=name,
                    schema={"type": "http", "scheme": "bearer", "description": told},
                )
            )
        return [{name: []} for name, _ in tokens]

    def _who(self) -> list[str]:
        return [who.strip() for who in getattr(self.view, "who", "public").split(",")]

    def get_extensions(self) -> dict[str, Any]:
        """Say which scope an operator's key must have."""
        scope = getattr(self.view, "scope", None)
        return {"x-scope": scope} if scope else {}


class StrictBody(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """A body takes the members that it names, and no other."""

    target_class = Body
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Return the body's schema, closed."""
        shape: dict[str, Any] = auto_schema._map_serializer(
            self.target, direction, bypass_extensions=True
        )
        return shape | {"additionalProperties": False}


def document_problems(result: Any, generator: Any, request: Any, public: bool) -> Any:
    """Add problem answers and examples. A drf-spectacular postprocessing hook."""
    _plain_enums(result)
    shapes = result["components"]["schemas"]
    shapes["Problem"] = _problem_schema()
    for name, example in EXAMPLES.items():
        shapes[name]["examples"] = [example]
    operations = [operation for path in result["paths"].values() for operation in path.values()]
    for operation in operations:
        _document(operation)
    result["components"]["responses"] = _refuse(operations)
    result["components"]["headers"] = {
        name: {"description": told, "schema": {"type": "string"}} for name, told in _HEADERS.items()
    }
    result["info"]["description"] = ABOUT
    result["tags"] = [{"name": name, "description": told} for name, told in TAGS.items()]
    return result


def _plain_enums(node: Any) -> None:
    """Leave out the marks by which drf-spectacular would name enums: ours stay where they are."""
    if isinstance(node, dict):
        node.pop("x-spec-enum-id", None)
        for inner in node.values():
            _plain_enums(inner)
    elif isinstance(node, list):
        for inner in node:
            _plain_enums(inner)


_PATH = {
    "player_id": "The player's id, a UUID.",
    "round_id": "The round's id, a UUID.",
    "verification_id": "The id of a large win, which is its round's, a UUID.",
    "session_id": "The session's id, a UUID; not its token.",
    "export_id": "The export's id, a UUID.",
    "malfunction_id": "The malfunction's id, a UUID.",
    "notice_id": "The notice's id, a UUID.",
    "webhook_id": "The endpoint's id, a UUID.",
    "version": "Which version of them, from 1; one that is published never changes.",
}


def _document(operation: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            parameter.setdefault("description", _PATH.get(parameter["name"]))
    for answer in operation["responses"].values():
        answer["headers"] = answer.get("headers", {}) | _headers("X-Request-ID", "Cache-Control")
        answer["description"] = answer["description"] or operation["summary"]


def _refuse(operations: list[dict[str, Any]]) -> dict[str, Any]:
    """Give operations their problem answers; return those that several of them give, by name."""
    told = [
        (operation["responses"], *refusal)
        for operation in operations
        for refusal in _refusals(operation)
    ]
    counts = Counter(codes for _, _, codes in told)
    shared = {}
    for responses, status, codes in told:
        answer = _problem_answer(status, codes)
        if counts[codes] > 1:
            name = "Or".join(code.title().replace("_", "") for code in codes)
            shared[name], answer = answer, {"$ref": f"#/components/responses/{name}"}
        responses[str(status)] = answer
    return dict(sorted(shared.items()))


def _refusals(operation: dict[str, Any]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield each status that an operation may refuse with, and the codes that it then tells."""
    codes = sorted(set(_codes(operation)), key=lambda code: (CODES[code].status, code))
    for status, group in groupby(codes, key=lambda code: CODES[code].status):
        yield status, tuple(group)


def _codes(operation: dict[str, Any]) -> Iterator[str]:
    yield from ("too_many_requests", "internal_error", "unavailable")
    yield from REFUSALS.get(operation["operationId"], ())
    places = {parameter["in"] for parameter in operation.get("parameters", ())}
    names = {parameter["name"] for parameter in operation.get("parameters", ())}
    if operation.get("security"):
        yield from ("not_authenticated", "not_allowed")
    if {"playerToken": []} in operation.get("security", ()):
        yield "session_expired"
    if "path" in places:
        yield "not_found"
    if places & {"query", "header"} or "requestBody" in operation:
        yield "invalid"
    if "cursor" in names:
        yield "not_found"
    if "requestBody" in operation:
        yield from ("malformed", "too_large", "unsupported_media_type")


def _problem_answer(status: int, codes: tuple[str, ...]) -> dict[str, Any]:
    names = ["X-Request-ID", "Cache-Control"]
    names += ["Retry-After"] if status in {429, 503} else []
    names += ["WWW-Authenticate"] if status == 401 else []
    return {
        "description": " · ".join(f"`{code}`: {CODES[code].title}" for code in codes),
        "headers": _headers(*names),
        "content": {
            "application/problem+json": {
                "schema": {
                    "allOf": [
                        {"$ref": "#/components/schemas/Problem"},
                        {
                            "type": "object",
                            "properties": {
                                "status": {"type": "integer", "const": status},
                                "code": {"type": "string", "enum": list(codes)},
                            },
                        },
                    ]
                }
            }
        },
    }


_HEADERS = {
    "X-Request-ID": "The name of this request: the caller's own, or a new one.",
    "Cache-Control": "`no-store` for whatever is somebody's.",
    "Retry-After": "After how many seconds to try again.",
    "WWW-Authenticate": "`Bearer`",
}


def _headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _problem_schema() -> dict[str, Any]:
    members: dict[str, tuple[str, dict[str, Any]]] = {
        "type": ("The address of the code's row in the docs.", {"format": "uri-reference"}),
        "title": ("The code in a few words, in the language of Accept-Language.", {}),
        "status": ("The HTTP status.", {"type": "integer", "minimum": 400, "maximum": 599}),
        "detail": ("The code in a sentence, in the language of Accept-Language.", {}),
        "code": ("What programs go by; it never changes.", {"enum": sorted(CODES)}),
        "instance": ("`urn:request:` and the request's id.", {}),
    }
    told: dict[str, Any] = {
        name: {"type": "string", "description": description, **more}
        for name, (description, more) in members.items()
    }
    return {
        "type": "object",
        "description": "RFC 9457, with a code that never changes and the facts of the case.",
        "required": list(members),
        "properties": told | FACTS,
    }
