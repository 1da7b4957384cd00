"""The table in the panel: rounds, reports, large wins, malfunctions and what stops play."""

from pontoon.admin.faults import MalfunctionAdmin, SuspensionAdmin
from pontoon.admin.reports import ReturnWatchAdmin, report
from pontoon.admin.rounds import RoundAdmin
from pontoon.admin.wins import VerificationAdmin

__all__ = [
    "MalfunctionAdmin",
    "ReturnWatchAdmin",
    "RoundAdmin",
    "SuspensionAdmin",
    "VerificationAdmin",
    "report",
]
