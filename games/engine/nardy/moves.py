"""Every final position of many rolls at once, in NumPy: what the evaluator plays games with.

Sides are 25 counts by own progress, 24 being off. games.rules.long_nardy is the law for one roll; this
is for thousands, and the tests compare them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.rules.board import Position
from games.rules.long_nardy import by_progress

Sides: TypeAlias = NDArray[np.int8]
"""[..., 25] counts."""
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

PLACES: Final = 25
OFF: Final = 24
POINTS: Final = 24
HOME: Final = 18
CHECKERS: Final = 15
BLOCK: Final = 6
FULL: Final = (1 << POINTS) - 1
OUTSIDE: Final = (1 << HOME) - 1
SECOND_HEAD: Final = (3, 4, 6)
"""Nardy 8: the doubles that let the second player take two from the head."""
DICE: Final = 2
DOUBLE_STEPS: Final = 4

_PROGRESS: Final = np.arange(POINTS)
_BITS: Final = np.left_shift(1, _PROGRESS)
_HASH: Final = (
    np.random.default_rng(24).integers(0, 1 << 62, PLACES, dtype=np.int64) * 2 + 1  # odd
)
_OWNER_HASH: Final = np.int64(-7046029254386353131)


class Finals(NamedTuple):
    """`sides` [n, 25]: what the mover may have afterwards; `owner` [n]: of which roll, in order; `used` [rolls]: dice."""

    sides: Sides
    owner: Ints
    used: Ints


def sides_of(positions: Sequence[Position]) -> tuple[Sides, Sides]:
    """The sides `mine` and `theirs` by progress, [n, 25] each."""
    mine, theirs = (
        np.array([by_progress(side) for side in sides], np.int8)
        for sides in zip(*positions, strict=True)
    )
    return mine, theirs


def points_of(sides: Sides) -> Ints:
    """The points that each side holds, as bits."""
    points: Ints = (sides[..., :POINTS] > 0).astype(np.int64) @ _BITS
    return points


def turned(points: Ints) -> Ints:
    """The same points in the other side's numbering."""
    return ((points >> 12) | (points << 12)) & FULL


def finals(mine: Sides, theirs: Sides, dice: Ints, *, fnr: bool) -> Finals:
    """All finals of rolls [n, 2] played by `mine` [n, 25]; a roll without a legal step has none."""
    found = _with_heads(mine, theirs, dice, 1, fnr=fnr)
    first = (mine[:, 0] == CHECKERS) & (found.used < _hand(dice))
    if fnr:
        first &= (theirs[:, 0] < CHECKERS) & (dice[:, 0] == dice[:, 1])
        first &= np.isin(dice[:, 0], SECOND_HEAD)
    at = np.flatnonzero(first)
    if not len(at):
        return found
    second = _with_heads(mine[at], theirs[at], dice[at], 2, fnr=fnr)
    more = second.used > found.used[at]
    return _replaced(found, second, at, more)


def _hand(dice: Ints) -> Ints:
    """How many dice there are to play."""
    return np.where(dice[:, 0] == dice[:, 1], DOUBLE_STEPS, DICE)


def _replaced(found: Finals, second: Finals, at: Ints, more: Flags) -> Finals:
    """The finals of `second` in place of those of the rolls `at` where `more`."""
    dropped = np.zeros(len(found.used), np.bool_)
    dropped[at[more]] = True
    keep, take = ~dropped[found.owner], more[second.owner]
    owner = np.concatenate([found.owner[keep], at[second.owner[take]]])
    order = np.argsort(owner, kind="stable")
    sides = np.concatenate([found.sides[keep], second.sides[take]])
    used = found.used.copy()
    used[at[more]] = second.used[more]
    return Finals(sides[order], owner[order], used)


@dataclass(slots=True)
class _Layer:
    """Positions on their way; `line`: which order of the dice of their roll is being played."""

    sides: Sides
    points: Ints
    keys: Ints
    owner: Ints
    line: Ints

    def taken(self, at: Ints) -> "_Layer":
        return _Layer(self.sides[at], self.points[at], self.keys[at], self.owner[at], self.line[at])


class _Table(NamedTuple):
    """What stays during a turn, by roll."""

    free: Ints
    beyond: Ints
    """The points on the enemy's route where a block is illegal (Nardy 5), as bits."""
    head_left: Ints


