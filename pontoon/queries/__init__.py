"""Reading the table: where a player stands, a round as he may see it, and what does not hold."""

from pontoon.queries.advice import advice
from pontoon.queries.faults import faults_of, round_faults
from pontoon.queries.place import (
    Place,
    RoundFacts,
    as_row,
    facts_of,
    read_place,
    require_round,
)
from pontoon.queries.replay import moves_made, record_of, told_record, view_of
from pontoon.queries.rounds import (
    CLOSING,
    abandoned,
    count_rounds,
    history,
    next_commitment,
    read_facts,
    round_of,
)
from pontoon.queries.rules import GAMES, LANGUAGES, rules, strategy
from pontoon.queries.shown import (
    current_round,
    me,
    options,
    proof_of,
    show,
    show_at,
    show_told,
)

__all__ = [
    "CLOSING",
    "GAMES",
    "LANGUAGES",
    "Place",
    "RoundFacts",
    "abandoned",
    "advice",
    "as_row",
    "count_rounds",
    "current_round",
    "facts_of",
    "faults_of",
    "history",
    "me",
    "moves_made",
    "next_commitment",
    "options",
    "proof_of",
    "read_facts",
    "read_place",
    "record_of",
    "require_round",
    "round_faults",
    "round_of",
    "rules",
    "show",
    "show_at",
    "show_told",
    "strategy",
    "told_record",
    "view_of",
]
