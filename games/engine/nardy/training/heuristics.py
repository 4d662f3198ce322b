"""Opponents without a network, compiled: a count of pips, and a careful hand-written judgement of a position."""

from typing import Any

from numba import njit

from games.engine.nardy.training.encoding import ONES, lowest, pips_of
from games.engine.nardy.training.generator import points_of, turned


@njit(cache=True)
def _to_home(own: Any) -> int:
    pips = 0
    for p in range(18):
        pips += own[p] * (18 - p)
    return pips


@njit(cache=True)
def pip_score(own: Any) -> float:
    """Brings the checkers home by the shortest count, those behind first, then bears off."""
    spread = 0
    for p in range(24):
        spread += own[p] * (24 - p) * (24 - p)
    return own[24] - _to_home(own) - 0.01 * pips_of(own) - 0.002 * spread


@njit(cache=True)
def careful_score(own: Any, opp: Any) -> float:
    """What a careful player looks at: head, blocks, room to move, towers, gaps, checkers home too soon."""
    mask = points_of(own)
    theirs = points_of(opp)
    here = turned(theirs)
    there = turned(mask)
    rear = lowest(mask)
    their_rear = lowest(theirs)
    score = 1.5 * own[24] - 0.02 * pips_of(own)
    if rear >= 12 and their_rear >= 12:
        # Nobody can be blocked any more.
        return score - 0.1 * _to_home(own)

    # The head first, while the way is open.
    score -= 0.55 * own[0] + (0.6 if own[0] > 6 else 0.0)
    # A row in front of the enemy, the longer the better, and the more of his stand behind it.
    if their_rear < 23:
        ahead = (there >> (their_rear + 1)) << (their_rear + 1)
        run = ahead
        length = 1 if ahead else 0
        for n in range(2, 8):
            run &= ahead >> (n - 1)
            if run == 0:
                break
            length = n
        score += (0.0, 0.0, 0.15, 0.6, 1.3, 2.1, 2.8, 2.9)[length]
        exits = 0
        for q in range(their_rear, 24):
            if opp[q] > 0:
                exits += min(opp[q], 4) * ONES[(there >> (q + 1)) & 63]
        score += 0.045 * exits
    # Room for every die.
    for d in range(1, 7):
        inside = mask & ((1 << (24 - d)) - 1)
        can = inside & ~(here >> d)
        n = 0
        while can:
            can &= can - 1
            n += 1
        score += (-0.9, 0.0, 0.25, 0.4, 0.5)[min(n, 4)]
    # The rear checkers' way, and the head's.
    blocked = ONES[(here >> (rear + 1)) & 63]
    score -= 0.12 * blocked + (0.5 if blocked >= 5 else 0.0)
    # Spread, not towers.
    held = 0
    for p in range(1, 24):
        if own[p] > 0:
            held += 1
        if own[p] > 2 and p < 18:
            score -= 0.22 * (own[p] - 2)
    score += 0.22 * held
    # Points of the second and third quarters are where the enemy has to pass.
    score += 0.16 * (ONES[(mask >> 6) & 63] + ONES[(mask >> 12) & 63])
    # Home too soon is wasted while others stand far back.
    home = 0
    for p in range(18, 24):
        home += own[p] * (p - 17)
    if own[0] > 2:
        score -= 0.1 * home
    return score - 0.03 * _to_home(own) * 0.3
