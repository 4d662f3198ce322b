"""Which checker a die bears off, the same in both games (Backgammon 4, Nardy 6)."""

from typing import Final

from games.rules.board import HOME, OFF
from games.rules.dice import FACES
from games.rules.packed import Packed, carried
from games.rules.steps import Leap, Step

_BEARING_OFF: Final = {
    die: tuple((Step(src, OFF, die, hit=False), carried(src, OFF)) for src in range(die + 1))
    for die in range(1, FACES + 1)
}
"""By die and point, as far as the die reaches."""


def borne_off(position: Packed, counts: bytes, die: int) -> list[Leap]:
    """The checker that `die` bears off, if any; all checkers are home."""
    src = die
    if not counts[die]:
        src = max((point for point in range(1, HOME + 1) if counts[point]), default=OFF)
    if src == OFF or src > die:
        return []
    step, change = _BEARING_OFF[die][src]
    return [(step, position + change)]
