"""What GET /me answers: the player, his session and his money, each member described."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from casino.players.services import EXCLUSION_KINDS
from casino.requests import (
    CURRENCY_CODE,
    HEX_SHA256,
    Digest,
)
from pontoon.queries import LANGUAGES
from wallets.services import LIMIT_KINDS, LIMIT_PERIODS, LIMIT_SETTERS


@extend_schema_field({"oneOf": [{"$ref": "#/components/schemas/ExclusionState"}, {"type": "null"}]})
class Exclusion(serializers.JSONField):
    """What the door says of a player's exclusion."""


class SessionLine(serializers.Serializer[Any]):
    """The session that the token opens."""

    session_id = serializers.UUIDField(help_text="The session's id; it is not the token.")
    opened_at = serializers.DateTimeField(help_text="When it was opened, RFC 3339 in UTC.")
    expires_at = serializers.DateTimeField(
        help_text="When it ends if no request comes before: each request moves it on."
    )
    elapsed_s = serializers.IntegerField(help_text="Seconds since it was opened (RCK-02).")
    net_minor = serializers.IntegerField(
        help_text="Won less lost since then, minor units; below 0 for a loss (RCK-03)."
    )


class AllowanceLine(serializers.Serializer[Any]):
    """A limit that is in force, and how much of it is used."""

    kind = serializers.ChoiceField(LIMIT_KINDS, help_text="What is limited.")
    period = serializers.ChoiceField(
        LIMIT_PERIODS,
        help_text="In which time: a day, a week from Monday, or a month; each from 00:00 UTC.",
    )
    set_by = serializers.ChoiceField(
        LIMIT_SETTERS, help_text="Whose limit it is; the strictest of all counts."
    )
    amount_minor = serializers.IntegerField(help_text="The limit, minor units.")
    used_minor = serializers.IntegerField(
        help_text="What of it is used in the running period, minor units; of a loss limit, below"
        " 0 after a win."
    )
    next_amount_minor = serializers.IntegerField(
        allow_null=True,
        help_text="What it will be from `next_effective_at` on, minor units; null beside a time"
        " means that the limit is lifted then.",
    )
    next_effective_at = serializers.DateTimeField(
        allow_null=True,
        help_text="When a looser limit that was asked for comes into force; null if none was.",
    )


class ProfileLine(serializers.Serializer[Any]):
    """What the player's jurisdiction asks of play."""

    name = serializers.CharField(help_text="The profile's name, as the session was opened with it.")
    min_cycle_s = serializers.IntegerField(
        help_text="The least time from deal to deal, in seconds; 0 for none."
    )
    client_seed_allowed = serializers.BooleanField(
        help_text="Whether a bet may bring a `client_seed`."
    )
    large_win_basis = serializers.ChoiceField(
        ["win", "payout"],
        help_text="What is held against the currency's `large_win_minor`: the win, or the payout"
        " with the wagers in it (H17).",
    )
    hint_allowed = serializers.BooleanField(
        help_text="Whether the best play may be asked for: GET /rounds/{round_id}/advice."
    )
    autoplay_allowed = serializers.BooleanField(help_text="Always false: each act is a player's.")
    reality_check_default_min = serializers.IntegerField(
        allow_null=True,
        help_text="After how many minutes a player is told how long he has played, until he sets"
        " his own; null for never.",
    )


class RealityCheckLine(serializers.Serializer[Any]):
    """How often the player is told how long he has played (RCK-01)."""

    interval_min = serializers.IntegerField(
        allow_null=True, help_text="After how many minutes each time; null for never."
    )
    due_at = serializers.DateTimeField(
        allow_null=True, help_text="When the next time is, RFC 3339 in UTC; null for never."
    )
    is_due = serializers.BooleanField(
        help_text="Whether it has to be acknowledged before the next round."
    )
    elapsed_s = serializers.IntegerField(help_text="Seconds since the session was opened.")


class NoticeLine(serializers.Serializer[Any]):
    """What a player is told beside a round of his."""

    notice_id = serializers.UUIDField(
        help_text="The notice's id: POST /me/notices/{notice_id}/read notes that it was read."
    )
    kind = serializers.ChoiceField(
        ["round_voided", "round_held", "round_released"],
        help_text="What happened to the round: it was given back, its payout waits while a"
        " malfunction is looked into, or it was paid after that.",
    )
    round_id = serializers.UUIDField(help_text="Of which round.")
    malfunction_id = serializers.UUIDField(allow_null=True, help_text="For which malfunction.")
    reason = serializers.CharField(allow_blank=True, help_text="Why; of a void, never empty.")
    at = serializers.DateTimeField(help_text="When, RFC 3339 in UTC.")


class MeBody(serializers.Serializer[Any]):
    """The player, his session and his money."""

    player_id = serializers.UUIDField(help_text="The player's id.")
    currency = serializers.CharField(help_text=f"{CURRENCY_CODE} Of the account, for life.")
    country = serializers.CharField(help_text="ISO 3166 alpha-2: two capitals.")
    language = serializers.ChoiceField(LANGUAGES, help_text="The session's, ISO 639-1.")
    test = serializers.BooleanField(help_text="A test account is left out of every report.")
    session = SessionLine(help_text="The session that the token opens.")
    balance_minor = serializers.IntegerField(
        help_text="What he may wager or be paid out, minor units; open wagers are not in it."
    )
    in_play_minor = serializers.IntegerField(
        help_text="Wagers of the open round, minor units (WAL-13)."
    )
    held_minor = serializers.IntegerField(
        help_text="Payouts that wait for verification, minor units."
    )
    receivable_minor = serializers.IntegerField(
        help_text="At most 0, minor units: what a void left owing."
    )
    net_deposits_minor = serializers.IntegerField(
        help_text="All he ever deposited less all he ever withdrew, minor units (WAL-08)."
    )
    limits = AllowanceLine(many=True, help_text="The limits in force; empty if there is none.")
    excluded = serializers.ChoiceField(
        EXCLUSION_KINDS,
        allow_null=True,
        help_text="Why he may not wager now; null when he may.",
    )
    exclusion = Exclusion(help_text="The same, with its end; null when he may.")
    reality_check = RealityCheckLine(help_text="How often he is told how long he has played.")
    notices = NoticeLine(many=True, help_text="What he has not read yet, newest first, up to 20.")
    next_commitment = Digest(
        help_text=f"{HEX_SHA256} Of the 32 bytes of the server seed that his next round will be"
        " dealt from."
    )
    profile = ProfileLine(help_text="What his jurisdiction asks of play.")
