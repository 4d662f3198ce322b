"""`python -m games.engine.nardy.training.calibration`: whether what the network says comes true, as a table and a plot.

Positions of its own games, what it says before the roll beside how the game ended. One from each game, so that they do not
depend on each other, or `--each` more: then the intervals know which belong together. Where both sides are home the end is drawn by the table of bear-offs.
"""

import argparse
import sys
from pathlib import Path
from typing import Final, NamedTuple

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray

from games.engine.nardy.evaluator import WEIGHTS, evaluator, race
from games.engine.nardy.rulesets import LONG_NARDY, LONG_NARDY_FNR, RULESETS
from games.engine.nardy.training import generator, player
from games.engine.nardy.training.arena import net_of

mpl.use("svg")
from matplotlib import pyplot as plt

POSITIONS: Final = 20_000
BATCH: Final = 500
ROOM: Final = 100_000
SEED: Final = 77
TENTHS: Final = 10
CHANCES: Final = ("win", "win mars", "lose mars")


class Sample(NamedTuple):
    """Said and come true, [n, 3] each; `game` [n]: of which game."""

    said: NDArray[np.float64]
    came: NDArray[np.float64]
    game: NDArray[np.int64]


class Tenth(NamedTuple):
    """Positions whose chance lies in one tenth."""

    said: float
    came: float
    half: float
    """Half the 95 % interval of what came."""
    positions: int


def sample(ruleset: str, positions: int, each: int, seed: int) -> Sample:
    """So many positions of games of the shipped network, `each` of a game."""
    judge = evaluator(ruleset)
    net = net_of(WEIGHTS / f"{ruleset}.npz", ruleset)
    chance = np.random.default_rng(seed)
    work, scratch = generator.workspace(), player.scratch(len(net.b1))
    homes = player.homes_of(race())
    fnr = int(ruleset == LONG_NARDY_FNR)
    boards = np.zeros((ROOM, 2, generator.PLACES), np.int8)
    ends = np.zeros((ROOM, 3), np.float32)
    said, came, games = [], [], 0
    while games * each < positions:
        dice = chance.integers(0, 1 << 63, 1, dtype=np.uint64)
        # With lambda 1 the targets are the ends of the games.
        n = player.self_play(net, BATCH, fnr, 1.0, homes, dice, work, scratch, boards, ends)
        at = some_of_each(boards[:n], each, chance)
        games += len(at) // each
        said.append(judge.values(boards[at, 0], boards[at, 1]))
        came.append(_drawn(ends[at], each, chance))
    game = np.repeat(np.arange(games), each)[:positions]
    return Sample(
        np.concatenate(said)[:positions].astype(np.float64),
        np.concatenate(came)[:positions],
        game,
    )


def some_of_each(
    boards: NDArray[np.int8], each: int, chance: np.random.Generator
) -> NDArray[np.int64]:
    """Where positions of each game are; a game begins with all checkers on both heads."""
    begins = (boards[:, 0, 0] == generator.CHECKERS) & (boards[:, 1, 0] == generator.CHECKERS)
    starts = np.append(np.flatnonzero(begins), len(boards))
    return chance.integers(starts[:-1, None], starts[1:, None], (len(starts) - 1, each)).ravel()


def _drawn(
    ends: NDArray[np.float32], each: int, chance: np.random.Generator
) -> NDArray[np.float64]:
    """A race that the table has left open is won or lost, by the same lot in all of a game."""
    drawn = ends.astype(np.float64)
    is_open = (ends[:, 0] > 0) & (ends[:, 0] < 1)
    lots = np.repeat(chance.random(len(ends) // each), each)
    # Of the two chances that the sides of a game have, the same lot must let one of them win.
    higher = ends[:, 0] > 1 / 2
    wins = np.where(higher, lots < ends[:, 0], lots >= 1 - ends[:, 0])
    drawn[is_open, 0] = wins[is_open]
    return drawn


def tenths(
    said: NDArray[np.float64], came: NDArray[np.float64], game: NDArray[np.int64]
) -> list[Tenth]:
    """Ten rows, fewer where no chance was said."""
    at = np.minimum((said * TENTHS).astype(int), TENTHS - 1)
    rows = []
    for tenth in range(TENTHS):
        here = at == tenth
        n = int(here.sum())
        if n:
            mean = float(came[here].mean())
            by_game = np.bincount(game[here], weights=came[here] - mean)
            half = 1.96 * float(np.sqrt(np.square(by_game).sum())) / n
            rows.append(Tenth(float(said[here].mean()), mean, half, n))
    return rows


def plot(rows: dict[str, list[Tenth]], path: Path, title: str) -> None:
    """Said against come true, with intervals."""
    figure, axes = plt.subplots(1, len(rows), figsize=(12, 4.4), sharey=True)
    for axis, (name, found) in zip(axes, rows.items(), strict=True):
        axis.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        axis.errorbar(
            [row.said for row in found],
            [row.came for row in found],
            yerr=[row.half for row in found],
            fmt="o",
            markersize=4,
        )
        axis.set(xlabel=f"said: {name}", xlim=(0, 1), ylim=(0, 1))
        axis.set_aspect("equal")
    axes[0].set_ylabel("came true")
    figure.suptitle(title)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def main() -> int:
    parser = argparse.ArgumentParser(prog="games.engine.nardy.training.calibration")
    parser.add_argument("--ruleset", choices=RULESETS, default=LONG_NARDY)
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--each", type=int, default=1, help="positions of a game")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()
    found = sample(asked.ruleset, asked.positions, asked.each, asked.seed)
    rows = {
        name: tenths(found.said[:, at], found.came[:, at], found.game)
        for at, name in enumerate(CHANCES)
    }
    for name, listed in rows.items():
        sys.stdout.write(f"{name}\n")
        for row in listed:
            sys.stdout.write(
                f"  said {row.said:.3f}  came {row.came:.3f} +- {row.half:.3f}"
                f"  off by {row.said - row.came:+.3f}  {row.positions:,} positions\n"
            )
    if asked.plot:
        title = f"{asked.ruleset}: {asked.positions:,} positions of its own games"
        plot(rows, asked.plot, title)
    return 0


if __name__ == "__main__":
    sys.exit(main())
