"""A report's chart: bars by day, as numbers that a template draws as SVG."""

from typing import NamedTuple

from pontoon.reports.tables import Report

WIDTH, HEIGHT = 720, 160
BAR_WIDTH_MAX = 48

CHARTED = {
    "ggr": "ggr_minor",
    "game_performance": "wagered_minor",
    "liability": "liability_minor",
}


class Bar(NamedTuple):
    """A bar, in the units of the drawing, and what it stands for."""

    x: float
    y: float
    width: float
    height: float
    day: str
    minor: int


class Chart(NamedTuple):
    """The bars of one currency over a line of zero."""

    title: str
    currency: str
    zero_y: float
    bars: list[Bar]


def charts_of(report: Report) -> list[Chart]:
    """Return one chart for each currency, of the days that the report shows; none for a list."""
    column = CHARTED.get(report.name)
    if column is None:
        return []
    days: dict[str, dict[str, int]] = {}
    for row in report.tables[0].rows:
        if row["period"][:1].isdigit():
            of_currency = days.setdefault(row["currency"], {})
            of_currency[row["period"]] = of_currency.get(row["period"], 0) + row[column]
    label = next(one.label for one in report.tables[0].columns if one.name == column)
    return [_draw(label, currency, by_day) for currency, by_day in sorted(days.items())]


def _draw(label: str, currency: str, by_day: dict[str, int]) -> Chart:
    top, bottom = max(0, *by_day.values()), min(0, *by_day.values())
    scale = HEIGHT / ((top - bottom) or 1)
    step = WIDTH / len(by_day)
    width = min(step * 0.8, BAR_WIDTH_MAX)
    bars = [
        Bar(
            x=round(place * step + (step - width) / 2, 2),
            y=round((top - max(minor, 0)) * scale, 2),
            width=round(width, 2),
            height=round(abs(minor) * scale, 2),
            day=day,
            minor=minor,
        )
        for place, (day, minor) in enumerate(sorted(by_day.items()))
    ]
    return Chart(f"{label}, {currency}", currency, round(top * scale, 2), bars)
