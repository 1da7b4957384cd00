"""Players, their sessions and exclusions, and what the currencies allow, over REST."""

import hashlib
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from django.views.decorators.http import etag
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.answers import private
from casino.players import admission, queries, services
from casino.players.api.shapes import (
    CurrenciesAnswer,
    ExclusionAnswer,
    ExclusionBody,
    PlayerAnswer,
    PlayerBody,
    PlayerDetail,
    PlayersAnswer,
    RealityCheckAnswer,
    RealityCheckBody,
    SeenBody,
    SessionAnswer,
    SessionBody,
)
from casino.players.models import IDLE_MAX, Exclusion, Player, PlaySession
from casino.requests import (
    IDEMPOTENCY_KEY,
    PAGE,
    Text,
    client_address,
    idempotency_key,
    operator_urn,
    read_body,
    read_page,
    read_query,
    token_hash,
)


class PlayersView(APIView):
    """The operator's players."""

    who = "operator"
    recorded = ("external_id", "currency", "country", "language", "test")

    @property
    def scope(self) -> str:
        """To look takes less than to register."""
        return "players:read" if self.request.method in SAFE_METHODS else "players:write"

    @extend_schema(
        parameters=[
            OpenApiParameter("external_id", description="The one player with this id, if any."),
            *PAGE,
        ],
        responses={200: PlayersAnswer},
    )
    def get(self, request: Request) -> Response:
        """List players, newest first, or find one by the operator's own id."""
        external_id = read_query(request, "external_id", Text(max_length=64))
        found = queries.players(external_id=external_id)
        return private(read_page(found, request, order="-id", show=_player))

    @extend_schema(request=PlayerBody, responses={201: PlayerAnswer})
    def post(self, request: Request) -> Response:
        """Register a player, once per external id."""
        body = read_body(PlayerBody, request)
        is_test = body.pop("test")
        player = services.register(operator_urn(request), **body, is_test=is_test)
        return private(_player(player), 201)


class PlayerView(APIView):
    """One player."""

    who, scope = "operator", "players:read"

    @extend_schema(responses={200: PlayerDetail})
    def get(self, request: Request, player_id: UUID) -> Response:
        """Read a player, and whether he is excluded now."""
        player = _player(queries.player(player_id))
        return private(player | {"exclusion": queries.exclusion_of(queries.standing(player_id))})


class SessionsView(APIView):
    """The play sessions of a player."""

    who, scope = "operator", "sessions:write"
    recorded = ("language", "profile", "lobby_url", "device")

    @extend_schema(
        parameters=[IDEMPOTENCY_KEY], request=SessionBody, responses={201: SessionAnswer}
    )
    def post(self, request: Request, player_id: UUID) -> Response:
        """Open a session, and close the one that is open."""
        session, token = services.open_session(
            operator_urn(request),
            player_id=player_id,
            visit=services.Visit(**read_body(SessionBody, request)),
            address=client_address(request),
            key=idempotency_key(request),
        )
        answer = {
            "session_id": str(session.id),
            "token": token,
            # As it was when it opened: a retry gets the same answer.
            "expires_at": (session.opened_at + IDLE_MAX).isoformat(),
            "launch_url": _launch_url(request, session, token),
        }
        return private(answer, 201)


class SessionView(APIView):
    """A session, for the operator."""

    who, scope = "operator", "sessions:write"

    @extend_schema(responses={204: None})
    def delete(self, request: Request, session_id: UUID) -> Response:
        """End a session; one that is over stays so."""
        services.close_session(operator_urn(request), session_id=session_id)
        return private(None, 204)


class CurrentSessionView(APIView):
    """The player's own session."""

    who = "player"

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        """Leave: the token opens nothing any more."""
        door, at = queries.door(token_hash(request))
        admission.require_session(door, at)
        services.close_session(door.urn, session_id=door.session_id)
        return private(None, 204)


class PlayerExclusionsView(APIView):
    """A player's exclusions, for the operator."""

    who, scope = "operator", "exclusions:write"
    recorded = ("kind", "days", "ends_at")

    @extend_schema(
        parameters=[IDEMPOTENCY_KEY], request=ExclusionBody, responses={201: ExclusionAnswer}
    )
    def post(self, request: Request, player_id: UUID) -> Response:
        """Shut a player out, from this instant."""
        return _exclude(request, operator_urn(request), player_id)


