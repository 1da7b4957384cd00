"""Shoes for a test laboratory, made by the calls that production makes, with checksums (RNG-09).

A card is one byte, 0 to 51, in the order of a deck: spades, hearts, diamonds, clubs, in each suit
ace to king. A shoe is 416 of them, in the order in which it is dealt. Beside the shoes are the
server seeds from which they come, 32 bytes each, so that each shoe can be made again.
"""

import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pontoon.engine import DECK, find_rules, shoe_seed, shuffle

Shoes: TypeAlias = NDArray[np.uint8]
"""[shoe, place]: bytes of cards."""

RULES: Final = "house/1"
CLIENT_SEED: Final = ""
PART: Final = 8192  # shoes a file, 3.4 MB
CARDS: Final = 416

_BYTE: Final = {id(card): number for number, card in enumerate(DECK)}  # a shoe deals these objects


@dataclass(frozen=True)
class Part:
    """Some shoes and the server seeds that they come from."""

    number: int
    seeds: bytes
    shoes: Shoes


def make_parts(shoe_count: int, seed: int | None) -> Iterator[Part]:
    """Shuffle so many shoes; from the system's entropy, as production does, or from a seed."""
    for number, first in enumerate(range(0, shoe_count, PART)):
        indexes = range(first, min(first + PART, shoe_count))
        seeds = [make_server_seed(seed, index) for index in indexes]
        shoes = np.frombuffer(b"".join(map(deal_all, seeds)), np.uint8).reshape(-1, CARDS)
        yield Part(number, b"".join(seeds), shoes)


def make_server_seed(seed: int | None, index: int) -> bytes:
    """Take a server seed from the system, or work out the one of this number."""
    if seed is None:
        return secrets.token_bytes(32)
    return sha256(b"laboratory %d %d" % (seed, index)).digest()


def deal_all(server_seed: bytes) -> bytes:
    """Shuffle as production does, and deal the whole shoe."""
    shoe = shuffle(find_rules(RULES).decks, shoe_seed(server_seed, CLIENT_SEED))
    return bytes(_BYTE[id(card)] for card in shoe)


class Folder:
    """A folder of parts; closing it writes what they are, and the checksum of every file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._sums: dict[str, str] = {}
        path.mkdir(parents=True, exist_ok=True)

    def add(self, part: Part) -> None:
        """Write a part."""
        self.write(f"shoes-{part.number:04}.bin", part.shoes.tobytes())
        self.write(f"seeds-{part.number:04}.bin", part.seeds)

    def write(self, name: str, content: bytes) -> None:
        """Write a file and note its checksum."""
        (self.path / name).write_bytes(content)
        self._sums[name] = sha256(content).hexdigest()

    def close(self, shoe_count: int, seed: int | None) -> None:
        """Write the manifest, and last `SHA256SUMS`, for `sha256sum -c`."""
        manifest = {
            "function": "pontoon.engine.shuffle(decks, shoe_seed(server_seed, client_seed))",
            "rules": RULES,
            "client_seed": CLIENT_SEED,
            "seed": seed,
            "shoes": shoe_count,
            "cards_per_shoe": CARDS,
            "card": "one byte, the index in `faces`",
            "faces": [str(card) for card in DECK],
        }
        self.write("manifest.json", json.dumps(manifest, indent=2).encode())
        sums = "".join(f"{digest}  {name}\n" for name, digest in sorted(self._sums.items()))
        (self.path / "SHA256SUMS").write_text(sums)
