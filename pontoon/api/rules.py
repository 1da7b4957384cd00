"""The rules and the best strategy, for anybody."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from pontoon import queries


class ClauseLine(serializers.Serializer[Any]):
    """A clause of the rulebook."""

    number = serializers.CharField()
    text = serializers.CharField()


class RulesBody(serializers.Serializer[Any]):
    """A rule set, for people and for machines."""

    rules = serializers.CharField()
    language = serializers.ChoiceField(["en", "es", "pt", "sv"])
    clauses = ClauseLine(many=True)
    text = serializers.CharField(help_text="The whole rulebook, in Markdown.")
    payouts = serializers.DictField(child=serializers.CharField())
    numbers = serializers.DictField(help_text="What the clauses mean for the engine.")
    rtp = serializers.DictField(
        child=serializers.CharField(), help_text="The return, and on what it is based (RTP-02)."
    )
    sha256 = serializers.CharField(help_text="Of the numbers.")


class RulesView(APIView):
    """The rules, for anybody (RUL-01)."""

    who = "public"

    @extend_schema(
        parameters=[OpenApiParameter("lang", str, enum=["en", "es", "pt", "sv"])],
        responses=RulesBody,
    )
    def get(self, request: Request, game: str, version: int) -> HttpResponse:
        """Return a rule set: its numbered rules, payouts, and the return with its basis."""
        language = request.query_params.get("lang") or request.LANGUAGE_CODE
        return _public(queries.rules(f"{game}/{version}", language))


class PairLine(serializers.Serializer[Any]):
    """What to do with two cards of one rank, the best action first; T is any card worth ten."""

    pair = serializers.CharField()
    actions = serializers.ListField(child=serializers.CharField())


class TotalLine(serializers.Serializer[Any]):
    """What to do with a hand by its cards and total: the first action that is allowed."""

    count = serializers.IntegerField()
    total = serializers.IntegerField()
    soft = serializers.BooleanField()
    doubled = serializers.BooleanField()
    actions = serializers.ListField(child=serializers.CharField())


class StrategyBody(serializers.Serializer[Any]):
    """The best strategy of a rule set, and what it returns; amounts are in stakes."""

    rules = serializers.CharField()
    numbers = serializers.DictField(help_text="What was analysed.")
    sha256 = serializers.CharField(help_text="Of the numbers.")
    strategy_is = serializers.CharField(help_text="What the strategy looks at (RTP-02).")
    rtp_percent = serializers.FloatField(help_text="Of the first stake.")
    house_edge = serializers.FloatField(help_text="Of the first stake.")
    element_of_risk = serializers.FloatField(help_text="Of all wagers.")
    variance = serializers.FloatField(help_text="Of a round's result.")
    largest_win = serializers.FloatField()
    results = serializers.DictField(
        child=serializers.FloatField(), help_text="The probability of each result."
    )
    split_method = serializers.CharField(help_text="What is exact of splits, and what is not.")
    pairs = PairLine(many=True)
    totals = TotalLine(many=True)


class StrategyView(APIView):
    """The best strategy, for anybody (RTP-02)."""

    who = "public"

    @extend_schema(responses=StrategyBody)
    def get(self, request: Request, game: str, version: int) -> HttpResponse:
        """Return what the best play does with every hand, and what it returns."""
        return _public(queries.strategy(f"{game}/{version}"))


def _public(data: Any) -> Response:
    return Response(data, headers={"Cache-Control": "public, max-age=3600"})
