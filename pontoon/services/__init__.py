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

__all__ = [
    "Bet",
    "Identity",
    "close_abandoned",
    "close_round",
    "ensure_seed",
    "identify",
    "open_round",
    "play",
    "release_win",
    "values_in_force",
    "void_round",
]
