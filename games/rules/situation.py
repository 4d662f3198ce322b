"""A position with what decides about it: dice, cube, score. What the exchange formats carry."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from games.rules.board import Position
from games.rules.dice import Roll

LARGEST_CUBE: Final = 64


class Owner(Enum):
    """Whose the cube is, seen by the player on roll."""

    MINE = "mine"
    THEIRS = "theirs"
    NOBODY = "nobody"

    @property
    def flipped(self) -> "Owner":
        return {Owner.MINE: Owner.THEIRS, Owner.THEIRS: Owner.MINE}.get(self, self)


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything is seen by the player on roll, whose points come first in `score`.

    `roll` is None before rolling. If `is_doubled`, the player on roll has offered a double and the
    other decides; `cube` is then still the value before it. `length` 0 is a single game.
    """

    position: Position
    roll: Roll | None = None
    cube: int = 1
    cube_owner: Owner = Owner.NOBODY
    is_doubled: bool = False
    score: tuple[int, int] = (0, 0)
    length: int = 0
    is_crawford: bool = False
    has_jacoby: bool = False
    has_beavers: bool = False
    largest_cube: int = LARGEST_CUBE

    def flipped(self) -> "Situation":
        """The same with the other player in the place of the one on roll."""
        return replace(
            self,
            position=self.position.flipped(),
            cube_owner=self.cube_owner.flipped,
            score=self.score[::-1],
        )
