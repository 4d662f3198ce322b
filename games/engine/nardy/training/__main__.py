"""`python -m games.engine.nardy.training`: trains a network; what it has learned is stored as it goes.

Ctrl-C (or SIGTERM) ends it after the generation at hand, a few seconds, and nothing is lost: the same
command goes on from there.
"""

import os

# Before NumPy is loaded: one thread each, so that CPU seconds mean what they say.
for _variable in (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
):
    os.environ.setdefault(_variable, "1")

import argparse  # noqa: E402
import signal  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402
from types import FrameType  # noqa: E402
from typing import Final  # noqa: E402

from games.engine.nardy.rulesets import LONG_NARDY, RULESETS  # noqa: E402
from games.engine.nardy.training.course import Course, Options, net_from  # noqa: E402

STORED_EVERY_S: Final = 60.0
TOLD_EVERY_S: Final = 10.0
SNAPSHOTS: Final = 24
RATE: Final = 2e-3
LAMBDA: Final = 0.9
LAMBDA_TO: Final = 0.6


def main() -> int:
    asked = _arguments()
    options = Options(
        asked.ruleset,
        asked.seed,
        asked.games,
        hidden=asked.hidden,
        rate_from=asked.rate,
        lambda_from=asked.keep,
        lambda_to=asked.keep_to,
        start=asked.start.stem if asked.start else "",
    )
    folder: Path = asked.out / asked.ruleset
    state = folder / "course.npz"
    if state.exists():
        course = Course.read(state, options)
    else:
        course = Course(options, net_from(asked.start) if asked.start else None)
    stop = _Stop()
    told = stored = time.process_time()
    started, before = stored, course.cpu_s
    snapshot = int(course.done * SNAPSHOTS)
    while course.games < options.games and not stop.asked:
        course.advance()
        now = time.process_time()
        course.cpu_s = before + now - started
        if now - told >= asked.tell_every:
            told = now
            _tell(course)
        if int(course.done * SNAPSHOTS) > snapshot:
            snapshot = int(course.done * SNAPSHOTS)
            course.write_net(folder / f"net-{course.games:07}.npz")
        if now - stored > STORED_EVERY_S:
            stored = now
            course.write(state)
        if asked.cpu_seconds and course.cpu_s >= asked.cpu_seconds:
            break
    course.write(state)
    course.write_net(folder / "net.npz")
    _tell(course)
    return 0


class _Stop:
    """Whether somebody has asked to end."""

    def __init__(self) -> None:
        self.asked = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask)

    def _ask(self, _number: int, _frame: FrameType | None) -> None:
        self.asked = True


def _tell(course: Course) -> None:
    options = course.options
    sys.stdout.write(
        f"{course.done:6.1%}  {course.games:>8,} games  {course.positions:>11,} positions"
        f"  {course.cpu_s:8.0f} CPU s  rate {options.rate(course.done):.1e}"
        f"  lambda {options.keep(course.done):.2f}  error {course.error:.4f}\n"
    )
    sys.stdout.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="games.engine.nardy.training", description=__doc__)
    parser.add_argument("--ruleset", choices=RULESETS, default=LONG_NARDY)
    parser.add_argument("--games", type=int, default=500_000, help="where the course ends")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hidden", type=int, default=192)
    parser.add_argument("--start", type=Path, help="a network to start from")
    parser.add_argument("--rate", type=float, default=RATE, help="Adam's at first")
    parser.add_argument("--lambda", dest="keep", type=float, default=LAMBDA, help="at first")
    parser.add_argument(
        "--lambda-to", dest="keep_to", type=float, default=LAMBDA_TO, help="from the middle on"
    )
    parser.add_argument("--out", type=Path, default=Path("var/nardy"))
    parser.add_argument(
        "--cpu-seconds", type=float, default=0.0, help="ends the course early after so many"
    )
    parser.add_argument("--tell-every", type=float, default=TOLD_EVERY_S, help="CPU seconds")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
