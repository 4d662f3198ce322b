"""A network that plays, compiled: the value of every final position, and games against itself."""

from math import exp
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from games.engine.nardy.bearoff import _CHOOSE, COLUMNS, Race
from games.engine.nardy.features import A_SIDE, B_SIDE, SCALARS_AT, SIZE
from games.engine.nardy.training.encoding import encode, encode_again, pips_of
from games.engine.nardy.training.generator import Workspace, finals, points_of

CHOOSE = np.ascontiguousarray(_CHOOSE)
MOST_TURNS = 400
"""Of a game; the longest seen has half as many."""

Floats = NDArray[np.float32]


class Net(NamedTuple):
    """[SIZE, hidden], [hidden], [3, hidden], [3]: chance to win, to win mars, to lose mars, as logits."""

    w1: Floats
    b1: Floats
    w3: Floats
    b3: Floats


class Homes(NamedTuple):
    """The race of games.engine.nardy.bearoff as compiled code wants it."""

    expected: Floats
    chances: Floats
    lasting: Floats


class Scratch(NamedTuple):
    """Memory for one player; not for two threads."""

    base: Floats
    inputs: Floats
    shared: Floats
    hidden: Floats
    values: Floats
    """[MOST_FINALS, 3] of the last roll, for the player who moved."""


def homes_of(race: Race) -> Homes:
    return Homes(race.expected, race.chances, race.lasting)


def scratch(hidden: int) -> Scratch:
    return Scratch(
        base=np.zeros(SIZE, np.float32),
        inputs=np.zeros(SIZE, np.float32),
        shared=np.zeros(hidden, np.float32),
        hidden=np.zeros(hidden, np.float32),
        values=np.zeros((6000, 3), np.float32),
    )


@njit(cache=True)
def is_home(side: Any) -> bool:
    for p in range(18):
        if side[p] > 0:
            return False
    return True


@njit(cache=True)
def may_lose_mars(side: Any, fnr: int) -> bool:
    """Nardy 7 and 8: nothing off, and in the first ruleset not all home either."""
    return side[24] == 0 and (fnr == 1 or not is_home(side))


@njit(cache=True)
def is_race(x: Any, y: Any, fnr: int) -> bool:
    """Whether the table decides: both are home, and mars is out of the question."""
    if fnr == 1 and (x[24] == 0 or y[24] == 0):
        return False
    return is_home(x) and is_home(y)


@njit(cache=True)
def rank(side: Any) -> int:
    total = 0
    found = 0
    for at in range(6):
        total += side[23 - at]
        found += CHOOSE[total + at, at + 1]
    return found


@njit(cache=True)
def race_win(x: Any, y: Any, homes: Homes) -> float:
    """The chance of x, who is to roll."""
    a = rank(x)
    b = rank(y)
    win = 0.0
    for k in range(COLUMNS):
        win += homes.chances[a, k] * homes.lasting[b, k]
    return min(win, 1.0)


@njit(cache=True, fastmath=True)
def _add(total: Any, times: Any, w1: Any, i: int) -> None:
    for j in range(len(total)):
        total[j] += times * w1[i, j]


@njit(cache=True, fastmath=True)
def _change(net: Net, s: Scratch, start: int, end: int) -> None:
    for i in range(start, end):
        change = s.inputs[i] - s.base[i]
        if change != 0:
            _add(s.hidden, change, net.w1, i)


@njit(cache=True, fastmath=True)
def _outputs(net: Net, hidden: Any, out: Any) -> None:
    a = np.float32(0.0)
    b = np.float32(0.0)
    c = np.float32(0.0)
    rows = net.w3
    for j in range(len(hidden)):
        h = max(hidden[j], np.float32(0.0))
        a += h * rows[0, j]
        b += h * rows[1, j]
        c += h * rows[2, j]
    a += net.b3[0]
    b += net.b3[1]
    c += net.b3[2]
    out[0] = 1.0 / (1.0 + exp(-a))
    out[1] = 1.0 / (1.0 + exp(-b))
    out[2] = 1.0 / (1.0 + exp(-c))


@njit(cache=True)
def _of_mover(x: Any, y: Any, fnr: int, out: Any) -> None:
    """From the value of x, who is to roll, to that of y, who has moved; what cannot be is 0."""
    win = out[0]
    win_mars = out[1] if may_lose_mars(y, fnr) else np.float32(0.0)
    lose_mars = out[2] if may_lose_mars(x, fnr) else np.float32(0.0)
    out[0] = np.float32(1.0) - win
    out[1] = min(lose_mars, out[0])
    out[2] = min(win_mars, win)


@njit(cache=True)
def equity(value: Any) -> float:
    return 2.0 * value[0] - 1.0 + value[1] - value[2]


