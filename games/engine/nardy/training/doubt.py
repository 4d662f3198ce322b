"""`python -m games.engine.nardy.training.doubt`: how far cut rollouts are from whole ones, beyond the luck of both.

Positions of the network's own games, one from each, are played on many times: each game is valued where a rollout
would cut it, and again at its end. The differences have a mean for each position; their spread beyond what
chance explains is what the network itself adds to the doubt of a verdict.
"""

import argparse
import sys
from typing import Any, Final

import numpy as np
from numba import njit

from games.engine.nardy.evaluator import WEIGHTS, race
from games.engine.nardy.rollout import TURNS
from games.engine.nardy.rulesets import LONG_NARDY, LONG_NARDY_FNR, RULESETS
from games.engine.nardy.training import generator, player
from games.engine.nardy.training.arena import net_of
from games.engine.nardy.training.calibration import ROOM, some_of_each
from games.engine.nardy.training.generator import Workspace, finals
from games.engine.nardy.training.player import (
    Homes,
    Net,
    Scratch,
    die_of,
    equity,
    is_race,
    may_lose_mars,
    race_win,
    value_finals,
    value_of,
)

POSITIONS: Final = 40
GAMES: Final = 1500
SEED: Final = 5


@njit(cache=True)
def _differences(
    net: Net,
    x0: Any,
    y0: Any,
    cut: int,
    fnr: int,
    homes: Homes,
    dice: Any,
    work: Workspace,
    s: Scratch,
    out: Any,
) -> None:
    """Fills `out` with the equity at the end less that at the cut, for the side to roll."""
    x = np.zeros(25, np.int8)
    y = np.zeros(25, np.int8)
    value = np.zeros(3, np.float32)
    for game in range(len(out)):
        x[:] = x0
        y[:] = y0
        sign = 1.0
        turn = 0
        at_cut = 0.0
        is_cut = False
        while True:
            if is_race(x, y, fnr):
                end = sign * (2.0 * race_win(x, y, homes) - 1.0)
                break
            if turn == cut:
                value_of(net, x, y, fnr, homes, s, value)
                at_cut = sign * equity(value)
                is_cut = True
            a = die_of(dice)
            b = die_of(dice)
            n, _used = finals(x, y, max(a, b), min(a, b), fnr, work)
            if n > 0:
                best = value_finals(net, y, n, fnr, homes, work, s)
                x[:] = work.found[2, best]
                if x[24] == 15:
                    end = sign * (2.0 if may_lose_mars(y, fnr) else 1.0)
                    break
            for p in range(25):
                kept = x[p]
                x[p] = y[p]
                y[p] = kept
            sign = -sign
            turn += 1
        out[game] = end - at_cut if is_cut else 0.0


def main() -> int:
    """Prints the spread, with and without that of chance."""
    parser = argparse.ArgumentParser(prog="games.engine.nardy.training.doubt")
    parser.add_argument("--ruleset", choices=RULESETS, default=LONG_NARDY)
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--games", type=int, default=GAMES)
    asked = parser.parse_args()
    fnr = int(asked.ruleset == LONG_NARDY_FNR)
    net = net_of(WEIGHTS / f"{asked.ruleset}.npz", asked.ruleset)
    chance = np.random.default_rng(SEED)
    work, scratch, homes = (
        generator.workspace(),
        player.scratch(len(net.b1)),
        player.homes_of(race()),
    )
    boards, ends = np.zeros((ROOM, 2, 25), np.int8), np.zeros((ROOM, 3), np.float32)
    dice = chance.integers(0, 1 << 63, 1, dtype=np.uint64)
    n = player.self_play(net, asked.positions, fnr, 1.0, homes, dice, work, scratch, boards, ends)
    means, errors = [], []
    for at in some_of_each(boards[:n], 1, chance):
        found = np.zeros(asked.games)
        _differences(
            net, boards[at, 0], boards[at, 1], TURNS, fnr, homes, dice, work, scratch, found
        )
        means.append(found.mean())
        errors.append(found.std(ddof=1) / np.sqrt(len(found)))
    spread, luck = np.std(means), np.sqrt(np.mean(np.square(errors)))
    doubt = np.sqrt(max(np.mean(np.square(means)) - luck**2, 0))
    sys.stdout.write(
        f"{len(means)} positions, {asked.games} games each: mean {np.mean(means):+.4f},"
        f" spread {spread:.4f}, of which chance {luck:.4f}; left {doubt:.4f} points\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
