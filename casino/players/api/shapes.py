"""What the door takes and answers, in JSON: the bodies of its API, each member described."""

from datetime import timedelta
from typing import Any

from django.core.validators import RegexValidator, URLValidator
from rest_framework import serializers

from casino.players.models import LANGUAGES, REALITY_CHECK_MIN
from casino.players.services import EXCLUSION_KINDS
from casino.reasons import REASON_MAX
from casino.requests import CURRENCY_CODE, Body, Flag, Moment, Page, Text, Whole

_TEST = "A test account is left out of every report."
_COUNTRY = "ISO 3166 alpha-2: two capitals."
_KIND = "`self_exclusion`, for long or for good; `cooling_off`, a break that ends."


class PlayerBody(Body):
    """Whom an operator registers."""

    external_id = Text(
        max_length=64, help_text="Your own id of the player: the same again is the same player."
    )
    currency = Text(max_length=16, help_text="ISO 4217, one of GET /currencies; for life.")
    country = Text(validators=[RegexValidator(r"^[A-Z]{2}\Z")], help_text=_COUNTRY)
    language = serializers.ChoiceField(LANGUAGES, help_text="His language, ISO 639-1.")
    test = Flag(default=False, help_text=_TEST)


class PlayerAnswer(serializers.Serializer[Any]):
    """A player, as his operator sees him."""

    player_id = serializers.UUIDField(help_text="The player's id.")
    external_id = serializers.CharField(help_text="The operator's own id of the player.")
    currency = serializers.CharField(help_text=f"{CURRENCY_CODE} Of his account, for life.")
    country = serializers.CharField(help_text=_COUNTRY)
    language = serializers.ChoiceField(LANGUAGES, help_text="His language, ISO 639-1.")
    test = serializers.BooleanField(help_text=_TEST)
    registered_at = serializers.DateTimeField(help_text="When, RFC 3339 in UTC.")


class PlayersAnswer(Page):
    """A page of players, newest first."""

    results = PlayerAnswer(many=True, help_text="Newest first.")


class ExclusionState(serializers.Serializer[Any]):
    """What keeps a player from wagering now; `until` null is for good."""

    kind = serializers.ChoiceField(EXCLUSION_KINDS, help_text=_KIND)
    until = serializers.DateTimeField(
        allow_null=True, help_text="When it ends, RFC 3339 in UTC; null is for good."
    )


class PlayerDetail(PlayerAnswer):
    """A player, and whether he is excluded now."""

    exclusion = ExclusionState(
        allow_null=True, help_text="What keeps him from wagering now; null when nothing does."
    )


class SessionBody(Body):
    """How a player comes in."""

    language = serializers.ChoiceField(LANGUAGES, help_text="Of the page, ISO 639-1.")
    profile = Text(
        default="default",
        max_length=32,
        help_text="Whose rules of play: a jurisdiction's profile by its name.",
    )
    lobby_url = Text(
        default="",
        allow_blank=True,
        max_length=2000,
        validators=[URLValidator(schemes=["http", "https"])],
        help_text="Where the page sends the player when he leaves.",
    )
    device = Text(
        default="",
        allow_blank=True,
        max_length=300,
        help_text="What he plays on, such as his browser's name: for who verifies a large win.",
    )


class SessionAnswer(serializers.Serializer[Any]):
    """An open session. The token is for the player's device alone."""

    session_id = serializers.UUIDField(help_text="The session's id; it is not the token.")
    token = serializers.CharField(help_text="`ps_…`: what opens the player's operations.")
    expires_at = serializers.DateTimeField(help_text="Unless the session is used before.")
    launch_url = serializers.URLField(
        help_text="The address of the table's page, with the token behind the `#`."
    )


class ExclusionBody(Body):
    """For how long a player is shut out: so many days, until a time, or, with neither, for good."""

    kind = serializers.ChoiceField(EXCLUSION_KINDS, help_text=_KIND)
    days = Whole(
        default=None,
        allow_null=True,
        min_value=1,
        max_value=36_500,
        help_text="For how many days of 24 hours; not beside `ends_at`.",
    )
    ends_at = Moment(default=None, allow_null=True, help_text="Until when; not beside `days`.")
    reason = Text(
        default="", allow_blank=True, max_length=REASON_MAX, help_text="Why, in the player's words."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Make one term of the two ways to say it."""
        days, ends_at = attrs.pop("days"), attrs.pop("ends_at")
        if days is not None and ends_at is not None:
            raise serializers.ValidationError({"ends_at": "days are given"}, code="conflict")
        return attrs | {"term": ends_at if days is None else timedelta(days=days)}


class ExclusionAnswer(serializers.Serializer[Any]):
    """An exclusion as it stands on record; `ends_at` null is for good."""

    exclusion_id = serializers.UUIDField(help_text="The exclusion's id.")
    player_id = serializers.UUIDField(help_text="Whose it is.")
    kind = serializers.ChoiceField(EXCLUSION_KINDS, help_text=_KIND)
    requested_at = serializers.DateTimeField(help_text="When it was asked for.")
    starts_at = serializers.DateTimeField(help_text="From when: at once.")
    ends_at = serializers.DateTimeField(
        allow_null=True, help_text="When it ends, RFC 3339 in UTC; null is for good."
    )
    reason = serializers.CharField(help_text="Why; empty if nothing was said.")


class RealityCheckBody(Body):
    """How often the player wants to be told how long he has played."""

    interval_min = Whole(
        min_value=REALITY_CHECK_MIN[0],
        max_value=REALITY_CHECK_MIN[1],
        allow_null=True,
        help_text="After how many minutes, from 5 to 240, each time; null for never.",
    )


class SeenBody(Body):
    """What the page showed the player, for the record."""

    elapsed_s = Whole(
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text="Seconds of the session that the page told.",
    )
    net_minor = Whole(
        required=False,
        min_value=-(2**53) + 1,
        max_value=2**53 - 1,
        help_text="The net position that the page told, minor units.",
    )


class RealityCheckAnswer(serializers.Serializer[Any]):
    """How often the player is told how long he has played, and when the next time is (RCK-01)."""

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


class CurrencyAnswer(serializers.Serializer[Any]):
    """What may be staked in a currency; amounts in minor units of its exponent."""

    currency = serializers.CharField(help_text=CURRENCY_CODE)
    exponent = serializers.IntegerField(
        help_text="How many decimals it has: with 2, 200 minor units are 2.00; with 0, 200."
    )
    minimum_minor = serializers.IntegerField(help_text="The least stake, minor units; included.")
    maximum_minor = serializers.IntegerField(help_text="The largest stake, minor units; included.")
    step_minor = serializers.IntegerField(help_text="Stakes are multiples of it, minor units.")
    chips_minor = serializers.ListField(
        child=serializers.IntegerField(), help_text="Chips to offer, minor units, from the least."
    )
    large_win_minor = serializers.IntegerField(
        help_text="From this on a win waits for a person of the staff, minor units (H17)."
    )


class CurrenciesAnswer(Page):
    """All currencies, on one page."""

    results = CurrencyAnswer(many=True, help_text="All that are offered.")
