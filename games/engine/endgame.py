"""The exact value of short bear-offs: every roll, every play and every decision about the cube.

Both sides bear off and nothing can be hit any more, so each moves through its own small set of
positions. The tables below hold what the side on roll wins in each pair of them, for all states of
the cube at once. Nothing is estimated: the numbers are exact but for the rounding of floats.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import permutations
from math import comb, prod
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.engine.worth import Cubes, Values
from games.rules.board import CHECKERS, HOME, OFF, Position, Side, has_contact, is_bearing_off
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.outcome import Win, is_over

MOST_HOMES: Final = 1_000
MOST_PAIRS: Final = 450_000
"""Positions of a side, and pairs of them, for a few seconds of work."""

Home: TypeAlias = tuple[int, ...]
"""Counts from off to the 6 point."""

WEIGHTS: Final = np.array([1 if roll.is_double else 2 for roll in ALL_ROLLS]) / 36


class Endgame:
    """A solved bear-off. Both ways home are numbered from the end: 0 is all off, the last is now.

    `pulse` is called many times while it is being solved.
    """

    def __init__(
        self, position: Position, cubes: Cubes, pulse: Callable[[], None] = lambda: None
    ) -> None:
        self._mine, self._theirs = _Way(position.mine), _Way(position.theirs)
        self._cubes, self._others = cubes, cubes.flipped()
        self._lost = self._mine.lost_to(self._others)
        # What I have after a play to each of my homes, against each of theirs.
        self._after = np.empty((len(self._mine.homes), len(self._theirs.homes), len(cubes.states)))
        self._after[OFF] = self._theirs.lost_to(cubes)
        for mine in range(1, len(self._mine.homes)):
            self._solve(mine)
            pulse()

    def rolled(self) -> Values:
        """The values of the player on roll when nobody doubles before this roll."""
        values: Values = self._rolled(len(self._mine.homes) - 1)[-1]
        return values

    def played(self, roll: Roll) -> Values:
        """The values of the player on roll with these dice, played as well as can be."""
        values: Values = self._played(len(self._mine.homes) - 1, ALL_ROLLS.index(roll))[-1]
        return values

    def _solve(self, mine: int) -> None:
        """Fewer pips first: a play leads only to what is known already."""
        to_roll = self._cubes.decided(self._rolled(mine))
        theirs_after = self._others.from_other(to_roll)
        theirs_after[OFF] = self._lost[mine]
        their_rolled = sum(
            weight * theirs_after[plays].max(axis=1)
            for weight, plays in zip(WEIGHTS, self._theirs.padded, strict=True)
        )
        self._after[mine] = self._cubes.from_other(self._others.decided(their_rolled))

    def _rolled(self, mine: int) -> Values:
        rolls = range(len(ALL_ROLLS))
        total: Values = sum(WEIGHTS[roll] * self._played(mine, roll) for roll in rolls)
        return total

    def _played(self, mine: int, roll: int) -> Values:
        """From one of my homes with a roll, against each of theirs."""
        best: Values = np.maximum.reduce([self._after[to] for to in self._mine.plays[mine][roll]])
        return best


class _Way:
    """All positions of one side on its way home, and the plays between them by roll."""

    def __init__(self, side: Side) -> None:
        self.homes = _reachable(side[: HOME + 1])
        index = {home: at for at, home in enumerate(self.homes)}
        self.plays = [
            [sorted(index[to] for to in _plays(home, roll)) for roll in ALL_ROLLS]
            for home in self.homes
        ]

    @cached_property
    def padded(self) -> list[NDArray[np.intp]]:
        """By roll: the plays of every position, the first one repeated to fill its row."""
        return [_filled(plays) for plays in zip(*self.plays, strict=True)]

    def lost_to(self, winners: Cubes) -> Values:
        """What the other side wins by bearing off first, in each of these positions."""
        single, gammon = winners.of_win(Win.SINGLE), winners.of_win(Win.GAMMON)
        return np.array([single if home[OFF] else gammon for home in self.homes])


def _filled(rows: Sequence[list[int]]) -> NDArray[np.intp]:
    most = max(map(len, rows))
    return np.array([row + row[:1] * (most - len(row)) for row in rows])


def is_solvable(position: Position) -> bool:
    """Whether it is a bear-off, and short enough to be solved."""
    if is_over(position) or has_contact(position):
        return False
    if not all(is_bearing_off(side) for side in position):
        return False
    homes = [_most_homes(side) for side in position]
    return max(homes) <= MOST_HOMES and prod(homes) <= MOST_PAIRS


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