def _with_heads(mine: Sides, theirs: Sides, dice: Ints, heads: int, *, fnr: bool) -> Finals:
    table = _Table(
        ~turned(points_of(theirs)) & FULL,
        _beyond(theirs, fnr=fnr),
        mine[:, 0].astype(np.int64) - heads,
    )
    double = dice[:, 0] == dice[:, 1]
    high, low = dice.max(axis=1), dice.min(axis=1)
    start = _start(mine, double)
    layers = [start]
    for step in range(DOUBLE_STEPS):
        layer = layers[-1]
        if step >= DICE:
            layer = layer.taken(np.flatnonzero(double[layer.owner]))
        low_now = (layer.line == 0) == (step == 1)
        die = np.where(low_now, low[layer.owner], high[layer.owner])
        after = _played(layer, die, table, joined=step > 0)
        if not len(after.owner):
            break
        layers.append(after)
    return _longest(layers, len(mine), high, low)


def _start(mine: Sides, double: Flags) -> _Layer:
    """Each roll once for each order of its dice; line 0 begins with the higher."""
    n = len(mine)
    owner = np.concatenate([np.arange(n), np.flatnonzero(~double)])
    line = np.concatenate([np.zeros(n, np.int64), np.ones(int((~double).sum()), np.int64)])
    sides = mine[owner]
    keys = sides.astype(np.int64) @ _HASH + owner * _OWNER_HASH
    return _Layer(sides, points_of(sides), keys, owner, line)


def _beyond(theirs: Sides, *, fnr: bool) -> Ints:
    held = theirs[:, :POINTS] > 0
    last = POINTS - 1 - np.argmax(held[:, ::-1], axis=1) if fnr else np.argmax(held, axis=1)
    safe = (theirs[:, HOME:] > 0).any(axis=1)
    return np.where(safe, 0, FULL & ~((2 << last) - 1))


def _played(layer: _Layer, die: Ints, table: _Table, *, joined: bool) -> _Layer:
    """One die played from each position. `joined`: ends of the two orders of a roll are one."""
    rows, src, dst = _steps(layer, die, table)
    leaves = np.where(layer.sides[rows, src] == 1, _BITS[src], 0)
    arrives = np.where(dst < OFF, np.left_shift(1, dst), 0)
    points = (layer.points[rows] & ~leaves) | arrives
    is_open = ~_is_block(turned(points) & table.beyond[layer.owner[rows]])
    keys = layer.keys[rows] + _HASH[dst] - _HASH[src]
    distinct = keys if joined else keys + layer.line[rows]
    new = np.flatnonzero(is_open)
    _, first = np.unique(distinct[new], return_index=True)
    new = new[np.sort(first)]
    rows, src, dst = rows[new], src[new], dst[new]
    sides = layer.sides[rows]
    at = np.arange(len(rows))
    sides[at, src] -= 1
    sides[at, dst] += 1
    return _Layer(sides, points[new], keys[new], layer.owner[rows], layer.line[rows])


def _steps(layer: _Layer, die: Ints, table: _Table) -> tuple[Ints, Ints, Ints]:
    """Which positions have a step from where to where, blocks not yet looked at."""
    sides, owner = layer.sides, layer.owner
    target = _PROGRESS + die[:, None]
    held = sides[:, :POINTS] > 0
    rear = np.argmax(held, axis=1)
    held[:, 0] &= sides[:, 0] > table.head_left[owner]
    to = np.minimum(target, OFF)
    legal = held & (target < POINTS) & ((table.free[owner][:, None] >> to) & 1).astype(np.bool_)
    home = (layer.points & OUTSIDE) == 0
    if home.any():
        far = (target > OFF) & (rear[:, None] == _PROGRESS)
        legal |= held & home[:, None] & ((target == OFF) | far)
    rows, src = np.nonzero(legal)
    return rows, src, to[rows, src]


def _is_block(held: Ints) -> Flags:
    threes = held & (held >> 1) & (held >> 2)
    blocked: Flags = (threes & (threes >> BLOCK // 2)) != 0
    return blocked


def _longest(layers: list[_Layer], rolls: int, high: Ints, low: Ints) -> Finals:
    """Of each roll the ends that use most dice, and of one die the higher (Nardy 3.4)."""
    used = np.zeros(rolls, np.int64)
    for count, layer in enumerate(layers):
        used[layer.owner] = count
    sides, owners = [], []
    for count, layer in enumerate(layers[1:], start=1):
        keep = used[layer.owner] == count
        if count == 1:
            plays_high = np.zeros(rolls, np.bool_)
            plays_high[layer.owner[layer.line == 0]] = True
            keep &= (layer.line == 0) | ~plays_high[layer.owner]
        sides.append(layer.sides[keep])
        owners.append(layer.owner[keep])
    if not sides:
        return Finals(np.zeros((0, PLACES), np.int8), np.zeros(0, np.int64), used)
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    return Finals(np.concatenate(sides)[order], owner[order], used)
