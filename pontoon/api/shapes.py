"""What the table takes and answers, in JSON: the bodies of its API, each member described."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from casino.requests import (
    CURRENCY_CODE,
    HEX_SHA256,
    Amount,
    Body,
    Digest,
    Id,
    Page,
    Text,
    Whole,
)
from pontoon.engine.game import Action, Kind, Status
from pontoon.lifecycle import State
from pontoon.queries import GAMES

ACTIONS = [action.value for action in Action]
KINDS = [kind.value for kind in Kind]
CARD = r"^([A2-9TJQK][SHDC]|\?\?)$"

_CARDS = (
    "Rank (`A` `2`–`9` `T` `J` `Q` `K`) and suit (`S` `H` `D` `C`): `TD` is the ten of diamonds."
)
_TOTAL = "The best total: an ace counts 11 where the hand does not bust by it, else 1 (H2)."
_SOFT = "Whether an ace counts 11 in the total."
_KIND = "What the hand is, highest first: pontoon, five-card trick, points, bust (H5)."


def _cards(told: str) -> serializers.ListField:
    return serializers.ListField(child=serializers.RegexField(CARD), help_text=f"{told} {_CARDS}")


@extend_schema_field({"type": "string", "enum": GAMES})
class GameName(Text):
    """The name of a game; whether it is offered, the table tells by its own code."""


class BetBody(Body):
    """A stake for one round."""

    stake_minor = Amount(
        help_text="The stake in minor units of the currency, a whole number: a multiple of"
        " `step_minor` from `minimum_minor` to `maximum_minor` of GET /currencies."
    )
    currency = Text(min_length=1, max_length=8, help_text=f"{CURRENCY_CODE} The player's own.")
    client_seed = Text(
        max_length=64,
        required=False,
        allow_blank=True,
        help_text="Any text of the player's choice, up to 64 characters: the cards depend on it"
        " too. Empty if not given; some profiles allow none.",
    )
    game = GameName(max_length=32, required=False, help_text="Which game; `house` if not given.")
    round_id = Id(
        required=False,
        help_text="Your own id of the round, a UUID: the same again is the same round.",
    )


class ActionBody(Body):
    """One action; `seq` is the number of actions already taken."""

    seq = Whole(
        min_value=0,
        max_value=2**31 - 1,
        help_text="The number of actions already taken, from 0: the `seq` of the round as you"
        " last saw it.",
    )
    action = serializers.ChoiceField(ACTIONS, help_text="One of the round's `options`.")


class OptionLine(serializers.Serializer[Any]):
    """What may be done now, and what it adds to the wager."""

    action = serializers.ChoiceField(ACTIONS, help_text="What may be done.")
    amount_minor = serializers.IntegerField(
        required=False,
        help_text="What it adds to the wager, minor units, taken from the balance at once;"
        " left out where it adds nothing.",
    )


class ActionLine(serializers.Serializer[Any]):
    """What was done, to which hand, by whom."""

    action = serializers.ChoiceField(ACTIONS, help_text="What was done.")
    hand = serializers.IntegerField(
        help_text="On which hand: its index at that moment, from 0. A split puts its second hand"
        " right behind its first."
    )
    by = serializers.ChoiceField(
        ["player", "house"],
        help_text="`house`: for a player who did not come back to his round.",
    )


class HandLine(serializers.Serializer[Any]):
    """A hand of the player."""

    cards = _cards("In the order in which they were dealt.")
    total = serializers.IntegerField(help_text=_TOTAL)
    soft = serializers.BooleanField(help_text=_SOFT)
    kind = serializers.ChoiceField(KINDS, help_text=_KIND)
    status = serializers.ChoiceField(
        [status.value for status in Status],
        help_text="`playing` is the hand of `active_hand`; those that are `waiting` come after it.",
    )
    stake_minor = serializers.IntegerField(
        help_text="What the hand began with, minor units: the round's stake."
    )
    wager_minor = serializers.IntegerField(
        help_text="All that is at risk on the hand, minor units: the stake, twice if doubled."
    )
    doubled = serializers.BooleanField(help_text="Whether its wager was doubled (H9).")
    from_split = serializers.BooleanField(help_text="Whether it came out of a split (H10).")
    outcome = serializers.ChoiceField(
        ["won", "lost", "voided"],
        allow_null=True,
        help_text="Null until it is known: a bust hand is lost at once, others at the end.",
    )
    payout_minor = serializers.IntegerField(
        allow_null=True,
        help_text="What came back, minor units, wager included; 0 for a lost hand. Null until"
        " the outcome is known.",
    )


class DealerLine(serializers.Serializer[Any]):
    """The dealer's hand; `??` is a card face down."""

    cards = _cards("`??` is a card face down: the dealer shows none before the round is over.")
    total = serializers.IntegerField(allow_null=True, help_text=f"{_TOTAL} Null while face down.")
    soft = serializers.BooleanField(allow_null=True, help_text=f"{_SOFT} Null while face down.")
    kind = serializers.ChoiceField(
        KINDS, allow_null=True, help_text=f"{_KIND} Null while face down."
    )


class VoidLine(serializers.Serializer[Any]):
    """Why a round was voided."""

    malfunction_id = serializers.UUIDField(
        allow_null=True, help_text="The malfunction that touched it; null if none was flagged."
    )
    reason = serializers.CharField(help_text="Why, in the operator's words.")
    at = serializers.DateTimeField(help_text="When, RFC 3339 in UTC.")
    appeal = serializers.CharField(help_text="What the player may do about it, in his language.")


