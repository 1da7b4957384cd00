"""Statistics of shuffled shoes, each with its exact expectation, and their joint verdict (RNG-05).

A shoe is drawn without replacement, so its cards are not independent; whole shoes are. Therefore
every check is either a table of one observation a shoe, or a vector that is worked out for each
shoe, whose expectation is known exactly and whose spread is measured over the shoes: by the central
limit theorem the squared distance of its mean (Hotelling's T²) is chi-square.

Every p is of both tails: shoes that are too even are as suspect as shoes that are not even enough.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtr, chdtrc

from pontoon.analysis.rng.shuffles import CARDS, Shoes

FACES, RANKS, COPIES = 52, 13, 8
ROUND: Final = 20  # cards that a round may use at most
PAIRS: Final = ((0, 2), (1, 3), *((place, place + 1) for place in range(0, ROUND, 2)))
"""Places of which the ranks are looked at together: the first hand, the dealer's, neighbours."""
LAGS: Final = (1, 2, 3, 4, 8, 13, 52)
COUPON_BINS: Final = 16

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check came to; `p` is the probability of a result as far off, if all is fair."""

    name: str
    statistic: float
    dof: int
    p: float


def judge(name: str, statistic: float, dof: int) -> Finding:
    """Judge what should be chi-square, by both tails."""
    p = 2 * min(chdtrc(dof, statistic), chdtr(dof, statistic))
    return Finding(name, float(statistic), dof, min(1.0, float(p)))


def find_refuted(findings: Sequence[Finding], level: float = 0.01) -> list[Finding]:
    """List the findings that refute fairness, all taken together at this level (Holm 1979).

    Holm's procedure holds the level whatever the checks have to do with each other: of m findings
    in the order of their p, the k-th is held against level / (m + 1 - k), up to the first that
    passes. Fair shoes fail any of it with a probability of at most the level.
    """
    refuted = []
    for index, finding in enumerate(sorted(findings, key=lambda finding: finding.p)):
        if finding.p > level / (len(findings) - index):
            break
        refuted.append(finding)
    return refuted


class Moments:
    """The mean of a vector over shoes, against an exact expectation."""

    def __init__(self, expected: Sequence[float] | Floats) -> None:
        self._expected = np.asarray(expected, np.float64)
        size = len(self._expected)
        self._count, self._sum, self._squares = 0, np.zeros(size), np.zeros((size, size))

    def add(self, vectors: Floats | NDArray[np.int64]) -> None:
        """Take in [shoe, number]."""
        off = vectors - self._expected
        self._count += len(off)
        self._sum += off.sum(axis=0)
        self._squares += off.T @ off

    def judge(self, name: str) -> Finding:
        """Measure how far the mean is off, in units of its own spread."""
        mean = self._sum / self._count
        covariance = self._squares / self._count - np.outer(mean, mean)
        covariance += 1e-9 * np.eye(len(mean))  # a number that never varies is judged too
        distance = float(self._count * mean @ np.linalg.solve(covariance, mean))
        return judge(name, distance, len(mean))


class Checks:
    """All checks of shoes that come in parts."""

    def __init__(self) -> None:
        self._shoes, self._wrong = 0, 0
        self._places = np.zeros((CARDS, FACES), np.int64)
        self._pairs = np.zeros((len(PAIRS), RANKS * RANKS), np.int64)
        self._collected = np.zeros(CARDS + 1, np.int64)
        self._heads: list[Shoes] = []
        self._moments = {
            "runs of a colour, and of rising ranks": Moments(_expect_runs()),
            "serial correlation within a shoe": Moments([_expect_lag(lag) for lag in LAGS]),
            "correlation of one shoe with the next": Moments([0.0]),
            "steps from a card to the next": Moments(_expect_steps()),
        }

    def add(self, shoes: Shoes) -> None:
        """Take in shoes, [shoe, place]."""
        self._shoes += len(shoes)
        self._wrong += count_wrong(shoes)
        self._places += count_cells(shoes, FACES)
        ranks = shoes % RANKS
        for table, (one, other) in zip(self._pairs, PAIRS, strict=True):
            cells = ranks[:, one].astype(np.int64) * RANKS + ranks[:, other]
            table += np.bincount(cells, minlength=RANKS * RANKS)
        self._collected += np.bincount(find_collected(shoes), minlength=CARDS + 1)
        self._heads.append(shoes[:, :ROUND].copy())
        values = ranks.astype(np.float32) - (RANKS - 1) / 2
        pairs = len(shoes) // 2 * 2
        vectors = (
            _count_runs(shoes),
            _correlate(values),
            (values[0:pairs:2] * values[1:pairs:2]).sum(axis=1, keepdims=True, dtype=np.float64),
            _count_steps(shoes),
        )
        for moments, vector in zip(self._moments.values(), vectors, strict=True):
            moments.add(vector)

    def finish(self) -> list[Finding]:
        """Judge everything."""
        pairs = [
            judge(
                f"ranks at places {one + 1} and {other + 1}", *_chi_square(table, _expect_pairs())
            )
            for table, (one, other) in zip(self._pairs, PAIRS, strict=True)
        ]
        return [
            judge_places("card by place, whole shoe", self._places, self._shoes),
            judge_places("card by place, a round's cards", self._places[:ROUND], self._shoes),
            judge_worst_place(self._places),
            *pairs,
            *[moments.judge(name) for name, moments in self._moments.items()],
            judge("coupon collector", *_chi_square(*_bin_coupons(self._collected))),
            judge_duplicates(np.concatenate(self._heads)),
            Finding(
                "shoes of other cards than eight decks", self._wrong, 1, float(not self._wrong)
            ),
        ]


def examine(parts: Iterable[Shoes]) -> list[Finding]:
    """Check shoes that come in parts."""
    checks = Checks()
    for shoes in parts:
        checks.add(shoes)
    return checks.finish()


def count_cells(shoes: Shoes, kinds: int) -> NDArray[np.int64]:
    """Count [place, kind]."""
    places = shoes.shape[1]
    cells = shoes + np.arange(places, dtype=np.int64) * kinds
    return np.bincount(cells.ravel(), minlength=places * kinds).reshape(places, kinds)


def judge_places(name: str, counts: NDArray[np.int64], shoe_count: int) -> Finding:
    """Judge [place, face] of the first places, or of all.

    One shoe's cells vary together: their covariance is (δ - 1/n) n/(n - 1) between n places, times
    that of a multinomial between faces. It is undone on the differences between places and on
    their mean, which is fixed when the places are all.
    """
    places, faces = counts.shape
    expected = shoe_count / faces
    off = (counts - expected) / expected**0.5
    total, of_mean = float((off**2).sum()), float((off.sum(axis=0) ** 2).sum() / places)
    statistic = (total - of_mean) * (CARDS - 1) / CARDS
    if places == CARDS:
        return judge(name, statistic, (places - 1) * (faces - 1))
    statistic += of_mean * (CARDS - 1) / (CARDS - places)
    return judge(name, statistic, places * (faces - 1))


def judge_worst_place(counts: NDArray[np.int64]) -> Finding:
    """Judge the place whose faces are off most: a fault of one place drowns among the others.

    Its p is that of the largest of so many (Šidák), which is nearly exact: places hardly depend
    on each other.
    """
    statistics = [_chi_square(place, np.full(FACES, 1 / FACES)) for place in counts]
    largest, dof = max(statistics)
    p = 1 - chdtr(dof, largest) ** len(counts)
    return Finding("card by place, the place most off", largest, dof, float(p))


def count_wrong(shoes: Shoes) -> int:
    """Count the shoes that do not hold every face eight times."""
    decks = np.repeat(np.arange(FACES, dtype=np.uint8), COPIES)
    return int((np.sort(shoes, axis=1) != decks).any(axis=1).sum())


def judge_duplicates(heads: Shoes) -> Finding:
    """Look for two shoes with the same first cards: a sign of too few seeds, or of one used twice.

    Of fair shoes no two are expected to agree in 20 cards: the chance for n of them is below
    n² / 52^20, a little more for cards that repeat; so p is 1 without, and that chance with one.
    """
    count = len(heads)
    same = count - len(np.unique(heads, axis=0))
    chance = min(1.0, count**2 / FACES ** heads.shape[1])
    return Finding("shoes with the same first cards", same, 1, chance if same else 1.0)


def _chi_square(counts: NDArray[np.int64], shares: Floats) -> tuple[float, int]:
    expected = counts.sum() * shares
    return float(((counts - expected) ** 2 / expected).sum()), len(counts) - 1


def _expect_pairs() -> Floats:
    of_rank = CARDS // RANKS
    shares = np.full((RANKS, RANKS), of_rank * of_rank, np.float64)
    np.fill_diagonal(shares, of_rank * (of_rank - 1))
    return shares.ravel() / (CARDS * (CARDS - 1))


def _count_runs(shoes: Shoes) -> NDArray[np.int64]:
    suits, ranks = shoes // RANKS, shoes % RANKS
    is_red = (suits == 1) | (suits == 2)
    changes = (is_red[:, 1:] != is_red[:, :-1]).sum(axis=1)
    rises = (ranks[:, 1:] > ranks[:, :-1]).sum(axis=1)
    return np.stack([changes, rises], axis=1)


def _expect_runs() -> list[float]:
    other_colour, other_rank = CARDS // 2, CARDS - CARDS // RANKS  # of the 415 cards that remain
    return [other_colour, other_rank / 2]


def _correlate(values: NDArray[np.float32]) -> Floats:
    products = [(values[:, lag:] * values[:, :-lag]).sum(axis=1, dtype=np.float64) for lag in LAGS]
    return np.stack(products, axis=1)


def _expect_lag(lag: int) -> float:
    """The values of a shoe add up to nothing: a card takes a little from what may follow it."""
    squares = sum((rank - (RANKS - 1) / 2) ** 2 for rank in range(RANKS)) * CARDS / RANKS
    return -(CARDS - lag) * squares / (CARDS * (CARDS - 1))


def _count_steps(shoes: Shoes) -> NDArray[np.int64]:
    """Count, for each shoe, by how many faces the next card is further on; one count is spare."""
    steps = (shoes[:, 1:].astype(np.int64) - shoes[:, :-1]) % FACES
    cells = steps + np.arange(len(shoes))[:, None] * FACES
    return np.bincount(cells.ravel(), minlength=len(shoes) * FACES).reshape(-1, FACES)[:, :-1]


def _expect_steps() -> list[float]:
    return [COPIES - 1.0, *[float(COPIES)] * (FACES - 2)]


def find_collected(shoes: Shoes) -> NDArray[np.int64]:
    """Count the cards after which each face has come, for each shoe."""
    last = np.zeros(len(shoes), np.int64)
    for face in range(FACES):
        np.maximum(last, (shoes == face).argmax(axis=1), out=last)
    return last + 1


def _bin_coupons(collected: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats]:
    """Put the counts together to bins that are about equally likely."""
    done = np.array([chance_collected(count) for count in range(CARDS + 1)])
    edges = np.searchsorted(done, np.arange(1, COUPON_BINS) / COUPON_BINS)
    bins = np.searchsorted(edges, np.arange(CARDS + 1))
    counts, shares = np.zeros(COUPON_BINS, np.int64), np.zeros(COUPON_BINS)
    np.add.at(counts, bins, collected)
    np.add.at(shares, bins, np.diff(done, prepend=0.0))
    return counts, shares


def chance_collected(count: int) -> float:
    """Return the probability that so many cards show every face, by inclusion and exclusion."""
    ways = sum(
        (-1) ** missing * comb(FACES, missing) * comb(CARDS - COPIES * missing, count)
        for missing in range(FACES + 1)
    )
    return float(ways / comb(CARDS, count))
