"""The exact value of short bear-offs: every roll, every play and every decision about the cube.

Both sides bear off and nothing can be hit any more, so each moves through its own small set of
positions. The tables below hold what the side on roll wins in each pair of them, for all states of
the cube at once. Nothing is estimated: the numbers are exact but for the rounding of floats.
"""

from functools import cached_property, lru_cache
from itertools import permutations
from math import comb
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.engine.worth import Cubes, Values
from games.rules.board import CHECKERS, HOME, OFF, Position, Side, has_contact, is_bearing_off
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.outcome import Win, is_over

LARGEST: Final = 45_000
"""Most pairs of positions in a table: a few seconds of work."""

Home: TypeAlias = tuple[int, ...]
"""Counts from off to the 6 point."""

WEIGHTS: Final = np.array([1 if roll.is_double else 2 for roll in ALL_ROLLS]) / 36


class Endgame:
    """A solved bear-off. `mine` and `theirs` are the two ways home, all off first."""

    def __init__(self, position: Position, cubes: Cubes) -> None:
        self._mine = _Way(position.mine)
        self._theirs = _Way(position.theirs)
        self._cubes = cubes
        self._others = cubes.flipped()
        shape = (len(self._mine.homes), len(self._theirs.homes), len(cubes.states))
        self._mine_to_roll = np.zeros(shape)
        self._theirs_to_roll = np.zeros((shape[1], shape[0], shape[2]))
        self._solve()

    def rolled(self) -> Values:
        """The values of the player on roll when nobody doubles before this roll."""
        at, other = len(self._mine.homes) - 1, len(self._theirs.homes) - 1
        plays = np.array([self._best(at, roll)[other] for roll in range(len(ALL_ROLLS))])
        total: Values = WEIGHTS @ plays
        return total

    def played(self, roll: Roll) -> Values:
        """The values of the player on roll with these dice, played as well as can be."""
        best: Values = self._best(len(self._mine.homes) - 1, ALL_ROLLS.index(roll))[-1]
        return best

    def _solve(self) -> None:
        """Fewer pips first: a play leads only to what is known already."""
        for mine in range(1, len(self._mine.homes)):
            plays = (self._best(mine, roll) for roll in range(len(ALL_ROLLS)))
            rolled = sum(weight * play for weight, play in zip(WEIGHTS, plays, strict=True))
            self._mine_to_roll[mine] = self._cubes.decided(rolled)
            self._theirs_to_roll[:, mine] = self._others.decided(self._their_rolled(mine))

    def _best(self, mine: int, roll: int) -> Values:
        """The value of `mine` with a roll, against each of their positions."""
        plays = [self._after(to) for to in self._mine.plays[mine][roll]]
        best: Values = np.maximum.reduce(plays)
        return best

    def _after(self, to: int) -> Values:
        if to == OFF:
            return self._theirs.lost(self._cubes)
        return self._cubes.from_other(self._theirs_to_roll[:, to])

    def _their_rolled(self, mine: int) -> Values:
        """What they win before a roll, in each of their positions against `mine`."""
        after = self._others.from_other(self._mine_to_roll[mine])
        after[OFF] = self._mine.lost(self._others)[mine]
        plays = after[self._theirs.padded].max(axis=2)
        rolled: Values = np.einsum("r,prs->ps", WEIGHTS, plays)
        return rolled


class _Way:
    """All positions of one side on its way home, fewest pips first, and the plays between them."""

    def __init__(self, side: Side) -> None:
        start = side[: HOME + 1]
        self.homes = _reachable(start)
        index = {home: at for at, home in enumerate(self.homes)}
        self.plays = [
            [sorted(index[to] for to in _plays(home, roll)) for roll in ALL_ROLLS]
            for home in self.homes
        ]

    @cached_property
    def padded(self) -> NDArray[np.intp]:
        """The plays by position and roll, the first one repeated to fill the last axis."""
        most = max(len(options) for rolls in self.plays for options in rolls)
        return np.array(
            [
                [options + options[:1] * (most - len(options)) for options in rolls]
                for rolls in self.plays
            ]
        )

    def lost(self, winners: Cubes) -> Values:
        """What the other side wins by bearing off first, in each of these positions."""
        single, gammon = winners.of_win(Win.SINGLE), winners.of_win(Win.GAMMON)
        return np.array([single if home[OFF] else gammon for home in self.homes])


def is_solvable(position: Position) -> bool:
    """Whether it is a bear-off, and short enough to be solved."""
    if is_over(position) or has_contact(position):
        return False
    if not all(is_bearing_off(side) for side in position):
        return False
    return _most_homes(position.mine) * _most_homes(position.theirs) <= LARGEST


def _most_homes(side: Side) -> int:
    """No more positions than this can be reached: its checkers anywhere up to the highest point."""
    highest = max(point for point in range(1, HOME + 1) if side[point])
    return comb(CHECKERS - side[OFF] + highest, highest)


@lru_cache(maxsize=256)
def _reachable(start: Home) -> list[Home]:
    found = {start}
    fresh = [start]
    while fresh:
        home = fresh.pop()
        for roll in ALL_ROLLS:
            new = _plays(home, roll) - found
            found |= new
            fresh += new
    return sorted(found, key=lambda home: (_pips(home), home))


def _pips(home: Home) -> int:
    return sum(point * count for point, count in enumerate(home))


@lru_cache(maxsize=1 << 15)
def _plays(home: Home, roll: Roll) -> frozenset[Home]:
    """The positions after a turn (Backgammon 4). As many dice as possible can always be played."""
    reached: set[Home] = set()
    for dice in set(permutations(roll.dice)):
        homes = {home}
        for die in dice:
            homes = {after for before in homes for after in _steps(before, die)}
        reached |= homes
    return frozenset(reached)


def _steps(home: Home, die: int) -> list[Home]:
    if home[OFF] == CHECKERS:
        return [home]
    highest = max(point for point in range(1, HOME + 1) if home[point])
    return [
        _moved(home, point, max(point - die, OFF))
        for point in range(1, highest + 1)
        if home[point] and (point >= die or point == highest)
    ]


def _moved(home: Home, src: int, dst: int) -> Home:
    counts = list(home)
    counts[src] -= 1
    counts[dst] += 1
    return tuple(counts)
