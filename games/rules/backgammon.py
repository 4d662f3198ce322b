"""The single steps of backgammon (Backgammon 3 and 4). How they make a turn is in turns.py."""

from typing import Final

from games.rules.board import BAR, HOME, OFF, PLACES, START, Position, facing
from games.rules.dice import FACES
from games.rules.packed import SIZE, Packed, carried
from games.rules.steps import Leap, Stepper

SHUT: Final = 2
"""So many enemy checkers make a point that nobody else can land on (Backgammon 3.1)."""

_THEIR_BAR: Final = PLACES + BAR
_OUTSIDE: Final = slice(HOME + 1, BAR + 1)
_NOBODY: Final = bytes(BAR - HOME)


class _Landing:
    """A step between two points with what it changes in a packed position."""

    __slots__ = ("dst", "enemy", "hitting", "plain", "src")

    def __init__(self, src: int, dst: int) -> None:
        self.src = src
        self.dst = dst
        self.enemy = PLACES + facing(dst)
        self.plain = carried(src, dst)
        self.hitting = self.plain + carried(self.enemy, _THEIR_BAR)


_LANDINGS: Final = {
    die: tuple(_Landing(src, src - die) for src in range(BAR, die, -1))
    for die in range(1, FACES + 1)
}
"""By die, from the bar downwards; what bears off is not in it."""


class Backgammon:
    """Backgammon as a list of single steps."""

    name: Final = "backgammon"
    start: Final = START

    def stepper(self, turn_start: Position, die: int) -> Stepper:
        # Only blots leave their points during a turn, so what is shut stays shut.
        theirs = turn_start.theirs
        entry, *others = _LANDINGS[die]
        is_entry_open = theirs[facing(entry.dst)] < SHUT
        open_landings = tuple(
            (landing.src, landing.dst, landing.enemy, landing.plain, landing.hitting)
            for landing in others
            if theirs[facing(landing.dst)] < SHUT
        )

        def steps(position: Packed) -> list[Leap]:
            counts = position.to_bytes(SIZE, "little")
            if counts[BAR]:  # Backgammon 3.2
                return [_taken(entry, position, counts)] if is_entry_open else []
            found = [
                (src, dst, True, position + hitting)
                if counts[enemy]
                else (src, dst, False, position + plain)
                for src, dst, enemy, plain, hitting in open_landings
                if counts[src]
            ]
            if counts[_OUTSIDE] == _NOBODY:
                found += _borne_off(position, counts, die)
            return found

        return steps


def _taken(landing: _Landing, position: Packed, counts: bytes) -> Leap:
    is_hit = bool(counts[landing.enemy])
    change = landing.hitting if is_hit else landing.plain
    return landing.src, landing.dst, is_hit, position + change


def _borne_off(position: Packed, counts: bytes, die: int) -> list[Leap]:
    """The checker that `die` bears off, if any (Backgammon 4); all checkers are home."""
    if counts[die]:
        return [(die, OFF, False, position + _BEARING_OFF[die])]
    highest = max((point for point in range(1, HOME + 1) if counts[point]), default=OFF)
    if highest == OFF or highest > die:
        return []
    return [(highest, OFF, False, position + _BEARING_OFF[highest])]


_BEARING_OFF: Final = tuple(carried(src, OFF) for src in range(HOME + 1))

BACKGAMMON: Final = Backgammon()
