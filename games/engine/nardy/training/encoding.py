"""The inputs of the network, compiled. The same numbers as games.engine.nardy.features, which describes them."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from games.engine.nardy.features import (
    A_SIDE,
    B_SIDE,
    C_SIDE,
    NO_CONTACT_AT,
    PIPS_AT,
    SCALARS_AT,
    SIZE,
    TACTICS_AT,
)
from games.engine.nardy.training.generator import points_of, turned

ONES = np.array([bin(n).count("1") for n in range(64)], np.int64)
"""How many bits six bits have."""


@njit(cache=True)
def _ones(mask: int) -> int:
    return ONES[mask & 63] + ONES[(mask >> 6) & 63] + ONES[(mask >> 12) & 63] + ONES[mask >> 18]


BIT = np.zeros(37, np.int64)
"""The number of a lone bit, by its remainder."""
for _bit in range(24):
    BIT[(1 << _bit) % 37] = _bit


@njit(cache=True)
def lowest(mask: int) -> int:
    """The number of the lowest bit of 24; 24 if there is none."""
    if mask == 0:
        return 24
    return BIT[(mask & -mask) % 37]


@njit(cache=True, fastmath=True)
def _counts(f: Any, raw: int, at: int, own: Any, mask: int) -> int:
    """The counts of a side and what is summed from them; its pips."""
    pips = 0
    held = mask
    while held:
        p = lowest(held)
        held &= held - 1
        n = own[p]
        k = raw + 3 * p
        f[k] = 1.0
        if n >= 2:
            f[k + 1] = 1.0
            f[k + 2] = (n - 2) * 0.25
        pips += n * (24 - p)
    first = 0
    second = 0
    third = 0
    for p in range(6):
        first += own[p]
        second += own[p + 6]
        third += own[p + 12]
    off = np.int64(own[24])
    home = 15 - off - first - second - third
    home_pips = 0
    for p in range(18, 24):
        home_pips += own[p] * (24 - p)
    away = first + second + third
    f[raw + 72] = off / 15.0
    f[at] = pips * 0.01
    f[at + 1] = 1.0 if own[0] > 0 else 0.0
    f[at + 2] = own[0] / 15.0
    f[at + 3] = home / 15.0
    f[at + 4] = 1.0 if off > 0 else 0.0
    f[at + 5] = 1.0 if home + off > 0 else 0.0
    f[at + 6] = 1.0 if away == 0 else 0.0
    f[at + 7] = (pips - home_pips - 6 * away) / 60.0
    f[at + 8] = first / 15.0
    f[at + 9] = second / 15.0
    f[at + 10] = third / 15.0
    f[at + 11] = 1.0 if own[0] > 3 else 0.0
    return pips


@njit(cache=True, fastmath=True)
def _blocks(f: Any, at: int, opp: Any, ahead: int, their_rear: int) -> None:
    """What of the enemy's route is held; `ahead`: the own points beyond his rear, in his numbering."""
    run = ahead
    length = 1
    for n in range(2, 7):
        longer = run & (ahead >> (n - 1))
        if longer == 0:
            break
        run = longer
        length = n
    if length >= 3:
        for n in range(3, length + 1):
            f[at + n - 3] = 1.0
        start = 0
        while run > 1:
            run >>= 1
            start += 1
        behind = 0
        for q in range(their_rear, start):
            behind += opp[q]
        f[at + 4] = behind / 15.0
    best = 0
    for q in range(their_rear + 1, 19):
        n = ONES[(ahead >> q) & 63]
        if n > best:
            best = n
    f[at + 5] = best / 6.0


