"""What others have published of this game: a basic strategy and house edges, as data."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read_published() -> Mapping[str, Any]:
    """Return the published basic strategy of eight decks, and published edges of relatives."""
    stored = files("pontoon.analysis") / "data" / "published.json"
    document: Mapping[str, Any] = json.loads(stored.read_text(encoding="utf-8"))
    return document


def published_cells() -> dict[tuple[bool, int, int], str]:
    """Return the strategy's cells: soft or not, total, number of cards, and the code."""
    return {
        (soft, int(total), count): code
        for soft, part in ((False, "hard"), (True, "soft"))
        for total, codes in read_published()[part].items()
        for count, code in zip((4, 3, 2), codes, strict=True)
        if code
    }
