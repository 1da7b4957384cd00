"""Plots as inline SVG: pure functions from numbers to text, without a library."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import ceil, floor, log10
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 74, 14, 12, 46
MINUS = "\u2212"
DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the numbers of a plot come to lie on the page."""

    x_least: float
    x_most: float
    y_least: float
    y_most: float

    def x(self, value: float) -> float:
        """Place a number across."""
        share = (value - self.x_least) / (self.x_most - self.x_least)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        """Place a number upwards."""
        share = (value - self.y_least) / (self.y_most - self.y_least)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def plot_results(exact: Sequence[Point], simulated: Sequence[Point]) -> str:
    """Draw probability by net result on a logarithmic scale, and simulated shares as dots."""
    chances = [chance for _, chance in [*exact, *simulated] if chance > 0]
    least, most = min(net for net, _ in exact), max(net for net, _ in exact)
    frame = Frame(least - 0.7, most + 0.7, floor(log10(min(chances))), 0)
    ground = frame.y(frame.y_least)
    nets = sorted(net for net, _ in exact)
    half = 0.36 * min(later - net for net, later in pairwise(nets))
    bars = [
        f'<rect class="bar{" won" if net > 0 else ""}" x="{frame.x(net - half):.1f}" '
        f'y="{(top := frame.y(log10(chance))):.1f}" '
        f'width="{frame.x(2 * half) - frame.x(0):.1f}" height="{ground - top:.1f}"/>'
        for net, chance in exact
        if chance > 0
    ]
    dots = [
        f'<circle class="dot" cx="{frame.x(net):.1f}" cy="{frame.y(log10(share)):.1f}" r="3.2"/>'
        for net, share in simulated
        if share > 0
    ]
    ticks = [(net, _sign(net)) for net in range(ceil(least), floor(most) + 1)]
    axes = [
        *_draw_rows(frame, [(power, _power(power)) for power in range(int(frame.y_least), 1)]),
        *_draw_columns(frame, ticks),
        *_name_axes("net result of a round, in stakes", "probability, log scale"),
    ]
    return _wrap("Probability of each net result of a round", [*axes, *bars, *dots])


def plot_convergence(
    path: Sequence[Point], rtp: float, deviation: float, reaches: Sequence[float]
) -> str:
    """Draw the return so far by rounds within the bands in which it should lie.

    All in per cent; `deviation` is a round's, and `reaches` are how many standard errors the bands
    extend, the widest last. What lies above or below the frame is cut off.
    """
    last = path[-1][0]
    first = max(path[0][0], last / 1_000)
    height = reaches[-1] * deviation / (10 * first) ** 0.5
    frame = Frame(log10(first), log10(last), rtp - height, rtp + height)
    steps = [first * (last / first) ** (step / 80) for step in range(81)]
    bands = [
        _draw_band(frame, [(rounds, rtp, width * deviation / rounds**0.5) for rounds in steps])
        for width in reversed(reaches)
    ]
    line = _draw_line(frame, [(log10(rounds), now) for rounds, now in path if rounds >= first])
    marks = _draw_line(frame, [(frame.x_least, rtp), (frame.x_most, rtp)], "exact")
    axes = [
        *_draw_rows(frame, _find_ticks(frame.y_least, frame.y_most)),
        *_draw_columns(frame, _find_powers(frame)),
        *_name_axes("rounds, log scale", "return, % of the stake"),
    ]
    return _wrap("Return by simulated rounds", [*bands, *axes, marks, line])


