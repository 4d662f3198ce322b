"""The recorded cases and the random positions that the tests of the rules share."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from games.rules.board import BAR, CHECKERS, HOME, OFF, START, Position, Side, facing, side
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.outcome import is_over
from games.rules.turns import legal_turns

CASES = Path(__file__).parent / "cases"
MATCHES = CASES / "matches"

POINTS = range(1, BAR)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def counted_positions() -> list[tuple[str, int]]:
    """Position ids with how many different final positions 21 rolls have."""
    counts = rows(CASES / "movegen" / "counts_21rolls.tsv")
    return [
        (row["gnu_position_id"], int(row["distinct_final_positions_over_21_rolls"]))
        for row in counts
    ]


def rule_cases() -> list[dict[str, Any]]:
    text = (CASES / "movegen" / "rule_cases.json").read_text(encoding="utf-8")
    cases: list[dict[str, Any]] = json.loads(text)
    return cases


def played(chance: Random) -> Iterator[Position]:
    """The positions of games of random turns, one after the other without end."""
    while True:
        position = START
        while not is_over(position):
            yield position
            finals = list(legal_turns(position, roll(chance)).finals)
            position = (chance.choice(finals) if finals else position).flipped()


def scattered(chance: Random) -> Iterator[Position]:
    """Checkers anywhere, also on both bars and off."""
    while True:
        taken = chance.sample(POINTS, chance.randint(1, 14))
        free = [facing(point) for point in POINTS if point not in taken]
        their_points = chance.sample(free, chance.randint(1, min(12, len(free))))
        yield Position(_filled(chance, taken), _filled(chance, their_points))


def shut_out(chance: Random) -> Iterator[Position]:
    """Both sides on the bar, against home boards of one to six points."""
    while True:
        yield Position(_on_the_bar(chance), _on_the_bar(chance))


def bearing_off(chance: Random) -> Iterator[Position]:
    """All checkers of the player on roll home or off, the enemy anywhere, also behind."""
    while True:
        home = chance.sample(range(1, HOME + 1), chance.randint(1, HOME))
        free = [facing(point) for point in POINTS if point not in home]
        their_points = chance.sample(free, chance.randint(1, 5))
        yield Position(_partly_off(chance, home), _filled(chance, their_points))


def _on_the_bar(chance: Random) -> Side:
    home = chance.sample(range(1, HOME + 1), chance.randint(1, HOME))
    outside = chance.randint(HOME + 1, 2 * HOME)
    return side(dict.fromkeys(home, 2) | {BAR: chance.randint(1, 2), outside: 1})


def _partly_off(chance: Random, points: list[int]) -> Side:
    left = chance.randint(len(points), CHECKERS)
    counts = Counter([*points, *chance.choices(points, k=left - len(points))])
    return side(counts)


def _filled(chance: Random, points: list[int]) -> Side:
    """15 checkers over these points, with the bar and off now and then among them."""
    places = points + [BAR] * chance.randint(0, 1) + [OFF] * chance.randint(0, 1)
    counts = Counter([*points, *chance.choices(places, k=CHECKERS - len(points))])
    del counts[OFF]
    return side(counts)


def roll(chance: Random) -> Roll:
    return chance.choice(ALL_ROLLS)
