"""How long the legal turns of a position take, beside bgsage's C++ generator and gnubg's.

    python -m tests.bench.bench_rules [--rounds 5]

The 800 counted positions with 21 rolls each, all programs in turn in every round. Times are of the
processor, so that what else runs on the machine counts little. A figure is the
median of the rounds: "mean" over all positions and rolls, "worst" of the slowest single one.
"""

import argparse
import sys
from collections.abc import Callable
from statistics import fmean, median
from time import thread_time
from typing import NamedTuple, TypeAlias

import bgsage
import gnubg_nn  # type: ignore[import-untyped]

from games.rules.board import BAR, PLACES, Position, facing
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.gnuid import parse_position_id
from games.rules.turns import legal_turns
from games.tests.rules_cases import counted_positions

ROUNDS = 5
MS = 1_000
MEAN_LIMIT_MS = 0.5
WORST_LIMIT_MS = 15.0

Row: TypeAlias = tuple[str, float, str, str, float]
"""Label, figure, unit, what it is compared with, figure divided by that."""


class Question(NamedTuple):
    """A position and a roll as each program takes them."""

    position: Position
    roll: Roll
    bgsage_board: list[int]
    gnubg_board: list[list[int]]


def rows(rounds: int = ROUNDS) -> list[Row]:
    """Times both with and without the step graph that the browser walks."""
    questions = _questions()
    times: dict[str, list[list[float]]] = {name: [] for name in PROGRAMS}
    for number in range(1, rounds + 1):
        for name, ask in PROGRAMS.items():
            times[name].append([_timed(ask, question) for question in questions])
        sys.stderr.write(f"\rround {number} of {rounds}")
        sys.stderr.flush()
    sys.stderr.write("\n")
    means = {name: MS * median(map(fmean, rounds)) for name, rounds in times.items()}
    worst = {
        name: MS * max(map(median, zip(*rounds, strict=True))) for name, rounds in times.items()
    }
    return [*_rows("mean", means, MEAN_LIMIT_MS), *_rows("worst", worst, WORST_LIMIT_MS)]


def _rows(kind: str, figures: dict[str, float], limit: float) -> list[Row]:
    found: list[Row] = []
    for name in (TURNS, GRAPH):
        ours = figures[name]
        found.append((f"{name}, {kind}", ours, "ms", f"limit {limit} ms", ours / limit))
        found += [
            (
                f"{name}, {kind}",
                ours,
                "ms",
                f"{other} {figures[other]:.4f} ms",
                ours / figures[other],
            )
            for other in (BGSAGE, GNUBG)
        ]
    return found


def _questions() -> list[Question]:
    questions = []
    for name, _ in counted_positions():
        position = parse_position_id(name)
        board = [position.mine[point] - position.theirs[facing(point)] for point in range(PLACES)]
        board[0], board[BAR] = position.theirs[BAR], position.mine[BAR]
        sides = [list(position.theirs[1:]), list(position.mine[1:])]
        questions += [Question(position, roll, board, sides) for roll in ALL_ROLLS]
    return questions


def _timed(ask: Callable[[Question], object], question: Question) -> float:
    began = thread_time()
    ask(question)
    return thread_time() - began


def _our_turns(question: Question) -> object:
    return legal_turns(question.position, question.roll).finals


def _our_graph(question: Question) -> object:
    graph = legal_turns(question.position, question.roll)
    return graph.finals, graph.nodes


def _by_bgsage(question: Question) -> object:
    return bgsage.possible_moves(question.bgsage_board, *question.roll)


def _by_gnubg(question: Question) -> object:
    return gnubg_nn.moves(question.gnubg_board, *question.roll)


TURNS = "legal turns"
GRAPH = "legal turns with their graph"
BGSAGE = "bgsage (C++)"
GNUBG = "gnubg (C)"

PROGRAMS: dict[str, Callable[[Question], object]] = {
    TURNS: _our_turns,
    GRAPH: _our_graph,
    BGSAGE: _by_bgsage,
    GNUBG: _by_gnubg,
}


def main() -> None:
    """Prints the rows as a table."""
    parser = argparse.ArgumentParser(description="Times the legal turns of a position.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    for label, figure, unit, beside, ratio in rows(parser.parse_args().rounds):
        sys.stdout.write(f"{label:36}{figure:>10.4f} {unit}  {ratio:>8.2f} x {beside}\n")


if __name__ == "__main__":
    main()
