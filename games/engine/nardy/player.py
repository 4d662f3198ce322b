"""What the evaluator would play, and what it thinks of a position: for house bots, analysis and hints.

Positions are those of games.rules.long_nardy, from the view of the player on roll. Nothing here is left to
chance: the same question always has the same answer.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.engine.nardy.evaluator import Evaluator, Values, equities, evaluator, flipped
from games.engine.nardy.moves import CHECKERS, OFF, Ints, Sides, finals, sides_of
from games.engine.nardy.stakes import POINTS, Stakes
from games.rules.board import Position
from games.rules.dice import ALL_ROLLS
from games.rules.steps import Turn
from games.rules.turns import TurnGraph

SEARCHED: Final = 8
"""Plays that are looked at two plies deep; the best is among them in all but a few of a hundred rolls."""

_ROLLS: Final = np.array(ALL_ROLLS)
_WEIGHTS: Final = np.array([1 if roll.is_double else 2 for roll in ALL_ROLLS], np.float32) / 36


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances from 0 to 1; `win` includes mars. `equity`: points a game, mars counting two."""

    win: float
    win_mars: float
    lose_mars: float

    @property
    def equity(self) -> float:
        return 2 * self.win - 1 + self.win_mars - self.lose_mars

    def flipped(self) -> "Chances":
        return Chances(1 - self.win, self.lose_mars, self.win_mars)


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to end the turn, with its chances for the mover. `plies`: how deep it was looked at."""

    final: Position
    turn: Turn
    chances: Chances
    plies: int


def outlook(position: Position, ruleset: str) -> Chances:
    """Chances of the player on roll before the roll, at a glance; certain once the game is over."""
    mine, theirs = sides_of([position])
    return _chances(evaluator(ruleset).values(mine, theirs))[0]


def ranked(
    graph: TurnGraph,
    ruleset: str,
    plies: int = 1,
    stakes: Stakes = POINTS,
    keep: Position | None = None,
) -> list[Choice]:
    """All ends of a roll, the best first; none if nothing can be played.

    `plies` 1: at a glance, about 2 ms. 2: of the best few, and of `keep`, every answer is looked at, about
    30 ms; the others follow as they were.
    """
    ends = list(graph.finals.items())
    if not ends:
        return []
    judge = evaluator(ruleset)
    mine, theirs = sides_of([final for final, _ in ends])
    values = judge.values_of_mover(mine, theirs)
    deep = np.ones(len(ends), np.int64)
    order = np.argsort(-stakes.worth(values), kind="stable")
    if plies > 1 and len(ends) > 1:
        kept = [at for at, (final, _) in enumerate(ends) if final == keep]
        best = np.array(list(dict.fromkeys([*order[:SEARCHED].tolist(), *kept])))
        values[best] = flipped(after_rolls(judge, theirs[best], mine[best]))
        deep[best] = plies
        within = np.argsort(-stakes.worth(values[best]), kind="stable")
        rest = [at for at in order.tolist() if deep[at] == 1]
        order = np.array([*best[within].tolist(), *rest])
    chances = _chances(values)
    return [Choice(ends[at][0], ends[at][1], chances[at], int(deep[at])) for at in order]


def luck(graph: TurnGraph, ruleset: str) -> float:
    """The luck of the roll: points that its best play gains over the mean of all rolls, at one ply."""
    judge = evaluator(ruleset)
    mine, theirs = sides_of([graph.position])
    worth = equities(best_of_rolls(judge, mine, theirs))
    return float(worth[ALL_ROLLS.index(graph.roll)] - worth @ _WEIGHTS)


def after_rolls(judge: Evaluator, to_roll: Sides, other: Sides) -> Values:
    """The mean over the 21 rolls, each played as well as a glance can tell: [n, 3] for those to roll."""
    best = best_of_rolls(judge, to_roll, other).reshape(len(to_roll), len(ALL_ROLLS), 3)
    mean: Values = np.einsum("nrv,r->nv", best, _WEIGHTS)
    known = judge.is_race(to_roll, other) | (other[:, OFF] == CHECKERS)
    mean[known] = judge.values(to_roll[known], other[known])
    return mean


def best_of_rolls(judge: Evaluator, to_roll: Sides, other: Sides) -> Values:
    """The value of the best play of each of the 21 rolls: [21 n, 3] for those to roll."""
    n = len(to_roll)
    owner = np.repeat(np.arange(n), len(ALL_ROLLS))
    return best_values(judge, to_roll[owner], other[owner], np.tile(_ROLLS, (n, 1)))


def best_values(judge: Evaluator, mine: Sides, theirs: Sides, dice: Ints) -> Values:
    """The value of the best play of each roll for its mover: [n, 3]."""
    found = finals(mine, theirs, dice, fnr=judge.is_fnr)
    stuck = np.flatnonzero(found.used == 0)
    sides = np.concatenate([found.sides, mine[stuck]])
    owner = np.concatenate([found.owner, stuck])
    values = judge.values_of_mover(sides, theirs[owner])
    return values[best_of(equities(values), owner, len(mine))]


def best_of(worth: NDArray[np.floating], owner: Ints, rolls: int) -> Ints:
    """Where the best end of each roll is."""
    order = np.lexsort((-worth, owner))
    first = np.searchsorted(owner[order], np.arange(rolls))
    best: Ints = order[first]
    return best


def _chances(values: Values) -> list[Chances]:
    return [Chances(*map(float, row)) for row in values]
