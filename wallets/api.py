"""The cage over REST: deposits, withdrawals, statements and limits. Shapes only."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.errors import InvalidError
from audit.events import Event
from casino.answers import private
from casino.players import queries as players
from casino.players.services import enter
from casino.requests import (
    CURRENCY_CODE,
    IDEMPOTENCY_KEY,
    PAGE,
    SPAN,
    Amount,
    Body,
    Page,
    Text,
    Whole,
    filtered,
    idempotency_key,
    operator_urn,
    read_body,
    read_page,
    token_hash,
)
from wallets import ledger, limits, queries, services
from wallets.money import AMOUNT_MINOR_MAX

_ACCOUNTS = [*ledger.PLAYER_KINDS, *ledger.HOUSE_KINDS, ledger.UNKNOWN]
_KIND = OpenApiParameter("kind", str, "path", enum=limits.KINDS, description="What is limited.")
_PERIOD = "In which time: a day, a week from Monday, or a month; each from 00:00 UTC."


class BankingBody(Body):
    """A payment of the operator's cashier."""

    amount_minor = Amount(help_text="A whole number of minor units of the currency, from 1.")
    currency = Text(min_length=3, max_length=3, help_text=f"{CURRENCY_CODE} The player's own.")
    reference = Text(
        min_length=1,
        max_length=128,
        help_text="Your own id of the payment; once a player and direction.",
    )


class TransferLine(serializers.Serializer[Any]):
    """A transfer as a statement shows it."""

    transfer_id = serializers.UUIDField(help_text="The transfer's id.")
    code = serializers.ChoiceField(
        ledger.CODES,
        help_text="What it was for. `settlement` takes a round's wagers to the house; `hold` pays"
        " into what waits for verification, and `release` from there.",
    )
    status = serializers.ChoiceField(
        ["confirmed"], help_text="Always `confirmed`: what is told here has happened."
    )
    debit = serializers.ChoiceField(_ACCOUNTS, help_text="The account that the money left.")
    credit = serializers.ChoiceField(
        _ACCOUNTS,
        help_text="The account at which it arrived. The player's are `cash`, `escrow` (wagers of"
        " his open round), `held` (payouts under verification) and `receivable` (what a void left"
        " owing); `house` and `cashier` are the operator's; `unknown` is a fault of the ledger.",
    )
    amount_minor = serializers.IntegerField(
        min_value=1, max_value=AMOUNT_MINOR_MAX, help_text="How much, minor units; never below 1."
    )
    currency = serializers.CharField(help_text=CURRENCY_CODE)
    balance_before_minor = serializers.IntegerField(
        help_text="The player's cash before it, minor units."
    )
    balance_after_minor = serializers.IntegerField(
        help_text="His cash after it, minor units; as before when no cash moved."
    )
    round_id = serializers.UUIDField(
        allow_null=True, help_text="Of which round; null for deposits and withdrawals."
    )
    reference = serializers.CharField(
        allow_null=True, help_text="The cashier's own id of the payment; null for a round's."
    )
    version = serializers.IntegerField(
        help_text="The transfer's number in the player's wallet, from 1, without a gap."
    )
    actor = serializers.CharField(
        help_text="Who made it: `player:`, `key:` or `staff:` and an id, or `house`."
    )
    at = serializers.DateTimeField(help_text="When, RFC 3339 in UTC.")


class StatementPage(Page):
    """A page of a statement."""

    results = TransferLine(many=True, help_text="Newest first.")


class LimitBody(Body):
    """A limit to set; null lifts it."""

    amount_minor = Whole(
        min_value=0,
        max_value=AMOUNT_MINOR_MAX,
        allow_null=True,
        help_text="The limit, minor units of the player's currency; 0 allows nothing, null lifts"
        " it.",
    )
    period = serializers.ChoiceField(limits.PERIODS, help_text=_PERIOD)


