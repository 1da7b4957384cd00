"""The lab kit for randomness: shoes as production shuffles them, on file, and their statistics."""

from pontoon.analysis.rng.command import add_parser

__all__ = ["add_parser"]
