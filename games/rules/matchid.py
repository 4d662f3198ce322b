"""GNU Backgammon's match id: dice, cube and score in 67 bits, as 12 letters of base 64.

Together with the position id it is written `4HPwATDgc/ABMA:cAkAAAAAAAAE`. We write the player on
roll as player 1. The fields are described in the manual of GNU Backgammon, section 11.7.
"""

import binascii
from base64 import b64decode, b64encode
from typing import ClassVar, Final

from accounts.errors import Refused, gettext_noop
from games.rules.board import Position
from games.rules.dice import FACES, Roll
from games.rules.gnuid import parse_position_id, position_id
from games.rules.situation import Owner, Situation

_BYTES: Final = 9
_LETTERS: Final = 12

# name and width of each field, the lowest bit first
_FIELDS: Final = {
    "cube": 4,
    "owner": 2,
    "on_roll": 1,
    "crawford": 1,
    "state": 3,
    "turn": 1,
    "doubled": 1,
    "resigned": 2,
    "die_1": 3,
    "die_2": 3,
    "length": 15,
    "score_0": 15,
    "score_1": 15,
    "no_jacoby": 1,
}
_PLAYING: Final = 1
_CENTRED: Final = 3


class BadMatchId(Refused):
    """Text that is not a match id, or one of a game that is not being played."""

    code: ClassVar[str] = "bad_match_id"
    text: ClassVar[str] = gettext_noop("This is not a match id of a position to play.")


def gnu_id(situation: Situation) -> str:
    """Position id and match id, with a colon between them."""
    return f"{position_id(situation.position)}:{match_id(situation)}"


def parse_gnu_id(text: str) -> Situation:
    """The situation of `position id:match id`.

    Raises BadPositionId, IllegalPosition or BadMatchId.
    """
    position, _, match = text.strip().partition(":")
    return parse_match_id(match, parse_position_id(position))


def match_id(situation: Situation) -> str:
    """The match id alone. Beavers and the largest cube have no place in it."""
    owners = {Owner.MINE: 1, Owner.THEIRS: 0, Owner.NOBODY: _CENTRED}
    high, low = situation.roll or (0, 0)
    mine, theirs = situation.score
    values = {
        "cube": situation.cube.bit_length() - 1,
        "owner": owners[situation.cube_owner],
        "on_roll": 1,
        "crawford": int(situation.is_crawford),
        "state": _PLAYING,
        "turn": int(not situation.is_doubled),
        "doubled": int(situation.is_doubled),
        "resigned": 0,
        "die_1": high,
        "die_2": low,
        "length": situation.length,
        "score_0": theirs,
        "score_1": mine,
        "no_jacoby": int(not situation.has_jacoby),
    }
    key = at = 0
    for name, width in _FIELDS.items():
        key |= values[name] << at
        at += width
    return b64encode(key.to_bytes(_BYTES, "little")).decode("ascii")


def parse_match_id(text: str, position: Position) -> Situation:
    """The situation of a match id; `position` belongs to the player on roll. Raises BadMatchId."""
    field = _fields(text)
    dice = (field["die_1"], field["die_2"])
    if field["state"] != _PLAYING or field["resigned"] or not _are_dice(dice):
        raise BadMatchId
    on_roll = field["on_roll"]
    owner = Owner.MINE if field["owner"] == on_roll else Owner.THEIRS
    scores = (field["score_0"], field["score_1"])
    return Situation(
        position=position,
        roll=Roll.of(*dice) if any(dice) else None,
        cube=1 << field["cube"],
        cube_owner=Owner.NOBODY if field["owner"] == _CENTRED else owner,
        is_doubled=bool(field["doubled"]),
        score=scores[::-1] if on_roll else scores,
        length=field["length"],
        is_crawford=bool(field["crawford"]),
        has_jacoby=not field["length"] and not field["no_jacoby"],
    )


def _fields(text: str) -> dict[str, int]:
    if len(text) != _LETTERS:
        raise BadMatchId
    try:
        key = int.from_bytes(b64decode(text, validate=True), "little")
    except (ValueError, binascii.Error):
        raise BadMatchId from None
    field: dict[str, int] = {}
    for name, width in _FIELDS.items():
        field[name] = key & ((1 << width) - 1)
        key >>= width
    return field


def _are_dice(dice: tuple[int, int]) -> bool:
    return dice == (0, 0) or all(1 <= die <= FACES for die in dice)
