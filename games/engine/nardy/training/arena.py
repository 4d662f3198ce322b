"""`make arena`: how strong the shipped networks are, measured.

    python -m games.engine.nardy.training.arena [--ruleset long-nardy] [--pairs 2000] [--against careful FILE…]

Duplicate dice, sides swapped, mars two points; every game is played to its end. "+-" is half the 95 % interval
of the mean over pairs. `--plies 2` lets the network look two plies deep, `--against itself` has it play its
own single ply.
"""

import argparse
import sys
from pathlib import Path
from typing import Final

import numpy as np

from games.engine.nardy.evaluator import WEIGHTS, race, read_net
from games.engine.nardy.rulesets import LONG_NARDY, LONG_NARDY_FNR, RULESETS
from games.engine.nardy.training import duel
from games.engine.nardy.training.duel import Player, Result
from games.engine.nardy.training.player import Net, homes_of

PAIRS: Final = 2000
SEED: Final = 2026
Z_95: Final = 1.96
HEURISTICS: Final = {"random": duel.RANDOM, "pips": duel.PIPS, "careful": duel.CAREFUL}
ITSELF: Final = "itself"


def net_of(path: Path, ruleset: str) -> Net:
    """A network from a file of either width."""
    net = read_net(path, ruleset)
    return Net(net.w1, net.b1, net.w3, net.b3)


def peers(ruleset: str) -> list[str]:
    """Earlier networks that are shipped to compare with."""
    return sorted(map(str, (WEIGHTS / "peers").glob(f"{ruleset}-[0-9m]*.npz")))


def row(name: str, result: Result) -> str:
    """A line of the table."""
    half = Z_95 * result.points.std(ddof=1) / np.sqrt(len(result.points))
    games = result.ends.sum()
    wins, mars, _losses, lost_mars = result.ends
    return (
        f"{name:44} {result.points.mean():+.3f} +- {half:.3f}"
        f"   won {(wins + mars) / games:.3f}"
        f"   mars {mars / games:.3f} / {lost_mars / games:.3f}   {games:,} games"
    )


def main() -> int:
    """Prints a table."""
    asked = _arguments()
    path = asked.net or WEIGHTS / f"{asked.ruleset}.npz"
    net = net_of(path, asked.ruleset)
    player = Player(duel.DEEP if asked.plies > 1 else duel.NET, net)
    homes = homes_of(race())
    sys.stdout.write(f"{path.name}, {asked.plies} ply, {asked.ruleset}: points a game\n")
    for name in asked.against or [*HEURISTICS, *peers(asked.ruleset)]:
        if name in HEURISTICS:
            other = duel.heuristic(HEURISTICS[name])
        else:
            other_net = net if name == ITSELF else net_of(Path(name), asked.ruleset)
            other = Player(duel.NET, other_net)
        fnr = int(asked.ruleset == LONG_NARDY_FNR)
        result = duel.duel(player, other, asked.pairs, asked.seed, fnr, homes)
        sys.stdout.write(row(Path(name).stem, result) + "\n")
        sys.stdout.flush()
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="games.engine.nardy.training.arena")
    parser.add_argument("--ruleset", choices=RULESETS, default=LONG_NARDY)
    parser.add_argument("--net", type=Path, help="instead of the shipped one")
    parser.add_argument("--plies", type=int, choices=(1, 2), default=1)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--against", nargs="*", help="random, pips, careful, itself, files")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
