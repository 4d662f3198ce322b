"""A position as one integer, a byte for each place, so that a step is an addition.

Only the search uses this: such numbers are quick to compare and to keep in a dictionary.
Bytes 0-25 are `mine`, bytes 26-51 `theirs`.
"""

from typing import Final, TypeAlias

from games.rules.board import PLACES, Position

Packed: TypeAlias = int

SIZE: Final = 2 * PLACES
_BITS: Final = 8


def packed(position: Position) -> Packed:
    return int.from_bytes(bytes(position.mine + position.theirs), "little")


def unpacked(number: Packed) -> Position:
    counts = tuple(number.to_bytes(SIZE, "little"))
    return Position(counts[:PLACES], counts[PLACES:])


def carried(source: int, target: int) -> Packed:
    """What to add so that one checker goes from byte `source` to byte `target`."""
    return (1 << _BITS * target) - (1 << _BITS * source)
