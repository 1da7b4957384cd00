"""Exports of the log and of all that the rooms above add to it, signed, to be checked offline.

docs/exports.md tells the formats; `python -m audit.verify` checks one.
"""

from audit.export.asked import FORMATS, KINDS, Asked, parse_asked
from audit.export.jobs import asked_for, build, download, find, request, show

__all__ = [
    "FORMATS",
    "KINDS",
    "Asked",
    "asked_for",
    "build",
    "download",
    "find",
    "parse_asked",
    "request",
    "show",
]
