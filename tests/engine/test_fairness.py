"""What players are told about fairness: the recipe works, and nothing visible tells the cards."""

import hmac
import re
from collections.abc import Callable
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import pontoon
from pontoon.engine import (
    Card,
    Playing,
    Shoe,
    commitment,
    format_cards,
    house,
    shoe_seed,
    shuffle,
)

DOC = Path(pontoon.__file__).parent.parent / "docs" / "fairness.md"
ROUNDS = 2_000


def server_seed_of(number: int) -> bytes:
    return sha256(b"server %d" % number).digest()


@pytest.fixture(scope="module")
def recipe() -> dict[str, Any]:
    """The names that the recipe defines, run as a player would run it."""
    (code,) = re.findall(r"```python\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)
    assert "pontoon.engine" not in code
    names: dict[str, Any] = {}
    exec(compile(code, str(DOC), "exec"), names)  # noqa: S102
    return names


@pytest.mark.parametrize("client_seed", ["", "player", "ñandú ♠ 🂡"])
def test_the_recipe_of_the_documentation_gives_the_cards_of_the_engine(
    recipe: dict[str, Any], client_seed: str
) -> None:
    for number in range(200):
        seed = server_seed_of(number)
        shoe = shuffle(8, shoe_seed(seed, client_seed))
        assert recipe["commitment"](seed.hex()) == commitment(seed)
        assert recipe["cards"](seed.hex(), client_seed, 20) == format_cards(shoe).split()[:20]


def test_the_recipe_gives_the_whole_shoe_too(recipe: dict[str, Any]) -> None:
    seed = server_seed_of(0)
    for decks in (1, 8):
        shoe = shuffle(decks, shoe_seed(seed, "x"))
        assert recipe["cards"](seed.hex(), "x", len(shoe), decks) == format_cards(shoe).split()


def test_the_example_of_the_documentation_is_right(recipe: dict[str, Any]) -> None:
    text = DOC.read_text(encoding="utf-8")
    seed, promised, client_seed, cards = re.findall(
        r"^\| [a-z ]+ \| `(.*)` \|$", text, re.MULTILINE
    )
    assert recipe["commitment"](seed) == promised
    assert " ".join(recipe["cards"](seed, client_seed, 10)) == cards


# F29: what could somebody guess who sees all that a player sees?

Guess = Callable[[str, str, list[Card]], list[Card]]
"""From the commitment, the client seed and the player's own cards to the first five of the shoe."""


def first_five(shoe: Shoe) -> list[Card]:
    return list(islice(shoe, 5))


def from_commitment_as_server_seed(
    promised: str, client_seed: str, _seen: list[Card]
) -> list[Card]:
    return first_five(shuffle(8, shoe_seed(bytes.fromhex(promised), client_seed)))


def from_commitment_as_shoe_seed(promised: str, _client_seed: str, _seen: list[Card]) -> list[Card]:
    return first_five(shuffle(8, bytes.fromhex(promised)))


def from_client_seed(_promised: str, client_seed: str, _seen: list[Card]) -> list[Card]:
    return first_five(shuffle(8, shoe_seed(sha256(client_seed.encode()).digest(), client_seed)))


def from_an_empty_server_seed(_promised: str, client_seed: str, _seen: list[Card]) -> list[Card]:
    return first_five(shuffle(8, shoe_seed(bytes(32), client_seed)))


def from_both_mixed(promised: str, client_seed: str, _seen: list[Card]) -> list[Card]:
    mixed = hmac.digest(promised.encode(), client_seed.encode(), "sha256")
    return first_five(shuffle(8, mixed))


def from_the_cards_seen(_promised: str, _client_seed: str, seen: list[Card]) -> list[Card]:
    return first_five(shuffle(8, sha256(format_cards(seen).encode()).digest()))


def the_same_again(_promised: str, _client_seed: str, seen: list[Card]) -> list[Card]:
    return [seen[0]] * 5


GUESSES = [
    from_commitment_as_server_seed,
    from_commitment_as_shoe_seed,
    from_client_seed,
    from_an_empty_server_seed,
    from_both_mixed,
    from_the_cards_seen,
    the_same_again,
]


def hits(guess: Guess, *, server_seed: Callable[[int], bytes] = server_seed_of) -> int:
    """How often a guess finds the dealer's first card or the next card of the shoe."""
    count = 0
    for number in range(ROUNDS):
        seed, client_seed = server_seed(number), f"player {number}"
        shoe = shuffle(8, shoe_seed(seed, client_seed))
        first, hidden, second, _, upcoming = first_five(shoe)
        guessed = guess(commitment(seed), client_seed, [first, second])
        count += (guessed[1] == hidden) + (guessed[4] == upcoming)
    return count


@pytest.mark.parametrize("guess", GUESSES)
def test_F29_GAM_05_nothing_visible_tells_a_hidden_card(guess: Guess) -> None:
    chance = 1 / 52
    expected = 2 * ROUNDS * chance
    spread = (expected * (1 - chance)) ** 0.5
    assert abs(hits(guess) - expected) < 4 * spread


def test_F29_the_same_guess_finds_every_card_where_the_house_is_careless() -> None:
    """A house whose server seed follows from what is public would be caught by this test."""

    def careless(number: int) -> bytes:
        return sha256(f"player {number}".encode()).digest()

    assert hits(from_client_seed, server_seed=careless) == 2 * ROUNDS


def test_GAM_05_two_players_who_see_the_same_see_the_same_of_an_open_round() -> None:
    """Of rounds alike in what is face up, the views are equal, though the shoes are not."""
    by_cards: dict[tuple[str, ...], set[Any]] = {}
    for number in range(ROUNDS):
        shoe = shuffle(8, shoe_seed(server_seed_of(number), ""))
        round_ = house.deal(house.RULES["house/1"], shoe, 10)
        if isinstance(round_, Playing):
            seen = house.view(round_)
            by_cards.setdefault(seen.hands[0].cards, set()).add(seen)
    assert len(by_cards) < ROUNDS
    assert all(len(views) == 1 for views in by_cards.values())
