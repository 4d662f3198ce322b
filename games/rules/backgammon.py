"""The single steps of backgammon (Backgammon 3 and 4). How they make a turn is in turns.py."""

from typing import Final, NamedTuple

from games.rules.bearing_off import borne_off
from games.rules.board import BAR, HOME, PLACES, START, Position, checked, facing, has_contact
from games.rules.dice import FACES, Roll
from games.rules.outcome import Win, win_kind, worst_loss
from games.rules.packed import SIZE, Packed, carried
from games.rules.steps import Leap, Step, Stepper

SHUT: Final = 2
"""So many enemy checkers make a point that nobody else can land on (Backgammon 3.1)."""

_THEIR_BAR: Final = PLACES + BAR
_OUTSIDE: Final = slice(HOME + 1, BAR + 1)
_NOBODY: Final = bytes(BAR - HOME)


class _Landing(NamedTuple):
    """A step to a point, with and without a hit, and what it changes in a packed position."""

    src: int
    enemy: int
    """The byte of the enemy's checkers on the point."""
    quiet: Step
    quietly: Packed
    hit: Step
    hitting: Packed


def _landing(src: int, die: int) -> _Landing:
    dst = src - die
    enemy = PLACES + facing(dst)
    moved = carried(src, dst)
    return _Landing(
        src=src,
        enemy=enemy,
        quiet=Step(src, dst, die, hit=False),
        quietly=moved,
        hit=Step(src, dst, die, hit=True),
        hitting=moved + carried(enemy, _THEIR_BAR),
    )


_LANDINGS: Final = {
    die: tuple(_landing(src, die) for src in range(BAR, die, -1)) for die in range(1, FACES + 1)
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
        entries = [entry] if theirs[facing(entry.quiet.dst)] < SHUT else []
        landings = [landing for landing in others if theirs[facing(landing.quiet.dst)] < SHUT]

        def steps(position: Packed) -> list[Leap]:
            counts = position.to_bytes(SIZE, "little")
            found = [
                (hit, position + hitting) if counts[enemy] else (quiet, position + quietly)
                # Backgammon 3.2
                for src, enemy, quiet, quietly, hit, hitting in (
                    entries if counts[BAR] else landings
                )
                if counts[src]
            ]
            if counts[_OUTSIDE] == _NOBODY:
                found += borne_off(position, counts, die)
            return found

        return steps

    def facing(self, point: int) -> int:
        return facing(point)

    def checked(self, position: Position) -> Position:
        return checked(position)

    def win_kind(self, winner_view: Position) -> Win:
        """Backgammon 5."""
        return win_kind(winner_view)

    def worst_loss(self, loser_view: Position) -> Win:
        """Backgammon 7."""
        return worst_loss(loser_view)

    def has_contact(self, position: Position) -> bool:
        return has_contact(position)

    def relaxed(self, turn_start: Position, roll: Roll) -> None:
        """Nothing is allowed only for the sake of more dice."""


BACKGAMMON: Final = Backgammon()
