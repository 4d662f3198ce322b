"""`manage.py perft`: counts the final positions from the start, to be compared with known figures."""

from time import perf_counter
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser

from games.rules.board import Position
from games.rules.dice import ALL_ROLLS
from games.rules.steps import Rules
from games.rules.turns import legal_turns
from games.rules.variants import VARIANTS, rules_of

KNOWN: Final = {("backgammon", 1): 447, ("backgammon", 2): 202_782, ("backgammon", 3): 116_154_993}
"""Each of the 21 rolls once; published figures of other programs."""

_DEPTH: Final = 2


class Command(BaseCommand):
    """Prints a line for each depth."""

    help = "Counts the positions that are reached with each of the 21 rolls, turn by turn."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--depth", type=int, default=_DEPTH, help="how many turns deep")
        parser.add_argument("--variant", choices=sorted(VARIANTS), default="backgammon")

    def handle(self, *args: Any, depth: int, variant: str, **options: Any) -> None:
        rules = rules_of(variant)
        for turns in range(1, depth + 1):
            began = perf_counter()
            nodes = count(rules.start, turns, rules)
            seconds = perf_counter() - began
            known = KNOWN.get((variant, turns))
            verdict = (
                ""
                if known is None
                else " as published"
                if nodes == known
                else f" WRONG, not {known}"
            )
            self.stdout.write(f"depth {turns}: {nodes} in {seconds:.2f} s{verdict}")


def count(position: Position, depth: int, rules: Rules) -> int:
    """The final positions after `depth` turns; a roll that cannot be played has none."""
    finals = [legal_turns(position, roll, rules).finals for roll in ALL_ROLLS]
    if depth == 1:
        return sum(map(len, finals))
    return sum(count(final.flipped(), depth - 1, rules) for reached in finals for final in reached)
