"""XGID, the way eXtreme Gammon writes a position with dice, cube and score in one line.

The 26 letters are the bar of the side below in capitals last, that of the side above first, and
the points of the side below between them. We write the player on roll as the side below.
"""

import re
from typing import ClassVar, Final

from accounts.errors import Refused, gettext_noop
from games.rules.board import BAR, CHECKERS, OFF, PLACES, Position, Side, checked, facing
from games.rules.dice import Roll
from games.rules.situation import Owner, Situation

_PREFIX: Final = "XGID="
_FORM: Final = re.compile(
    r"(?:XGID=)?(?P<board>[-A-Oa-o]{26})"
    r":(?P<cube>[0-9]|10):(?P<owner>-1|0|1):(?P<turn>-1|1):(?P<dice>00|D|[1-6]{2})"
    r":(?P<below>[0-9]{1,4}):(?P<above>[0-9]{1,4}):(?P<rules>[0-3])"
    r":(?P<length>[0-9]{1,4}):(?P<largest>[0-9]|10)"
)
_OWNERS: Final = {1: Owner.MINE, -1: Owner.THEIRS, 0: Owner.NOBODY}
_SIGNS: Final = {owner: sign for sign, owner in _OWNERS.items()}
_JACOBY: Final = 1
_BEAVERS: Final = 2


class BadXgid(Refused):
    """Text that is not an XGID, or one that stands at a beaver or a raccoon."""

    code: ClassVar[str] = "bad_xgid"
    text: ClassVar[str] = gettext_noop("This is not an XGID of a position to play.")


def xgid(situation: Situation) -> str:
    """The line for a situation.

    >>> from games.rules.board import START
    >>> xgid(Situation(START, Roll.of(3, 1)))
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:6'
    """
    fields = (
        _letters(situation.position),
        _log2(situation.cube),
        _SIGNS[situation.cube_owner],
        1,
        _dice(situation),
        *situation.score,
        _rules(situation),
        situation.length,
        _log2(situation.largest_cube),
    )
    return _PREFIX + ":".join(map(str, fields))


def parse_xgid(text: str) -> Situation:
    """The situation of a line. Raises BadXgid, or IllegalPosition."""
    form = _FORM.fullmatch(text.strip())
    if form is None:
        raise BadXgid
    length = int(form["length"])
    flags = int(form["rules"])
    below = Situation(
        position=_position(form["board"]),
        roll=Roll.of(*map(int, form["dice"])) if form["dice"] not in ("00", "D") else None,
        cube=1 << int(form["cube"]),
        cube_owner=_OWNERS[int(form["owner"])],
        is_doubled=form["dice"] == "D",
        score=(int(form["below"]), int(form["above"])),
        length=length,
        is_crawford=bool(length and flags),
        has_jacoby=bool(not length and flags & _JACOBY),
        has_beavers=bool(not length and flags & _BEAVERS),
        largest_cube=1 << int(form["largest"]),
    )
    return below if form["turn"] == "1" else below.flipped()


def _letters(position: Position) -> str:
    mine, theirs = position
    return "".join(
        _letter(mine[point] if point else 0, theirs[facing(point)] if point < BAR else 0)
        for point in range(PLACES)
    )


def _letter(mine: int, theirs: int) -> str:
    if mine:
        return chr(ord("A") + mine - 1)
    return chr(ord("a") + theirs - 1) if theirs else "-"


def _position(letters: str) -> Position:
    mine, theirs = [0] * PLACES, [0] * PLACES
    for point, letter in enumerate(letters):
        if letter.isupper() and point != OFF:
            mine[point] = ord(letter) - ord("A") + 1
        elif letter.islower() and point != BAR:
            theirs[facing(point)] = ord(letter) - ord("a") + 1
        elif letter != "-":
            raise BadXgid
    return checked(Position(_with_off(mine), _with_off(theirs)))


def _with_off(counts: list[int]) -> Side:
    return (CHECKERS - sum(counts), *counts[OFF + 1 :])


def _dice(situation: Situation) -> str:
    if situation.is_doubled:
        return "D"
    return "00" if situation.roll is None else "{}{}".format(*situation.roll)


def _rules(situation: Situation) -> int:
    if situation.length:
        return int(situation.is_crawford)
    return _JACOBY * situation.has_jacoby + _BEAVERS * situation.has_beavers


def _log2(value: int) -> int:
    return value.bit_length() - 1
