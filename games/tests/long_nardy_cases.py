"""The law of long nardy a second time, in the plainest and slowest way, and random positions to compare on.

Nothing here is shared with games.rules but the values: sides are 25 counts by progress, every order of
the dice is played out, and the law picks from all of them.
"""

from collections.abc import Iterator
from itertools import pairwise, permutations
from random import Random
from typing import NamedTuple, TypeAlias

Counts: TypeAlias = tuple[int, ...]
Dice: TypeAlias = tuple[int, ...]

START: Counts = (15,) + (0,) * 24
FNR = "long-nardy-fnr"
RULESETS = ("long-nardy", FNR)
NO_BLOCK = "no-block"
"""As if there were no Nardy 5, to see where it matters."""


class Case(NamedTuple):
    """`mine` is to play."""

    mine: Counts
    theirs: Counts


class Line(NamedTuple):
    """Dice played in this order, and the position after them."""

    dice: Dice
    mine: Counts


def turns(case: Case, dice: tuple[int, int], ruleset: str) -> tuple[int, set[Counts]]:
    """How many dice a legal turn uses, and where it may end (Nardy 3 to 6, 8)."""
    used, ends = _with_heads(case, dice, 1, ruleset)
    is_first = case.mine == START
    if ruleset == FNR:
        is_first &= case.theirs != START and dice in {(3, 3), (4, 4), (6, 6)}
    if is_first:
        more, other_ends = _with_heads(case, dice, 2, ruleset)
        if more > used:
            return more, other_ends
    return used, ends


def _with_heads(
    case: Case, dice: tuple[int, int], heads: int, ruleset: str
) -> tuple[int, set[Counts]]:
    hand = dice * 2 if dice[0] == dice[1] else dice
    lines = {
        line for order in set(permutations(hand)) for line in _lines(case, order, heads, ruleset)
    }
    longest = max(len(line.dice) for line in lines)
    lines = {line for line in lines if len(line.dice) == longest}
    if longest == 1 and len(set(dice)) == 2:
        highest = max(line.dice[0] for line in lines)
        lines = {line for line in lines if line.dice[0] == highest}
    return longest, {line.mine for line in lines} if longest else set()


def _lines(case: Case, dice: Dice, heads: int, ruleset: str) -> Iterator[Line]:
    """Every way to play some of the dice in this order."""
    yield Line((), case.mine)
    if not dice or case.mine[24] == 15:
        return
    for src in range(24):
        if src == 0 and not heads:
            continue
        after = _stepped(case, src, dice[0])
        if after is None or _locks_in(after, ruleset):
            continue
        for line in _lines(after, dice[1:], heads - (src == 0), ruleset):
            yield Line((dice[0], *line.dice), line.mine)


def _stepped(case: Case, src: int, die: int) -> Case | None:
    mine, theirs = case
    if not mine[src]:
        return None
    dst = src + die
    if dst < 24 and theirs[(dst + 12) % 24]:
        return None
    if dst >= 24:
        if any(mine[:18]) or (dst > 24 and any(mine[:src])):
            return None
        dst = 24
    counts = list(mine)
    counts[src] -= 1
    counts[dst] += 1
    return Case(tuple(counts), theirs)


def _locks_in(case: Case, ruleset: str) -> bool:
    mine, theirs = case
    if ruleset == NO_BLOCK or (ruleset != FNR and any(theirs[18:])):
        return False
    route = [mine[(progress + 12) % 24] > 0 for progress in range(24)]
    for start in range(19):
        behind = sum(theirs[:start])
        if all(route[start : start + 6]) and (behind == 15 if ruleset == FNR else behind > 0):
            return True
    return False


def locks_in(case: Case, ruleset: str) -> bool:
    """Whether `mine` holds a block that is illegal (Nardy 5, 8)."""
    return _locks_in(case, ruleset)


# random positions


def roll(chance: Random) -> tuple[int, int]:
    return chance.randint(1, 6), chance.randint(1, 6)


def played(chance: Random) -> Iterator[Case]:
    """The positions of games without end, some of whose players love blocks, some stay behind."""
    while True:
        ruleset = chance.choice(RULESETS)
        case, styles = Case(START, START), [chance.randint(0, 2), chance.randint(0, 2)]
        while not (case.mine[24] == 15 or case.theirs[24] == 15):
            yield case
            _, ends = turns(case, roll(chance), ruleset)
            mine = _chosen(chance, sorted(ends), styles[0]) if ends else case.mine
            case, styles = Case(case.theirs, mine), styles[::-1]


def scattered(chance: Random) -> Iterator[Case]:
    """Checkers anywhere and off."""
    while True:
        points = chance.sample(range(24), 24)
        held = chance.randint(1, 12)
        theirs = [(point + 12) % 24 for point in points[held : held + chance.randint(1, 10)]]
        yield Case(_filled(chance, points[:held]), _filled(chance, theirs))


def blocking(chance: Random) -> Iterator[Case]:
    """Five or six points of a row on the enemy's route are held, and he stands mostly behind them."""
    while True:
        start = chance.randint(1, 18)
        row = [(progress + 12) % 24 for progress in range(start, start + 6)]
        held = row if chance.random() < 0.1 else [p for p in row if p != chance.choice(row)]
        held = held + [p for p in range(24) if p not in row and chance.random() < 0.15]
        theirs = [
            progress
            for progress in range(24)
            if (progress + 12) % 24 not in [*held, *row]
            and chance.random() < (0.5 if progress < start else 0.05)
        ]
        if theirs:
            yield Case(_filled(chance, held[:12]), _filled(chance, theirs[:9]))


def bearing_off(chance: Random) -> Iterator[Case]:
    """Home, or all but one or two checkers; the enemy anywhere."""
    while True:
        held = chance.sample(range(18, 24), chance.randint(1, 6))
        if chance.random() < 0.4:
            held.append(chance.randint(12, 17))
        theirs = [(p + 12) % 24 for p in chance.sample(range(24), 8) if p not in held]
        if theirs:
            yield Case(_filled(chance, held, most_off=14), _filled(chance, theirs))


def opening(chance: Random) -> Iterator[Case]:
    """Both first turns."""
    while True:
        yield Case(START, START)
        _, ends = turns(Case(START, START), roll(chance), chance.choice(RULESETS))
        yield Case(START, chance.choice(sorted(ends)))


PHASES = (played, scattered, blocking, bearing_off, opening)


def _chosen(chance: Random, ends: list[Counts], style: int) -> Counts:
    if style == 0:
        return chance.choice(ends)
    some = chance.sample(ends, min(8, len(ends)))
    if style == 1:
        return max(some, key=lambda counts: sum(a > 0 and b > 0 for a, b in pairwise(counts[:24])))
    return max(some, key=lambda counts: counts[0] + sum(counts[:12]))


def _filled(chance: Random, points: list[int], most_off: int = 5) -> Counts:
    counts = [0] * 25
    counts[24] = chance.randint(0, min(most_off, 15 - len(points))) if chance.random() < 0.5 else 0
    for point in points:
        counts[point] += 1
    for _ in range(15 - sum(counts)):
        counts[chance.choice(points)] += 1
    return tuple(counts)
