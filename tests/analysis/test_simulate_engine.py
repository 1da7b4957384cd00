"""The kernel plays as the production engine does: the same shoes, moves, cards and amounts."""

from dataclasses import asdict, replace

import pytest

from pontoon.analysis.kernel.automaton import build
from pontoon.analysis.rules import Variant
from pontoon.analysis.simulate import agreement
from pontoon.analysis.simulate.published import play_as_published
from pontoon.engine import Action, Move, Rules, parse_cards

PLANS, GROUPS = 32, 8


@pytest.mark.parametrize("group", range(GROUPS))
def test_half_a_million_rounds_come_out_alike(group: int) -> None:
    """32 plans of 16,384 rounds: the published strategy, arbitrary play, and other rules.

    That is half a minute of the engine's time. More on demand, with ever new plans:
    `python -m pontoon.analysis simulate house/1 --engine --rounds 1e6`.
    """
    differences: list[str] = []
    for number in range(group, PLANS, GROUPS):
        first = number * agreement.STRETCH
        rounds = range(first, first + agreement.STRETCH)
        differences.extend(agreement.find_differences(agreement.make_plan(number), rounds))
    assert differences == []


def test_h10_arbitrary_play_splits_to_three_hands_and_doubles_each() -> None:
    rules, strategy = agreement.make_plan(1)
    play = agreement.make_player(rules, strategy)
    rounds = [play(agreement.make_shoe(rules, number)) for number in range(agreement.STRETCH)]
    assert sum(len(round_.amounts) == 3 for round_ in rounds) > 30
    stakes = {sum(wager for wager, _ in round_.amounts) // agreement.STAKE for round_ in rounds}
    assert stakes == {1, 2, 3, 4, 5, 6}
    actions = {move.action for round_ in rounds for move in round_.moves}
    assert actions == set(Action)


def test_other_rules_are_tried_too() -> None:
    tried = [agreement.make_plan(number)[0] for number in range(PLANS)]
    assert sum(rules == Rules() for rules in tried) == 25
    for name, value in asdict(Rules()).items():
        if name != "trick_cards":
            assert {asdict(rules)[name] for rules in tried} != {value}, name


def test_a_difference_is_told() -> None:
    """The engine hits soft 17 and the kernel is told that the dealer stands: they part at once."""
    shoes = [agreement.make_shoe(Rules(), number) for number in range(2_000)]
    play = agreement.make_player(Rules(), play_as_published)
    rules = replace(Rules(), dealer_hits_soft_17=False)
    automaton = build(Variant(**asdict(rules)), play_as_published)
    by_engine = [play(shoe) for shoe in shoes]
    by_kernel = agreement.play_orders(automaton, [list(shoe)[:24] for shoe in shoes])
    differing = sum(one != other for one, other in zip(by_engine, by_kernel, strict=True))
    assert 10 < differing < 200


def test_h10_a_round_of_three_hands_is_told_as_it_was_played() -> None:
    automaton = build(Variant(**asdict(Rules())), play_as_published)
    order = parse_cards("8S TD 8H 9C 8D AS 9S TC 3S KD")
    (played,) = agreement.play_orders(automaton, [order])
    moves = [(Action.SPLIT, 0), (Action.SPLIT, 0), (Action.STAND, 0), (Action.STAND, 1)]
    assert played.moves[:4] == tuple(Move(*move) for move in moves)
