"""How much a finished game counts, and how much can still be lost. Knows no cube and no score."""

from enum import IntEnum
from typing import Final

from games.rules.board import BAR, CHECKERS, HOME, OFF, Position, Side, facing, has_contact


class Win(IntEnum):
    """The kind of a win is also its multiple of the cube (Backgammon 5)."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3


_FIRST_IN_ENEMY_HOME: Final = facing(HOME)


def is_won(position: Position) -> bool:
    """Whether the player on roll has borne off everything."""
    return position.mine[OFF] == CHECKERS


def is_over(position: Position) -> bool:
    """Whether either side has borne off everything."""
    return CHECKERS in (position.mine[OFF], position.theirs[OFF])


def win_kind(winner_view: Position) -> Win:
    """What the winner, whose checkers are `mine`, has won (Backgammon 5)."""
    assert is_won(winner_view), "nobody has won this game yet"
    loser = winner_view.theirs
    if loser[OFF]:
        return Win.SINGLE
    return Win.BACKGAMMON if _is_far_behind(loser) else Win.GAMMON


def worst_loss(loser_view: Position) -> Win:
    """The most that `mine` can still lose; a resignation may not offer more (Backgammon 7)."""
    if loser_view.mine[OFF]:
        return Win.SINGLE
    if _is_far_behind(loser_view.mine) or has_contact(loser_view):
        return Win.BACKGAMMON
    return Win.GAMMON


def _is_far_behind(counts: Side) -> bool:
    """A checker on the bar or in the enemy's home."""
    return any(counts[_FIRST_IN_ENEMY_HOME : BAR + 1])
