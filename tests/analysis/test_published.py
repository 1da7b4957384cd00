"""Our figures beside those that others have published; nothing is tuned to them."""

import re
from functools import cache
from pathlib import Path

import pytest

from pontoon.analysis.exact import Figures, analyse
from pontoon.analysis.published import published_cells, read_published
from pontoon.analysis.rules import find_variant, parse_settings
from pontoon.analysis.strategy import read_strategy
from pontoon.analysis.strategy_tables import code_of

MATHEMATICS = Path(__file__).resolve().parents[2] / "docs" / "mathematics.md"


@cache
def figures(settings: str) -> Figures:
    return analyse(find_variant("house/1", parse_settings(settings.split())))


def test_the_published_strategy_is_ours_entry_by_entry() -> None:
    ours = {
        (row["soft"], row["total"], row["count"]): code_of(row["actions"])
        for row in read_strategy("house/1")["totals"]
        if not row["doubled"]
    }
    cells = published_cells()
    # Of an undoubled soft 21 of three cards we know more: it stands if it cannot be doubled.
    differing = {cell for cell, code in cells.items() if ours[cell] != code}
    assert {cell: ours[cell] for cell in differing} == {(True, 21, 3): "Ds"}
    assert len(cells) == 71


def test_the_published_pairs_are_ours() -> None:
    splits = [
        row["pair"] for row in read_strategy("house/1")["pairs"] if "split" in row["actions"][:1]
    ]
    assert sorted(splits) == sorted(read_published()["splits"])


@pytest.mark.parametrize(
    ("settings", "percent"),
    [
        pytest.param(
            "double_draws=false pontoon_completes=false", 120.9, id="H9 no card for a double"
        ),
        pytest.param("dealer_wins_ties=false", 108.4, id="H14 a tie gives the wager back"),
        pytest.param(
            "dealer_wins_ties=false pontoons_tie=true", 108.7, id="H4 and pontoons as well"
        ),
        pytest.param("dealer_trick=false", 101.5, id="H13 the dealer has no trick"),
        pytest.param("trick_odds=1", 93.1, id="H15 a trick pays 1 to 1"),
        pytest.param("pontoon_odds=3/2", 97.1, id="H15 a pontoon pays 3 to 2"),
    ],
)
def test_returns_of_single_changes_are_where_they_are_known_to_be(
    settings: str, percent: float
) -> None:
    assert figures(settings).rtp_percent == pytest.approx(percent, abs=0.06)


def test_the_document_has_our_edges_beside_the_published_ones() -> None:
    rows = re.findall(
        r"^\| ([^|]+) \| `([^`]*)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|",
        MATHEMATICS.read_text(),
        re.M,
    )
    assert len(rows) >= len(read_published()["edges"])
    for _, settings, published, of_stake, of_wagers in rows:
        ours = figures(settings.strip())
        assert f"{100 * ours.house_edge:.3f}" == of_stake
        assert f"{100 * ours.element_of_risk:.3f}" == of_wagers
        assert float(published) in {edge["percent"] for edge in read_published()["edges"]}
