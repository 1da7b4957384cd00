"""The table's verbs. Each reads, plays, pays, records and commits, in this order.

Two round trips to the database: one query sees everything that decides, one call commits
everything that follows (docs/decisions/0004). If somebody was faster the act is tried again under
the wallet's lock. A refusal raises before anything is written.
"""

from pontoon.services.deal import Bet, open_round
from pontoon.services.house import close_abandoned, close_round, release_win, void_round
from pontoon.services.identity import Identity, identify, values_in_force
from pontoon.services.play import play
from pontoon.services.seeds import ensure_seed
from pontoon.services.wins import (
    check_win,
    check_wins,
    escalate_wins,
    reject_large_win,
    release_large_win,
)

__all__ = [
    "Bet",
    "Identity",
    "check_win",
    "check_wins",
    "close_abandoned",
    "close_round",
    "ensure_seed",
    "escalate_wins",
    "identify",
    "open_round",
    "play",
    "reject_large_win",
    "release_large_win",
    "release_win",
    "values_in_force",
    "void_round",
]
