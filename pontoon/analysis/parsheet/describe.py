"""The game in words and its payouts, told from the numbers of a rule set.

The clauses are those of the rulebook; what is said of them here changes with the numbers.
"""

from collections.abc import Iterator
from typing import Any

from pontoon.analysis.rules import Variant


def describe(variant: Variant) -> list[tuple[str, str]]:
    """Return (clause, sentence) in the order of the rulebook."""
    return [*_tell_deal(variant), *_tell_decisions(variant), *_tell_dealer(variant)]


def list_payouts(variant: Variant) -> list[dict[str, Any]]:
    """List what a hand wins, and what comes back with the wager, for each unit of its wager."""
    odds = {
        "pontoon": variant.pontoon_odds,
        f"trick of {variant.trick_cards} cards": variant.trick_odds,
        "21 points": variant.twenty_one_odds,
        "points below 21, or the dealer is bust": 1,
    }
    won = [
        {"hand": f"wins: {hand}", "win": win, "payout": 1 + win, "odds": f"{win:g} to 1"}
        for hand, win in odds.items()
    ]
    lost = "loses" if not variant.dealer_wins_ties else "loses, ties included"
    tied = [] if variant.dealer_wins_ties else [_pay_back("tie")]
    return [*won, *tied, {"hand": lost, "win": -1, "payout": 0, "odds": "–"}]


def _pay_back(hand: str) -> dict[str, Any]:
    return {"hand": hand, "win": 0, "payout": 1, "odds": "wager back"}


def _tell_deal(variant: Variant) -> Iterator[tuple[str, str]]:
    decks = "one deck" if variant.decks == 1 else f"{variant.decks} decks"
    cards = variant.decks * 52
    yield "H1", f"{decks} of 52 cards, {cards} in all, shuffled before every round"
    yield "H2", "an ace counts 11, or 1 where 11 would bust the hand; pictures count 10"
    yield "H3", "two cards each; the player sees both of his, both of the dealer's lie face down"
    yield (
        "H4",
        "the dealer looks first: his pontoon ends the round and wins the stake"
        + (", a pontoon of the player's too" if not variant.pontoons_tie else "; pontoons tie")
        if variant.dealer_looks
        else "the dealer does not look: his pontoon comes out when all hands are complete",
    )
    yield (
        "H5",
        f"highest first: pontoon (ace and ten-point card), a trick ({variant.trick_cards} cards of "
        "21 or less), points, bust",
    )


def _tell_decisions(variant: Variant) -> Iterator[tuple[str, str]]:
    yield (
        "H6",
        f"a hand ends as a pontoon, with {variant.trick_cards} cards, or bust; a bust hand loses",
    )
    yield "H7", f"stand: on {variant.stand_points_min} or more"
    yield "H8", "hit: one card, as often as the hand allows"
    yield "H9", _tell_double(variant)
    if variant.hands_max < 2:
        yield "H10", "no pair may be split"
        return
    aces = "played like any hand" if variant.split_aces_play_on else "given one card each"
    hands = variant.hands_max
    yield "H10", f"split: two cards of one rank, to {hands} hands at most; split aces are {aces}"
    after = "a pontoon" if variant.split_pontoon else "21 points"
    yield "H11", f"ace and ten-point card after a split are {after}"


def _tell_double(variant: Variant) -> str:
    if variant.double_cards_max < 2:
        return "no hand may be doubled"
    most = variant.double_cards_max
    when = "two cards" if most == 2 else f"2 to {most} cards"
    after = "then it is played on" if variant.double_plays_on else "then it stands"
    card = "one more card, " if variant.double_draws else "no card, "
    return f"double: once a hand, on {when} of any total, after a split too; {card}{after}"


def _tell_dealer(variant: Variant) -> Iterator[tuple[str, str]]:
    least = variant.dealer_stands_min
    soft = "draws" if variant.dealer_hits_soft_17 else "stands"
    yield "H12", f"the dealer stands on {least} or more and {soft} on a soft 17"
    trick = "counts" if variant.dealer_trick else "does not count"
    yield "H13", f"a trick of the dealer's {trick} as one"
    yield "H14", "a tie " + ("is the dealer's" if variant.dealer_wins_ties else "gives back")
    whole = "everything wagered on the hand" if variant.double_wins else "the stake alone"
    yield "H15", f"a win is reckoned on {whole}"
    yield "H16", "no insurance, no surrender, no side bet"
