"""From batches of trials to a mean with its interval. Knows nothing of games."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Final

T_95: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179)
"""Student's t for 95 %, by the number of batches from 2 on."""


MOST_BATCHES: Final = len(T_95) + 1


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and half the width of its 95 % interval."""

    value: float
    half: float

    @property
    def low(self) -> float:
        return self.value - self.half

    @property
    def high(self) -> float:
        return self.value + self.half

    def times(self, factor: float) -> "Estimate":
        return Estimate(self.value * factor, self.half * abs(factor))


def estimate(batches: Sequence[float]) -> Estimate:
    """The mean of the batches; of a single one nobody knows how far it is off.

    Each batch has the same spread of first rolls, so batches differ less than their trials do, and
    the spread between them is the honest one.
    """
    if len(batches) == 1:
        return Estimate(batches[0], inf)
    half = T_95[len(batches) - 2] * stdev(batches) / sqrt(len(batches))
    return Estimate(fmean(batches), half)
