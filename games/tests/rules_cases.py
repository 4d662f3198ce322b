"""The recorded cases and the random positions that the tests of the rules share."""

import csv
import json
from pathlib import Path
from random import Random
from typing import Any

from games.rules.board import BAR, CHECKERS, OFF, START, Position, facing, is_bearing_off, side
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


def played(chance: Random) -> Position:
    """A position from a game of random turns, of any length that leaves it unfinished."""
    position = START
    for _ in range(chance.randrange(90)):
        finals = list(legal_turns(position, chance.choice(ALL_ROLLS)).finals)
        after = chance.choice(finals).flipped() if finals else position.flipped()
        if is_over(after):
            return position
        position = after
    return position


def scattered(chance: Random) -> Position:
    """Checkers anywhere, also on both bars and off."""
    mine_points = set(chance.sample(POINTS, chance.randint(1, 14)))
    free = [facing(point) for point in POINTS if point not in mine_points]
    their_points = chance.sample(free, chance.randint(1, min(12, len(free))))
    return Position(_filled(chance, sorted(mine_points)), _filled(chance, their_points))


def shut_out(chance: Random) -> Position:
    """Both sides on the bar, against home boards of two to six points."""
    sides = []
    for _ in range(2):
        home = chance.sample(range(1, 7), chance.randint(2, 6))
        points = dict.fromkeys(home, 2)
        points[BAR] = chance.randint(1, 3)
        sides.append(side(points))
    mine, theirs = sides
    return Position(mine, theirs)


def bearing_off(chance: Random) -> Position:
    """All checkers of the player on roll home, the enemy anywhere outside or behind."""
    mine = [0] * 26
    for _ in range(chance.randint(1, CHECKERS)):
        mine[chance.randint(1, 6)] += 1
    mine[OFF] = CHECKERS - sum(mine)
    free = [facing(point) for point in POINTS if not mine[point]]
    theirs = _filled(chance, chance.sample(free, chance.randint(1, 5)))
    position = Position(tuple(mine), theirs)
    assert is_bearing_off(position.mine)
    return position


def _filled(chance: Random, points: list[int]) -> tuple[int, ...]:
    """15 checkers over these points, with the bar and off now and then among them."""
    places = points + [BAR] * chance.randint(0, 1) + [OFF] * chance.randint(0, 1)
    counts = dict.fromkeys(points[:CHECKERS], 1)
    for _ in range(CHECKERS - len(counts)):
        place = chance.choice(places)
        counts[place] = counts.get(place, 0) + 1
    counts.pop(OFF, None)
    return side(counts)


def roll(chance: Random) -> Roll:
    return chance.choice(ALL_ROLLS)
