"""A roll of two dice as a value. Where the numbers come from is not known here."""

from typing import Final, NamedTuple

from games.rules.errors import BadDice

FACES: Final = 6
TIMES_OF_DOUBLE: Final = 4
"""Backgammon 3.3: a double is played four times."""


class Roll(NamedTuple):
    """Two dice, the higher first. Make one with `Roll.of`."""

    high: int
    low: int

    @classmethod
    def of(cls, a: int, b: int) -> "Roll":
        """The roll in which the dice show `a` and `b`, in either order. Raises BadDice.

        >>> Roll.of(3, 5)
        Roll(high=5, low=3)
        """
        for shown in (a, b):
            if type(shown) is not int or not 1 <= shown <= FACES:
                raise BadDice
        return cls(max(a, b), min(a, b))

    @property
    def is_double(self) -> bool:
        return self.high == self.low

    @property
    def dice(self) -> tuple[int, ...]:
        """What may be played: two numbers, or four of a double; the higher first."""
        return (self.high,) * TIMES_OF_DOUBLE if self.is_double else (self.high, self.low)


ALL_ROLLS: Final = tuple(Roll(a, b) for a in range(1, FACES + 1) for b in range(1, a + 1))
"""The 21 different rolls."""
