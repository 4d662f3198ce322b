"""Long nardy (rules.md, Nardy): its single steps, boards and results, in both rulesets.

Points are numbered as in backgammon, so that both games share the search and the board: a side's head is
its 24 point, home is 6 to 1, off is 0. Progress, as the rules count, is 24 less the point. Both sides
run the same way round, so the same point is 12 away in the other's numbering. There is no bar.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from games.rules.bearing_off import borne_off
from games.rules.board import (
    BAR,
    CHECKERS,
    HOME,
    OFF,
    PLACES,
    Position,
    Side,
    is_bearing_off,
    side,
)
from games.rules.dice import FACES, Roll
from games.rules.errors import BothFinished, SharedPoint, WrongCheckerCount
from games.rules.outcome import Win, is_won
from games.rules.packed import SIZE, Packed, carried
from games.rules.steps import Leap, Step, Stepper

HEAD: Final = 24
POINTS: Final = 24
HALF: Final = 12
BLOCK: Final = 6
"""So many points in a row lock the enemy in (Nardy 5)."""

FNR_SECOND_HEAD: Final = frozenset({3, 4, 6})
"""Nardy 8: the doubles with which the second player's first turn takes two from the head."""

START: Final = Position(side({HEAD: CHECKERS}), side({HEAD: CHECKERS}))
"""Nardy 1."""

_HELD: Final = bytes.maketrans(bytes(range(CHECKERS + 1)), b"0" + b"1" * CHECKERS)
_OUTSIDE: Final = slice(HOME + 1, BAR + 1)
_NOBODY: Final = bytes(BAR - HOME)
_FIRST_QUARTERS: Final = slice(HOME + 1, BAR)


def facing(point: int) -> int:
    """The other side's number of the same point (Nardy 1).

    >>> facing(HEAD), facing(1), facing(facing(7))
    (12, 13, 7)
    """
    return point + HALF if point <= HALF else point - HALF


def by_progress(counts: Side) -> tuple[int, ...]:
    """The 25 counts of a side from the head on, those borne off last."""
    return counts[HEAD::-1]


def from_progress(counts: Sequence[int]) -> Side:
    """The side with these 25 counts; the inverse of `by_progress`. Raises WrongCheckerCount."""
    if len(counts) != POINTS + 1:
        raise WrongCheckerCount(expected=CHECKERS)
    return (*counts[::-1], 0)


def checked(position: Position) -> Position:
    """The position itself if its counts are possible.

    Raises WrongCheckerCount, SharedPoint or BothFinished, all of them IllegalPosition.
    """
    for counts in position:
        if len(counts) != PLACES or min(counts) < 0 or sum(counts) != CHECKERS or counts[BAR]:
            raise WrongCheckerCount(expected=CHECKERS)
    for point in range(OFF + 1, BAR):
        if position.mine[point] and position.theirs[facing(point)]:
            raise SharedPoint(point=point)
    if position.mine[OFF] == position.theirs[OFF] == CHECKERS:
        raise BothFinished
    return position


def is_first_turn(counts: Side) -> bool:
    """Whether this side has not played yet: a first turn always moves something."""
    return counts[HEAD] == CHECKERS


class _Landing(NamedTuple):
    """A step to a point, and what it changes in a packed position."""

    src: int
    step: Step
    change: Packed


_ROUTE_BITS: Final = (0, *(1 << (POINTS - facing(point)) for point in range(1, HEAD + 1)))
"""By own point, the bit of the enemy's progress, of which 0 is bit 0; off is nowhere."""


_LANDINGS: Final = {
    die: tuple(
        _Landing(
            src=src,
            step=Step(src, src - die, die, hit=False),
            change=carried(src, src - die),
        )
        for src in range(HEAD, die, -1)
    )
    for die in range(1, FACES + 1)
}
"""By die, from the head on; what bears off is not in it."""


