"""The value of positions of long nardy by the shipped network, in NumPy. Plays nothing itself.

A value is three chances of the side to roll: to win, to win mars, to lose mars. Games that are over and
races that the bear-off table knows are not asked of the network.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.engine.nardy import features
from games.engine.nardy.bearoff import Race, Table
from games.engine.nardy.moves import CHECKERS, HOME, OFF, Flags, Sides
from games.engine.nardy.rulesets import LONG_NARDY_FNR, RULESETS

WEIGHTS: Final = Path(__file__).parent / "weights"
RACE_FILE: Final = WEIGHTS / "bearoff.npz"
PARTS: Final = ("w1", "b1", "w3", "b3")

CERTAIN: Final = 20.0
"""Of a raw output."""

Values: TypeAlias = NDArray[np.float32]
"""[n, 3]: win, win mars, lose mars, each from 0 to 1."""

LARGEST: Final = np.float32(80)
"""Its exponential is still a number."""

MOST_AT_ONCE: Final = 4096
"""Positions whose inputs fit in the fast memory of a processor."""


class WrongWeights(Exception):
    """A file of weights that is not for these features or this ruleset."""


@dataclass(frozen=True, slots=True)
class Net:
    """w1 [inputs, hidden], b1 [hidden], w3 [3, hidden], b3 [3]; `said`: what the file says of itself."""

    w1: NDArray[np.float32]
    b1: NDArray[np.float32]
    w3: NDArray[np.float32]
    b3: NDArray[np.float32]
    said: dict[str, Any]

    def chances(self, inputs: features.Inputs) -> Values:
        """The raw outputs for inputs [n, SIZE]."""
        hidden = np.maximum(inputs @ self.w1 + self.b1, 0)
        # Beyond these a chance is 0 or 1 to seven digits; exp of much more would overflow.
        raw = np.clip(hidden @ self.w3.T + self.b3, -CERTAIN, CERTAIN)
        chances: Values = 1 / (1 + np.exp(-raw))
        return chances


def read_net(path: Path, ruleset: str) -> Net:
    """The network in a file of either width of numbers. Raises WrongWeights."""
    with np.load(path, allow_pickle=False) as stored:
        said = json.loads(str(stored["metadata"]))
        parts = {part: stored[part].astype(np.float32) for part in PARTS}
    expected = {
        "features": features.NAME,
        "version": features.VERSION,
        "inputs": features.SIZE,
        "ruleset": ruleset,
    }
    differing = {name: said.get(name) for name in expected if said.get(name) != expected[name]}
    if differing or parts["w1"].shape[0] != features.SIZE:
        raise WrongWeights(path, differing)
    return Net(**parts, said=said)


def equities(values: Values) -> NDArray[np.float32]:
    """Points a game, mars counting two: [n]."""
    worth: NDArray[np.float32] = 2 * values[..., 0] - 1 + values[..., 1] - values[..., 2]
    return worth


def flipped(values: Values) -> Values:
    """What the same chances are to the other side."""
    return np.stack([1 - values[..., 0], values[..., 2], values[..., 1]], axis=-1)


class Evaluator:
    """One ruleset with its network.

    Whoever plays what looks best also finds its own mistakes best: mars is overrated, most where it is as
    likely as not. `optimism` takes that back, as calibration has measured it for this network.
    """

    def __init__(self, ruleset: str, net: Net, race: Race, optimism: float = 0.0) -> None:
        assert ruleset in RULESETS, "a ruleset of long nardy"
        self._optimism = np.float32(optimism)
        self.ruleset = ruleset
        self.net = net
        self.race = race
        self.is_fnr = ruleset == LONG_NARDY_FNR

    def values(self, to_roll: Sides, other: Sides) -> Values:
        """Of positions whose sides are [n, 25]; certain where the game is over."""
        values = np.empty((len(to_roll), 3), np.float32)
        lose, win = self.may_lose_mars(to_roll), self.may_lose_mars(other)
        lost, won = other[:, OFF] == CHECKERS, to_roll[:, OFF] == CHECKERS
        raced = self.is_race(to_roll, other)
        asked = np.flatnonzero(~(raced | lost | won))
        for start in range(0, len(asked), MOST_AT_ONCE):
            at = asked[start : start + MOST_AT_ONCE]
            values[at] = self._sober(self.net.chances(features.encoded(to_roll[at], other[at])))
        at = np.flatnonzero(raced & ~(lost | won))
        if len(at):
            values[at, 0] = self.race.win(to_roll[at], other[at])
            values[at, 1:] = 0
        over = lost | won
        if over.any():
            values[over, 0] = won[over]
            values[over, 1] = won[over]
            values[over, 2] = lost[over]
        values[:, 1] = np.where(win, np.minimum(values[:, 1], values[:, 0]), 0)
        values[:, 2] = np.where(lose, np.minimum(values[:, 2], 1 - values[:, 0]), 0)
        return values

    def _sober(self, values: Values) -> Values:
        mars = values[:, 1:]
        values[:, 1:] = mars - self._optimism * np.square(mars * (1 - mars))
        return values

    def values_of_mover(self, mover: Sides, to_roll: Sides) -> Values:
        """The same for the side that has just moved."""
        return flipped(self.values(to_roll, mover))

    def may_lose_mars(self, sides: Sides) -> Flags:
        """Nardy 7 and 8: none off, and by the first ruleset not all home."""
        may: Flags = np.equal(sides[:, OFF], 0)
        if not self.is_fnr:
            may = may & ~all_home(sides)
        return may

    def is_race(self, to_roll: Sides, other: Sides) -> Flags:
        """Whether the table decides: all home on both sides, and mars out of the question."""
        raced = all_home(to_roll) & all_home(other)
        if self.is_fnr:
            raced &= (to_roll[:, OFF] > 0) & (other[:, OFF] > 0)
        return np.asarray(raced)


def all_home(sides: Sides) -> Flags:
    """Which sides have nothing outside."""
    outside = sides[:, :HOME].sum(axis=1)
    return np.asarray(outside == 0)


@cache
def race() -> Race:
    """The shipped table."""
    with np.load(RACE_FILE, allow_pickle=False) as stored:
        chances = stored["chances"].astype(np.float32)
        expected = stored["expected"].astype(np.float32)
    # They are stored as whole numbers, and finished homes have none.
    total = np.maximum(chances.sum(axis=1, keepdims=True), 1)
    return Race(Table(expected, chances / total))


@cache
def evaluator(ruleset: str) -> Evaluator:
    """The shipped evaluator of a ruleset."""
    net = read_net(WEIGHTS / f"{ruleset}.npz", ruleset)
    return Evaluator(ruleset, net, race(), net.said.get("optimism", 0.0))
