"""How long long nardy takes: legal turns, a glance, a choice, a verdict on an abandoned game.

    python -m tests.bench.bench_nardy [--positions 300] [--verdicts 12] [--seed 20261201]

Positions of games that the evaluator plays against itself, in both rulesets. Times are of the processor, of one core:
the mean, the 95th of a hundred, the worst.
"""

import argparse
import os
import resource
import sys
from collections.abc import Callable, Iterator
from random import Random
from time import thread_time
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core, as said

import numpy as np

from games.engine.adjudicate import Question, evaluate
from games.engine.nardy import player
from games.engine.nardy.rulesets import RULESETS
from games.rules.board import Position
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.long_nardy import START
from games.rules.outcome import is_over
from games.rules.turns import legal_turns
from games.rules.variants import rules_of

POSITIONS = 300
VERDICTS = 12
SEED = 20_261_201
MS = 1_000
KB = 1024
BEST_OF = 3
"""A game wanders: each turn is one of the best so many."""


class Case(NamedTuple):
    """A roll on the board."""

    ruleset: str
    position: Position
    roll: Roll


class Row(NamedTuple):
    """One line of the table, in the unit of the limit."""

    label: str
    times: list[float]
    limit: float
    unit: str


def cases(number: int, seed: int) -> list[Case]:
    """Of games of either ruleset, every third turn."""
    chance = Random(seed)
    found = [case for case, _ in zip(_played(chance), range(3 * number), strict=False)]
    return found[::3]


def _played(chance: Random) -> Iterator[Case]:
    while True:
        ruleset, position = chance.choice(RULESETS), START
        while not is_over(position):
            roll = chance.choice(ALL_ROLLS)
            yield Case(ruleset, position, roll)
            graph = legal_turns(position, roll, rules_of(ruleset))
            choices = player.ranked(graph, ruleset)[:BEST_OF]
            position = (chance.choice(choices).final if choices else position).flipped()


def rows(positions: int, verdicts: int, seed: int) -> list[Row]:
    """All measured times."""
    asked = cases(positions, seed)
    measures: dict[str, tuple[Callable[[Case], object], float]] = {
        "legal turns": (_turns, 15.0),
        "legal turns with their graph": (_graph, 25.0),
        "a position at a glance": (_glance, 2.0),
        "a choice, one ply": (_choice, 10.0),
        "a choice, two plies": (_deep_choice, 500.0),
    }
    found = []
    for label, (ask, limit) in measures.items():
        found.append(Row(label, [MS * _timed(ask, case) for case in asked], limit, "ms"))
        sys.stderr.write(f"{label}\n")
    some = asked[:: max(len(asked) // verdicts, 1)][:verdicts]
    for label, ask in (
        ("a verdict before the roll", _verdict),
        ("a verdict with dice", _played_on),
    ):
        found.append(Row(label, [_timed(ask, case) for case in some], 20.0, "s"))
        sys.stderr.write(f"{label}\n")
    return found


def _timed(ask: Callable[[Case], object], case: Case) -> float:
    began = thread_time()
    ask(case)
    return thread_time() - began


def _turns(case: Case) -> object:
    return legal_turns(case.position, case.roll, rules_of(case.ruleset)).finals


def _graph(case: Case) -> object:
    graph = legal_turns(case.position, case.roll, rules_of(case.ruleset))
    return graph.finals, graph.nodes


def _glance(case: Case) -> object:
    return player.outlook(case.position, case.ruleset)


def _choice(case: Case) -> object:
    return player.ranked(
        legal_turns(case.position, case.roll, rules_of(case.ruleset)), case.ruleset
    )


def _deep_choice(case: Case) -> object:
    graph = legal_turns(case.position, case.roll, rules_of(case.ruleset))
    return player.ranked(graph, case.ruleset, plies=2)


def _verdict(case: Case) -> object:
    return evaluate(Question(case.position, variant=case.ruleset), seed=SEED)


def _played_on(case: Case) -> object:
    return evaluate(Question(case.position, roll=case.roll, variant=case.ruleset), seed=SEED)


def main() -> int:
    """Prints the table; 1 if the worst of a row is beyond its limit."""
    parser = argparse.ArgumentParser(description="Times long nardy.")
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--verdicts", type=int, default=VERDICTS)
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args()
    beyond = 0
    for label, times, limit, unit in rows(asked.positions, asked.verdicts, asked.seed):
        mean, high, worst = np.mean(times), np.percentile(times, 95), max(times)
        beyond += bool(mean > limit)
        sys.stdout.write(
            f"{label:32} mean {mean:8.2f}  95 % {high:8.2f}  worst {worst:8.2f} {unit:2}"
            f"  limit of the mean {limit:g} {unit}\n"
        )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KB
    sys.stdout.write(f"{'memory at its highest':32} {memory:.0f} MB\n")
    return int(beyond > 0)


if __name__ == "__main__":
    sys.exit(main())
