"""Simulation: many rounds by the kernel, and the kernel against the production engine."""

from pontoon.analysis.simulate.command import add_parser

__all__ = ["add_parser"]
