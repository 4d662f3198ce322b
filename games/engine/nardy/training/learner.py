"""Fits a network to targets: Adam on the cross-entropy of each output that can be other than 0."""

from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from games.engine.nardy.evaluator import LARGEST
from games.engine.nardy.features import SIZE
from games.engine.nardy.training.encoding import encode_many
from games.engine.nardy.training.player import Net, possible

BATCH: Final = 256
FIRST_MOMENT: Final = np.float32(0.9)
SECOND_MOMENT: Final = np.float32(0.999)
TINY: Final = np.float32(1e-8)
OUTPUTS: Final = 3

Floats = NDArray[np.float32]


class Moments(NamedTuple):
    """Adam's two running means, each shaped as the network, and how many steps they have seen."""

    first: Net
    second: Net
    steps: NDArray[np.int64]


def fresh_net(hidden: int, chance: np.random.Generator) -> Net:
    """Small random weights; a win is even, a mars rare."""
    return Net(
        chance.normal(0, 30**-0.5, (SIZE, hidden)).astype(np.float32),
        np.zeros(hidden, np.float32),
        chance.normal(0, 0.05, (OUTPUTS, hidden)).astype(np.float32),
        np.array([0, -1.5, -1.5], np.float32),
    )


def fresh_moments(net: Net) -> Moments:
    zeros = [Net(*(np.zeros_like(part) for part in net)) for _ in range(2)]
    return Moments(zeros[0], zeros[1], np.zeros(1, np.int64))


@njit(cache=True, fastmath=True)
def _adam(weights: Any, gradient: Any, first: Any, second: Any, rate: Any, scale: Any) -> None:
    for i in range(len(weights)):
        g = gradient[i]
        first[i] = FIRST_MOMENT * first[i] + (np.float32(1) - FIRST_MOMENT) * g
        second[i] = SECOND_MOMENT * second[i] + (np.float32(1) - SECOND_MOMENT) * g * g
        weights[i] -= rate * first[i] / (np.sqrt(second[i] * scale) + TINY)


class Learner:
    """One network that is fitted step by step; its arrays change in place."""

    def __init__(self, net: Net, moments: Moments, fnr: int) -> None:
        self.net = net
        self.moments = moments
        self._fnr = fnr
        self._inputs = np.zeros((BATCH, SIZE), np.float32)
        self._possible = np.zeros((BATCH, OUTPUTS), np.float32)

    def step(
        self, positions: NDArray[np.int8], targets: Floats, rows: NDArray[np.int64], rate: float
    ) -> float:
        """One batch, of BATCH rows; its mean squared error of the chance to win."""
        net = self.net
        inputs, possible_here = self._inputs, self._possible
        encode_many(positions, rows, inputs)
        possible(positions, rows, self._fnr, possible_here)
        before = inputs @ net.w1 + net.b1
        hidden = np.maximum(before, 0)
        outputs = 1 / (1 + np.exp(np.minimum(-(hidden @ net.w3.T + net.b3), LARGEST)))
        wrong = (outputs - targets[rows]) * possible_here
        error = float(np.mean(wrong[:, 0] ** 2))
        wrong *= np.float32(1 / BATCH)
        to_hidden = (wrong @ net.w3) * (before > 0)
        gradients = Net(
            inputs.T @ to_hidden, to_hidden.sum(axis=0), wrong.T @ hidden, wrong.sum(axis=0)
        )
        self._descend(gradients, rate)
        return error

    def _descend(self, gradients: Net, rate: float) -> None:
        self.moments.steps[0] += 1
        n = int(self.moments.steps[0])
        # Both means start at 0, which these two factors make good.
        rate /= 1 - float(FIRST_MOMENT) ** n
        scale = 1 / (1 - float(SECOND_MOMENT) ** n)
        for weights, gradient, first, second in zip(
            self.net, gradients, self.moments.first, self.moments.second, strict=True
        ):
            _adam(
                weights.reshape(-1),
                gradient.reshape(-1),
                first.reshape(-1),
                second.reshape(-1),
                np.float32(rate),
                np.float32(scale),
            )
