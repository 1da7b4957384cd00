"""Every fault, put into the engine, breaks a golden round or a refusal; most move the return."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import log
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from pontoon.analysis.mutation import FAULTS, Fault, count_rounds, find_return, read_returns
from pontoon.analysis.rules import find_variant
from pontoon.analysis.strategy import advise, read_strategy
from pontoon.engine import (
    Action,
    IllegalActionError,
    Kind,
    Outcome,
    Over,
    Payout,
    Playing,
    PontoonError,
    Rules,
    Shoe,
    arrange,
    format_end,
    house,
    make_shoe,
    parse_cards,
    parse_golden,
    replay,
    shuffle,
)
from pontoon.engine.errors import ActionNotNowError, SplitLimitError, SplitNotEqualError
from pontoon.engine.house import Hand, Value
from pontoon.engine.notation import Record, Seeds
from tests.analysis.every_order import Counts, erratic, play_rounds, results_of

ROUNDS = Path(__file__).parents[1] / "engine" / "rounds"
GOLDEN = {path.stem: parse_golden(path.read_text()) for path in sorted(ROUNDS.glob("*.round"))}

REFUSALS = {
    "H7 stand on fourteen": ("TS 9D 4H TC", "", "stand"),
    "H9 a second double": ("5S 9D 3H TC 4S", "double", "double"),
    "H10 queen and king": ("QS 9D KH TC", "", "split"),
    "H10 a fourth hand": ("8S TD 8H 7C 8D 8C 8S 3H", "split split", "split"),
}
"""Rounds, and the action that must be refused at their end."""

SEEDS = Seeds(bytes(32), "")

Patch = Callable[[pytest.MonkeyPatch], None]


def rules(**changes: Any) -> Patch:
    """Put other numbers into house/1."""
    changed = MappingProxyType({"house/1": replace(Rules(), **changes)})
    return lambda patch: patch.setattr(house, "RULES", changed)


def function(name: str, fault: Callable[..., Any]) -> Patch:
    """Put a faulty function into the engine; its first argument is the right one."""
    right = getattr(house, name)
    return lambda patch: patch.setattr(
        house, name, lambda *given, **named: fault(right, *given, **named)
    )


def step(fault: Callable[..., Any]) -> Patch:
    """Put a faulty double into the engine."""
    return lambda patch: patch.setitem(house._STEPS, Action.DOUBLE, fault)  # type: ignore[index]


def deal_without_a_look(_right: Any, rules: Rules, shoe: Shoe, wager: int) -> house.Round:
    cards = []
    for _ in range(4):
        card, shoe = shoe.draw()
        cards.append(card)
    hand = house._make_hand(rules, (cards[0], cards[2]), stake=wager)
    return house._finish(Playing(rules, shoe, (cards[1], cards[3]), (hand,)))


def judge_pontoons_as_ties(right: Any, rules: Rules, hand: Value, dealer: Value) -> Outcome:
    both = hand.kind is dealer.kind is Kind.PONTOON
    return Outcome.TIED if both else right(rules, hand, dealer)


def leave_pontoons_open(right: Any, *given: Any, **named: Any) -> Hand:
    hand: Hand = right(*given, **named)
    return replace(hand, is_complete=hand.is_complete and hand.value.kind is not Kind.PONTOON)


def make_no_pontoon_of_a_split(
    right: Any, *given: Any, from_split: bool = False, **more: Any
) -> Hand:
    hand: Hand = right(*given, from_split=from_split, **more)
    if not from_split or hand.value.kind is not Kind.PONTOON:
        return hand
    return replace(hand, value=Value(Kind.POINTS, 21, True, 21), is_complete=False)


def double_without_a_card(_rules: Rules, hand: Hand, shoe: Shoe) -> Any:
    return (replace(hand, wager=hand.wager + hand.stake),), shoe


def double_and_stand(rules: Rules, hand: Hand, shoe: Shoe) -> Any:
    (drawn,), shoe = house._double(rules, hand, shoe)
    return (replace(drawn, is_complete=True),), shoe


def refuse_no_second_double(_right: Any, rules: Rules, hand: Hand) -> Any:
    return ActionNotNowError if len(hand.cards) > rules.double_cards_max else None


def split_any_tens(_right: Any, rules: Rules, hand: Hand, hand_count: int) -> Any:
    if len(hand.cards) != 2:
        return ActionNotNowError
    if hand.cards[0].points != hand.cards[1].points:
        return SplitNotEqualError
    return SplitLimitError if hand_count >= rules.hands_max else None


def stand_on_16(right: Any, rules: Rules, value: Value) -> bool:
    return value.total != 16 and bool(right(rules, value))


def hit_17(right: Any, rules: Rules, value: Value) -> bool:
    return (value.kind is Kind.POINTS and value.total == 17) or bool(right(rules, value))


def pay_any_21_double(right: Any, rules: Rules, hand: Hand, dealer: Value) -> Payout:
    payout: Payout = right(rules, hand, dealer)
    is_21 = hand.value.kind is Kind.POINTS and hand.value.total == 21
    return replace(payout, amount=3 * hand.wager) if is_21 and payout.amount else payout


def pay_the_stake_alone(right: Any, rules: Rules, hand: Hand, dealer: Value) -> Payout:
    payout: Payout = right(rules, hand, dealer)
    return replace(payout, amount=payout.amount - max(payout.win, 0) * hand.is_doubled // 2)


INJECTIONS: dict[str, Patch] = {
    "six_decks": rules(decks=6),
    "no_look": function("deal", deal_without_a_look),
    "pontoons_tie": function("_judge", judge_pontoons_as_ties),
    "six_card_trick": rules(trick_cards=6),
    "open_pontoon": function("_make_hand", leave_pontoons_open),
    "stand_on_12": rules(stand_points_min=12),
    "stand_on_17": rules(stand_points_min=17),
    "double_no_card": step(double_without_a_card),
    "double_stands": step(double_and_stand),
    "double_two_cards": rules(double_cards_max=2),
    "double_three_cards": rules(double_cards_max=3),
    "double_twice": function("_find_double_refusal", refuse_no_second_double),
    "two_hands": rules(hands_max=2),
    "four_hands": rules(hands_max=4),
    "split_aces_stop": rules(split_aces_play_on=False),
    "split_tens": function("_find_split_refusal", split_any_tens),
    "split_21": function("_make_hand", make_no_pontoon_of_a_split),
    "soft_17": rules(dealer_hits_soft_17=False),
    "stand_on_16": function("_dealer_draws", stand_on_16),
    "hit_17": function("_dealer_draws", hit_17),
    "needless_draw": function("_is_contested", lambda _right, _hands: True),
    "no_dealer_trick": rules(dealer_trick=False),
    "ties": rules(dealer_wins_ties=False),
    "pontoon_3_to_2": rules(pontoon_odds=1.5),
    "pontoon_even": rules(pontoon_odds=1),
    "trick_even": rules(trick_odds=1),
    "twenty_one": function("_pay", pay_any_21_double),
    "double_win": function("_pay", pay_the_stake_alone),
}
"""How each fault gets into the engine."""


CAUGHT_BY = {
    "six_decks": "H1 the shoe has 416 cards",
    "no_look": "h04_nobody_acts_against_a_pontoon",
    "pontoons_tie": "h04_the_dealer_shows_a_pontoon_at_once",
    "six_card_trick": "h15_a_trick_pays_2_to_1",
    "open_pontoon": "h15_a_pontoon_pays_2_to_1",
    "stand_on_12": "H7 stand on fourteen",
    "stand_on_17": "h07_stand_on_fifteen",
    "double_no_card": "h09_a_double_draws_a_card_and_the_hand_goes_on",
    "double_stands": "h09_a_double_draws_a_card_and_the_hand_goes_on",
    "double_two_cards": "h09_double_on_four_cards",
    "double_three_cards": "h09_double_on_four_cards",
    "double_twice": "H9 a second double",
    "two_hands": "h10_split_to_three_hands",
    "four_hands": "H10 a fourth hand",
    "split_aces_stop": "h10_split_aces_play_on",
    "split_tens": "H10 queen and king",
    "split_21": "h11_a_pontoon_after_a_split",
    "soft_17": "h12_the_dealer_draws_on_soft_17",
    "stand_on_16": "h07_stand_on_fifteen",
    "hit_17": "h12_the_dealer_stands_on_hard_17",
    "needless_draw": "h12_the_dealer_draws_none_against_a_pontoon",
    "no_dealer_trick": "h13_the_dealers_trick_beats_twenty_one",
    "ties": "h14_the_dealer_wins_equal_points",
    "pontoon_3_to_2": "h15_a_pontoon_pays_2_to_1",
    "pontoon_even": "h15_a_pontoon_pays_2_to_1",
    "trick_even": "h15_a_trick_pays_2_to_1",
    "twenty_one": "h05_twenty_one_in_three_cards_is_points",
    "double_win": "h09_double_on_four_cards",
}
"""A golden round or a refusal that catches each fault; there may be more."""


EXACT = [fault for fault in FAULTS if fault.changes and fault.name != "six_decks"]
"""Faults that a small shoe shows as well."""

SIXES: Counts = {"A": 3, "6": 5, "T": 9}
FIVES: Counts = {"A": 2, "5": 5, "T": 9}
SHOW_IN_FIVES = {"double_three_cards", "twenty_one"}


def caught() -> Iterator[str]:
    """Name the golden rounds that come out wrong, and the refusals that are missing."""
    yield from (name for name in GOLDEN if not comes_out(name))
    yield from (name for name in REFUSALS if not refuses(*REFUSALS[name]))
    if len(make_shoe(house.RULES["house/1"], Record("house/1", 1, SEEDS))) != 416:
        yield "H1 the shoe has 416 cards"


def comes_out(name: str) -> bool:
    golden = GOLDEN[name]
    try:
        over = replay(golden.record)
    except PontoonError:
        return False
    if not isinstance(over, Over):
        return False
    pays = tuple(payout.amount for payout in house.settle(over))
    return (format_end(house.view(over)), pays) == (golden.end, golden.pays)


def refuses(shoe: str, actions: str, action: str) -> bool:
    round_ = house.deal(house.RULES["house/1"], arrange(parse_cards(shoe)), 10)
    try:
        for done in actions.split():
            round_ = house.act(round_, Action(done))
        house.act(round_, Action(action))
    except IllegalActionError:
        return True
    except PontoonError:
        return False
    return False


def test_the_engine_without_a_fault_is_not_caught() -> None:
    assert list(caught()) == []


def test_there_is_a_fault_for_every_rule_that_can_move_the_return() -> None:
    assert len(FAULTS) >= 20
    assert [fault.name for fault in FAULTS] == list(INJECTIONS) == list(CAUGHT_BY)
    rules = {fault.rule for fault in FAULTS}
    assert rules == {"H1", "H4", "H5", "H6", "H7", "H9", "H10", "H11", "H12", "H13", "H14", "H15"}


@pytest.mark.parametrize("name", INJECTIONS)
def test_a_fault_in_the_engine_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    INJECTIONS[name](monkeypatch)
    assert CAUGHT_BY[name] in set(caught())


@pytest.mark.parametrize("name", ["no_look", "double_stands", "split_21", "double_win"])
def test_the_returns_of_a_fault_are_those_on_record(name: str) -> None:
    (fault,) = (fault for fault in FAULTS if fault.name == name)
    (stored,) = (line for line in read_returns() if line.name == name)
    found = find_return(fault)
    assert (found.rule, found.what) == (stored.rule, stored.what)
    assert found.unchanged_percent == pytest.approx(stored.unchanged_percent, abs=1e-9)
    assert found.best_percent == pytest.approx(stored.best_percent, abs=1e-9)
    assert found.rounds == pytest.approx(stored.rounds, rel=1e-6)


def test_every_fault_is_on_record() -> None:
    assert [line.name for line in read_returns()] == [fault.name for fault in FAULTS]
    for line, fault in zip(read_returns(), FAULTS, strict=True):
        assert (line.best_percent is None) == (not fault.is_reckoned)
        assert line.best_percent is None or line.best_percent >= line.unchanged_percent - 1e-9
        assert (line.rounds is None) == (not fault.changes or fault.name in UNSEEN)


UNSEEN = {"open_pontoon", "stand_on_12"}
"""Faults of which the best strategy of house/1 never makes use."""


@pytest.mark.parametrize("fault", EXACT, ids=lambda fault: f"{fault.rule} {fault.name}")
def test_the_faulty_engine_pays_what_the_analysis_of_the_fault_says(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = FIVES if fault.name in SHOW_IN_FIVES else SIXES
    right, _ = play_rounds(find_variant("house/1"), counts, erratic)
    play, strategy = play_rounds(find_variant("house/1", fault.changes), counts, erratic)
    assert play.win != pytest.approx(right.win, abs=1e-6)
    INJECTIONS[fault.name](monkeypatch)
    results = results_of(house.RULES["house/1"], counts, strategy)
    assert sum(results.values()) == pytest.approx(1, abs=1e-12)
    mean = sum(result * chance for result, chance in results.items())
    assert play.win == pytest.approx(mean, abs=1e-12)


def test_a_larger_difference_is_found_sooner() -> None:
    assert count_rounds(0.1, 2.0) == 1802
    assert count_rounds(0.01, 2.0) == 180_129
    assert count_rounds(0, 2.0) is None


def test_a_sequential_test_finds_that_ties_push(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wald's test, over rounds of the faulty engine that the stored strategy plays."""
    rules(dealer_wins_ties=False)(monkeypatch)
    variance = read_strategy("house/1")["variance"]
    right = -read_strategy("house/1")["house_edge"]
    (fault,) = (line for line in read_returns() if line.name == "ties")
    wrong = fault.unchanged_percent / 100 - 1
    evidence, count = 0.0, 0
    while abs(evidence) < log(99):
        result = play_best(count)
        evidence += (wrong - right) / variance * (result - (wrong + right) / 2)
        count += 1
    assert evidence > 0
    assert fault.rounds
    assert count < 5 * fault.rounds


def play_best(number: int) -> int:
    """Play one round by advice; returns its result in stakes."""
    seed = number.to_bytes(32, "big")
    round_ = house.deal(house.RULES["house/1"], shuffle(8, seed), 1)
    while isinstance(round_, Playing):
        round_ = house.act(round_, advise(house.view(round_)))
    return sum(payout.win for payout in house.settle(round_))


def test_the_document_has_the_returns_on_record() -> None:
    text = (Path(__file__).parents[2] / "docs" / "mathematics.md").read_text(encoding="utf-8")
    for line in read_returns():
        rounds = "never" if line.rounds is None else f"{line.rounds:,}"
        best = "not known" if line.best_percent is None else f"{line.best_percent:.3f}"
        returns = f"{line.unchanged_percent:.3f} | {best} | {rounds}"
        caught_by = CAUGHT_BY[line.name]
        assert f"| {line.rule} | {line.what} | {returns} | `{caught_by}` |" in text
