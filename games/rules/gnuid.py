"""GNU Backgammon's position id: 80 bits of checkers in unary, as 14 letters of base 64."""

import binascii
from base64 import b64decode, b64encode
from typing import ClassVar, Final

from accounts.errors import Refused, gettext_noop
from games.rules.board import CHECKERS, OFF, PLACES, Position, Side, checked

_BYTES: Final = 10
_LETTERS: Final = 14
_PADDING: Final = "=="


class BadPositionId(Refused):
    """Text that is not a position id at all."""

    code: ClassVar[str] = "bad_position_id"
    text: ClassVar[str] = gettext_noop("A position id is 14 letters, digits, + or /.")


def position_id(position: Position) -> str:
    """The id with `mine` on roll.

    Each side, the one not on roll first, is written from its 1 point to its bar: a one for each
    checker and a zero after each place, the lowest bit first.

    >>> from games.rules.board import START
    >>> position_id(START)
    '4HPwATDgc/ABMA'
    """
    bits = 0
    length = 0
    for counts in (position.theirs, position.mine):
        for place in range(OFF + 1, PLACES):
            bits |= ((1 << counts[place]) - 1) << length
            length += counts[place] + 1
    return b64encode(bits.to_bytes(_BYTES, "little")).decode("ascii")[:_LETTERS]


def parse_position_id(text: str) -> Position:
    """The position of an id, `mine` on roll; what is not on the board has been borne off.

    Raises BadPositionId, or IllegalPosition if no game can reach it.
    """
    bits = _bits_of(text)
    sides: list[Side] = []
    for _ in range(2):
        counts = [0] * PLACES
        for place in range(OFF + 1, PLACES):
            while bits & 1:
                counts[place] += 1
                bits >>= 1
            bits >>= 1
        counts[OFF] = CHECKERS - sum(counts)
        sides.append(tuple(counts))
    if bits:
        raise BadPositionId
    theirs, mine = sides
    return checked(Position(mine, theirs))


def _bits_of(text: str) -> int:
    try:
        read = b64decode(text + _PADDING, validate=True)
    except (ValueError, binascii.Error):
        raise BadPositionId from None
    if len(text) != _LETTERS or b64encode(read)[:_LETTERS].decode("ascii") != text:
        raise BadPositionId
    return int.from_bytes(read, "little")
