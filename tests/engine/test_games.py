"""What every game obeys, whatever its rules: random rounds of each game in GAMES."""

from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pontoon.engine import (
    DECK,
    GAMES,
    Action,
    Card,
    IllegalActionError,
    Option,
    Playing,
    Record,
    Round,
    Seeds,
    View,
    arrange,
    find_game,
    find_rules,
    format_record,
    make_shoe,
    parse_record,
    replay,
    shuffle,
)
from pontoon.engine.errors import UnknownGameError

RULES_IDS = [rules_id for game in GAMES.values() for rules_id in game.RULES]
STEPS_MAX = 20


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Any, Record, list[Round]]:
    """A game, the record of a round, and every state that the round went through."""
    rules_id = draw(st.sampled_from(RULES_IDS))
    game = find_game(rules_id)
    seeds = Seeds(draw(st.binary(min_size=32, max_size=32)), draw(st.text(max_size=8)))
    record = Record(rules_id, draw(st.integers(1, 10**15)), seeds)
    states = [replay(record)]
    while options := game.legal_actions(states[-1]):
        states.append(game.act(states[-1], draw(st.sampled_from(options)).action))
    actions = tuple(move.action for move in states[-1].moves)
    return game, Record(rules_id, record.wager, seeds, actions), states


@given(rounds())
def test_a_round_ends(played: tuple[Any, Record, list[Round]]) -> None:
    _, _, states = played
    assert len(states) <= STEPS_MAX
    assert all(isinstance(state, Playing) for state in states[:-1])
    assert not isinstance(states[-1], Playing)


@given(rounds())
def test_while_a_round_is_open_something_may_be_done(
    played: tuple[Any, Record, list[Round]],
) -> None:
    game, _, states = played
    assert all(game.legal_actions(state) for state in states[:-1])
    assert game.legal_actions(states[-1]) == ()


@given(rounds())
def test_what_is_offered_is_accepted_and_what_is_not_is_refused_and_changes_nothing(
    played: tuple[Any, Record, list[Round]],
) -> None:
    game, _, states = played
    for state in states:
        options = game.legal_actions(state)
        for action in Action:
            before = hash(state), repr(state)
            if action in {option.action for option in options}:
                game.act(state, action)
            else:
                with pytest.raises(IllegalActionError) as caught:
                    game.act(state, action)
                assert caught.value.options == options
            assert (hash(state), repr(state)) == before


@given(rounds())
def test_the_record_replays_to_an_equal_round(played: tuple[Any, Record, list[Round]]) -> None:
    _, record, states = played
    assert replay(record) == states[-1]
    assert replay(parse_record(format_record(record))) == states[-1]


@given(rounds())
def test_cards_on_the_table_and_cards_in_the_shoe_are_the_shoe(
    played: tuple[Any, Record, list[Round]],
) -> None:
    _, record, states = played
    full = Counter(make_shoe(find_rules(record.rules), record))
    for state in states:
        hands = [card for hand in state.hands for card in hand.cards]
        assert Counter([*hands, *state.dealer, *state.shoe]) == full


@given(rounds())
def test_wagers_only_grow_and_by_what_the_option_says(
    played: tuple[Any, Record, list[Round]],
) -> None:
    game, record, states = played
    assert game.view(states[0], 0).wagered == record.wager
    for before, after, action in zip(states[:-1], states[1:], record.actions, strict=True):
        added = game.view(after, 0).wagered - game.view(before, 0).wagered
        option = next(o for o in game.legal_actions(before) if o.action == action)
        assert option.amount_min <= added <= option.amount_max


@given(rounds())
def test_payouts_are_whole_and_say_what_the_view_shows(
    played: tuple[Any, Record, list[Round]],
) -> None:
    game, _, states = played
    payouts = game.settle(states[-1])
    seen = game.view(states[-1], 0)
    assert all(type(payout.amount) is int and payout.amount >= 0 for payout in payouts)
    assert [payout.wager for payout in payouts] == [hand.wager for hand in seen.hands]
    assert [payout.amount for payout in payouts] == [hand.payout for hand in seen.hands]
    assert [payout.outcome for payout in payouts] == [hand.outcome for hand in seen.hands]


@given(rounds())
def test_the_choice_for_an_absent_player_is_one_that_he_had(
    played: tuple[Any, Record, list[Round]],
) -> None:
    game, _, states = played
    for state in states[:-1]:
        assert Option(game.absent_action(state)) in game.legal_actions(state)


def views(game: Any, rules: Any, cards: list[Card], actions: tuple[Action, ...]) -> list[View]:
    round_ = game.deal(rules, arrange(cards), 10)
    seen = [game.view(round_, 0)]
    for action in actions:
        round_ = game.act(round_, action)
        seen.append(game.view(round_, 0))
    return seen


HOLE_CARDS = [pair for pair in permutations(DECK, 2) if {card.points for card in pair} != {1, 10}]


@given(rounds(), st.sampled_from(HOLE_CARDS))
def test_GAM_05_the_same_round_with_other_hole_cards_looks_the_same_until_its_end(
    played: tuple[Any, Record, list[Round]], hole: tuple[Card, Card]
) -> None:
    game, record, states = played
    rules = find_rules(record.rules)
    full = list(make_shoe(rules, record))
    swapped = [full[0], hole[0], full[2], hole[1], *full[4:]]
    if isinstance(states[0], Playing):
        until_the_end = record.actions[:-1]
        seen = views(game, rules, full, until_the_end)
        assert views(game, rules, swapped, until_the_end) == seen


def test_every_rule_set_belongs_to_one_game() -> None:
    assert len(set(RULES_IDS)) == len(RULES_IDS)
    assert find_game("house/1") is GAMES["house"]
    assert find_rules("house/1") == GAMES["house"].RULES["house/1"]


@pytest.mark.parametrize("name", ["", "house", "house/0", "House/1"])
def test_a_rule_set_that_was_never_published_is_unknown(name: str) -> None:
    with pytest.raises(UnknownGameError) as caught:
        replay(Record(name, 10, ()))
    assert caught.value.name == name


def test_a_shoe_of_seeds_is_shuffled_and_a_shoe_of_cards_is_as_it_is() -> None:
    rules = find_rules("house/1")
    assert make_shoe(rules, Record("house/1", 1, DECK)) == arrange(DECK)
    assert len(make_shoe(rules, Record("house/1", 1, Seeds(bytes(32), "")))) == 416
    assert make_shoe(rules, Record("house/1", 1, Seeds(bytes(32), ""))) != shuffle(8, bytes(32))
