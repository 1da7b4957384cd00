"""The shoe: its seeds, its order, and the statistics of what comes out of it."""

import copy
import hmac
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cmp_to_key
from hashlib import sha256
from itertools import count, islice, pairwise

import pytest

from pontoon.engine.cards import DECK, parse_cards
from pontoon.engine.errors import ShoeExhaustedError
from pontoon.engine.shoe import (
    DECKS_MAX,
    Shoe,
    _below,
    _shuffled_cards,
    arrange,
    commitment,
    shoe_seed,
    shuffle,
)

FACES = [str(card) for card in DECK]
SEED = bytes(range(32))


def pickled(shoe: Shoe) -> Shoe:
    return pickle.loads(pickle.dumps(shoe))  # type: ignore[no-any-return]  # noqa: S301


def seed_of(number: int) -> bytes:
    return sha256(b"test %d" % number).digest()


# Known answers, worked out here a second time and in another way.


def word_stream(seed: bytes) -> Iterator[int]:
    for block in count():
        digits = sha256(seed + bytes.fromhex(f"{block:016x}")).hexdigest()
        yield from (int(digits[start : start + 4], 16) for start in range(0, 64, 4))


def shuffled_plainly(decks: int, seed: bytes) -> list[str]:
    cards, words = FACES * decks, word_stream(seed)
    for here in range(len(cards)):
        left = len(cards) - here
        low_bits = len(f"{left - 1:b}") if left > 1 else 0
        offset = next(low for word in words if (low := word & (2**low_bits - 1)) < left)
        cards[here], cards[here + offset] = cards[here + offset], cards[here]
    return cards


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
@pytest.mark.parametrize("number", range(5))
def test_the_order_is_the_one_that_the_recipe_gives(decks: int, number: int) -> None:
    seed = seed_of(number)
    assert [str(card) for card in shuffle(decks, seed)] == shuffled_plainly(decks, seed)
    assert [str(card) for card in _shuffled_cards(decks, seed)] == shuffled_plainly(decks, seed)


