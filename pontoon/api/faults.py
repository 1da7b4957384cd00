"""Malfunctions, suspensions and notices over REST: an operator raises and reads; people decide."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.answers import private
from casino.players.services import enter
from casino.reasons import REASON_MAX
from casino.requests import (
    CURRENCY_CODE,
    IDEMPOTENCY_KEY,
    PAGE,
    Body,
    Digest,
    Page,
    Text,
    filtered,
    idempotency_key,
    operator_urn,
    read_body,
    read_page,
    read_query,
    token_hash,
)
from pontoon import queries, services
from pontoon.lifecycle import FaultState, State

_STATES = [state.value for state in FaultState]
_SCOPE = (
    "Conditions that all hold: `all` (true, alone), `game`, `rules`, `build`, `currency`,"
    " `profile`, `player`, `session`, `round`, `window` (`from`, `to`: when it was opened),"
    " `stake_minor` and `action_count` (`min`, `max`)."
)


class SuspensionBody(Body):
    """What is to be stopped, and why."""

    scope = serializers.DictField(help_text=f"What is stopped. {_SCOPE}")
    reason = Text(max_length=REASON_MAX, help_text="Why; kept on record.")


class SuspensionLine(serializers.Serializer[Any]):
    """What is, or was, stopped."""

    suspension_id = serializers.UUIDField(help_text="The suspension's id.")
    scope = serializers.DictField(help_text="Conditions that all hold.")
    reason = serializers.CharField(help_text="Why it was stopped.")
    malfunction_id = serializers.UUIDField(
        allow_null=True, help_text="The malfunction that it stands for; null for a plain stop."
    )
    raised_by = serializers.CharField(help_text="Who stopped it.")
    raised_at = serializers.DateTimeField(help_text="When, RFC 3339 in UTC.")
    lifted_by = serializers.CharField(allow_null=True, help_text="Who let play go on; or null.")
    lifted_at = serializers.DateTimeField(allow_null=True, help_text="When; null while it stands.")
    lift_reason = serializers.CharField(allow_null=True, help_text="Why; null while it stands.")


class SuspensionPage(Page):
    """Suspensions, newest first."""

    results = SuspensionLine(many=True, help_text="Newest first.")


class MalfunctionBody(Body):
    """What went wrong, how it is known, and which rounds it may have touched."""

    scope = serializers.DictField(help_text=f"Which rounds. {_SCOPE}")
    cause = Text(max_length=REASON_MAX, help_text="What went wrong.")
    evidence = serializers.DictField(help_text="How it is known: any JSON object.")


class MalfunctionLine(serializers.Serializer[Any]):
    """A malfunction, and where it stands."""

    malfunction_id = serializers.UUIDField(help_text="The malfunction's id.")
    state = serializers.ChoiceField(
        _STATES,
        help_text="`raised`: being counted. `counted`: waits for another person. `approved`: its"
        " rounds are being voided. `done`: they are. `refused`, `cleared`: nothing is voided.",
    )
    scope = serializers.DictField(help_text="Conditions that all hold.")
    cause = serializers.CharField(help_text="What went wrong.")
    evidence = serializers.DictField(help_text="How it is known.")
    raised_by = serializers.CharField(help_text="Who raised it.")
    raised_at = serializers.DateTimeField(help_text="When, RFC 3339 in UTC.")
    state_at = serializers.DateTimeField(help_text="Since when it stands there.")


class MalfunctionPage(Page):
    """Malfunctions, newest first."""

    results = MalfunctionLine(many=True, help_text="Newest first.")


class CountedMoney(serializers.Serializer[Any]):
    """What the rounds of a list come to in a currency."""

    currency = serializers.CharField(help_text=CURRENCY_CODE)
    players = serializers.IntegerField(help_text="How many players.")
    rounds = serializers.IntegerField(help_text="How many rounds.")
    open_rounds = serializers.IntegerField(help_text="How many of them were open.")
    to_give_minor = serializers.IntegerField(help_text="Wagers that go back, minor units.")
    to_take_minor = serializers.IntegerField(help_text="Payouts that come back, minor units.")
    held_minor = serializers.IntegerField(help_text="Payouts that were held, minor units.")
    receivable_minor = serializers.IntegerField(
        help_text="What of the payouts players have spent, if nothing moves meanwhile, minor units."
    )


class CountLine(serializers.Serializer[Any]):
    """The dry run: what the void would do."""

    players = serializers.IntegerField(help_text="How many players.")
    rounds = serializers.IntegerField(help_text="How many rounds.")
    totals = CountedMoney(many=True, help_text="By currency.")
    list_hash = Digest(help_text="The SHA-256 of the list: by it, it is approved.")


class ProgressLine(serializers.Serializer[Any]):
    """How far the void is."""

    listed = serializers.IntegerField(help_text="How many rounds the list has so far.")
    voided = serializers.IntegerField(help_text="How many of them are voided.")


class ActDone(serializers.Serializer[Any]):
    """What somebody did about it."""

    state = serializers.ChoiceField(_STATES, help_text="Where it led.")
    actor = serializers.CharField(help_text="Who did it.")
    at = serializers.DateTimeField(help_text="When, RFC 3339 in UTC.")
    facts = serializers.DictField(help_text="On what, and with which reason.")


class WholeMalfunction(MalfunctionLine):
    """A malfunction with its dry run, its progress and its acts."""

    count = CountLine(allow_null=True, help_text="The dry run; null before it is counted.")
    progress = ProgressLine(help_text="How far the void is.")
    acts = ActDone(many=True, help_text="What was done about it, in order.")


class ListedRound(serializers.Serializer[Any]):
    """A round that a malfunction touched, as it was when it was counted."""

    round_id = serializers.UUIDField(help_text="The round's id.")
    player_id = serializers.UUIDField(help_text="The player's id.")
    state = serializers.ChoiceField([state.value for state in State], help_text="Its state then.")
    currency = serializers.CharField(help_text=CURRENCY_CODE)
    to_give_minor = serializers.IntegerField(help_text="Its wagers, minor units.")
    to_take_minor = serializers.IntegerField(help_text="Its payout, if it was paid, minor units.")
    held_minor = serializers.IntegerField(help_text="Its payout, if it was held, minor units.")


class ListedPage(Page):
    """Rounds of a malfunction's list."""

    results = ListedRound(many=True, help_text="By their ids, the highest first.")


