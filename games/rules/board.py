"""A position as a value: two sides, each counting points from its own home. Knows no dice."""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from games.rules.errors import BothFinished, SharedPoint, WrongCheckerCount

OFF: Final = 0
BAR: Final = 25
CHECKERS: Final = 15
HOME: Final = 6
"""The home board is points 1 to 6."""

Side: TypeAlias = tuple[int, ...]
"""26 counts by the side's own point: [0] borne off, [1] to [24] the points, [25] the bar."""

PLACES: Final = BAR + 1


def facing(point: int) -> int:
    """The other side's number of the same point; the sides move towards each other."""
    return BAR - point


class Position(NamedTuple):
    """`mine` belongs to the player on roll; each side is in its own numbering."""

    mine: Side
    theirs: Side

    def flipped(self) -> "Position":
        """The same board as the other player sees it.

        >>> START.flipped() == START
        True
        """
        return Position(self.theirs, self.mine)


def side(points: Mapping[int, int]) -> Side:
    """Builds a side from {own point: checkers}; those not named have been borne off.

    >>> pips(side({24: 2, 13: 5, 8: 3, 6: 5}))
    167
    """
    counts = [points.get(place, 0) for place in range(PLACES)]
    counts[OFF] = CHECKERS - sum(counts[OFF + 1 :])
    return tuple(counts)


def pips(counts: Side) -> int:
    """How far this side has to go: each checker's own point, the bar being 25."""
    return sum(point * count for point, count in enumerate(counts))


def checked(position: Position) -> Position:
    """The position itself if a game can reach it.

    Raises WrongCheckerCount, SharedPoint or BothFinished, all of them IllegalPosition.
    """
    for counts in position:
        if len(counts) != PLACES or min(counts) < 0 or sum(counts) != CHECKERS:
            raise WrongCheckerCount(expected=CHECKERS)
    for point in range(OFF + 1, BAR):
        if position.mine[point] and position.theirs[facing(point)]:
            raise SharedPoint(point=point)
    if position.mine[OFF] == position.theirs[OFF] == CHECKERS:
        raise BothFinished
    return position


def has_contact(position: Position) -> bool:
    """Whether some checker still has an enemy checker in front of it, so that a hit is possible."""
    return _rearmost(position.mine) + _rearmost(position.theirs) > BAR


def is_bearing_off(counts: Side) -> bool:
    """Whether all checkers of this side are home or off (Backgammon 4)."""
    return not any(counts[HOME + 1 :])


def _rearmost(counts: Side) -> int:
    return max((place for place in range(1, PLACES) if counts[place]), default=OFF)


_START_SIDE: Final = side({24: 2, 13: 5, 8: 3, 6: 5})
START: Final = Position(mine=_START_SIDE, theirs=_START_SIDE)
"""Backgammon 1."""
