"""A short look ahead that knows every kind of stake: it tells how far a limit moves what a rollout found.

bgsage's rollouts count every point in full. Where a limit (or a series without the Crawford rule)
makes the end of a game worth something else, the same small tree is searched twice, once for each
account of the stakes, and the difference is added to what the rollout found.

At the leaves the cube is valued as Janowski does ("Take-Points in Money Games", 1993), with the
turning points worked out from the top of the cube down, as GNU Backgammon does at a match score:
between the points at which either side drops, a fully live cube is worth a straight line, and the
cube is live by a part of itself.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.engine import sage
from games.engine.worth import Cube, Cubes, Values
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.outcome import Win

TURNS: Final = 2
KEPT: Final = 2
"""Plays of a roll that are looked into, by their equity without a cube."""

ROLLS: Final = 36
TINY: Final = 1e-9

Numbers = NDArray[np.float64]


def rolled(board: sage.Board, accounts: Sequence[Cubes], turns: int = TURNS) -> list[Values]:
    """The values of the player on roll when nobody doubles before this roll, for each account."""
    if turns == 1:
        return _one_turn(board, accounts)
    totals = [np.zeros(len(cubes.states)) for cubes in accounts]
    for roll, weight in _rolls():
        options = [
            after_turn(after, accounts, turns - 1) for after, _ in _best_plays(board, roll, KEPT)
        ]
        for total, values in zip(totals, zip(*options, strict=True), strict=True):
            total += np.maximum.reduce(values) * weight
    return totals


def after_turn(board: sage.Board, accounts: Sequence[Cubes], turns: int = TURNS) -> list[Values]:
    """The values of the player who has just moved: the other side may double, then rolls."""
    win = sage.won_by_mover(board)
    if win:
        return [cubes.of_win(win) for cubes in accounts]
    others = [cubes.flipped() for cubes in accounts]
    found = rolled(sage.flipped(board), others, turns)
    return [
        cubes.from_other(other.decided(values))
        for cubes, other, values in zip(accounts, others, found, strict=True)
    ]


def _one_turn(board: sage.Board, accounts: Sequence[Cubes]) -> list[Values]:
    """The last turn of the tree: one play of each roll, judged without looking further."""
    totals = [np.zeros(len(cubes.states)) for cubes in accounts]
    leaves: list[Leaf] = []
    weights: list[float] = []
    for roll, weight in _rolls():
        ((after, chances),) = _best_plays(board, roll, 1)
        win = sage.won_by_mover(after)
        if win:
            for total, cubes in zip(totals, accounts, strict=True):
                total += cubes.of_win(win) * weight
        else:
            leaves.append(Leaf(chances, sage.cube_life(after, chances)))
            weights.append(weight)
    if leaves:
        for total, cubes in zip(totals, accounts, strict=True):
            total += np.array(weights) @ judged(leaves, cubes)
    return totals


def _rolls() -> Iterator[tuple[Roll, float]]:
    return ((roll, (1 if roll.is_double else 2) / ROLLS) for roll in ALL_ROLLS)


def _best_plays(
    board: sage.Board, roll: Roll, most: int
) -> list[tuple[sage.Board, sage.Probabilities]]:
    scored = []
    for after in sage.plays(board, roll):
        chances, equity = sage.after_turn(after, board)
        scored.append((equity, after, chances))
    scored.sort(key=lambda play: (-play[0], play[1]))
    return [(after, chances) for _, after, chances in scored[:most]]


class Leaf(NamedTuple):
    """A position after a turn: the mover's chances, and how live the cube is."""

    chances: sage.Probabilities
    life: float


def judged(leaves: Sequence[Leaf], cubes: Cubes) -> Values:
    """The values of the one who has just moved, a row for each leaf."""
    chances = np.array([leaf.chances for leaf in leaves])
    life = np.array([leaf.life for leaf in leaves])
    ends = {state: _ends(chances, cubes, state) for state in cubes.states}
    live = _live(ends, cubes, chances[:, 0])
    columns = [
        life * live[state] + (1 - life) * _between(*ends[state], chances[:, 0])
        for state in cubes.states
    ]
    return np.column_stack(columns)


