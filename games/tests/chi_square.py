"""Pearson's chi-square test against equal chances, for judging dice. Standard library only."""

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import pairwise, product
from typing import NamedTuple

FACES = range(1, 7)


class Fit(NamedTuple):
    """How well counts fit equal chances; `p` is the chance that fair dice fit worse."""

    name: str
    trials: int
    degrees: int
    statistic: float
    p: float


def fits(rolls: Iterable[tuple[int, int]]) -> list[Fit]:
    """Faces; pairs (the two dice of a roll); successive pairs (a whole roll and the next one)."""
    rolls = list(rolls)
    pairs = list(product(FACES, FACES))
    return [
        fit("faces", Counter(die for roll in rolls for die in roll), FACES),
        fit("pairs", Counter(rolls), pairs),
        fit("successive pairs", Counter(pairwise(rolls)), product(pairs, pairs)),
    ]


def fit(name: str, counts: Counter[Hashable], cells: Iterable[Hashable]) -> Fit:
    """The counts of equally likely `cells` against what chance would give."""
    cells = list(cells)
    trials = counts.total()
    expected = trials / len(cells)
    statistic = sum((counts[cell] - expected) ** 2 for cell in cells) / expected
    return Fit(name, trials, len(cells) - 1, statistic, upper_tail(statistic, len(cells) - 1))


def upper_tail(statistic: float, degrees: int) -> float:
    """P(chi-square with an odd number of `degrees` of freedom > `statistic`).

    Abramowitz and Stegun 26.4.4: a normal tail, and one term for each two degrees.

    >>> [round(upper_tail(x, n), 3) for x, n in [(11.0705, 5), (49.8018, 35), (1379.8, 1295)]]
    [0.05, 0.05, 0.05]
    """
    assert degrees % 2 == 1
    if statistic == 0:
        return 1.0
    log_term = math.log(2) - statistic / 2 - math.log(2 * math.pi / statistic) / 2
    total = math.erfc(math.sqrt(statistic / 2))
    for odd in range(1, degrees, 2):
        total += math.exp(log_term)
        log_term += math.log(statistic / (odd + 2))
    return total
