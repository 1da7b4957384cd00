"""Rounds of the house game out of the cards that are dealt and what is done, both as text."""

from pontoon.engine import (
    Action,
    Over,
    Playing,
    Round,
    Rules,
    arrange,
    house,
    parse_cards,
)

RULES = house.RULES["house/1"]


def play(shoe: str, actions: str = "", *, wager: int = 10, rules: Rules = RULES) -> Round:
    round_ = house.deal(rules, arrange(parse_cards(shoe)), wager)
    for action in actions.split():
        round_ = house.act(round_, Action(action))
    return round_


def playing(shoe: str, actions: str = "") -> Playing:
    round_ = play(shoe, actions)
    assert isinstance(round_, Playing)
    return round_


def over(shoe: str, actions: str = "", *, rules: Rules = RULES) -> Over:
    round_ = play(shoe, actions, rules=rules)
    assert isinstance(round_, Over)
    return round_


def pays(shoe: str, actions: str = "", *, rules: Rules = RULES) -> list[int]:
    return [payout.amount for payout in house.settle(over(shoe, actions, rules=rules))]


def offered(round_: Round) -> list[str]:
    return [option.action.value for option in house.legal_actions(round_)]
