"""Makes the table of the one-sided bear-off, compiled. See games.engine.nardy.bearoff for what it holds."""

from typing import Any

import numpy as np
from numba import njit

from games.engine.nardy.bearoff import COLUMNS, POINTS, POSITIONS, Table, counts_of, rank_of


@njit(cache=True)
def _solve(homes: Any, order: Any, after: Any, expected: Any, chances: Any) -> None:
    """`after`: [position, point, die] is the position after that step, or -1."""
    n = len(homes)
    one = np.zeros((n, 6), np.int32)
    two = np.zeros((n, 6, 6), np.int32)
    three = np.zeros((n, 6), np.int32)
    four = np.zeros((n, 6), np.int32)
    chances[0, 0] = 1.0
    for at in order:
        if at == 0:
            continue
        for d in range(6):
            best = -1
            for p in range(6):
                to = after[at, p, d]
                if to >= 0 and (best < 0 or expected[to] < expected[best]):
                    best = to
            one[at, d] = best
            for e in range(6):
                best = -1
                for p in range(6):
                    to = after[at, p, d]
                    if to >= 0:
                        end = one[to, e]
                        if best < 0 or expected[end] < expected[best]:
                            best = end
                two[at, d, e] = best
            best3 = -1
            best4 = -1
            for p in range(6):
                to = after[at, p, d]
                if to >= 0:
                    end = two[to, d, d]
                    if best3 < 0 or expected[end] < expected[best3]:
                        best3 = end
                    end = three[to, d]
                    if best4 < 0 or expected[end] < expected[best4]:
                        best4 = end
            three[at, d] = best3
            four[at, d] = best4
        total = 1.0
        for d in range(6):
            for e in range(d + 1):
                if d == e:
                    end = four[at, d]
                    weight = 1.0 / 36.0
                else:
                    end = two[at, d, e]
                    if expected[two[at, e, d]] < expected[end]:
                        end = two[at, e, d]
                    weight = 2.0 / 36.0
                total += weight * expected[end]
                for k in range(chances.shape[1] - 1):
                    chances[at, k + 1] += weight * chances[end, k]
        expected[at] = total


def solved() -> Table:
    """The table, played so that the mean of the rolls is least. A second or two."""
    homes = np.array([counts_of(at) for at in range(POSITIONS)], np.int64)
    needs = np.arange(1, POINTS + 1)
    after = np.full((POSITIONS, POINTS, 6), -1, np.int32)
    for need in needs:
        held = homes[:, need - 1] > 0
        higher = homes[:, need:].sum(axis=1) > 0
        for die in range(1, 7):
            moved = homes.copy()
            moved[:, need - 1] -= 1
            if need > die:
                moved[:, need - die - 1] += 1
            legal = held & ((need >= die) | ~higher)
            after[legal, need - 1, die - 1] = rank_of(moved[legal])
    order = np.argsort(homes @ needs, kind="stable")
    expected = np.zeros(POSITIONS)
    chances = np.zeros((POSITIONS, COLUMNS + 1))
    _solve(homes, order, after, expected, chances)
    return Table(expected.astype(np.float32), chances[:, 1:].astype(np.float32))
