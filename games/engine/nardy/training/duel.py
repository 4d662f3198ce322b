"""Two players over many games, compiled: every pair of games has the same dice, with sides swapped."""

from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from games.engine.nardy.training.generator import Workspace, finals, workspace
from games.engine.nardy.training.heuristics import careful_score, pip_score
from games.engine.nardy.training.learner import fresh_net
from games.engine.nardy.training.player import (
    Homes,
    Net,
    Scratch,
    die_of,
    equity,
    is_race,
    may_lose_mars,
    next_random,
    open_game,
    race_win,
    scratch,
    value_finals,
)

RANDOM: Final = 0
PIPS: Final = 1
CAREFUL: Final = 2
NET: Final = 3
DEEP: Final = 4
"""The network two plies deep on its best eight."""

SEARCHED: Final = 8
LONGEST: Final = 2000


class Player(NamedTuple):
    """Who plays: a kind, and a network where the kind needs one."""

    kind: int
    net: Net


class Result(NamedTuple):
    """[pairs] points a game of the first player; [4] its wins, mars, losses, lost mars."""

    points: NDArray[np.float64]
    ends: NDArray[np.int64]


def heuristic(kind: int) -> Player:
    """A player without a network."""
    return Player(kind, fresh_net(8, np.random.default_rng(0)))


def duel(a: Player, b: Player, pairs: int, seed: int, fnr: int, homes: Homes) -> Result:
    """`pairs` of games; the same seed has the same dice, whoever plays."""
    points = np.zeros(pairs)
    ends = np.zeros(4, np.int64)
    first = scratch(len(a.net.b1))
    second = scratch(len(b.net.b1))
    _duel(
        a.kind, a.net, first, b.kind, b.net, second, seed, fnr, homes,
        workspace(), workspace(), points, ends,
    )  # fmt: skip
    return Result(points, ends)


@njit(cache=True)
def _duel(
    a_kind: int,
    a_net: Net,
    a_scratch: Scratch,
    b_kind: int,
    b_net: Net,
    b_scratch: Scratch,
    seed: int,
    fnr: int,
    homes: Homes,
    work: Workspace,
    inner: Workspace,
    points: Any,
    ends: Any,
) -> None:
    dice = np.zeros(1, np.uint64)
    luck = np.zeros(1, np.uint64)
    x = np.zeros(25, np.int8)
    y = np.zeros(25, np.int8)
    for pair in range(len(points)):
        for game in range(2):
            dice[0] = np.uint64(seed) * np.uint64(1_000_003) + np.uint64(pair)
            luck[0] = dice[0] ^ np.uint64(0x5DEECE66D)
            open_game(x, y)
            turn_of_a = game == 0
            turn = 0
            result = 0.0
            while turn < LONGEST:
                high = die_of(dice)
                low = die_of(dice)
                while fnr == 1 and turn == 0 and high == low:
                    low = die_of(dice)
                if high < low:
                    high, low = low, high
                n, _used = finals(x, y, high, low, fnr, work)
                if n > 0:
                    if turn_of_a:
                        best = _pick(a_kind, a_net, a_scratch, y, n, fnr, homes, work, inner, luck)
                    else:
                        best = _pick(b_kind, b_net, b_scratch, y, n, fnr, homes, work, inner, luck)
                    x[:] = work.found[2, best]
                if x[24] == 15:
                    result = 2.0 if may_lose_mars(y, fnr) else 1.0
                    break
                for p in range(25):
                    kept = x[p]
                    x[p] = y[p]
                    y[p] = kept
                turn_of_a = not turn_of_a
                turn += 1
            if turn_of_a:
                points[pair] += result / 2
                ends[0 if result < 2 else 1] += 1
            else:
                points[pair] -= result / 2
                ends[2 if result < 2 else 3] += 1


@njit(cache=True)
def _pick(
    kind: int,
    net: Net,
    s: Scratch,
    theirs: Any,
    n: int,
    fnr: int,
    homes: Homes,
    work: Workspace,
    inner: Workspace,
    luck: Any,
) -> Any:
    if n == 1:
        return 0
    if kind == RANDOM:
        return np.int64((next_random(luck) >> np.uint64(4)) % np.uint64(n))
    if kind == NET:
        return value_finals(net, theirs, n, fnr, homes, work, s)
    if kind == DEEP:
        return _deep(net, s, theirs, n, fnr, homes, work, inner)
    best = 0
    best_score = -1e9
    for at in range(n):
        mine = work.found[2, at]
        score = pip_score(mine) if kind == PIPS else careful_score(mine, theirs)
        if mine[24] == 15:
            score = 1e9
        if score > best_score:
            best_score = score
            best = at
    return best


@njit(cache=True)
def _deep(
    net: Net,
    s: Scratch,
    theirs: Any,
    n: int,
    fnr: int,
    homes: Homes,
    work: Workspace,
    inner: Workspace,
) -> int:
    """The best of the eight best at a glance, by the mean of all answers."""
    glance = value_finals(net, theirs, n, fnr, homes, work, s)
    if work.found[2, glance, 24] == 15:
        return glance
    worth = np.zeros(n)
    for at in range(n):
        worth[at] = equity(s.values[at])
    order = np.argsort(-worth)[:SEARCHED]
    best = glance
    best_worth = -9.0
    for at in order:
        found = -_mean_of_rolls(net, s, theirs, work.found[2, at], fnr, homes, inner)
        if found > best_worth:
            best_worth = found
            best = at
    return best


@njit(cache=True)
def _mean_of_rolls(
    net: Net, s: Scratch, x: Any, y: Any, fnr: int, homes: Homes, work: Workspace
) -> float:
    """The equity of x, who is to roll."""
    if is_race(x, y, fnr):
        return 2.0 * race_win(x, y, homes) - 1.0
    total = 0.0
    for high in range(1, 7):
        for low in range(1, high + 1):
            n, _used = finals(x, y, high, low, fnr, work)
            if n == 0:
                work.found[2, 0] = x
                n = 1
            best = value_finals(net, y, n, fnr, homes, work, s)
            total += equity(s.values[best]) * (1.0 if high == low else 2.0)
    return total / 36.0
