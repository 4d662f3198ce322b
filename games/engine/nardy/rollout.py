"""Plays positions on many times with random dice, in batches that differ, so that they show how sure the mean is.

All games of a batch go on side by side, one turn each at a time. A game is cut after some turns and valued
by the network, for that varies far less than the end of it does. The first rolls of a batch are all 36,
equally often.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.engine.nardy.evaluator import Evaluator, Values, flipped
from games.engine.nardy.moves import CHECKERS, OFF, Flags, Ints, Sides, finals
from games.engine.nardy.player import best_of
from games.engine.nardy.stakes import Stakes

OUTCOMES: Final = 36
TRIALS: Final = 324
"""Games of a batch; a multiple of 36."""
TURNS: Final = 10
"""After so many turns of either side a game is cut."""

_FIRST_ROLLS: Final = np.stack(np.divmod(np.arange(TRIALS) % OUTCOMES, 6), axis=1) + 1


@dataclass(frozen=True, slots=True)
class Start:
    """One position whose game goes on with `to_roll`; sides [25] by progress."""

    to_roll: Sides
    other: Sides


class Batch(NamedTuple):
    """The mean chances of the side to roll, [3]; the share of the games that were cut."""

    chances: Values
    cut: float


def rolled_out(
    judge: Evaluator, start: Start, stakes: Stakes, seed: tuple[int, ...], turns: int = TURNS
) -> Batch:
    """One batch. The same seed gives the same mean.

    Both sides play for `stakes`, which are those of the side to roll.
    """
    chance = np.random.default_rng(seed)
    games = _Games(start, stakes)
    dice = _FIRST_ROLLS
    for turn in range(turns):
        if not len(games.alive):
            break
        games.play(judge, dice[games.alive] if turn == 0 else dice)
        dice = chance.integers(1, 7, (len(games.alive), 2))
    cut = len(games.alive) / TRIALS
    games.cut(judge)
    return Batch(games.values.mean(axis=0), cut)


class _Games:
    """The games of a batch; `values` are those of the side that began."""

    def __init__(self, start: Start, stakes: Stakes) -> None:
        self.values: Values = np.zeros((TRIALS, 3), np.float32)
        self.alive: Ints = np.arange(TRIALS)
        self._mine = np.repeat(start.to_roll[None], TRIALS, axis=0)
        self._theirs = np.repeat(start.other[None], TRIALS, axis=0)
        self._began = True
        self._stakes = stakes

    def play(self, judge: Evaluator, dice: Ints) -> None:
        """One turn of every game that goes on; afterwards the other side is on roll."""
        found = finals(self._mine, self._theirs, dice, fnr=judge.is_fnr)
        stuck = np.flatnonzero(found.used == 0)
        sides = np.concatenate([found.sides, self._mine[stuck]])
        owner = np.concatenate([found.owner, stuck])
        values = judge.values_of_mover(sides, self._theirs[owner])
        best = best_of(self._stakes.worth(values), owner, len(self.alive))
        sides, values = sides[best], values[best]
        over = (sides[:, OFF] == CHECKERS) | judge.is_race(self._theirs, sides)
        self._settle(over, values if self._began else flipped(values))
        self._mine, self._theirs = self._theirs[~over], sides[~over]
        self.alive = self.alive[~over]
        self._began = not self._began
        self._stakes = self._stakes.flipped()

    def cut(self, judge: Evaluator) -> None:
        """Values what goes on."""
        if len(self.alive):
            values = judge.values(self._mine, self._theirs)
            going = np.ones(len(self.alive), np.bool_)
            self._settle(going, values if self._began else flipped(values))

    def _settle(self, over: Flags, values: NDArray[np.float32]) -> None:
        self.values[self.alive[over]] = values[over]
