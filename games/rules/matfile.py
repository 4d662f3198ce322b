"""Reads match files: .mat and .txt score sheets of Jellyfish, GNU Backgammon, XG and live servers.

Every game is replayed by the rules. What is not as it should be is kept and reported with its
place: sheets hold illegal plays, unfinished turns and impossible scores. Nothing is dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from accounts.errors import Refused, gettext_noop
from games.rules.replay import Game, Oddity, OddityKind, replayed
from games.rules.scoresheet import LEFT, RIGHT, Sheet, parse_sheet

__all__ = [
    "BadMatchFile",
    "Match",
    "MatchFileTooLarge",
    "NotAMatchFile",
    "NotTextFile",
    "UnsupportedVariation",
    "read_match",
]

LARGEST_FILE: Final = 512 * 1024
MOST_PLIES: Final = 10_000
"""About ten times the longest match of 25 points."""

_VARIATION: Final = "backgammon"
_TEXT_CONTROLS: Final = frozenset("\t\n\r\f\x1a")
"""The last one ended text files under DOS."""


class BadMatchFile(Refused):
    """A file that is not read at all; the subclasses say why."""

    code: ClassVar[str] = "bad_match_file"
    text: ClassVar[str] = gettext_noop("This match file cannot be read.")


class MatchFileTooLarge(BadMatchFile):
    text: ClassVar[str] = gettext_noop(
        "A match file has at most %(bytes)s bytes and %(plies)s rolls."
    )


class NotTextFile(BadMatchFile):
    text: ClassVar[str] = gettext_noop("A match file is plain text in UTF-8.")


class NotAMatchFile(BadMatchFile):
    text: ClassVar[str] = gettext_noop("There is no game of a match in this file.")


class UnsupportedVariation(BadMatchFile):
    text: ClassVar[str] = gettext_noop("Only matches of backgammon can be read, not of %(name)s.")


@dataclass(frozen=True, slots=True)
class Match:
    """A match as its file tells it. Seat 0 is the left column.

    `length` 0 stands for no limit, None for a file that does not say. `oddities` are in the order
    of the file; those of the whole file come first, with game 0.
    """

    headers: tuple[tuple[str, str], ...]
    comments: tuple[str, ...]
    players: tuple[str, str]
    length: int | None
    games: tuple[Game, ...]
    oddities: tuple[Oddity, ...]

    @property
    def score(self) -> tuple[int, int]:
        """The points written for each side, summed; also impossible ones, which are oddities."""
        left, right = (
            sum(game.points for game in self.games if game.winner == seat) for seat in (LEFT, RIGHT)
        )
        return left, right

    def header(self, key: str) -> str | None:
        """The value of `; [key "value"]`, whatever the case of its key."""
        return _header(self.headers, key)


def read_match(raw: bytes) -> Match:
    """The match in a file. Raises a BadMatchFile where there is nothing to read."""
    if len(raw) > LARGEST_FILE:
        raise _too_large()
    sheet = parse_sheet(_text(raw))
    if not sheet.games:
        raise NotAMatchFile
    variation = _header(sheet.headers, "Variation")
    if variation is not None and variation.lower() != _VARIATION:
        raise UnsupportedVariation(name=variation)
    if sum(len(game.cells) for game in sheet.games) > MOST_PLIES:
        raise _too_large()
    return _match(sheet)


def _too_large() -> MatchFileTooLarge:
    return MatchFileTooLarge(bytes=LARGEST_FILE, plies=MOST_PLIES)


def _text(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotTextFile from None
    if any(letter < " " and letter not in _TEXT_CONTROLS for letter in set(text)):
        raise NotTextFile
    return text


def _match(sheet: Sheet) -> Match:
    has_crawford = (_header(sheet.headers, "Crawford") or "").lower() == "on"
    games, oddities = replayed(sheet.games, sheet.length or 0, has_crawford=has_crawford)
    return Match(
        headers=sheet.headers,
        comments=sheet.comments,
        players=sheet.games[0].names,
        length=sheet.length,
        games=games,
        oddities=(*_oddities_of_head(sheet), *oddities),
    )


def _oddities_of_head(sheet: Sheet) -> list[Oddity]:
    found = [Oddity(OddityKind.LOST_TEXT, game=0, text=line) for line in sheet.lost]
    if sheet.length is None:
        found.append(Oddity(OddityKind.NO_LENGTH, game=0))
    return found


def _header(headers: Sequence[tuple[str, str]], key: str) -> str | None:
    return next((value for name, value in headers if name.lower() == key.lower()), None)
