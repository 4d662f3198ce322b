"""`python -m games.engine.nardy.training.curve FOLDER --beside NET`: the networks of a course against one that stays the same.

A table and a plot: points a game by games of training, with 95 % intervals.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

import matplotlib as mpl
import numpy as np

from games.engine.nardy.evaluator import race
from games.engine.nardy.rulesets import LONG_NARDY, LONG_NARDY_FNR, RULESETS
from games.engine.nardy.training import duel
from games.engine.nardy.training.arena import SEED, Z_95, net_of, row
from games.engine.nardy.training.duel import Player
from games.engine.nardy.training.player import homes_of

mpl.use("svg")
from matplotlib import pyplot as plt

PAIRS: Final = 400


def main() -> int:
    """Prints a line for each network and draws them."""
    parser = argparse.ArgumentParser(prog="games.engine.nardy.training.curve")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--beside", type=Path, required=True)
    parser.add_argument("--ruleset", choices=RULESETS, default=LONG_NARDY)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()
    homes, fnr = homes_of(race()), int(asked.ruleset == LONG_NARDY_FNR)
    other = Player(duel.NET, net_of(asked.beside, asked.ruleset))
    curve = []
    for path in sorted(asked.folder.glob("net-*.npz")):
        player = Player(duel.NET, net_of(path, asked.ruleset))
        result = duel.duel(player, other, asked.pairs, SEED, fnr, homes)
        half = Z_95 * result.points.std(ddof=1) / np.sqrt(asked.pairs)
        curve.append((_games(path), result.points.mean(), half))
        sys.stdout.write(row(path.stem, result) + "\n")
        sys.stdout.flush()
    if asked.plot:
        _draw(np.array(curve), asked.plot, f"{asked.ruleset}, against {asked.beside.stem}")
    return 0


def _games(path: Path) -> int:
    with np.load(path, allow_pickle=False) as stored:
        return int(json.loads(str(stored["metadata"]))["games"])


def _draw(
    curve: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]", path: Path, title: str
) -> None:
    figure, axis = plt.subplots(figsize=(7, 4))
    axis.axhline(0, color="0.7", linewidth=1)
    axis.errorbar(curve[:, 0] / 1000, curve[:, 1], yerr=curve[:, 2], fmt="o-", markersize=4)
    axis.set(xlabel="thousands of games", ylabel="points a game", title=title)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


if __name__ == "__main__":
    sys.exit(main())