def plot_volatility(bands: Sequence[tuple[str, Sequence[Point]]]) -> str:
    """Draw how far the actual return may lie from the theoretical, by rounds; both log scales."""
    points = [point for _, line in bands for point in line]
    frame = Frame(
        log10(min(x for x, _ in points)) - 0.2,
        log10(max(x for x, _ in points)) + 0.35,
        floor(log10(min(y for _, y in points))),
        ceil(log10(max(y for _, y in points))),
    )
    drawn = []
    for number, (name, line) in enumerate(bands):
        places = [(log10(x), log10(y)) for x, y in line]
        drawn.append(_draw_line(frame, places, f"line{number}"))
        drawn.extend(_label_points(frame, line, number == len(bands) - 1, name))
    rows = range(int(frame.y_least), int(frame.y_most) + 1)
    axes = [
        *_draw_rows(frame, [(power, f"±{10.0**power:g}") for power in rows]),
        *_draw_columns(frame, _find_powers(frame)),
        *_name_axes("rounds, log scale", "percentage points, log scale"),
    ]
    return _wrap("Reach of the actual return around the theoretical", [*axes, *drawn])


def _label_points(frame: Frame, line: Sequence[Point], above: bool, name: str) -> Iterable[str]:
    """Mark points with their value: on the right above the line, or on the left below it."""
    shift, anchor, drop = (7, "start", -5) if above else (-7, "end", 15)
    for x, y in line:
        across, up = frame.x(log10(x)), frame.y(log10(y))
        yield f'<circle class="dot" cx="{across:.1f}" cy="{up:.1f}" r="3.2"/>'
        label = f"{name}: ±{y:.2g}" if (x, y) == line[0] else f"±{y:.2g}"
        yield _text(across + shift, up + drop, anchor, label)


def _draw_band(frame: Frame, steps: Sequence[tuple[float, float, float]]) -> str:
    over = [(log10(x), min(middle + half, frame.y_most)) for x, middle, half in steps]
    under = [(log10(x), max(middle - half, frame.y_least)) for x, middle, half in steps]
    places = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in [*over, *reversed(under)])
    return f'<polygon class="band" points="{places}"/>'


def _draw_line(frame: Frame, points: Iterable[Point], kind: str = "line1") -> str:
    low, high = frame.y_least, frame.y_most
    places = " ".join(f"{frame.x(x):.1f},{frame.y(min(max(y, low), high)):.1f}" for x, y in points)
    return f'<polyline class="{kind}" points="{places}"/>'


def _draw_rows(frame: Frame, ticks: Iterable[tuple[float, str]]) -> Iterable[str]:
    for value, name in ticks:
        up = f"{frame.y(value):.1f}"
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up}" y2="{up}"/>'
        yield _text(LEFT - 7, frame.y(value) + 4, "end", name)


def _draw_columns(frame: Frame, ticks: Iterable[tuple[float, str]]) -> Iterable[str]:
    for value, name in ticks:
        yield _text(frame.x(value), HEIGHT - BOTTOM + 17, "middle", name)


def _name_axes(across: str, upwards: str) -> Iterable[str]:
    yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "middle", across)
    middle = (TOP + HEIGHT - BOTTOM) / 2
    yield (
        f'<text transform="translate(14 {middle:.1f}) rotate(-90)" text-anchor="middle">'
        f"{escape(upwards)}</text>"
    )


def _find_powers(frame: Frame) -> list[tuple[float, str]]:
    """Tick every power of ten across."""
    whole = range(ceil(frame.x_least - 1e-9), floor(frame.x_most + 1e-9) + 1)
    return [(power, _power(power)) for power in whole]


def _find_ticks(least: float, most: float) -> list[tuple[float, str]]:
    """Tick about five round numbers."""
    rough = (most - least) / 5
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    places = max(0, -floor(log10(step) + 1e-9))
    first, last = ceil(least / step), floor(most / step)
    return [(step * tick, f"{step * tick:.{places}f}") for tick in range(first, last + 1)]


def _sign(net: int) -> str:
    return f"{net:+d}".replace("-", MINUS) if net else "0"


def _power(power: int) -> str:
    if power == 0:
        return "1"
    return ("10⁻" if power < 0 else "10") + "".join(DIGITS[int(digit)] for digit in str(abs(power)))


def _text(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _wrap(title: str, drawn: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>\n" + "\n".join(drawn) + "\n</svg>"
    )