class Ends(NamedTuple):
    """What a lost and a won game are worth on average, gammons counted."""

    lost: Numbers
    won: Numbers


def _ends(chances: Numbers, cubes: Cubes, state: Cube) -> Ends:
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances.T
    worth = cubes.worth
    return Ends(
        lost=_average(
            [worth.of_loss(state, kind) for kind in Win], 1 - win, lost_gammon, lost_backgammon
        ),
        won=_average([worth.of_win(state, kind) for kind in Win], win, gammon, backgammon),
    )


def _average(
    worths: Sequence[float], won: Numbers, gammons: Numbers, backgammons: Numbers
) -> Numbers:
    single, gammon, backgammon = worths
    of_gammons = np.minimum(gammons / np.maximum(won, TINY), 1.0)
    of_backgammons = np.minimum(backgammons / np.maximum(won, TINY), of_gammons)
    average: Numbers = (
        single + (gammon - single) * of_gammons + (backgammon - gammon) * of_backgammons
    )
    return average


class _Bend(NamedTuple):
    """Where one side drops: the other's chance there, and what both then have."""

    chance: Numbers
    value: Numbers


def _live(ends: dict[Cube, Ends], cubes: Cubes, win: Numbers) -> dict[Cube, Numbers]:
    """The values with a cube that is turned at just the right moment."""
    lines: dict[Cube, list[_Bend]] = {}
    for state in sorted(cubes.states, key=lambda state: -state.value):
        bends = []
        if cubes.worth.may_double(state.flipped()):
            lost = np.full_like(win, cubes.worth.of_loss(state, Win.SINGLE))
            dropped = state.flipped().doubled().flipped()
            bends.append(_Bend(_chance_at(lost, ends[dropped], lines[dropped]), lost))
        if cubes.worth.may_double(state):
            won = np.full_like(win, cubes.worth.of_win(state, Win.SINGLE))
            taken = state.doubled()
            bends.append(_Bend(_chance_at(won, ends[taken], lines[taken]), won))
        lines[state] = bends
    return {state: _on_line(ends[state], bends, win) for state, bends in lines.items()}


def _on_line(ends: Ends, bends: Sequence[_Bend], win: Numbers) -> Numbers:
    """The value at a chance to win, along the line through the bends."""
    left = _Bend(np.zeros_like(win), ends.lost)
    values = np.full_like(win, np.nan)
    for right in [*bends, _Bend(np.ones_like(win), ends.won)]:
        here = left.value + (right.value - left.value) * _share(win, left.chance, right.chance)
        values = np.where(np.isnan(values) & (win <= right.chance), here, values)
        left = right
    return np.where(np.isnan(values), ends.won, values)


def _chance_at(value: Numbers, ends: Ends, bends: Sequence[_Bend]) -> Numbers:
    """The chance to win at which the line is worth `value`."""
    left = _Bend(np.zeros_like(value), ends.lost)
    chances = np.full_like(value, np.nan)
    for right in [*bends, _Bend(np.ones_like(value), ends.won)]:
        here = left.chance + (right.chance - left.chance) * _share(value, left.value, right.value)
        chances = np.where(np.isnan(chances) & (value <= right.value), here, chances)
        left = right
    return np.where(np.isnan(chances), 1.0, chances)


def _share(at: Numbers, left: Numbers, right: Numbers) -> Numbers:
    """How far `at` has come from left to right, from 0 to 1."""
    share: Numbers = np.clip((at - left) / np.maximum(right - left, TINY), 0.0, 1.0)
    return share


def _between(lost: Numbers, won: Numbers, win: Numbers) -> Numbers:
    """With a cube that nobody will turn."""
    return lost + (won - lost) * win
