"""What a variant must answer: which single steps one die allows. The turn law is in turns.py."""

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeAlias

from games.rules.board import BAR, Position, facing
from games.rules.dice import Roll
from games.rules.outcome import Win
from games.rules.packed import Packed


class Step(NamedTuple):
    """One checker moved by one die, in the mover's own numbering."""

    src: int
    dst: int
    die: int
    hit: bool


Turn: TypeAlias = tuple[Step, ...]


def played(position: Position, turn: Turn) -> Position:
    """The position after the steps, still in the mover's view. Asks no rule whether they are legal."""
    mine, theirs = list(position.mine), list(position.theirs)
    for src, dst, _, hit in turn:
        mine[src] -= 1
        mine[dst] += 1
        if hit:
            theirs[facing(dst)] -= 1
            theirs[BAR] += 1
    return Position(tuple(mine), tuple(theirs))


Leap: TypeAlias = tuple[Step, Packed]
"""A step in the search, and the position after it."""

Stepper: TypeAlias = Callable[[Packed], list[Leap]]
"""Lists the leaps of one die from any position reached within one turn."""


class Rules(Protocol):
    """A variant. All of its steps go from a higher own point to a lower one, 0 being off."""

    @property
    def name(self) -> str: ...

    @property
    def start(self) -> Position: ...

    def stepper(self, turn_start: Position, die: int) -> Stepper:
        """The steps of `die` in a turn that began with `turn_start`."""
        ...

    def facing(self, point: int) -> int:
        """The other side's number of the same point."""
        ...

    def checked(self, position: Position) -> Position:
        """The position itself if its counts are possible. Raises IllegalPosition."""
        ...

    def win_kind(self, winner_view: Position) -> Win:
        """What the winner, whose checkers are `mine`, has won."""
        ...

    def worst_loss(self, loser_view: Position) -> Win:
        """The most that `mine` can still lose; a resignation may not offer more."""
        ...

    def has_contact(self, position: Position) -> bool:
        """Whether one side's checkers can still be in the way of the other's."""
        ...

    def relaxed(self, turn_start: Position, roll: Roll) -> "Rules | None":
        """The same rules with what is allowed if, and only if, it lets more dice be played."""
        ...