class SuspensionsView(APIView):
    """What is stopped."""

    who, scope = "operator", "malfunctions:write"
    recorded = ("scope", "reason")

    @extend_schema(
        request=SuspensionBody, responses={201: SuspensionLine}, parameters=[IDEMPOTENCY_KEY]
    )
    def post(self, request: Request) -> Response:
        """Stop play in a scope: nothing of it is dealt; open rounds go on (INT-06)."""
        told = read_body(SuspensionBody, request)
        made = services.suspend(operator_urn(request), request_key=idempotency_key(request), **told)
        return private(queries.show_suspension(made), 201)

    @extend_schema(
        responses=SuspensionPage,
        parameters=[
            *PAGE,
            OpenApiParameter(
                "state", str, enum=["standing", "lifted"], description="Only those in this state."
            ),
        ],
    )
    def get(self, request: Request) -> Response:
        """List suspensions, newest first."""
        state = read_query(request, "state", serializers.ChoiceField(["standing", "lifted"]))
        rows = queries.suspensions(is_standing=None if state is None else state == "standing")
        return private(read_page(rows, request, order="-id", show=queries.show_suspension))


class MalfunctionsView(APIView):
    """Malfunctions."""

    who, scope = "operator", "malfunctions:write"
    recorded = ("scope", "cause")

    @extend_schema(
        request=MalfunctionBody, responses={201: MalfunctionLine}, parameters=[IDEMPOTENCY_KEY]
    )
    def post(self, request: Request) -> Response:
        """Flag a malfunction: its scope is stopped and its payouts are held at once (MAL-01)."""
        told = read_body(MalfunctionBody, request)
        made = services.flag_malfunction(
            operator_urn(request), request_key=idempotency_key(request), **told
        )
        return private(queries.show_malfunction(made), 201)

    @extend_schema(
        responses=MalfunctionPage,
        parameters=[
            *PAGE,
            OpenApiParameter("state", str, enum=_STATES, description="Only those in this state."),
        ],
    )
    def get(self, request: Request) -> Response:
        """List malfunctions, newest first."""
        rows = filtered(
            queries.malfunctions(), request, time="raised_at", choices={"state": _STATES}
        )
        return private(read_page(rows, request, order="-id", show=queries.show_malfunction))


class MalfunctionView(APIView):
    """A malfunction."""

    who, scope = "operator", "malfunctions:write"

    @extend_schema(responses=WholeMalfunction)
    def get(self, request: Request, malfunction_id: UUID) -> Response:
        """Return a malfunction: its dry run, its progress, and what was done about it."""
        return private(queries.show_whole_malfunction(queries.malfunction(malfunction_id)))


class MalfunctionRoundsView(APIView):
    """The rounds that a malfunction touched."""

    who, scope = "operator", "malfunctions:write"

    @extend_schema(responses=ListedPage, parameters=PAGE)
    def get(self, request: Request, malfunction_id: UUID) -> Response:
        """List the rounds that a malfunction touched."""
        rows = queries.rounds_listed(queries.malfunction(malfunction_id).id)
        return private(read_page(rows, request, order="-round_id", show=queries.show_listed))


class NothingBody(Body):
    """Nothing: the address says it all."""


class NoticeView(APIView):
    """What a player was told."""

    who = "player"

    @extend_schema(request=NothingBody, responses={204: OpenApiResponse(description="It is read.")})
    def post(self, request: Request, notice_id: UUID) -> Response:
        """Note that I have read a notice. Again is the same."""
        read_body(NothingBody, request)
        door, _ = enter(token_hash(request))
        services.read_notice(door.urn, player_id=door.player_id, notice_id=notice_id)
        return private(None, 204)
