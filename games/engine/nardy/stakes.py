"""What the ends of a game of long nardy are worth to one side: points, or the chance to win a series.

There is no cube: a game counts one, mars two (Nardy 7, 9).
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.engine.nardy.evaluator import Values, evaluator
from games.engine.nardy.moves import sides_of
from games.engine.nardy.rulesets import LONG_NARDY_FNR
from games.engine.questions import Question, Whose
from games.rules.long_nardy import START

SINGLE: Final = 1
MARS: Final = 2


@dataclass(frozen=True, slots=True)
class Stakes:
    """The worth of each end to one side."""

    win: float
    win_mars: float
    lose: float
    lose_mars: float

    def worth(self, values: Values) -> NDArray[np.float64]:
        """The mean worth of chances [..., 3]."""
        win, win_mars, lose_mars = np.moveaxis(values.astype(np.float64), -1, 0)
        worth: NDArray[np.float64] = (
            self.lose
            + win * (self.win - self.lose)
            + win_mars * (self.win_mars - self.win)
            + lose_mars * (self.lose_mars - self.lose)
        )
        return worth

    @property
    def unit(self) -> float:
        """Half of what lies between a single win and a single loss: a point."""
        return (self.win - self.lose) / 2

    def points(self, values: Values) -> NDArray[np.float64]:
        """The worth in points: a single win is 1, a single loss -1, whatever it is played for."""
        points: NDArray[np.float64] = (self.worth(values) - self.lose) / self.unit - 1
        return points

    def flipped(self) -> "Stakes":
        """The same for the other side, who loses what this one wins."""
        return Stakes(-self.lose, -self.lose_mars, -self.win, -self.win_mars)


POINTS: Final = Stakes(SINGLE, MARS, -SINGLE, -MARS)
"""Points a game."""


def stakes_of(question: Question) -> Stakes:
    """In the measure of the question: points, at most the limit, or the chance to win the series."""
    series = question.series
    if series is None:
        mars = min(MARS, question.cap or MARS)
        return Stakes(SINGLE, mars, -SINGLE, -mars)
    return in_series(question.variant, series.i_need, series.they_need, question.next_first)


def in_series(ruleset: str, i_need: int, they_need: int, next_first: Whose | None) -> Stakes:
    """The chance to win the series after each end of this game."""

    def after(mine: int, theirs: int) -> float:
        return chance(ruleset, i_need - mine, they_need - theirs, next_first)

    return Stakes(after(SINGLE, 0), after(MARS, 0), after(0, SINGLE), after(0, MARS))


@cache
def chance(ruleset: str, i_need: int, they_need: int, first: Whose | None) -> float:
    """My chance to win a series before a game begins; `first` moves first in it, None: not known.

    The first move goes round from game to game (Nardy 2); by the second ruleset it is rolled for.
    """
    if i_need <= 0:
        return 1.0
    if they_need <= 0:
        return 0.0
    if ruleset != LONG_NARDY_FNR and first is None:
        return sum(chance(ruleset, i_need, they_need, side) for side in Whose) / 2
    following = first.other if first else None
    games = _game(ruleset, first)
    ends = ((SINGLE, 0), (MARS, 0), (0, SINGLE), (0, MARS))
    return sum(
        share * chance(ruleset, i_need - mine, they_need - theirs, following)
        for share, (mine, theirs) in zip(games, ends, strict=True)
    )


@cache
def _game(ruleset: str, first: Whose | None) -> tuple[float, float, float, float]:
    """How often a new game ends in my win, my mars, my loss, their mars."""
    win, win_mars, lose_mars = map(float, evaluator(ruleset).values(*sides_of([START]))[0])
    mine = (win - win_mars, win_mars, 1 - win - lose_mars, lose_mars)
    theirs = (mine[2], mine[3], mine[0], mine[1])
    if ruleset == LONG_NARDY_FNR or first is None:
        even = [(a + b) / 2 for a, b in zip(mine, theirs, strict=True)]
        return (even[0], even[1], even[2], even[3])
    return mine if first is Whose.MINE else theirs
