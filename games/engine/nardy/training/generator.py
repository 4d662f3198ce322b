"""Every final position of a roll, compiled. Long nardy (rules.md, Nardy 3 to 6) by own progress.

A side is 25 counts: progress 0 (the head) to 23, and 24 for borne off. The other side's progress p is
(p + 12) mod 24 here, both ways, so no colour is needed. games.rules.long_nardy is the law of the site;
this is a second telling of it, for speed, and the tests compare them.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

PLACES: Final = 25
OFF: Final = 24
CHECKERS: Final = 15
MOST_FINALS: Final = 6000
TABLE_BITS: Final = 15
TABLE: Final = 1 << TABLE_BITS
FULL: Final = 0xFFFFFF

Counts = NDArray[np.int8]


class Workspace(NamedTuple):
    """Memory that calls of `finals` share; not for two threads."""

    found: Counts
    """[4, MOST_FINALS, 25]: the layers of a search; the finals are in [2]."""
    masks: NDArray[np.int32]
    hashes: NDArray[np.uint64]
    table: NDArray[np.uint64]
    stamps: NDArray[np.int64]
    stamp: NDArray[np.int64]
    zobrist: NDArray[np.uint64]


def workspace() -> Workspace:
    """Fresh memory; the numbers of the hash are always the same."""
    chance = np.random.default_rng(24)
    return Workspace(
        found=np.zeros((4, MOST_FINALS, PLACES), np.int8),
        masks=np.zeros((4, MOST_FINALS), np.int32),
        hashes=np.zeros((4, MOST_FINALS), np.uint64),
        table=np.zeros(TABLE, np.uint64),
        stamps=np.zeros(TABLE, np.int64),
        stamp=np.zeros(1, np.int64),
        zobrist=chance.integers(0, 1 << 63, PLACES, dtype=np.uint64) * np.uint64(2) + np.uint64(1),
    )


@njit(cache=True)
def points_of(counts: Any) -> int:
    """The points that a side holds, as bits 0 to 23."""
    mask = 0
    for p in range(24):
        if counts[p] > 0:
            mask |= 1 << p
    return mask


@njit(cache=True)
def turned(mask: int) -> int:
    """The same points in the other side's numbering."""
    return ((mask >> 12) | (mask << 12)) & 0xFFFFFF


@njit(cache=True)
def _is_new(key: Any, work: Workspace) -> bool:
    slot = (key >> np.uint64(64 - TABLE_BITS)) & np.uint64(TABLE - 1)
    while work.stamps[slot] == work.stamp[0]:
        if work.table[slot] == key:
            return False
        slot = (slot + np.uint64(1)) & np.uint64(TABLE - 1)
    work.stamps[slot] = work.stamp[0]
    work.table[slot] = key
    return True


@njit(cache=True)
def _played(
    work: Workspace,
    layer: int,
    n: int,
    die: int,
    into: int,
    m: int,
    head_left: int,
    free: int,
    limit: int,
) -> int:
    """Plays `die` from the first `n` positions of a layer, adding to `m` of another; the new `m`.

    `free`: points without enemies. `limit`: a block that starts beyond it is illegal (Nardy 5);
    `head_left`: how many checkers must stay on the head at least.
    """
    for at in range(n):
        counts = work.found[layer, at]
        mask = work.masks[layer, at]
        all_home = (mask & 0x3FFFF) == 0
        lowest = 24
        if all_home:
            for p in range(18, 24):
                if counts[p] > 0:
                    lowest = p
                    break
        for p in range(24):
            if counts[p] == 0 or (p == 0 and counts[0] <= head_left):
                continue
            q = p + die
            if q < 24:
                if not (free >> q) & 1:
                    continue
            else:
                if not all_home or (q > 24 and p != lowest):
                    continue
                q = 24
            after = mask
            if counts[p] == 1:
                after &= ~(1 << p)
            if q < 24:
                after |= 1 << q
            if limit < 18:
                on_route = turned(after)
                runs = on_route & (on_route >> 1) & (on_route >> 2)
                runs &= runs >> 3
                if runs >> (limit + 1):
                    continue
            key = work.hashes[layer, at] + work.zobrist[q] - work.zobrist[p]
            if not _is_new(key, work):
                continue
            if m >= MOST_FINALS:
                return m
            work.found[into, m] = counts
            work.found[into, m, p] -= 1
            work.found[into, m, q] += 1
            work.masks[into, m] = after
            work.hashes[into, m] = key
            m += 1
    return m


@njit(cache=True)
def _search(
    mine: Any, high: int, low: int, heads: int, free: int, limit: int, work: Workspace
) -> Any:
    """How many finals there are in work.found[2], and how many dice they use."""
    head_left = mine[0] - heads
    key = np.uint64(0)
    for p in range(PLACES):
        key += np.uint64(mine[p]) * work.zobrist[p]
    work.found[0, 0] = mine
    work.masks[0, 0] = points_of(mine)
    work.hashes[0, 0] = key
    if high == low:
        layer, n = 0, 1
        used = 0
        for _ in range(4):
            into = 1 - layer
            work.stamp[0] += 1
            m = _played(work, layer, n, high, into, 0, head_left, free, limit)
            if m == 0:
                break
            layer, n = into, m
            used += 1
        if used == 0:
            return 0, 0
        work.found[2, :n] = work.found[layer, :n]
        return n, used
    work.stamp[0] += 1
    by_high = _played(work, 0, 1, high, 1, 0, head_left, free, limit)
    work.stamp[0] += 1
    by_low = _played(work, 0, 1, low, 3, 0, head_left, free, limit)
    work.stamp[0] += 1
    n = _played(work, 1, by_high, low, 2, 0, head_left, free, limit)
    n = _played(work, 3, by_low, high, 2, n, head_left, free, limit)
    if n > 0:
        return n, 2
    layer, n = (1, by_high) if by_high > 0 else (3, by_low)
    work.found[2, :n] = work.found[layer, :n]
    return n, 1 if n > 0 else 0


@njit(cache=True)
def finals(mine: Any, theirs: Any, high: int, low: int, fnr: int, work: Workspace) -> Any:
    """How many final positions a roll has, and the dice that each uses; they are in work.found[2].

    `fnr` 1: the second ruleset (Nardy 8). None and 0 if there is no legal step.
    """
    free = ~turned(points_of(theirs)) & 0xFFFFFF
    rear, front = 24, 0
    for p in range(PLACES):
        if theirs[p] > 0:
            if rear == 24:
                rear = p
            front = p
    limit = front if fnr else (24 if front >= 18 else rear)
    n, used = _search(mine, high, low, 1, free, limit, work)
    dice = 4 if high == low else 2
    if mine[0] == 15 and used < dice:
        allowed = True
        if fnr:
            allowed = theirs[0] < 15 and high == low and (high == 3 or high == 4 or high == 6)
        if allowed:
            n2, used2 = _search(mine, high, low, 2, free, limit, work)
            if used2 > used:
                return n2, used2
            n, used = _search(mine, high, low, 1, free, limit, work)
    return n, used