@njit(cache=True, fastmath=True)
def value_finals(net: Net, theirs: Any, n: int, fnr: int, homes: Homes, work: Any, s: Any) -> int:
    """Fills s.values[:n] for the finals in work.found[2]; the number of the best."""
    best = 0
    best_equity = -9.0
    has_base = False
    x_mask = points_of(theirs)
    x_pips = pips_of(theirs)
    for at in range(n):
        mine = work.found[2, at]
        out = s.values[at]
        if mine[24] == 15:
            out[0] = 1.0
            out[1] = 1.0 if may_lose_mars(theirs, fnr) else 0.0
            out[2] = 0.0
        elif is_race(theirs, mine, fnr):
            out[0] = 1.0 - race_win(theirs, mine, homes)
            out[1] = 0.0
            out[2] = 0.0
        elif not has_base:
            encode(theirs, mine, s.base)
            s.shared[:] = net.b1
            for i in range(SIZE):
                if s.base[i] != 0:
                    _add(s.shared, s.base[i], net.w1, i)
            has_base = True
            s.inputs[:] = s.base
            _outputs(net, s.shared, out)
            _of_mover(theirs, mine, fnr, out)
        else:
            encode_again(theirs, mine, s.inputs, x_mask, x_pips)
            s.hidden[:] = s.shared
            # The other side's own counts are the same in all.
            _change(net, s, A_SIDE, SCALARS_AT)
            _change(net, s, SCALARS_AT + B_SIDE, SIZE)
            _outputs(net, s.hidden, out)
            _of_mover(theirs, mine, fnr, out)
        e = equity(out)
        if e > best_equity:
            best_equity = e
            best = at
    return best


@njit(cache=True)
def value_of(net: Net, x: Any, y: Any, fnr: int, homes: Homes, s: Any, out: Any) -> None:
    """The value of x, who is to roll, in a game that goes on."""
    if is_race(x, y, fnr):
        out[0] = race_win(x, y, homes)
        out[1] = 0.0
        out[2] = 0.0
        return
    encode(x, y, s.inputs)
    s.hidden[:] = net.b1
    for i in range(SIZE):
        if s.inputs[i] != 0:
            _add(s.hidden, s.inputs[i], net.w1, i)
    _outputs(net, s.hidden, out)
    _of_mover(x, y, fnr, out)
    win = np.float32(1.0) - out[0]
    lose_mars = out[1]
    out[0] = win
    out[1] = out[2]
    out[2] = lose_mars


@njit(cache=True)
def next_random(state: Any) -> Any:
    """splitmix64; state is uint64 [1]."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True)
def die_of(state: Any) -> Any:
    """1 to 6; the bias is one in 2^60."""
    return np.int64((next_random(state) >> np.uint64(4)) % np.uint64(6)) + 1


@njit(cache=True)
def open_game(x: Any, y: Any) -> None:
    x[:] = 0
    y[:] = 0
    x[0] = 15
    y[0] = 15


@njit(cache=True)
def self_play(
    net: Net,
    games: int,
    fnr: int,
    keep: float,
    homes: Homes,
    chance: Any,
    work: Workspace,
    s: Scratch,
    positions: Any,
    targets: Any,
) -> int:
    """Games of the network against itself, without exploring; how many positions they had.

    `positions` int8 [room, 2, 25] and `targets` float32 [room, 3] are filled; the targets are
    lambda-returns with lambda `keep`. Stops early where there is no room for another game.
    """
    n = 0
    x = np.zeros(25, np.int8)
    y = np.zeros(25, np.int8)
    for _ in range(games):
        if n + MOST_TURNS > len(positions):
            break
        open_game(x, y)
        first = n
        over = False
        while not over:
            a = die_of(chance)
            b = die_of(chance)
            if fnr == 1 and n == first:
                while a == b:
                    b = die_of(chance)
            count, _used = finals(x, y, max(a, b), min(a, b), fnr, work)
            positions[n, 0] = x
            positions[n, 1] = y
            if count == 0:
                work.found[2, 0] = x
                count = 1
            best = value_finals(net, y, count, fnr, homes, work, s)
            targets[n] = s.values[best]
            x[:] = work.found[2, best]
            over = x[24] == 15 or is_race(y, x, fnr) or n - first >= MOST_TURNS - 1
            n += 1
            for p in range(25):
                keep_x = x[p]
                x[p] = y[p]
                y[p] = keep_x
        for t in range(n - 2, first - 1, -1):
            targets[t, 0] = (1.0 - keep) * targets[t, 0] + keep * (1.0 - targets[t + 1, 0])
            win_mars = (1.0 - keep) * targets[t, 1] + keep * targets[t + 1, 2]
            lose_mars = (1.0 - keep) * targets[t, 2] + keep * targets[t + 1, 1]
            targets[t, 1] = win_mars
            targets[t, 2] = lose_mars
    return n


@njit(cache=True)
def possible(positions: Any, rows: Any, fnr: int, out: Any) -> None:
    """1 where an output can be other than 0, float32 [len(rows), 3]."""
    for at in range(len(rows)):
        x = positions[rows[at], 0]
        y = positions[rows[at], 1]
        out[at, 0] = 1.0
        out[at, 1] = 1.0 if may_lose_mars(y, fnr) else 0.0
        out[at, 2] = 1.0 if may_lose_mars(x, fnr) else 0.0