class MyExclusionsView(APIView):
    """The player's own exclusions."""

    who = "player"
    recorded = ("kind", "days", "ends_at")

    @extend_schema(
        parameters=[IDEMPOTENCY_KEY], request=ExclusionBody, responses={201: ExclusionAnswer}
    )
    def post(self, request: Request) -> Response:
        """Take a break or exclude yourself, from this instant."""
        door, _ = services.enter(token_hash(request))
        return _exclude(request, door.urn, door.player_id)


class RealityCheckView(APIView):
    """How often the player is told how long he has played (RCK-01)."""

    who = "player"
    recorded = ("interval_min",)

    @extend_schema(request=RealityCheckBody, responses=RealityCheckAnswer)
    def put(self, request: Request) -> Response:
        """Say after how many minutes I want to be told how long I have played."""
        door, at = services.enter(token_hash(request))
        body = read_body(RealityCheckBody, request)
        door = services.set_reality_check(door, every_min=body["interval_min"])
        return private(queries.reality_check_of(door, at))


class RealityCheckSeenView(APIView):
    """The player's word that he has seen it."""

    who = "player"

    @extend_schema(request=SeenBody, responses=RealityCheckAnswer)
    def post(self, request: Request) -> Response:
        """Acknowledge how long I have played; harmless when nothing is due."""
        door, at = services.enter(token_hash(request))
        door = services.acknowledge_reality_check(door, told=read_body(SeenBody, request))
        return private(queries.reality_check_of(door, at))


def _exclude(request: Request, actor: str, player_id: UUID) -> Response:
    exclusion = services.exclude(
        actor,
        player_id=player_id,
        key=idempotency_key(request),
        **read_body(ExclusionBody, request),
    )
    return private(_exclusion(exclusion), 201)


def _currencies_etag(*_: Any) -> str:
    offered = repr([asdict(currency) for currency in queries.currencies().values()])
    return f'"{hashlib.sha256(offered.encode()).hexdigest()[:32]}"'


class CurrenciesView(APIView):
    """The currencies that are offered."""

    who = "public"

    @extend_schema(
        responses={200: CurrenciesAnswer, 304: OpenApiResponse(description="As it was.")}
    )
    @method_decorator([cache_control(public=True, max_age=3600), etag(_currencies_etag)])
    def get(self, request: Request) -> Response:
        """List each currency with its exponent, stakes, chips and large-win line."""
        offered = [
            {
                "currency": currency.code,
                "exponent": currency.exponent,
                "minimum_minor": currency.stake_minor_min,
                "maximum_minor": currency.stake_minor_max,
                "step_minor": currency.stake_minor_step,
                "chips_minor": currency.chips_minor,
                "large_win_minor": currency.large_win_minor,
            }
            for currency in queries.currencies().values()
        ]
        return Response({"results": offered, "next": None, "previous": None})


def _launch_url(request: Request, session: PlaySession, token: str) -> str:
    """Return the table's address; all it starts from is behind the #, where no log finds it."""
    start = {"token": token, "lang": session.language}
    if session.lobby_url:
        start["lobby"] = session.lobby_url
    return f"{request.build_absolute_uri('/table')}#{urlencode(start)}"


def _player(player: Player) -> dict[str, Any]:
    return {
        "player_id": str(player.id),
        "external_id": player.external_id,
        "currency": player.currency,
        "country": player.country,
        "language": player.language,
        "test": player.is_test,
        "registered_at": player.registered_at.isoformat(),
    }


def _exclusion(exclusion: Exclusion) -> dict[str, Any]:
    return {
        "exclusion_id": str(exclusion.id),
        "player_id": str(exclusion.player_id),
        "kind": exclusion.kind,
        "requested_at": exclusion.requested_at.isoformat(),
        "starts_at": exclusion.starts_at.isoformat(),
        "ends_at": exclusion.ends_at and exclusion.ends_at.isoformat(),
        "reason": exclusion.reason,
    }
