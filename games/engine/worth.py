"""What the end of a game is worth, and which states its cube can reach. Knows no engine and no checkers.

One account for every kind of stake: a single game with its limit, or a game of a series at its
score. All numbers are for the player on roll, who wins what the other loses.
"""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.engine import met
from games.engine.questions import CUBE_LIMIT, Question, Series, Whose
from games.rules.outcome import Win

Values: TypeAlias = NDArray[np.float64]
"""The last axis is the states of the cube."""

MOST_POINTS: Final = CUBE_LIMIT * Win.BACKGAMMON
TWICE: Final = 2
"""A double; a beaver is one more."""


class Cube(NamedTuple):
    """A state of the cube as the player on roll sees it; nobody owns it before it is turned."""

    value: int
    owner: Whose | None

    def flipped(self) -> "Cube":
        return Cube(self.value, self.owner and self.owner.other)

    def doubled(self) -> "Cube":
        """What it becomes when the player on roll doubles and the other takes."""
        return Cube(self.value * TWICE, Whose.THEIRS)


@dataclass(frozen=True, slots=True)
class Worth:
    """`won` and `lost`: by the points that the game counts, from 0 on. `highest`: a cube that nobody needs to turn.

    `jacoby`: gammons count only once the cube was turned (Backgammon 6).
    """

    won: tuple[float, ...]
    lost: tuple[float, ...]
    highest: int = CUBE_LIMIT
    jacoby: bool = False
    beavers: bool = False

    def flipped(self) -> "Worth":
        """The same for the other side."""
        won = tuple(-worth for worth in self.lost)
        lost = tuple(-worth for worth in self.won)
        return replace(self, won=won, lost=lost)

    def of_win(self, cube: Cube, win: int) -> float:
        """A win of this kind for the player on roll."""
        return self.won[cube.value * self._counted(cube, win)]

    def of_loss(self, cube: Cube, win: int) -> float:
        """A loss of this kind."""
        return self.lost[cube.value * self._counted(cube, win)]

    def may_double(self, cube: Cube) -> bool:
        """Whether the player on roll has access to the cube."""
        return cube.owner is not Whose.THEIRS and cube.value < self.highest

    def may_beaver(self, cube: Cube) -> bool:
        """Whether a double of this cube may be beavered."""
        return self.beavers and cube.value * TWICE * TWICE <= self.highest

    def _counted(self, cube: Cube, win: int) -> int:
        return Win.SINGLE if self.jacoby and cube.owner is None else win


def worth_of(question: Question) -> Worth:
    """What the game is worth to the one who asks.

    A single game: points, at most the limit, counted in the cube as agreed. A series: twice the
    chance to win it, less one.
    """
    if question.series is not None:
        return in_series(question.series, question.cube_value)
    return single(
        question.cube_value, question.cap, jacoby=question.jacoby, beavers=question.beavers
    )


def single(cube_value: int, cap: int | None, *, jacoby: bool, beavers: bool) -> Worth:
    """A single game (Backgammon 9). A cube that has reached the limit may be turned, but it changes nothing."""
    most = cap or MOST_POINTS
    won = tuple(min(points, most) / cube_value for points in range(MOST_POINTS + 1))
    lost = tuple(-worth for worth in won)
    highest = _first_cube(cube_value, most)
    return Worth(won, lost, highest=highest, jacoby=jacoby, beavers=beavers)


def in_series(series: Series, cube_value: int) -> Worth:
    """A game of a series (Backgammon 8)."""
    points = range(MOST_POINTS + 1)
    won = tuple(TWICE * met.chance_after(series, n) - 1 for n in points)
    lost = tuple(1 - TWICE * met.chance_after(series.flipped(), n) for n in points)
    return Worth(won, lost, highest=_highest(series, cube_value))


def _highest(series: Series, cube_value: int) -> int:
    """The first cube that covers what both sides need: nobody may turn it (Backgammon 6)."""
    if series.crawford:
        return cube_value
    return _first_cube(cube_value, max(series.i_need, series.they_need))


def _first_cube(cube_value: int, points: int) -> int:
    """The first cube from this one on that is worth so many points, or that is at its own limit."""
    while cube_value < min(points, CUBE_LIMIT):
        cube_value *= TWICE
    return cube_value


class Cubes:
    """All states of the cube that a game can reach, with what the end of the game is worth in each."""

    def __init__(self, worth: Worth, start: Cube) -> None:
        self.worth = worth
        self.start = start
        self.states = _reachable(start, worth.highest)
        self._index = {state: at for at, state in enumerate(self.states)}
        self._flip = np.array([self._index[state.flipped()] for state in self.states])

    def at(self, state: Cube) -> int:
        """The place of a state in `Values`."""
        return self._index[state]

    def has(self, state: Cube) -> bool:
        return state in self._index

    def flipped(self) -> "Cubes":
        """The same states, as the other side counts them."""
        other = Cubes.__new__(Cubes)
        other.worth, other.start = self.worth.flipped(), self.start.flipped()
        other.states, other._index, other._flip = self.states, self._index, self._flip
        return other

    def from_other(self, values: Values) -> Values:
        """What the other side's values are to this side."""
        turned: Values = -values[..., self._flip]
        return turned

    def of_win(self, win: int) -> Values:
        return np.array([self.worth.of_win(state, win) for state in self.states])

    def of_loss(self, win: int) -> Values:
        return np.array([self.worth.of_loss(state, win) for state in self.states])

    def decided(self, rolled: Values) -> Values:
        """Before the roll: `rolled` are the values when nobody doubles this turn."""
        best = rolled.copy()
        for at, state in enumerate(self.states):
            if self.worth.may_double(state):
                best[..., at] = np.maximum(rolled[..., at], self.answered(rolled, state))
        return best

    def answered(self, rolled: Values, state: Cube) -> Values:
        """The player on roll has doubled the cube `state`: the other drops, takes or beavers."""
        doubled = state.doubled()
        answer: Values = np.minimum(
            rolled[..., self.at(doubled)], self.worth.of_win(state, Win.SINGLE)
        )
        if self.worth.may_beaver(state):
            beavered = Cube(doubled.value * TWICE, Whose.THEIRS)
            kept = np.maximum(
                rolled[..., self.at(beavered)], self.worth.of_loss(doubled, Win.SINGLE)
            )
            answer = np.minimum(answer, kept)
        return answer


def _reachable(start: Cube, highest: int) -> tuple[Cube, ...]:
    states = [start] if start.owner is None else []
    value = start.value if start.owner else start.value * TWICE
    while value <= max(highest, start.value):
        states += [Cube(value, owner) for owner in Whose]
        value *= TWICE
    return tuple(states)
