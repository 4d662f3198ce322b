"""What the network sees of a position: 236 numbers. A change here needs a new VERSION and new weights.

The position is always (side to roll, other side), each counted by its own progress; so there is no colour.

A, 73 a side: of each point whether it has a checker, two, and how many more than two (quarters); off/15.
B, 12 a side: pips/100; head held; head/15; home/15; any off; any home or off; all home; pips to bring all
home/60; checkers in the first three quarters/15; head above 3. Then the difference of pips/50.
C, 32 a side: of the longest run of own points ahead of the enemy's rear whether it is 3, 4, 5, 6 long; enemy
checkers behind it/15; most points in six ahead of his rear/6; exits of enemy checkers blocked/30; own exits
from the head blocked, for each die; for each die, own points that can step/5, and whether none can; rear's
progress/24; rear's blocked exits/6; points held/10; points held in the first three quarters/6; tallest
tower/8. Then whether both rears have passed the middle, so that nobody can be blocked any more.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.engine.nardy.moves import OFF, POINTS, Ints, Sides, points_of, turned

Inputs: TypeAlias = NDArray[np.float32]

NAME: Final = "nardy-c"
VERSION: Final = 1

A_SIDE: Final = 73
B_SIDE: Final = 12
C_SIDE: Final = 32
SCALARS_AT: Final = 2 * A_SIDE
PIPS_AT: Final = SCALARS_AT + 2 * B_SIDE
TACTICS_AT: Final = PIPS_AT + 1
NO_CONTACT_AT: Final = TACTICS_AT + 2 * C_SIDE
SIZE: Final = NO_CONTACT_AT + 1
"""236."""

QUARTER: Final = 6
HALF: Final = 12
HOME: Final = 18
SHORTEST_RUN: Final = 3
LONGEST_RUN: Final = 6
HIGH_HEAD: Final = 3

_ONES: Final = np.array([number.bit_count() for number in range(1 << QUARTER)], np.int32)
_DICE: Final = np.arange(1, 7)
_WINDOWS: Final = np.arange(1, HOME + 1)
_EXITS: Final = np.arange(1, POINTS + 1)
_QUARTERS: Final = np.arange(0, HOME, QUARTER)
_INSIDE: Final = np.left_shift(1, POINTS - _DICE) - 1
_TO_GO: Final = (POINTS - np.arange(POINTS)).astype(np.float32)
_TO_HOME: Final = np.maximum(_TO_GO - QUARTER, 0)


def encoded(to_roll: Sides, other: Sides) -> Inputs:
    """The inputs [n, SIZE] of positions whose sides are [n, 25] each."""
    n = len(to_roll)
    # Both sides are looked at alike, so all of them at once: first those to roll, then the others.
    own = np.concatenate([to_roll, other])
    opp = np.concatenate([other, to_roll])
    points = points_of(own)
    enemies = np.concatenate([points[n:], points[:n]])
    scalars = np.empty((2 * n, B_SIDE), np.float32)
    tactics = np.zeros((2 * n, C_SIDE), np.float32)
    pips = _scalars(scalars, own)
    rears = _rear(points, own)
    opposite = np.concatenate([rears[n:], rears[:n]])
    _blocks(tactics, opp, turned(points), opposite)
    _mobility(tactics, own, points, turned(enemies), rears)

    inputs = np.empty((n, SIZE), np.float32)
    _raw(inputs[:, :A_SIDE], to_roll)
    _raw(inputs[:, A_SIDE:SCALARS_AT], other)
    inputs[:, SCALARS_AT : SCALARS_AT + B_SIDE] = scalars[:n]
    inputs[:, SCALARS_AT + B_SIDE : PIPS_AT] = scalars[n:]
    inputs[:, PIPS_AT] = (pips[n:] - pips[:n]) / 50
    inputs[:, TACTICS_AT : TACTICS_AT + C_SIDE] = tactics[:n]
    inputs[:, TACTICS_AT + C_SIDE : NO_CONTACT_AT] = tactics[n:]
    inputs[:, NO_CONTACT_AT] = (rears[:n] >= HALF) & (rears[n:] >= HALF)
    return inputs


def _raw(into: Inputs, side: Sides) -> None:
    counts = side[:, :POINTS]
    last = into.shape[1] - 1
    into[:, 0:last:3] = counts > 0
    into[:, 1:last:3] = counts > 1
    np.multiply(np.maximum(counts - 2, 0), np.float32(0.25), out=into[:, 2:last:3])
    into[:, last] = side[:, OFF] / np.float32(15)


def _scalars(into: Inputs, side: Sides) -> Inputs:
    """B of the sides; their pips."""
    counts, off = side[:, :POINTS].astype(np.float32), side[:, OFF]
    head = side[:, 0]
    quarters = counts.reshape(len(side), -1, QUARTER).sum(axis=2)
    home = quarters[:, 3]
    pips: Inputs = counts @ _TO_GO
    into[:, 0] = pips / 100
    into[:, 1] = head > 0
    into[:, 2] = head / np.float32(15)
    into[:, 3] = home / 15
    into[:, 4] = off > 0
    into[:, 5] = home + off > 0
    into[:, 6] = home + off == 15  # noqa: PLR2004  all checkers
    into[:, 7] = counts @ _TO_HOME / 60
    into[:, 8:11] = quarters[:, :3] / 15
    into[:, 11] = head > HIGH_HEAD
    return pips


def _blocks(into: Inputs, opp: Sides, there: Ints, their_rear: Ints) -> None:
    """What is held of the enemy's route; `there`: the own points in his numbering."""
    ahead = there & ~((2 << their_rear) - 1)
    runs = best = ahead
    for length in range(2, LONGEST_RUN + 1):
        runs = runs & (ahead >> (length - 1))
        best = np.where(runs != 0, runs, best)
        if length >= SHORTEST_RUN:
            into[:, length - SHORTEST_RUN] = runs != 0
    start = np.frexp(best.astype(np.float64))[1] - 1  # the highest bit
    cumulated = np.cumsum(opp[:, :POINTS], axis=1)
    behind = cumulated[np.arange(len(opp)), np.maximum(start, 1) - 1]
    into[:, 4] = np.where(into[:, 0] > 0, behind, 0) / 15
    windows = _six(ahead[:, None] >> _WINDOWS).max(axis=1)
    into[:, 5] = np.where(their_rear < HOME, windows, 0) / 6
    into[:, 6] = (opp[:, :POINTS] * _six(there[:, None] >> _EXITS)).sum(axis=1) / 30


