"""The two seats of a match, and a pair of values with one for each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, TypeVar, assert_never

T = TypeVar("T")


class Side(StrEnum):
    """A seat. Light is seat 0; neither is special in play."""

    LIGHT = "light"
    DARK = "dark"

    @property
    def other(self) -> "Side":
        """The opponent's seat.

        >>> Side.LIGHT.other
        <Side.DARK: 'dark'>
        """
        return Side.DARK if self is Side.LIGHT else Side.LIGHT


SIDES: Final = (Side.LIGHT, Side.DARK)


@dataclass(frozen=True, slots=True)
class BySide(Mapping[Side, T], Generic[T]):
    """A value for each side; always both. Read like a mapping, changed by making a new one."""

    light: T
    dark: T

    @classmethod
    def both(cls, value: T) -> "BySide[T]":
        """The same value for both sides."""
        return cls(value, value)

    def __getitem__(self, side: Side) -> T:
        match side:
            case Side.LIGHT:
                return self.light
            case Side.DARK:
                return self.dark
        assert_never(side)

    def __iter__(self) -> Iterator[Side]:
        return iter(SIDES)

    def __len__(self) -> int:
        return len(SIDES)

    def changed(self, side: Side, value: T) -> "BySide[T]":
        """The pair with another value for one side.

        >>> BySide(1, 2).changed(Side.DARK, 5)
        BySide(light=1, dark=5)
        """
        if side is Side.LIGHT:
            return BySide(value, self.dark)
        return BySide(self.light, value)
