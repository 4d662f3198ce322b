"""`python -m games.engine.nardy.training.ship NET`: puts a trained network, or the bear-off table, where the site reads it.

Networks are shipped with numbers half as wide: equities change by less than a thousandth of a point.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

import numpy as np

from games.engine.nardy.evaluator import PARTS, RACE_FILE, WEIGHTS
from games.engine.nardy.training import bearoff

SCALE: Final = 65535


def ship_net(path: Path, peer: str = "", optimism: float = 0.0) -> Path:
    """The shipped file of the network in `path`; `peer`: its name among those to compare with.

    `optimism`: see games.engine.nardy.evaluator.Evaluator.
    """
    with np.load(path, allow_pickle=False) as stored:
        said = json.loads(str(stored["metadata"]))
        parts = {part: stored[part].astype(np.float16) for part in PARTS}
    metadata = np.array(json.dumps(said | {"optimism": optimism}))
    name = f"peers/{said['ruleset']}-{peer}" if peer else said["ruleset"]
    target: Path = WEIGHTS / f"{name}.npz"
    target.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(target, metadata=metadata, **parts)
    return target


def ship_race() -> Path:
    """The shipped table, made anew."""
    table = bearoff.solved()
    chances = np.round(table.chances * SCALE).astype(np.uint16)
    np.savez_compressed(RACE_FILE, expected=table.expected, chances=chances, scale=np.array(SCALE))
    return RACE_FILE


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", nargs="*", type=Path)
    parser.add_argument("--race", action="store_true", help="the bear-off table")
    parser.add_argument("--peer", default="", help="a name among those to compare with")
    parser.add_argument("--optimism", type=float, default=0.0, help="as calibration measured it")
    asked = parser.parse_args()
    written = [ship_net(path, asked.peer, asked.optimism) for path in asked.nets]
    if asked.race:
        written.append(ship_race())
    for path in written:
        sys.stdout.write(f"{path}: {path.stat().st_size:,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
