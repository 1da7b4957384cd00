"""Large wins over REST, for the operator: to read. Deciding takes a person in the panel."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.answers import private
from casino.players.profiles import CURRENCIES
from casino.requests import CURRENCY_CODE, PAGE, SPAN, Page, filtered, read_page
from pontoon import queries


class VerificationLine(serializers.Serializer[Any]):
    """A large win, and where its verification stands (H17)."""

    verification_id = serializers.UUIDField(help_text="Its id: the round's.")
    round_id = serializers.UUIDField(help_text="The round that won it.")
    player_id = serializers.UUIDField(help_text="Whose it is.")
    state = serializers.ChoiceField(
        queries.WIN_STATES,
        help_text="`checking`: its case file is being made. `waiting`: a person is to decide."
        " `malfunction`: a flag holds it, raised as it was rejected or otherwise. `released`:"
        " paid. `voided`: the wagers went back.",
    )
    number = serializers.IntegerField(
        help_text="Which case of the round this is, from 0: it waits again when a malfunction"
        " that was raised on it was refused."
    )
    currency = serializers.CharField(help_text=f"{CURRENCY_CODE} Of the amounts.")
    wagered_minor = serializers.IntegerField(help_text="All wagers of the round, minor units.")
    payout_minor = serializers.IntegerField(help_text="What is held, minor units, wagers included.")
    win_minor = serializers.IntegerField(help_text="Payout less wagers, minor units.")
    held_at = serializers.DateTimeField(help_text="Since when it was held.")
    checked_at = serializers.DateTimeField(
        allow_null=True, help_text="When the case file was made; null before."
    )
    agrees = serializers.BooleanField(
        allow_null=True,
        help_text="Whether replay, money and log agree with what is held; null before the check.",
    )
    escalations = serializers.IntegerField(help_text="How many deadlines have passed.")
    verdict = serializers.ChoiceField(
        ["released", "rejected"],
        allow_null=True,
        help_text="What a person decided; null while it waits.",
    )
    decided_by = serializers.CharField(
        allow_null=True, help_text="Who decided, as the log names him."
    )
    decided_at = serializers.DateTimeField(allow_null=True, help_text="When; null while it waits.")
    reason = serializers.CharField(allow_null=True, help_text="The reason that he gave.")


class VerificationPage(Page):
    """A page of large wins."""

    results = VerificationLine(many=True, help_text="Newest first.")


class VerificationBody(VerificationLine):
    """A large win with its case file."""

    casefile = serializers.DictField(
        allow_null=True,
        help_text="All that was found out: round, replay, transfers, place in the log, session,"
        " device, limits and the player's recent rounds. Null before the check.",
    )


class VerificationsView(APIView):
    """The large wins."""

    who, scope = "operator", "verifications:read"

    @extend_schema(
        responses=VerificationPage,
        parameters=[
            *PAGE,
            *SPAN,
            OpenApiParameter(
                "state", str, enum=queries.WIN_STATES, description="Only those in this state."
            ),
            OpenApiParameter("currency", str, description=f"{CURRENCY_CODE} Only those in it."),
        ],
    )
    def get(self, request: Request) -> Response:
        """List large wins, newest first."""
        rows = filtered(
            queries.verifications(),
            request,
            time="settled_at",
            choices={"state": queries.WIN_STATES, "currency": CURRENCIES},
        )
        return private(
            read_page(rows, request, order="-settled_at", show=queries.show_verification)
        )


class VerificationView(APIView):
    """One large win."""

    who, scope = "operator", "verifications:read"

    @extend_schema(responses=VerificationBody)
    def get(self, request: Request, verification_id: UUID) -> Response:
        """Return a large win with its case file."""
        found = queries.verification(verification_id)
        return private(queries.show_verification(found) | {"casefile": found.content})