@njit(cache=True, fastmath=True)
def _tactics(f: Any, at: int, own: Any, opp: Any, own_mask: int, opp_mask: int) -> int:
    """What a side blocks and what it can move; its rearmost progress."""
    theirs_here = turned(opp_mask)
    mine_there = turned(own_mask)
    rear = lowest(own_mask)
    their_rear = lowest(opp_mask)
    if their_rear < 23:
        ahead = (mine_there >> (their_rear + 1)) << (their_rear + 1)
        if ahead:
            _blocks(f, at, opp, ahead, their_rear)
    exits = 0
    held = opp_mask
    while held:
        q = lowest(held)
        held &= held - 1
        exits += opp[q] * ONES[(mine_there >> (q + 1)) & 63]
    f[at + 6] = exits / 30.0

    if own[0] > 0:
        for d in range(1, 7):
            f[at + 6 + d] = (theirs_here >> d) & 1
    all_home = (own_mask & 0x3FFFF) == 0 and own_mask != 0
    for d in range(1, 7):
        inside = own_mask & ((1 << (24 - d)) - 1)
        n = _ones(inside & ~(theirs_here >> d))
        if all_home and ((own_mask >> (24 - d)) & 1 or inside == 0):
            n += 1
        f[at + 12 + d] = n * 0.2
        if n == 0:
            f[at + 18 + d] = 1.0
    f[at + 25] = rear / 24.0
    if rear < 23:
        f[at + 26] = ONES[(theirs_here >> (rear + 1)) & 63] / 6.0
    f[at + 27] = _ones(own_mask) / 10.0
    f[at + 28] = ONES[own_mask & 63] / 6.0
    f[at + 29] = ONES[(own_mask >> 6) & 63] / 6.0
    f[at + 30] = ONES[(own_mask >> 12) & 63] / 6.0
    tallest = own[0]
    for p in range(24):
        tallest = max(tallest, own[p])
    f[at + 31] = tallest * 0.125
    return rear


@njit(cache=True, fastmath=True)
def encode(x: Any, y: Any, f: Any) -> None:
    """Writes the inputs of a position to f, float32 [SIZE]: `x` is to roll."""
    f[:] = 0.0
    x_mask = points_of(x)
    x_pips = _counts(f, 0, SCALARS_AT, x, x_mask)
    _encode_rest(x, y, f, x_mask, x_pips)


@njit(cache=True, fastmath=True)
def encode_again(x: Any, y: Any, f: Any, x_mask: int, x_pips: int) -> None:
    """The same where f has another position with this x; `x_mask` its points, `x_pips` its pips."""
    f[A_SIDE:SCALARS_AT] = 0.0
    f[SCALARS_AT + B_SIDE :] = 0.0
    _encode_rest(x, y, f, x_mask, x_pips)


@njit(cache=True, fastmath=True)
def _encode_rest(x: Any, y: Any, f: Any, x_mask: int, x_pips: int) -> None:
    y_mask = points_of(y)
    y_pips = _counts(f, A_SIDE, SCALARS_AT + B_SIDE, y, y_mask)
    f[PIPS_AT] = (y_pips - x_pips) * 0.02
    x_rear = _tactics(f, TACTICS_AT, x, y, x_mask, y_mask)
    y_rear = _tactics(f, TACTICS_AT + C_SIDE, y, x, y_mask, x_mask)
    f[NO_CONTACT_AT] = 1.0 if x_rear >= 12 and y_rear >= 12 else 0.0


@njit(cache=True)
def pips_of(side: Any) -> int:
    """How far a side has to go."""
    pips = 0
    for p in range(24):
        pips += side[p] * (24 - p)
    return pips


@njit(cache=True)
def encode_many(positions: Any, rows: Any, out: Any) -> None:
    """The inputs of positions[rows], int8 [n, 2, 25], to `out`, float32 [len(rows), SIZE]."""
    for at in range(len(rows)):
        encode(positions[rows[at], 0], positions[rows[at], 1], out[at])


def encoded(positions: NDArray[np.int8]) -> NDArray[np.float32]:
    """The inputs of all positions."""
    out = np.empty((len(positions), SIZE), np.float32)
    encode_many(positions, np.arange(len(positions)), out)
    return out
