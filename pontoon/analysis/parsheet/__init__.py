"""The PAR sheet of a rule set: one document for a laboratory, its data as JSON, and a signature."""

from pontoon.analysis.parsheet.command import add_parser

__all__ = ["add_parser"]
