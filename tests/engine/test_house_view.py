"""What a round of the house game shows to its seat."""

import pytest

from pontoon.engine import (
    Action,
    Move,
    Option,
    Outcome,
    house,
)
from tests.engine.playing import over, playing


def test_the_view_tells_what_the_table_shows() -> None:
    seen = house.view(playing("8S TD 8H 7C 8D KC 3C 2H", "split split"))
    assert [hand.cards for hand in seen.hands] == [("8S", "3C"), ("8D", "2H"), ("8H", "KC")]
    assert [hand.status for hand in seen.hands] == ["playing", "waiting", "waiting"]
    assert seen.active_hand == 0
    assert seen.options == (Option(Action.HIT), Option(Action.DOUBLE, 10, 10))
    assert seen.moves == (Move(Action.SPLIT, 0), Move(Action.SPLIT, 0))
    assert (seen.wagered, seen.payout) == (30, None)


def test_the_view_of_a_finished_round_shows_everything() -> None:
    seen = house.view(over("TS AD 9H 6C 2H", "stand"))
    assert (seen.active_hand, seen.options) == (None, ())
    assert (seen.dealer.cards, seen.dealer.total, seen.dealer.soft) == (
        ("AD", "6C", "2H"),
        19,
        True,
    )
    assert (seen.hands[0].outcome, seen.hands[0].payout) == (Outcome.LOST, 0)


def test_the_only_seat_is_seat_0() -> None:
    with pytest.raises(ValueError, match="one seat"):
        house.view(playing("TS 3D 9H 5C"), seat=1)


@pytest.mark.parametrize("hole", ["2D", "9D", "TD", "AD"])
@pytest.mark.parametrize("actions", ["", "hit", "hit hit", "double hit"])
def test_GAM_05_the_view_does_not_depend_on_the_hole_cards(hole: str, actions: str) -> None:
    shown = house.view(playing(f"2S {hole} 4H 5C 3S 4D", actions))
    assert shown == house.view(playing("2S 6D 4H KC 3S 4D", actions))


def test_GAM_05_the_dealers_cards_do_not_show_in_the_repr_of_an_open_round() -> None:
    assert repr(playing("2S TD 4H 5C")) == repr(playing("2S 6D 4H KC"))
