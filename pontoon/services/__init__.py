"""The table's verbs. Each reads, plays, pays, records and commits, in this order.

Two round trips to the database: one query sees everything that decides, one call commits
everything that follows (docs/decisions/0004). If somebody was faster the act is tried again under
the wallet's lock. A refusal raises before anything is written.
"""

from pontoon.services.abandoned import close_abandoned, close_round
from pontoon.services.deal import Bet, open_round
from pontoon.services.holding import let_go
from pontoon.services.house import void_round
from pontoon.services.identity import Identity, identify, values_in_force
from pontoon.services.malfunctions import (
    approve_void,
    clear_malfunction,
    flag_malfunction,
    recount,
    refuse_void,
)
from pontoon.services.notices import read_notice
from pontoon.services.play import play
from pontoon.services.seeds import ensure_seed
from pontoon.services.suspensions import lift, suspend
from pontoon.services.voiding import count_malfunction, count_malfunctions, void_malfunctions
from pontoon.services.watching import watch_ledger, watch_log, watch_rounds
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
    "approve_void",
    "check_win",
    "check_wins",
    "clear_malfunction",
    "close_abandoned",
    "close_round",
    "count_malfunction",
    "count_malfunctions",
    "ensure_seed",
    "escalate_wins",
    "flag_malfunction",
    "identify",
    "let_go",
    "lift",
    "open_round",
    "play",
    "read_notice",
    "recount",
    "refuse_void",
    "reject_large_win",
    "release_large_win",
    "suspend",
    "values_in_force",
    "void_malfunctions",
    "void_round",
    "watch_ledger",
    "watch_log",
    "watch_rounds",
]
