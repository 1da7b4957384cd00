"""The table over REST: shapes only. No rule is checked here and no money is touched."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.events import Event
from casino.answers import private
from casino.players import admission
from casino.players import queries as players
from casino.players.profiles import CURRENCIES
from casino.players.services import enter, touch
from casino.requests import (
    IDEMPOTENCY_KEY,
    PAGE,
    SPAN,
    Body,
    filtered,
    idempotency_key,
    read_body,
    read_page,
    token_hash,
)
from pontoon import queries, services
from pontoon.api.myself import MeBody
from pontoon.api.shapes import (
    ActionBody,
    AdviceBody,
    BetBody,
    ProofBody,
    RoundBody,
    RoundPage,
)
from pontoon.engine.game import Action
from pontoon.lifecycle import State

ROUND_FILTERS = [
    *PAGE,
    *SPAN,
    OpenApiParameter(
        "state", str, enum=[state.value for state in State], description="Only those in this state."
    ),
    OpenApiParameter("currency", str, description="Only those in this currency, ISO 4217."),
]


class RoundsView(APIView):
    """The rounds of a player."""

    who = "player"
    refusal = Event.WAGER_REFUSED
    recorded = ("stake_minor", "currency", "client_seed", "game", "round_id")

    @extend_schema(
        request=BetBody,
        responses={201: RoundBody},
        parameters=[IDEMPOTENCY_KEY],
    )
    def post(self, request: Request) -> Response:
        """Open a round. The same `round_id` or `Idempotency-Key` again is the same round."""
        body, key = _read(BetBody, request)
        bet = services.Bet(request_key=key, **body)
        return private(services.open_round(token_hash(request), bet=bet), 201)

    @extend_schema(responses=RoundPage, parameters=ROUND_FILTERS)
    def get(self, request: Request) -> Response:
        """List my rounds, newest first."""
        return _history(request, enter(token_hash(request))[0].player_id)


class ActionsView(APIView):
    """The actions of a round."""

    who = "player"
    refusal = Event.WAGER_REFUSED
    recorded = ("seq", "action")

    @extend_schema(request=ActionBody, responses=RoundBody)
    def post(self, request: Request, round_id: UUID) -> Response:
        """Take one action. The same `seq` and action again give the same answer."""
        body, _ = _read(ActionBody, request)
        action = Action(body["action"])
        return private(
            services.play(token_hash(request), round_id=round_id, seq=body["seq"], action=action)
        )


class CurrentRoundView(APIView):
    """The round to go on with, after whatever has come between (INT-01)."""

    who = "player"

    @extend_schema(
        responses={200: RoundBody, 204: OpenApiResponse(description="No round is open.")}
    )
    def get(self, request: Request) -> Response:
        """Return the open round, or 204."""
        shown = queries.current_round(_visit(request))
        return private(shown, 204 if shown is None else 200)


class RoundView(APIView):
    """One round, to its player or to the operator."""

    who = "player, operator"
    scope = "rounds:read"

    @extend_schema(responses=RoundBody)
    def get(self, request: Request, round_id: UUID) -> Response:
        """Return a round. Another player's is not found."""
        if not isinstance(request.auth, bytes):
            return private(queries.show_told(queries.round_of(round_id)))
        place = _visit(request, round_id=round_id)
        return private(queries.show_at(place, queries.require_round(place)))


class AdviceView(APIView):
    """The best play of an open round, of what its player sees."""

    who = "player"

    @extend_schema(responses=AdviceBody)
    def get(self, request: Request, round_id: UUID) -> Response:
        """Return what the best strategy does now, where the profile allows hints."""
        return private(queries.advice(_visit(request, round_id=round_id)))


class ProofView(APIView):
    """All by which a round can be checked without us."""

    who = "player, operator"
    scope = "rounds:read"

    @extend_schema(responses=ProofBody)
    def get(self, request: Request, round_id: UUID) -> Response:
        """Return a round's seeds (when it is over), transfers and entries."""
        player_id = None
        if isinstance(request.auth, bytes):
            player_id = enter(token_hash(request))[0].player_id
        return private(queries.proof_of(queries.round_of(round_id, player_id=player_id)))


class PlayerRoundsView(APIView):
    """A player's rounds, for the operator."""

    who = "operator"
    scope = "rounds:read"

    @extend_schema(responses=RoundPage, parameters=ROUND_FILTERS)
    def get(self, request: Request, player_id: UUID) -> Response:
        """List a player's rounds, newest first."""
        players.standing(player_id)
        return _history(request, player_id)


def _history(request: Request, player_id: UUID) -> Response:
    rounds = filtered(
        queries.history(player_id),
        request,
        time="opened_at",
        choices={"state": [state.value for state in State], "currency": CURRENCIES},
    )
    return private(read_page(rounds, request, order="-opened_at", show=queries.show_told))


class MeView(APIView):
    """The player, his session and his money."""

    who = "player"

    @extend_schema(responses=MeBody)
    def get(self, request: Request) -> Response:
        """Return who I am, what I have, and the commitment to my next round."""
        place = _visit(request)
        return private(queries.me(place, services.ensure_seed(place)))


def _read(shape: type[Body], request: Request) -> tuple[dict[str, Any], str | None]:
    """Return a player's body and request key; a session that is over is told before a bad body."""
    try:
        return read_body(shape, request), idempotency_key(request)
    except APIException:
        enter(token_hash(request))
        raise


def _visit(request: Request, *, round_id: UUID | None = None) -> queries.Place:
    """Return where a player stands, and note that his session was seen."""
    place = queries.read_place(token_hash(request), round_id=round_id)
    admission.require_session(place.door, place.at)
    touch(place.door, place.at)
    return place
