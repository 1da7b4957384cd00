"""The figures of a PAR sheet as plain data; the page and the JSON file both come from it.

Amounts are in stakes, probabilities are of a round. Nothing here reads a clock or a disk.
"""

from collections.abc import Mapping
from statistics import NormalDist
from typing import Any, Final

from pontoon.analysis.parsheet.describe import describe, list_payouts
from pontoon.analysis.rules import Variant
from pontoon.analysis.strategy_tables import make_document

FORMAT: Final = "pontoon-parsheet/1"
CONFIDENCES: Final = (90, 95)
ROUNDS: Final = tuple(10**power for power in range(4, 9))
"""The numbers of rounds for which the sheet says how far the actual return may stray."""

_DECK: Final = 52


def make_sheet(
    rules_id: str,
    variant: Variant,
    software: Mapping[str, str],
    date: str,
    simulation: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Analyse a rule set, some seconds, and return its sheet.

    `software` names what made it; `simulation` is what was played beside it, if anything was.
    """
    exact = make_document(rules_id, variant, "composition")
    return {
        "format": FORMAT,
        "identification": {
            "game": "Pontoon, one player against the house",
            **_take(exact, "rules", "changed", "sha256"),
            "date": date,
            **software,
        },
        "numbers": exact["numbers"],
        "state": _describe_state(variant),
        "description": [{"rule": rule, "text": text} for rule, text in describe(variant)],
        "payouts": list_payouts(variant),
        "return": _find_return(exact, variant),
        "volatility": _find_volatility(exact),
        "rates": {
            "hit_frequency": exact["win_rate"],
            **_take(exact, "even_rate", "loss_rate", "dealer_pontoon_rate"),
        },
        "largest_win": _find_largest_win(exact),
        "results": [
            {"net": float(net), "probability": chance} for net, chance in exact["results"].items()
        ],
        "results_method": exact["split_method"],
        "strategy": _take(exact, "pairs", "totals", "exceptions", "splits"),
        "simulation": simulation,
    }


def find_bands(variance: float, rounds: int) -> dict[str, float]:
    """Return by confidence how far from the theoretical return the actual one may lie.

    In percentage points, either way, for the mean of that many rounds: normal approximation.
    """
    spread = 100 * float(variance / rounds) ** 0.5
    return {str(confidence): factor_of(confidence) * spread for confidence in CONFIDENCES}


def factor_of(confidence: int) -> float:
    """Return how many standard deviations either way hold that many per cent of a normal."""
    return NormalDist().inv_cdf((1 + confidence / 100) / 2)


def _take(exact: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: exact[name] for name in names}


def _describe_state(variant: Variant) -> dict[str, Any]:
    return {
        "decks": variant.decks,
        "cards": variant.decks * _DECK,
        "shuffled": "before every round",
        "kept_between_rounds": "nothing: rounds are independent, there is no jackpot and no meter",
    }


def _find_return(exact: Mapping[str, Any], variant: Variant) -> dict[str, Any]:
    """Return the theoretical return, and on which strategy it stands (RTP-02)."""
    return {
        "rtp_percent": exact["rtp_percent"],
        "house_edge_percent": 100 * exact["house_edge"],
        "rtp_per_unit_wagered_percent": 100 * (1 - exact["element_of_risk"]),
        "house_edge_per_unit_wagered_percent": 100 * exact["element_of_risk"],
        **_take(exact, "average_wager", "average_hands", "strategy", "strategy_is"),
        "basis": "exact combinatorial analysis of the shoe; no simulation goes into these figures",
        "stakes": "the same at every stake: all odds are of the wager, and "
        + ("nothing is rounded" if _is_whole(variant) else "wins are not rounded here"),
    }


def _is_whole(variant: Variant) -> bool:
    odds = variant.pontoon_odds, variant.trick_odds, variant.twenty_one_odds
    return all(one == int(one) for one in odds)


def _find_volatility(exact: Mapping[str, Any]) -> dict[str, Any]:
    variance, rtp = exact["variance"], exact["rtp_percent"]
    return {
        **_take(exact, "variance", "standard_deviation"),
        "index": {
            str(confidence): factor_of(confidence) * exact["standard_deviation"]
            for confidence in CONFIDENCES
        },
        "bands": [
            {
                "rounds": rounds,
                "half_width_percent": (bands := find_bands(variance, rounds)),
                "rtp_percent": {name: [rtp - half, rtp + half] for name, half in bands.items()},
            }
            for rounds in ROUNDS
        ],
    }


def _find_largest_win(exact: Mapping[str, Any]) -> dict[str, Any]:
    chance = exact["results"][f"{exact['largest_win']:+g}"]
    return {"stakes": exact["largest_win"], "probability": chance, "rounds_per_win": 1 / chance}
