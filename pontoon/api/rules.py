"""The rules and the best strategy, for anybody."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.requests import HEX_SHA256, Digest
from pontoon import queries
from pontoon.api.shapes import ACTIONS

_GAME = OpenApiParameter("game", str, "path", enum=queries.GAMES, description="Which game's rules.")
_RULES = "The rule set, for good: `house/1`."


class ClauseLine(serializers.Serializer[Any]):
    """A clause of the rulebook."""

    number = serializers.CharField(help_text="Its number, for good: `H5`.")
    text = serializers.CharField(help_text="What it says, in the language, in Markdown.")


class RulesBody(serializers.Serializer[Any]):
    """A rule set, for people and for machines."""

    rules = serializers.CharField(help_text=_RULES)
    language = serializers.ChoiceField(
        queries.LANGUAGES, help_text="The language that it is told in."
    )
    clauses = ClauseLine(many=True, help_text="The clauses, in the order of their numbers.")
    text = serializers.CharField(help_text="The whole rulebook, in Markdown.")
    payouts = serializers.DictField(
        child=serializers.CharField(),
        help_text="What a winning hand wins by its kind, the wager not counted: `2 to 1`.",
    )
    numbers = serializers.DictField(help_text="What the clauses mean for the engine, by name.")
    rtp = serializers.DictField(
        child=serializers.CharField(), help_text="The return, and on what it is based (RTP-02)."
    )
    sha256 = Digest(help_text=f"{HEX_SHA256} Of the numbers.")


class RulesView(APIView):
    """The rules, for anybody (RUL-01)."""

    who = "public"

    @extend_schema(
        parameters=[
            _GAME,
            OpenApiParameter(
                "lang",
                str,
                enum=queries.LANGUAGES,
                description="In which language; if none, as Accept-Language says.",
            ),
        ],
        responses=RulesBody,
    )
    def get(self, request: Request, game: str, version: int) -> HttpResponse:
        """Return a rule set: its numbered rules, payouts, and the return with its basis."""
        language = request.query_params.get("lang") or request.LANGUAGE_CODE
        return _public(queries.rules(f"{game}/{version}", language))


def _actions() -> serializers.ListField:
    return serializers.ListField(
        child=serializers.ChoiceField(ACTIONS), help_text="What to do, the best first."
    )


class PairLine(serializers.Serializer[Any]):
    """What to do with two cards of one rank, the best action first; T is any card worth ten."""

    pair = serializers.CharField(help_text="The rank of both: `A`, `2` to `9`, or `T`.")
    actions = _actions()


class TotalLine(serializers.Serializer[Any]):
    """What to do with a hand by its cards and total: the first action that is allowed."""

    count = serializers.IntegerField(help_text="How many cards the hand has.")
    total = serializers.IntegerField(help_text="Its best total.")
    soft = serializers.BooleanField(help_text="Whether an ace counts 11 in it.")
    doubled = serializers.BooleanField(help_text="Whether its wager was doubled before.")
    actions = _actions()


class StrategyBody(serializers.Serializer[Any]):
    """The best strategy of a rule set, and what it returns; amounts are in stakes."""

    rules = serializers.CharField(help_text=_RULES)
    numbers = serializers.DictField(help_text="What was analysed: the rule set's numbers, by name.")
    sha256 = Digest(help_text=f"{HEX_SHA256} Of the numbers.")
    strategy_is = serializers.CharField(help_text="What the strategy looks at (RTP-02).")
    rtp_percent = serializers.FloatField(help_text="The return, per cent of the first stake.")
    house_edge = serializers.FloatField(
        help_text="What the house keeps of the first stake, 0 to 1."
    )
    element_of_risk = serializers.FloatField(help_text="What it keeps of all wagers, 0 to 1.")
    variance = serializers.FloatField(help_text="Of a round's result, in stakes squared.")
    largest_win = serializers.FloatField(help_text="Of a round, in stakes.")
    results = serializers.DictField(
        child=serializers.FloatField(),
        help_text="The probability of each result of a round: win in stakes → 0 to 1.",
    )
    split_method = serializers.CharField(help_text="What is exact of splits, and what is not.")
    pairs = PairLine(many=True, help_text="What to do with pairs: they come before totals.")
    totals = TotalLine(many=True, help_text="What to do with all other hands.")


class StrategyView(APIView):
    """The best strategy, for anybody (RTP-02)."""

    who = "public"

    @extend_schema(responses=StrategyBody, parameters=[_GAME])
    def get(self, request: Request, game: str, version: int) -> HttpResponse:
        """Return what the best play does with every hand, and what it returns."""
        return _public(queries.strategy(f"{game}/{version}"))


def _public(data: Any) -> Response:
    return Response(data, headers={"Cache-Control": "public, max-age=3600"})
