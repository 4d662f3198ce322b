"""How many rolls a side that is all home still needs: a table of every home, and the race it decides.

Each side is taken to play so that its mean number of rolls is least, not so that it wins most often;
that is near enough to exact.
"""

from functools import cached_property
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

POINTS: Final = 6
CHECKERS: Final = 15
POSITIONS: Final = comb(CHECKERS + POINTS, POINTS)
"""54,264: up to 15 checkers on six points."""
COLUMNS: Final = 20
"""Numbers of rolls, from 1 on; more are rarer than one in five million."""

Floats: TypeAlias = NDArray[np.float32]

_CHOOSE: Final = np.array(
    [[comb(n, k) for k in range(POINTS + 1)] for n in range(CHECKERS + POINTS + 1)]
)


def rank_of(needs: NDArray[np.integer]) -> NDArray[np.int64]:
    """The number of each home; `needs` [..., 6] counts the checkers that need 1 pip to 6 pips."""
    places = np.cumsum(needs, axis=-1, dtype=np.int64) + np.arange(POINTS)
    ranks: NDArray[np.int64] = _CHOOSE[places, np.arange(1, POINTS + 1)].sum(axis=-1)
    return ranks


def counts_of(rank: int) -> tuple[int, ...]:
    """The home of this number, as `rank_of` takes it."""
    places = []
    for k in range(POINTS, 0, -1):
        place = k - 1
        while comb(place + 1, k) <= rank:
            place += 1
        rank -= comb(place, k)
        places.append(place)
    places.reverse()
    return tuple(
        place - at - (places[at - 1] - at + 1 if at else 0) for at, place in enumerate(places)
    )


class Table(NamedTuple):
    """`expected` [POSITIONS]: the mean of the rolls needed. `chances` [POSITIONS, COLUMNS]: of needing just n + 1."""

    expected: Floats
    chances: Floats


class Race:
    """What the table says about two sides that are all home."""

    def __init__(self, table: Table) -> None:
        self.expected = table.expected
        self.chances = table.chances

    @cached_property
    def lasting(self) -> Floats:
        """[POSITIONS, COLUMNS]: the chance to need at least n + 1 rolls."""
        return np.ascontiguousarray(np.cumsum(self.chances[:, ::-1], axis=1)[:, ::-1])

    def win(self, to_roll: NDArray[np.integer], other: NDArray[np.integer]) -> Floats:
        """The chance of the side to roll; both [..., 25] by progress."""
        mine, theirs = (rank_of(side[..., 23:17:-1]) for side in (to_roll, other))
        chances: Floats = np.einsum("...k,...k->...", self.chances[mine], self.lasting[theirs])
        return chances
