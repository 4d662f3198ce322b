"""From bgsage's account of a game to the one that counts.

bgsage knows no limit but that of the cube, and only series with the Crawford rule. What it finds is
turned into our measure, and moved by as much as a short look ahead finds the two accounts apart.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import hypot
from typing import Final

import numpy as np

from games.engine import lookahead, sage
from games.engine.questions import CUBE_LIMIT, Question
from games.engine.sampling import Estimate
from games.engine.worth import Cube, Cubes, Values, Worth, in_series, single
from games.rules.outcome import Win

MODEL_DOUBT: Final = 0.01
"""Points by which bgsage itself is in doubt, beside the luck of the trials: docs/adjudication.md."""

LIMIT_DOUBT: Final = 0.5
"""The share in doubt of what the look ahead moves, but for what follows from the chances alone."""


@dataclass(frozen=True, slots=True)
class Gain:
    """How much more the account that counts finds than bgsage's, by state of the cube, and the doubt of it."""

    by: Values
    doubt: Values


class Correction:
    """The two accounts of one question."""

    def __init__(self, question: Question, cubes: Cubes) -> None:
        self._game, own = _as_bgsage_counts(question, cubes.worth)
        self._has_cube = not question.is_all_one
        self._cubes = cubes
        self._own = Cubes(own, Cube(question.cube_value, question.cube_owner))

    def game_at(self, cube: Cube) -> sage.Game:
        """What bgsage rolls out for."""
        return self._game._replace(cube=cube) if self._has_cube else self._game

    def counted(self, equity: Estimate, cube: Cube) -> Estimate:
        """An equity of bgsage's: it counts a single game at this cube as 1 if won and -1 if lost."""
        worth = self._own.worth
        won, lost = worth.of_win(cube, Win.SINGLE), worth.of_loss(cube, Win.SINGLE)
        unit = (won - lost) / 2
        return Estimate(lost + (equity.value + 1) * unit, equity.half * unit)

    def before_roll(self, board: sage.Board) -> Gain:
        """What the player on roll gains."""
        chances, _ = sage.after_turn(sage.flipped(board), sage.flipped(board))
        return self._gain(
            chances.flipped(), lambda accounts: lookahead.rolled(board, accounts, lookahead.TURNS)
        )

    def after_turn(self, board: sage.Board, turns: int = lookahead.TURNS) -> Gain:
        """What the player gains who has just moved."""
        chances, _ = sage.after_turn(board, board)
        return self._gain(chances, lambda accounts: lookahead.after_turn(board, accounts, turns))

    def corrected(self, found: Estimate, gain: Gain, cube: Cube) -> Estimate:
        """What was found, moved and with all its doubts; never beyond what can be won or lost."""
        worth, at = self._cubes.worth, self._cubes.at(cube)
        unit = (worth.of_win(cube, Win.SINGLE) - worth.of_loss(cube, Win.SINGLE)) / 2
        value = min(max(found.value + float(gain.by[at]), worth.lost[-1]), worth.won[-1])
        doubts = found.half, MODEL_DOUBT * unit, float(gain.doubt[at])
        return Estimate(value, hypot(*doubts))

    def _gain(
        self, chances: sage.Probabilities, look: Callable[[list[Cubes]], list[Values]]
    ) -> Gain:
        if self._cubes.worth == self._own.worth:
            nothing = np.zeros(len(self._cubes.states))
            return Gain(nothing, nothing)
        counted, own = look([self._cubes, self._own])
        dead = lookahead.Leaf(chances, life=0.0)
        for_certain = lookahead.judged([dead], self._cubes) - lookahead.judged([dead], self._own)
        by = counted - own
        return Gain(by, LIMIT_DOUBT * np.abs(by - for_certain[0]))


def _as_bgsage_counts(question: Question, worth: Worth) -> tuple[sage.Game, Worth]:
    """What bgsage rolls out for, and its account of it."""
    series = question.series
    start = Cube(question.cube_value, question.cube_owner)
    if series is not None:
        game = sage.Game(
            start, series.i_need, series.they_need, series.crawford, highest=CUBE_LIMIT
        )
        return game, in_series(replace(series, has_crawford=True), start.value)
    if question.is_all_one:
        # As in a series when both need one point.
        return sage.Game(Cube(1, None), 1, 1, highest=CUBE_LIMIT), worth
    jacoby, beavers = question.jacoby, question.beavers
    game = sage.Game(start, jacoby=jacoby, beavers=beavers, highest=worth.highest)
    without_limit = single(start.value, None, jacoby=jacoby, beavers=beavers)
    return game, replace(without_limit, highest=worth.highest)
