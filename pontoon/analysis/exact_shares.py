"""Draws without replacement as draws with replacement: from shares that are themselves at random.

Cards drawn from a shoe have a probability that is a product of falling factorials, one for each
rank, over one of the shoe's size. The same numbers are the moments of a law of shares, one share a
rank and all of them 1 together: Dirichlet's law, with the counts of the ranks below zero for its
parameters. Nothing has such a law, for its variances are negative; but means of polynomials are
all that is asked of it. What it is good for: once the shares are given, the hands of a round and
the dealer draw each for itself. So what they come to *together* is the mean of a product.

One rank after another takes its share of what the ranks before have left, and these parts do not
depend on each other. The mean over a part is a sum over a few points on a circle about the part's
mean, in the complex plane because of the negative variance; points of several parts are combined
as Smolyak did. With `order` *m* this is exact up to terms of 1/n^(m + 1), n cards a rank; and for a
polynomial it is exact from some order on.
"""

from cmath import exp, pi
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from math import comb, sqrt
from operator import mul
from typing import Final, TypeAlias

Shares: TypeAlias = tuple[complex, ...]
"""The probability of each rank for any next card."""

Rule: TypeAlias = list[tuple[complex, complex]]
"""Points and weights: the mean of a function is the sum of its values times the weights."""

ORDER: Final = 3


def find_shares(counts: Sequence[int], order: int = ORDER) -> list[tuple[Shares, complex]]:
    """Return shares and weights for a shoe with so many cards of each rank.

    The mean of a function that is real for real shares is the real part of the weighted sum: of
    conjugate points one is left out, and the other counts twice.
    """
    weights: dict[Shares, complex] = defaultdict(complex)
    for parts, weight in _combine(_find_rules(counts, order), order):
        weights[parts] += weight
    return [(_break_off(parts), weight) for parts, weight in weights.items()]


def find_powers(share: complex, most: int) -> list[complex]:
    """Return the probabilities that the next 0, 1, 2 … cards are all of a rank of this share."""
    return list(accumulate([share] * most, mul, initial=1 + 0j))


def _break_off(parts: Shares) -> Shares:
    """Return the shares of ranks that each take a part of what is left, the last one the rest."""
    rests = list(accumulate((1 - part for part in parts), mul, initial=1 + 0j))
    return (*map(mul, parts, rests), rests[-1])


def _combine(
    ranks: Sequence[Sequence[Rule]], order: int, is_real: bool = True
) -> Iterator[tuple[Shares, complex]]:
    """Combine the levels of all ranks that are not above `order` together (Smolyak)."""
    if not ranks:
        yield (), 1
        return
    for level, rule in enumerate(ranks[0][: order + 1]):
        for part, weight in rule:
            if is_real and part.imag < 0:
                continue  # its conjugate counts twice
            twice = 2 if is_real and part.imag else 1
            more = _combine(ranks[1:], order - level, is_real and not part.imag)
            for others, factor in more:
                yield (part, *others), twice * weight * factor


def _find_rules(counts: Sequence[int], order: int) -> list[list[Rule]]:
    """Return, for each rank but the last, what each level adds to the rule of the one below."""
    rests = list(accumulate(reversed(counts)))[-2::-1]
    return [_find_levels(count, rest, order) for count, rest in zip(counts, rests, strict=False)]


def _find_levels(count: int, rest: int, order: int) -> list[Rule]:
    """Return the rules of one part, and nothing but its mean if there is no doubt about it."""
    mean = complex(count / (count + rest)) if count else 0j
    levels: list[Rule] = [[(mean, 1)]]
    below = levels[0]
    moments = _find_moments(count, rest, 2 * order) if count and rest else []
    for level in range(1, order + 1 if moments else 1):
        rule = [(mean + apart, weight) for apart, weight in _make_rule(moments, level)]
        levels.append(rule + [(part, -weight) for part, weight in below])
        below = rule
    return levels


def _make_rule(moments: Sequence[float], level: int) -> Rule:
    """Return points on a circle about the mean that have the first moments, up to 2·`level`."""
    radius = sqrt(level * -moments[2])
    if level == 1:
        return [(1j * radius, 0.5), (-1j * radius, 0.5)]
    count = 2 * level + 1
    points = [radius * exp(2j * pi * step / count) for step in range(count)]
    return [
        (point, sum(moments[power] / point**power for power in range(count)) / count)
        for point in points
    ]


def _find_moments(count: int, rest: int, most: int) -> list[float]:
    """Return the moments about its mean of the part that a rank has of its cards and the rest."""
    plain = [Fraction(1)]
    for drawn in range(most):
        left = Fraction(max(count - drawn, 0), max(count + rest - drawn, 1))
        plain.append(plain[-1] * left)
    back = -Fraction(count, count + rest)
    return [
        float(sum(comb(n, k) * plain[k] * back ** (n - k) for k in range(n + 1)))
        for n in range(most + 1)
    ]
