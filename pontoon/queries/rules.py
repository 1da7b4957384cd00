"""The rules as people read them: the rulebook's clauses, and a rule set's numbers."""

import hashlib
import re
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from pontoon import engine

LANGUAGES = ("en", "es", "pt", "sv")

RULEBOOK = Path(__file__).resolve().parent.parent / "rulebook"

_CLAUSE = re.compile(r"^- \*\*(?P<number>H\d+)\*\* (?P<text>.+?)(?=^- |^#|\Z)", re.S | re.M)


def rules(rules_id: str, language: str) -> dict[str, Any]:
    """Return a rule set for people: numbered clauses in a language, payouts, and its numbers.

    A language that the rulebook does not speak is answered in English. Errors: UnknownGameError.
    """
    numbers = asdict(engine.find_rules(rules_id))
    text = _rulebook(rules_id.partition("/")[0], language)
    return {
        "rules": rules_id,
        "language": language if language in LANGUAGES else "en",
        "clauses": [
            {"number": clause["number"], "text": " ".join(clause["text"].split())}
            for clause in _CLAUSE.finditer(text)
        ],
        "text": text,
        "payouts": {"pontoon": "2 to 1", "five_card_trick": "2 to 1", "other": "1 to 1"},
        "numbers": numbers,
        "rtp": {
            "percent": "99.62",
            "basis": "the published house edge, 0.38 % of the initial stake, with best play",
        },
        "sha256": hashlib.sha256(repr(sorted(numbers.items())).encode()).hexdigest(),
    }


@cache
def _rulebook(game: str, language: str) -> str:
    spoken = RULEBOOK / f"{game}.{language if language in LANGUAGES else 'en'}.md"
    return (spoken if spoken.exists() else RULEBOOK / f"{game}.en.md").read_text()
