"""Cards and their letters."""

import pytest

from pontoon.engine.cards import DECK, face_down, face_up, format_cards, parse_cards
from pontoon.engine.errors import NotationError


def test_CRD_01_a_deck_is_every_rank_in_every_suit_once() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert {str(card) for card in DECK} == {r + s for r in "A23456789TJQK" for s in "SHDC"}


def test_H2_number_cards_count_their_number_and_court_cards_ten() -> None:
    points = {card.rank: card.points for card in DECK}
    assert [points[rank] for rank in "23456789TJQK"] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_cards_are_written_and_read_back() -> None:
    assert parse_cards(format_cards(DECK)) == DECK
    assert parse_cards("  AS   TD ") == (DECK[0], DECK[35])
    assert parse_cards("") == ()


def test_a_card_that_is_read_is_the_card_of_the_deck() -> None:
    assert parse_cards("AS")[0] is DECK[0]


@pytest.mark.parametrize("text", ["??", "as", "1S", "10S", "A", "ASTD", "AX", "A\u2660"])
def test_what_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a card"):
        parse_cards(f"AS {text}")


def test_cards_lie_face_up_or_face_down() -> None:
    cards = parse_cards("AS TD")
    assert face_up(cards) == ("AS", "TD")
    assert face_down(cards) == ("??", "??")
