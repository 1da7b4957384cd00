"""The dashboard's charts, as numbers that a template draws as SVG."""

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 600, 100


class Bar(NamedTuple):
    """A bar, in the units of the drawing, and what it stands for."""

    x: float
    y: float
    width: float
    height: float
    told: str


class Line(NamedTuple):
    """A line over time: its points, its zero, and its ends."""

    points: str
    zero_y: float


def bars(values: Sequence[int], told: Sequence[str]) -> list[Bar]:
    """Return a bar for each value; they stand on zero, and the highest fills the drawing."""
    top = max(1, *values)
    step = WIDTH / len(values)
    return [
        Bar(
            round(place * step + step * 0.12, 2),
            round(HEIGHT - max(0, value) * HEIGHT / top, 2),
            round(step * 0.76, 2),
            round(max(0, value) * HEIGHT / top, 2),
            words,
        )
        for place, (value, words) in enumerate(zip(values, told, strict=True))
    ]


def line(values: Sequence[int]) -> Line:
    """Return a line through the values, from the lowest or zero to the highest or zero."""
    top, bottom = max(0, *values), min(0, *values)
    scale = HEIGHT / ((top - bottom) or 1)
    step = WIDTH / max(1, len(values) - 1)
    points = " ".join(
        f"{place * step:.1f},{(top - value) * scale:.1f}" for place, value in enumerate(values)
    )
    return Line(points, round(top * scale, 2))
