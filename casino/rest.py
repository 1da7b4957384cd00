"""How every REST endpoint reads, admits, limits and answers. Named in settings, imported by nobody.

A view says two things of itself: `who` may call it ("player", "operator", "player, operator" or
"public") and, for operators, the `scope` its key must have.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from casino.players import queries as players
from casino.players.errors import MissingScopeError, NotAuthenticatedError
from casino.problems import TooLargeError
from casino.requests import client_address
from casino.throttle import count

LEVELS_MAX = 16


class AlwaysJSON(BaseContentNegotiation):
    """One representation: an Accept header chooses nothing."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """Take a body of JSON; None (415) for any other declared type."""
        declared = (request.content_type or "").split(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == declared), None)

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Answer with the first renderer, whatever is asked for."""
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


class JSONRenderer(BaseRenderer):
    """Compact JSON in the order in which a view builds it; bytes pass as they are.

    A stored answer is bytes: it is repeated as it was first given.
    """

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Turn an answer into the bytes that are sent."""
        if data is None:
            return b""
        if isinstance(data, bytes):
            return data
        return json.dumps(data, separators=(",", ":"), ensure_ascii=False, default=str).encode()


class StrictJSONParser(BaseParser):
    """JSON as RFC 8259 has it: no NaN, no repeated member, no more bytes than we mean to read."""

    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Read one JSON object. Errors: ParseError (400), TooLargeError (413)."""
        body = _read_bounded(stream)
        try:
            data = json.loads(
                body.decode("utf-8"), parse_constant=_refuse, object_pairs_hook=_no_repeats
            )
            json.dumps(data, ensure_ascii=False).encode()  # lone surrogates are not text
        except (ValueError, RecursionError) as error:
            raise ParseError from error
        if not isinstance(data, dict) or _depth(data, LEVELS_MAX) > LEVELS_MAX:
            raise ParseError
        return data


def _read_bounded(stream: Any) -> bytes:
    declared = int(stream.META.get("CONTENT_LENGTH") or 0)
    if declared > settings.BODY_BYTES_MAX:
        raise TooLargeError(bytes_max=settings.BODY_BYTES_MAX)
    body: bytes = stream.read(settings.BODY_BYTES_MAX + 1)
    if len(body) > settings.BODY_BYTES_MAX:
        raise TooLargeError(bytes_max=settings.BODY_BYTES_MAX)
    if len(body) < declared:
        raise ParseError  # the caller hung up: what came is not what he meant to send
    return body


def _depth(value: Any, levels_max: int) -> int:
    """Return how deep lists and objects are nested, and no more than one above the most."""
    if levels_max < 0 or not isinstance(value, dict | list):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max((_depth(one, levels_max - 1) for one in inner), default=0)


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is repeated")
    return members


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`.

    An operator's or an auditor's key is looked up here. A player's token is only hashed: the one
    query that reads his wallet and round resolves it.
    """

    def authenticate(self, request: Request) -> tuple[None, Any] | None:
        """Return (None, ApiKey or token hash). Errors: AuthenticationFailed (401)."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if not scheme:
            return None
        token_hash = hashlib.sha256(token.strip().encode("utf-8", "replace")).digest()
        if scheme.lower() == "bearer" and token.startswith("ps_"):
            return None, token_hash
        try:
            if scheme.lower() == "bearer" and token[:3] in players.KINDS:
                return None, players.active_key(token_hash)
        except NotAuthenticatedError as error:
            raise AuthenticationFailed from error
        raise AuthenticationFailed

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme in a 401."""
        return "Bearer"


class MayCall(BasePermission):
    """A view's `who` and `scope` against what the caller showed."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Let the caller in, or raise what he lacks."""
        if view.who == "public":
            return True
        if isinstance(request.auth, bytes):
            if "player" not in view.who:
                raise MissingScopeError(scope=view.scope)
            return True
        if not isinstance(request.auth, players.ApiKeyFacts):
            raise NotAuthenticatedError
        if request.auth.kind not in view.who:
            raise MissingScopeError(scope=getattr(view, "scope", "a player's token"))
        if view.scope not in request.auth.scopes:
            raise MissingScopeError(scope=view.scope)
        return True


class RateLimit(BaseThrottle):
    """So many requests a minute for a token, a key and an address (NET-03)."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request. Errors: TooManyRequestsError."""
        count("ip", client_address(request))
        if isinstance(request.auth, bytes):
            count("token", request.auth.hex())
        elif isinstance(request.auth, players.ApiKeyFacts):
            count("key", str(request.auth.id))
        return True
