"""The table over REST: shapes only. No rule is checked here and no money is touched."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import (
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.events import Event
from casino.players import admission
from casino.players import queries as players
from casino.players.profiles import CURRENCIES
from casino.players.services import enter, touch
from casino.requests import (
    IDEMPOTENCY_KEY,
    PAGE,
    SPAN,
    Amount,
    Body,
    Id,
    Text,
    Whole,
    filtered,
    idempotency_key,
    read_body,
    read_page,
    token_hash,
)
from pontoon import queries, services
from pontoon.engine.game import Action
from pontoon.lifecycle import State

ROUND_FILTERS = [
    *PAGE,
    *SPAN,
    OpenApiParameter("state", str, enum=[state.value for state in State]),
    OpenApiParameter("currency", str),
]


class BetBody(Body):
    """A stake for one round."""

    stake_minor = Amount(help_text="A whole number of minor units; GET /currencies tells which.")
    currency = Text(min_length=1, max_length=8)
    client_seed = Text(max_length=64, required=False, allow_blank=True)
    game = Text(max_length=32, required=False)
    round_id = Id(required=False)


class ActionBody(Body):
    """One action; `seq` is the number of actions already taken."""

    seq = Whole(min_value=0, max_value=2**31 - 1)
    action = serializers.ChoiceField([action.value for action in Action])


class OptionLine(serializers.Serializer[Any]):
    """What may be done now, and what it adds to the wager."""

    action = serializers.ChoiceField([action.value for action in Action])
    amount_minor = serializers.IntegerField(required=False)


class ActionLine(serializers.Serializer[Any]):
    """What was done, to which hand, by whom."""

    action = serializers.ChoiceField([action.value for action in Action])
    hand = serializers.IntegerField()
    by = serializers.ChoiceField(["player", "house"])


class HandLine(serializers.Serializer[Any]):
    """A hand of the player."""

    cards = serializers.ListField(child=serializers.CharField())
    total = serializers.IntegerField()
    soft = serializers.BooleanField()
    kind = serializers.ChoiceField(["pontoon", "five_card_trick", "points", "bust"])
    status = serializers.ChoiceField(["waiting", "playing", "complete"])
    stake_minor = serializers.IntegerField()
    wager_minor = serializers.IntegerField()
    doubled = serializers.BooleanField()
    from_split = serializers.BooleanField()
    outcome = serializers.ChoiceField(["won", "lost", "voided"], allow_null=True)
    payout_minor = serializers.IntegerField(allow_null=True)


class DealerLine(serializers.Serializer[Any]):
    """The dealer's hand; `??` is a card face down."""

    cards = serializers.ListField(child=serializers.CharField())
    total = serializers.IntegerField(allow_null=True)
    soft = serializers.BooleanField(allow_null=True)
    kind = serializers.ChoiceField(
        ["pontoon", "five_card_trick", "points", "bust"], allow_null=True
    )


class RoundFactsBody(serializers.Serializer[Any]):
    """What is told of a round to whoever may see it."""

    round_id = serializers.UUIDField()
    game = serializers.CharField()
    rules = serializers.CharField()
    state = serializers.ChoiceField([state.value for state in State])
    held_reason = serializers.ChoiceField(["large_win", "malfunction"], allow_null=True)
    seq = serializers.IntegerField()
    currency = serializers.CharField()
    stake_minor = serializers.IntegerField()
    wagered_minor = serializers.IntegerField()
    payout_minor = serializers.IntegerField(allow_null=True)
    win_minor = serializers.IntegerField(allow_null=True)
    is_win = serializers.BooleanField(help_text="More came back than was wagered (RGT-04).")
    hands = HandLine(many=True)
    active_hand = serializers.IntegerField(allow_null=True)
    dealer = DealerLine()
    options = OptionLine(many=True)
    actions = ActionLine(many=True)
    commitment = serializers.CharField()
    client_seed = serializers.CharField()
    server_seed = serializers.CharField(allow_null=True)
    opened_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)
    balance_before_minor = serializers.IntegerField()
    balance_after_minor = serializers.IntegerField(allow_null=True)


