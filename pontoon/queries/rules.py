"""The rules as people read them: the rulebook's clauses, and a rule set's numbers."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from pontoon import engine
from pontoon.analysis.strategy import read_strategy

LANGUAGES = ("en", "es", "pt", "sv")
GAMES = tuple(engine.GAMES)

RULEBOOK = Path(__file__).resolve().parent.parent / "rulebook"

_CLAUSE = re.compile(r"^- \*\*(?P<number>H\d+)\*\* (?P<text>.+?)(?=^- |^#|\Z)", re.S | re.M)


def rules(rules_id: str, language: str) -> dict[str, Any]:
    """Return a rule set for people: numbered clauses in a language, payouts, and its numbers.

    A language that the rulebook does not speak is answered in English. Errors: UnknownGameError.
    """
    published = engine.find_rules(rules_id)
    numbers = asdict(published)
    text = _rulebook(rules_id.partition("/")[0], language)
    return {
        "rules": rules_id,
        "language": language if language in LANGUAGES else "en",
        "clauses": [
            {"number": clause["number"], "text": " ".join(clause["text"].split())}
            for clause in _CLAUSE.finditer(text)
        ],
        "text": text,
        "payouts": {
            "pontoon": f"{published.pontoon_odds} to 1",
            "five_card_trick": f"{published.trick_odds} to 1",
            "other": "1 to 1",
        },
        "numbers": numbers,
        "rtp": _rtp(rules_id),
        "sha256": read_strategy(rules_id)["sha256"],
    }


def strategy(rules_id: str) -> Mapping[str, Any]:
    """Return the best strategy of a rule set, and its figures. Errors: UnknownGameError."""
    return read_strategy(rules_id)


def _rtp(rules_id: str) -> dict[str, str]:
    """Return the theoretical return, and on what it is based (RTP-02)."""
    exact = read_strategy(rules_id)
    return {
        "percent": f"{exact['rtp_percent']:.2f}",
        "basis": f"exact analysis, of the first stake of a round, with {exact['strategy_is']}",
    }


@cache
def _rulebook(game: str, language: str) -> str:
    spoken = RULEBOOK / f"{game}.{language if language in LANGUAGES else 'en'}.md"
    return (spoken if spoken.exists() else RULEBOOK / f"{game}.en.md").read_text()