def test_the_commitment_is_the_sha_256_of_the_server_seed() -> None:
    assert commitment(SEED) == sha256(SEED).hexdigest()
    assert commitment(bytes(32)) == (
        "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    )


@pytest.mark.parametrize("client_seed", ["", "player", "ñandú ♠", "line\nline", "x" * 1000])
def test_the_shoe_seed_is_an_hmac_of_both_seeds(client_seed: str) -> None:
    message = b"pontoon/shoe/1\n" + client_seed.encode("utf-8")
    assert shoe_seed(SEED, client_seed) == hmac.new(SEED, message, "sha256").digest()


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_server_seed_of_another_length_is_a_mistake(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(bytes(length))
    with pytest.raises(ValueError, match="32 bytes"):
        shoe_seed(bytes(length), "")


@pytest.mark.parametrize("decks", [-1, 0, DECKS_MAX + 1])
def test_a_shoe_has_decks_and_no_more_than_a_word_can_number(decks: int) -> None:
    with pytest.raises(ValueError, match="decks"):
        shuffle(decks, SEED)


# A shoe is a value.


def test_CRD_01_drawing_gives_a_new_shoe_and_leaves_the_old_one_as_it_was() -> None:
    full = shuffle(8, SEED)
    card, rest = full.draw()
    assert (len(full), full.drawn, len(rest), rest.drawn) == (416, 0, 415, 1)
    assert [card, *rest] == list(full)
    assert full.draw() == (card, rest)


@pytest.mark.parametrize("shoe", [arrange(parse_cards("AS TD")), shuffle(1, SEED)])
def test_an_empty_shoe_gives_no_card(shoe: Shoe) -> None:
    size = len(shoe)
    for _ in range(size):
        _, shoe = shoe.draw()
    assert len(shoe) == 0
    with pytest.raises(ShoeExhaustedError) as caught:
        shoe.draw()
    assert caught.value.size == size


def test_shoes_of_one_origin_are_equal_and_others_are_not() -> None:
    one, same = shuffle(8, SEED), shuffle(8, SEED)
    one.draw()
    assert one == same
    assert hash(one) == hash(same)
    assert len({one, same, one.draw()[1], shuffle(8, seed_of(0)), shuffle(7, SEED)}) == 4
    assert arrange(DECK) == arrange(list(DECK))
    assert arrange(DECK) != arrange(DECK[1:])


@pytest.mark.parametrize("shoe", [arrange(DECK), shuffle(8, SEED)])
@pytest.mark.parametrize("remake", [copy.copy, copy.deepcopy, pickled])
def test_a_copy_goes_on_like_the_original(shoe: Shoe, remake: Callable[[Shoe], Shoe]) -> None:
    _, shoe = shoe.draw()
    again = remake(shoe)
    assert again == shoe
    assert list(again) == list(shoe)


@pytest.mark.parametrize("shoe", [arrange(parse_cards("AS TD")), shuffle(8, b"secret")])
def test_GAM_05_neither_cards_nor_seed_show_in_a_repr(shoe: Shoe) -> None:
    shoe.draw()
    assert repr(shoe) == str(shoe) == f"{shoe:}" == "Shoe(drawn=0)"
    assert "secret" not in repr(shoe._order)
    assert "rank" not in repr(shoe._order)


# What comes out, exactly.


@pytest.mark.parametrize("limit", [1, 2, 3, 52, 255, 256, 257, 397, 415, 416, 65520])
def test_RNG_04_every_number_is_reached_by_as_many_words_as_every_other(limit: int) -> None:
    mask = (1 << (limit - 1).bit_length()) - 1
    accepted = (word for word in range(1 << 16) if word & mask < limit)
    reached = Counter(_below(limit, iter([word])) for word in accepted)
    assert sorted(reached) == list(range(limit))
    assert set(reached.values()) == {(1 << 16) // (mask + 1)}


def test_RNG_04_a_word_that_falls_outside_is_thrown_away() -> None:
    words = iter([511, 416, 0b1010_0000_0000_0011, 7])
    assert _below(416, words) == 3
    assert next(words) == 7


@pytest.mark.parametrize("number", range(20))
def test_CRD_03_H1_a_shoe_is_eight_decks_with_eight_of_each_card(number: int) -> None:
    cards = list(shuffle(8, seed_of(number)))
    assert len(cards) == 416
    assert set(Counter(cards).values()) == {8}


# What comes out, statistically. The seeds are fixed, so nothing here fails by chance.


def deviation(counts: Iterable[int], *, dof: int) -> float:
    """How many standard deviations a chi-square of equal cells is off (Wilson and Hilferty)."""
    cells = list(counts)
    expected = sum(cells) / len(cells)
    chi_square = sum((cell - expected) ** 2 for cell in cells) / expected
    spread = 2 / (9 * dof)
    return float(((chi_square / dof) ** (1 / 3) - (1 - spread)) / spread**0.5)


def deviation_by_position(orders: Iterable[list[str]], places: int) -> float:
    """Position × card: every card must be as frequent in every place."""
    cells = {(place, face): 0 for place in range(places) for face in FACES}
    for order in orders:
        for place, face in enumerate(order[:places]):
            cells[place, face] += 1
    return deviation(cells.values(), dof=places * 51)


def deviation_of_neighbours(orders: Iterable[list[str]]) -> float:
    """Serial test: every card must follow every other as often."""
    pairs = Counter(pair for order in orders for pair in pairwise(order))
    cells = [pairs[one, two] for one in FACES for two in FACES if one != two]
    return deviation(cells, dof=len(cells) - 1)


def honest(decks: int, number: int, places: int) -> list[str]:
    return [str(card) for card in islice(shuffle(decks, seed_of(number)), places)]


def swapped_with_any(number: int) -> list[str]:
    cards, words = FACES.copy(), word_stream(seed_of(number))
    for here in range(52):
        there = next(word & 63 for word in words if word & 63 < 52)
        cards[here], cards[there] = cards[there], cards[here]
    return cards


def sorted_by_coin(number: int) -> list[str]:
    words = word_stream(seed_of(number))
    return sorted(FACES, key=cmp_to_key(lambda *_: (next(words) & 2) - 1))


def taken_by_remainder(number: int) -> list[str]:
    cards, words = FACES.copy(), word_stream(seed_of(number))
    return [cards.pop((next(words) & 255) % len(cards)) for _ in range(52)]


def unriffled_once(number: int) -> list[str]:
    words = word_stream(seed_of(number))
    from_left = [next(words) & 1 for _ in FACES]
    return [face for face, left in zip(FACES, from_left, strict=True) if left] + [
        face for face, left in zip(FACES, from_left, strict=True) if not left
    ]


BIASED = [swapped_with_any, sorted_by_coin, taken_by_remainder, unriffled_once]


def test_F27_CRD_03_every_card_is_as_likely_in_every_place_of_one_deck() -> None:
    assert abs(deviation_by_position((honest(1, n, 52) for n in range(6_000)), 52)) < 3


@pytest.mark.parametrize("shuffled", BIASED)
def test_F27_a_biased_shuffle_fails_the_same_check(shuffled: Callable[[int], list[str]]) -> None:
    assert deviation_by_position((shuffled(n) for n in range(6_000)), 52) > 6


def test_F27_CRD_03_every_card_is_as_likely_in_the_places_that_a_round_may_use() -> None:
    assert abs(deviation_by_position((honest(8, n, 20) for n in range(15_000)), 20)) < 3


def test_CRD_03_every_card_is_as_likely_to_be_the_first() -> None:
    assert abs(deviation_by_position((honest(8, n, 1) for n in range(30_000)), 1)) < 3


def test_RNG_05_no_card_draws_another_after_it() -> None:
    assert abs(deviation_of_neighbours(honest(1, n, 52) for n in range(2_000))) < 3
    assert deviation_of_neighbours(unriffled_once(n) for n in range(2_000)) > 10


def test_RNG_05_as_many_draws_complete_a_deck_as_chance_says() -> None:
    """Coupon collector: first cards of many shoes, until each of 52 faces was seen."""
    faces = (honest(8, number, 1)[0] for number in count())
    lengths = []
    for _ in range(200):
        missing = set(FACES)
        drawn = 0
        while missing:
            missing.discard(next(faces))
            drawn += 1
        lengths.append(drawn)
    mean = 52 * sum(1 / k for k in range(1, 53))
    spread = (sum(52 * (52 - k) / k**2 for k in range(1, 53)) / 200) ** 0.5
    assert abs(sum(lengths) / 200 - mean) < 3 * spread


def test_RNG_02_two_seeds_never_give_one_order() -> None:
    tops = {tuple(honest(8, number, 20)) for number in range(5_000)}
    assert len(tops) == 5_000