class RoundBody(RoundFactsBody):
    """A round as its player sees it."""

    balance_minor = serializers.IntegerField()
    next_commitment = serializers.CharField(allow_null=True)


class RoundPage(serializers.Serializer[Any]):
    """A page of rounds."""

    results = RoundBody(many=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


@extend_schema_field({"type": "array", "items": {"$ref": "#/components/schemas/TransferLine"}})
class Transfers(serializers.JSONField):
    """The cage's lines, as a statement shows them."""


class ProofBody(RoundFactsBody):
    """A round, with its transfers and its entries of the log; `entries` as they were written."""

    transfers = Transfers()
    entries = serializers.ListField(child=serializers.DictField())
    inclusion = serializers.ListField(child=serializers.DictField())


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
        return _private(services.open_round(token_hash(request), bet=bet), 201)

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
        return _private(
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
        return _private(shown, 204 if shown is None else 200)


class RoundView(APIView):
    """One round, to its player or to the operator."""

    who = "player, operator"
    scope = "rounds:read"

    @extend_schema(responses=RoundBody)
    def get(self, request: Request, round_id: UUID) -> Response:
        """Return a round. Another player's is not found."""
        if not isinstance(request.auth, bytes):
            return _private(queries.show_told(queries.round_of(round_id)))
        place = _visit(request, round_id=round_id)
        return _private(queries.show_at(place, queries.require_round(place)))


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
        return _private(queries.proof_of(queries.round_of(round_id, player_id=player_id)))


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
    return _private(read_page(rounds, request, order="-opened_at", show=queries.show_told))


class SessionLine(serializers.Serializer[Any]):
    """The session that the token opens."""

    session_id = serializers.UUIDField()
    opened_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    elapsed_s = serializers.IntegerField(help_text="Since it was opened (RCK-02).")
    net_minor = serializers.IntegerField(help_text="Won less lost since then (RCK-03).")


class AllowanceLine(serializers.Serializer[Any]):
    """A limit that is in force, and how much of it is used."""

    kind = serializers.CharField()
    period = serializers.CharField()
    set_by = serializers.ChoiceField(["player", "operator"])
    amount_minor = serializers.IntegerField()
    used_minor = serializers.IntegerField()


class ProfileLine(serializers.Serializer[Any]):
    """What the player's jurisdiction asks of play."""

    name = serializers.CharField()
    min_cycle_s = serializers.IntegerField(help_text="The least time from deal to deal.")
    client_seed_allowed = serializers.BooleanField()
    large_win_basis = serializers.ChoiceField(["win", "payout"])


class MeBody(serializers.Serializer[Any]):
    """The player, his session and his money."""

    player_id = serializers.UUIDField()
    currency = serializers.CharField()
    country = serializers.CharField()
    language = serializers.CharField()
    test = serializers.BooleanField()
    session = SessionLine()
    balance_minor = serializers.IntegerField()
    in_play_minor = serializers.IntegerField(help_text="Wagers of the open round (WAL-13).")
    held_minor = serializers.IntegerField(help_text="Payouts that wait for verification.")
    receivable_minor = serializers.IntegerField(help_text="At most 0: what a void left owing.")
    limits = AllowanceLine(many=True)
    excluded = serializers.ChoiceField(["self_exclusion", "cooling_off"], allow_null=True)
    next_commitment = serializers.CharField()
    profile = ProfileLine()


class MeView(APIView):
    """The player, his session and his money."""

    who = "player"

    @extend_schema(responses=MeBody)
    def get(self, request: Request) -> Response:
        """Return who I am, what I have, and the commitment to my next round."""
        place = _visit(request)
        return _private(queries.me(place, services.ensure_seed(place)))


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


def _private(data: Any, status: int = 200) -> Response:
    return Response(data, status=status, headers={"Cache-Control": "no-store"})