def _mobility(into: Inputs, own: Sides, points: Ints, here: Ints, rear: Ints) -> None:
    """What can be moved; `here`: the enemy's points in the own numbering."""
    blocked = here[:, None] >> _DICE
    into[:, 7:13] = (own[:, :1] > 0) & (blocked & 1).astype(np.bool_)
    inside = points[:, None] & _INSIDE
    steps = _ones(inside & ~blocked)
    all_home = ((points & ((1 << HOME) - 1)) == 0) & (points != 0)
    if all_home.any():
        exact = ((points[:, None] >> (POINTS - _DICE)) & 1).astype(np.bool_)
        steps = steps + (all_home[:, None] & (exact | (inside == 0)))
    into[:, 13:19] = steps / 5
    into[:, 19:25] = steps == 0
    into[:, 25] = rear / 24
    into[:, 26] = _six(here >> (rear + 1)) / 6
    into[:, 27] = _ones(points) / 10
    into[:, 28:31] = _six(points[:, None] >> _QUARTERS) / 6
    into[:, 31] = own[:, :POINTS].max(axis=1) / np.float32(8)


def _rear(points: Ints, sides: Sides) -> Ints:
    return np.where(points != 0, np.argmax(sides[:, :POINTS] > 0, axis=1), POINTS)


def _six(points: Ints) -> NDArray[np.int32]:
    """How many of the first six points are held."""
    ones: NDArray[np.int32] = _ONES[points & ((1 << QUARTER) - 1)]
    return ones


def _ones(points: Ints) -> NDArray[np.int32]:
    return _six(points) + _six(points >> 6) + _six(points >> 12) + _six(points >> 18)
