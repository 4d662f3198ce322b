"""A position as one integer, a byte for each place, so that a step is an addition.

Only the search uses this: such numbers are quick to compare and to keep in a dictionary.
Bytes 0-25 are `mine`, bytes 26-51 `theirs`.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from games.rules.board import PLACES, Position, Side

Packed: TypeAlias = int

SIZE: Final = 2 * PLACES
_BITS: Final = 8


def packed(position: Position) -> Packed:
    return int.from_bytes(bytes(position.mine + position.theirs), "little")


def unpacked(numbers: Iterable[Packed]) -> Iterator[Position]:
    """The positions of a turn's ends. Few of them differ in `theirs`, so those are shared."""
    others: dict[bytes, Side] = {}
    for number in numbers:
        counts = number.to_bytes(SIZE, "little")
        half = counts[PLACES:]
        theirs = others.get(half)
        if theirs is None:
            theirs = others[half] = tuple(half)
        yield Position(tuple(counts[:PLACES]), theirs)


def carried(source: int, target: int) -> Packed:
    """What to add so that one checker goes from byte `source` to byte `target`."""
    return (1 << _BITS * target) - (1 << _BITS * source)
