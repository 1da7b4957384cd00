"""What the rules promise: the return and its spread, by the exact analysis of each rule set."""

from dataclasses import dataclass

from pontoon import engine, queries


@dataclass(frozen=True, slots=True)
class Theory:
    """Of a round with best play: `edge` and `variance` are of its stake, `turnover_edge` of all
    its wagers.
    """

    edge: float
    turnover_edge: float
    variance: float


def theory_of(rules_id: str) -> Theory | None:
    """Return the figures of a rule set such as `house/1`; None if it was not analysed."""
    try:
        figures = queries.strategy(rules_id)
    except engine.UnknownGameError:
        return None
    return Theory(figures["house_edge"], figures["element_of_risk"], figures["variance"])


def percent(part: float, whole: float = 1) -> str | None:
    """Return a part as a percentage with four decimals; None of nothing."""
    return f"{100 * part / whole:.4f}" if whole else None