class RoundFactsBody(serializers.Serializer[Any]):
    """What is told of a round to whoever may see it."""

    round_id = serializers.UUIDField(help_text="The round's id.")
    game = serializers.ChoiceField(GAMES, help_text="Which game.")
    rules = serializers.CharField(
        help_text="By which rule set, for good: GET /rules/{game}/{version} tells it."
    )
    state = serializers.ChoiceField(
        [state.value for state in State],
        help_text="`open`: the player acts. `settled`: paid. `held`: over, and its payout waits"
        " for a person of the staff. `voided`: every wager was given back (H18).",
    )
    held_reason = serializers.ChoiceField(
        ["large_win", "malfunction"],
        allow_null=True,
        help_text="Why the payout waits (H17); null when it does not.",
    )
    decide_by = serializers.DateTimeField(
        allow_null=True,
        help_text="Until when the house means to decide on a large win that it holds; null for"
        " every other round.",
    )
    seq = serializers.IntegerField(
        help_text="How many actions were taken: what the next action must name as its `seq`."
    )
    currency = serializers.CharField(help_text=f"{CURRENCY_CODE} Of every amount of the round.")
    stake_minor = serializers.IntegerField(help_text="The first wager, minor units.")
    wagered_minor = serializers.IntegerField(
        help_text="The wagers of all hands so far, minor units: stake, doubles and splits."
    )
    payout_minor = serializers.IntegerField(
        allow_null=True,
        help_text="All that came back, minor units, wagers included: null while open, the wagers"
        " if voided.",
    )
    win_minor = serializers.IntegerField(
        allow_null=True,
        help_text="Payout less wagers, minor units; below 0 for a loss. Null while open.",
    )
    is_win = serializers.BooleanField(help_text="More came back than was wagered (RGT-04).")
    hands = HandLine(many=True, help_text="The player's hands, from left to right.")
    active_hand = serializers.IntegerField(
        allow_null=True,
        help_text="The index in `hands`, from 0, of the hand that the next action is on; null"
        " when the round is over.",
    )
    dealer = DealerLine(help_text="The dealer's hand.")
    options = OptionLine(many=True, help_text="What may be done now; empty when it is over.")
    actions = ActionLine(
        many=True,
        help_text="What was done, in order: the action that was sent with `seq` n has index n.",
    )
    commitment = Digest(
        help_text=f"{HEX_SHA256} Of the 32 bytes of the server seed; it was told before the bet."
    )
    client_seed = serializers.CharField(help_text="The player's text that the shoe depends on too.")
    server_seed = Digest(
        allow_null=True,
        help_text="The 32 bytes of the server seed as 64 lower-case hexadecimal digits; their"
        " SHA-256 is `commitment`. Null until the round is over.",
    )
    opened_at = serializers.DateTimeField(help_text="When it was dealt, RFC 3339 in UTC.")
    settled_at = serializers.DateTimeField(
        allow_null=True,
        help_text="When it was played to its end; null before, and if voided while open.",
    )
    void = VoidLine(allow_null=True, help_text="Why it was voided; null if it was not (MAL-04).")
    balance_before_minor = serializers.IntegerField(
        help_text="The player's cash just before the deal, minor units; it never changes."
    )
    balance_after_minor = serializers.IntegerField(
        allow_null=True,
        help_text="The player's cash just after the round's last payment, minor units: its end, its"
        " release or its void. Null while open; a payout that is held is not in it.",
    )


class RoundBody(RoundFactsBody):
    """A round as its player sees it."""

    balance_minor = serializers.IntegerField(
        help_text="The balance to show, minor units: the player's cash as this was answered. For"
        " the operator, and in lists, his cash when the round was over, or, while it is open,"
        " what its wagers have left of it."
    )
    next_commitment = Digest(
        allow_null=True,
        help_text=f"{HEX_SHA256} Of the server seed of the player's next round, made as this one"
        " was dealt: his next round's `commitment` is the same. Null while this one is open.",
    )


class RoundPage(Page):
    """A page of rounds."""

    results = RoundBody(many=True, help_text="Newest first.")


@extend_schema_field({"type": "array", "items": {"$ref": "#/components/schemas/TransferLine"}})
class Transfers(serializers.JSONField):
    """The cage's lines, as a statement shows them."""


@extend_schema_field({"type": "array", "items": {"$ref": "#/components/schemas/InclusionLine"}})
class Inclusion(serializers.JSONField):
    """The eye's proofs, as GET /log/inclusion gives them."""


class ProofBody(RoundFactsBody):
    """A round, with its transfers and its entries of the log; `entries` as they were written."""

    transfers = Transfers(help_text="The round's transfers, in the order in which they were made.")
    entries = serializers.ListField(
        child=serializers.DictField(),
        help_text="The round's entries in the log, oldest first, as they were written.",
    )
    inclusion = Inclusion(
        help_text="That the entries are in the log: of each, from some seconds after it was"
        " written on."
    )


class AdviceBody(serializers.Serializer[Any]):
    """What the best play does now."""

    round_id = serializers.UUIDField(help_text="The round's id.")
    seq = serializers.IntegerField(help_text="After how many actions: the round's `seq`.")
    action = serializers.ChoiceField(ACTIONS, help_text="One of the round's `options`.")
    rules = serializers.CharField(help_text="Of which rule set: `house/1`.")
    strategy_is = serializers.CharField(help_text="What the strategy looks at (RTP-02).")