class LimitLine(serializers.Serializer[Any]):
    """A limit as it was set."""

    kind = serializers.ChoiceField(limits.KINDS, help_text="What is limited.")
    period = serializers.ChoiceField(limits.PERIODS, help_text=_PERIOD)
    set_by = serializers.ChoiceField(
        limits.SETTERS, help_text="Whose limit it is; the strictest of all counts."
    )
    currency = serializers.CharField(help_text=CURRENCY_CODE)
    amount_minor = serializers.IntegerField(
        allow_null=True, help_text="The limit, minor units; null when it was lifted."
    )
    effective_at = serializers.DateTimeField(
        help_text="From when: at once, or a day on where a player loosens his own."
    )


class _Banking(APIView):
    """A payment between the cashier and a player's cash."""

    who = "operator"
    scope = "money:write"
    recorded = ("amount_minor", "currency", "reference")

    def _banking(self, request: Request, player_id: UUID) -> services.Banking:
        return services.Banking(
            player_id=player_id,
            request_key=idempotency_key(request),
            **read_body(BankingBody, request),
        )


class DepositsView(_Banking):
    """Money that the operator's cashier took in."""

    refusal = Event.DEPOSIT_REFUSED

    @extend_schema(request=BankingBody, responses={201: TransferLine}, parameters=[IDEMPOTENCY_KEY])
    def post(self, request: Request, player_id: UUID) -> Response:
        """Credit a player, once per `reference`."""
        banking = self._banking(request, player_id)
        return private(services.deposit(operator_urn(request), banking=banking), 201)


class WithdrawalsView(_Banking):
    """Money that the operator's cashier paid out."""

    refusal = Event.WITHDRAWAL_REFUSED

    @extend_schema(request=BankingBody, responses={201: TransferLine}, parameters=[IDEMPOTENCY_KEY])
    def post(self, request: Request, player_id: UUID) -> Response:
        """Debit a player, once per `reference`; open to the excluded too."""
        banking = self._banking(request, player_id)
        return private(services.withdraw(operator_urn(request), banking=banking), 201)


class PlayerStatementView(APIView):
    """A player's transfers, for the operator."""

    who = "operator"
    scope = "players:read"

    @extend_schema(responses=StatementPage, parameters=[*PAGE, *SPAN])
    def get(self, request: Request, player_id: UUID) -> Response:
        """List a player's transfers, newest first."""
        players.standing(player_id)
        return _statement(request, player_id)


class MyStatementView(APIView):
    """A player's transfers, for himself (WAL-06)."""

    who = "player"

    @extend_schema(responses=StatementPage, parameters=[*PAGE, *SPAN])
    def get(self, request: Request) -> Response:
        """List the player's transfers, newest first."""
        return _statement(request, enter(token_hash(request))[0].player_id)


def _statement(request: Request, player_id: UUID) -> Response:
    transfers = filtered(queries.statement(player_id), request, time="at")
    return private(read_page(transfers, request, order="-version", show=queries.line))


def _kind(kind: str) -> str:
    if kind not in limits.KINDS:
        raise InvalidError(fields={"kind": ["unknown"]})
    return kind


class PlayerLimitsView(APIView):
    """A limit that the operator sets."""

    who = "operator"
    scope = "limits:write"
    recorded = ("amount_minor", "period")

    @extend_schema(request=LimitBody, responses=LimitLine, parameters=[_KIND])
    def put(self, request: Request, player_id: UUID, kind: str) -> Response:
        """Set what a player may deposit, wager or lose in a period."""
        body = read_body(LimitBody, request)
        return private(
            services.set_limit(
                operator_urn(request),
                player_id=player_id,
                kind=_kind(kind),
                set_by="operator",
                **body,
            )
        )


class MyLimitsView(APIView):
    """A limit that a player sets for himself (LIM-01)."""

    who = "player"
    recorded = ("amount_minor", "period")

    @extend_schema(request=LimitBody, responses=LimitLine, parameters=[_KIND])
    def put(self, request: Request, kind: str) -> Response:
        """Set what I may deposit, wager or lose in a period: tighter at once, looser in a day."""
        door, _ = enter(token_hash(request))
        body = read_body(LimitBody, request)
        limit = services.set_limit(
            door.urn, player_id=door.player_id, kind=_kind(kind), set_by="player", **body
        )
        return private(limit)
