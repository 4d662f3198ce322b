"""`make nardy-law`: our legal turns of long nardy beside those of the slow second telling.

    python -m games.tests.compare_long_nardy [--positions 50000] [--seed 1]

Both rulesets; as many positions of each phase.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import NamedTuple

from games.rules.board import Position
from games.rules.dice import Roll
from games.rules.long_nardy import LONG_NARDY, LONG_NARDY_FNR, by_progress, checked, from_progress
from games.rules.turns import legal_turns
from games.tests import long_nardy_cases
from games.tests.long_nardy_cases import PHASES, Case

POSITIONS = 50_000
RULES = {rules.name: rules for rules in (LONG_NARDY, LONG_NARDY_FNR)}


class Comparison(NamedTuple):
    """A position, a roll, and what either says: dice used and ends by progress."""

    phase: str
    ruleset: str
    case: Case
    dice: tuple[int, int]
    ours: tuple[int, set[tuple[int, ...]]]
    slow: tuple[int, set[tuple[int, ...]]]


def comparisons(positions: int, seed: int) -> Iterator[Comparison]:
    """One for each position, all phases alike."""
    for phase in PHASES:
        chance = Random(f"{seed} {phase.__name__}")
        for case in islice(phase(chance), positions // len(PHASES)):
            ruleset, dice = chance.choice(list(RULES)), long_nardy_cases.roll(chance)
            slow = long_nardy_cases.turns(case, dice, ruleset)
            yield Comparison(phase.__name__, ruleset, case, dice, ours(case, dice, ruleset), slow)


def ours(case: Case, dice: tuple[int, int], ruleset: str) -> tuple[int, set[tuple[int, ...]]]:
    """Dice used and ends, by the rules of the site."""
    position = checked(Position(*map(from_progress, case)))
    graph = legal_turns(position, Roll.of(*dice), RULES[ruleset])
    return graph.dice_used, {by_progress(final.mine) for final in graph.finals}


def main() -> int:
    """Counts, by phase, and every difference."""
    parser = argparse.ArgumentParser(description="Compares two tellings of the law of long nardy.")
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    used: Counter[tuple[str, int]] = Counter()
    differences = 0
    for found in comparisons(asked.positions, asked.seed):
        used[found.phase, found.slow[0]] += 1
        if found.ours != found.slow:
            differences += 1
            sys.stdout.write(f"DIFFERENT {found}\n")
    for (phase, dice), count in sorted(used.items()):
        sys.stdout.write(f"{phase:12} {dice} dice used: {count:>7,}\n")
    sys.stdout.write(f"{sum(used.values()):,} positions, {differences} differences\n")
    return int(differences > 0)


if __name__ == "__main__":
    sys.exit(main())