@dataclass(frozen=True, slots=True)
class LongNardy:
    """A ruleset. `first_turn` and `second_player` None: as the position shows.

    `locks_all_only`: a block is illegal only while all 15 enemy checkers are behind it (Nardy 8).
    `mars_at_home`: none off is mars also where all are home (Nardy 7, 8).
    """

    name: str
    locks_all_only: bool = False
    mars_at_home: bool = False
    heads: int = 1
    first_turn: bool | None = None
    second_player: bool | None = None

    @property
    def start(self) -> Position:
        return START

    def stepper(self, turn_start: Position, die: int) -> Stepper:
        # The enemy does not move during a turn: what is taken stays taken.
        theirs = turn_start.theirs
        landings = [at for at in _LANDINGS[die] if not theirs[facing(at.step.dst)]]
        head_left = turn_start.mine[HEAD] - self.heads
        beyond = self._beyond(theirs)

        def steps(position: Packed) -> list[Leap]:
            counts = position.to_bytes(SIZE, "little")
            found = [at for at in landings if counts[at.src]]
            if found and found[0].src == HEAD and counts[HEAD] <= head_left:
                del found[0]
            held = _on_their_route(counts) if beyond else 0
            leaps = [(at.step, position + at.change) for at in found]
            if counts[_OUTSIDE] == _NOBODY:
                leaps += borne_off(position, counts, die)
            if (held & beyond).bit_count() >= BLOCK - 1:
                leaps = [leap for leap in leaps if not _locks(leap[0], counts, held, beyond)]
            return leaps

        return steps

    def facing(self, point: int) -> int:
        return facing(point)

    def checked(self, position: Position) -> Position:
        return checked(position)

    def has_contact(self, position: Position) -> bool:
        """Until each side's last checker has passed the other's home: nothing is hit, but points are taken."""
        return any(any(counts[HALF + 1 :]) for counts in position)

    def relaxed(self, turn_start: Position, roll: Roll) -> "LongNardy | None":
        """Nardy 4: a second checker from the head."""
        first = self.first_turn
        if first is None:
            first = is_first_turn(turn_start.mine)
        if not first or not self._may_take_second(turn_start, roll):
            return None
        return replace(self, heads=self.heads + 1)

    def win_kind(self, winner_view: Position) -> Win:
        """What the winner, whose checkers are `mine`, has won (Nardy 7)."""
        assert is_won(winner_view), "nobody has won this game yet"
        return self.worst_loss(winner_view.flipped())

    def worst_loss(self, loser_view: Position) -> Win:
        """The most that `mine` can still lose; mars is Win.GAMMON (Nardy 7)."""
        is_safe = loser_view.mine[OFF] or (
            not self.mars_at_home and is_bearing_off(loser_view.mine)
        )
        return Win.SINGLE if is_safe else Win.GAMMON

    def _may_take_second(self, turn_start: Position, roll: Roll) -> bool:
        if not self.locks_all_only:
            return True
        second = self.second_player
        if second is None:
            second = not is_first_turn(turn_start.theirs)
        return second and roll.is_double and roll.high in FNR_SECOND_HEAD

    def _beyond(self, theirs: Side) -> int:
        """The points on the enemy's route where a block would be illegal, as bits; 0 if nowhere (Nardy 5)."""
        if theirs[OFF] or any(theirs[1 : HOME + 1]):
            return 0
        held = [point for point in range(HOME + 1, BAR) if theirs[point]]
        last = min(held) if self.locks_all_only else max(held)
        return (1 << POINTS) - (1 << (POINTS - last + 1))


def _on_their_route(counts: bytes) -> int:
    """The own points by the enemy's progress, as bits."""
    far, near = counts[HALF + 1 : HEAD + 1], counts[1 : HALF + 1]
    return int((far + near).translate(_HELD), 2)


def _locks(step: Step, counts: bytes, held: int, beyond: int) -> bool:
    """Whether the board has an illegal block after this step (Nardy 5)."""
    if counts[step.src] == 1:
        held &= ~_ROUTE_BITS[step.src]
    return _is_block((held | _ROUTE_BITS[step.dst]) & beyond)


def _is_block(held: int) -> bool:
    """Whether six of these points are in a row; the route has an end, so they are not joined there."""
    threes = held & (held >> 1) & (held >> 2)
    return bool(threes & (threes >> BLOCK // 2))


LONG_NARDY: Final = LongNardy("long-nardy")
LONG_NARDY_FNR: Final = LongNardy("long-nardy-fnr", locks_all_only=True, mars_at_home=True)
