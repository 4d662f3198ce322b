"""The layout of a .mat or .txt match file: its headers, games, rows and columns.

Knows where things stand on the sheet, not whether they are right; matfile.py replays them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

Seat: TypeAlias = int
LEFT: Final = 0
RIGHT: Final = 1


class Entry(StrEnum):
    """What a cell says."""

    ROLL = "roll"
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"
    RESIGN = "resign"
    LOSS = "loss"
    WIN = "win"


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry of one player. `dice` is as written ("31"), `number` a cube value or points."""

    row: int
    seat: Seat
    entry: Entry
    text: str
    dice: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class SheetGame:
    """The cells of a game in their order; `lost` are the lines and words nobody could place."""

    number: int
    names: tuple[str, str]
    score: tuple[int, int]
    cells: tuple[Cell, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole file. `length` is None where no line states it; 0 stands for no limit."""

    headers: tuple[tuple[str, str], ...]
    comments: tuple[str, ...]
    length: int | None
    games: tuple[SheetGame, ...]
    lost: tuple[str, ...]


LONGEST_LINE: Final = 500
"""Longer ones are not looked into, so that no pattern is slow on them."""

_HEADER: Final = re.compile(r';\s*\[([^"]+)"(.*)"\]\s*')
_LENGTH: Final = re.compile(r"\s*([0-9]{1,4}) points? match\b.*", re.IGNORECASE)
_GAME: Final = re.compile(r"\s*Game\s+([0-9]{1,4})\s*", re.IGNORECASE)
_SCORE: Final = re.compile(r":\s*([0-9]{1,5})(?!\S)")
_ROW: Final = re.compile(r"(?<!\S)([0-9]{1,4})\)")
_ENTRY: Final = re.compile(
    r"(?P<roll>[1-6]{2}:)"
    r"|(?P<double>\b(?:re)?doubles?\b\s*(?:=>)?)"
    r"|(?P<beaver>\bbeavers?\b\s*(?:=>)?)"
    r"|(?P<take>\b(?:takes?|accepts?)\b)"
    r"|(?P<drop>\b(?:drops?|pass(?:es)?|rejects?)\b)"
    r"|(?P<resign>\bresigns?\b)"
    r"|(?P<loss>\b(?:losses|loses)\b)"
    r"|(?P<win>\bwins?\b)",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"([0-9]{1,9})(?:\s+points?)?(\s+and the match)?", re.IGNORECASE)
_LEFT_MARGIN: Final = 8
"""No entry of the left column starts farther right than this, however narrow the sheet."""


def parse_sheet(text: str) -> Sheet:
    """Sorts the lines of a file; nothing is left out."""
    return _Reader().read(text)


class _Reader:
    """The parts of a sheet as they come."""

    def __init__(self) -> None:
        self._headers: list[tuple[str, str]] = []
        self._comments: list[str] = []
        self._length: int | None = None
        self._games: list[SheetGame] = []
        self._lost: list[str] = []

    def read(self, text: str) -> Sheet:
        parts = _parts(text.splitlines())
        for line in next(parts)[1]:
            self._read_head(line)
        for number, lines in parts:
            self._games.append(_game(number, lines))
        return Sheet(
            tuple(self._headers),
            tuple(self._comments),
            self._length,
            tuple(self._games),
            tuple(self._lost),
        )

    def _read_head(self, line: str) -> None:
        if len(line) > LONGEST_LINE:
            self._lost.append(line)
        elif header := _HEADER.fullmatch(line):
            self._headers.append((header[1].strip(), header[2]))
        elif line.lstrip().startswith(";"):
            self._comments.append(line)
        elif self._length is None and (length := _LENGTH.fullmatch(line)):
            self._length = int(length[1])
        elif line.strip():
            self._lost.append(line)


def _parts(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines before the first game, as number 0, then those of each game."""
    number, part = 0, list[str]()
    for line in lines:
        if game := _GAME.fullmatch(line):
            yield number, part
            number, part = int(game[1]), []
        else:
            part.append(line.expandtabs())
    yield number, part


def _game(number: int, lines: list[str]) -> SheetGame:
    heading: _Heading | None = None
    cells: list[Cell] = []
    lost: list[str] = []
    row = 0
    for line in lines:
        if len(line) > LONGEST_LINE:
            lost.append(line)
        elif heading is None and (found := _heading(line)):
            heading = found
        else:
            for mark, segment in _segments(line, row):
                row = mark
                middle = heading.middle if heading else _LEFT_MARGIN
                placed, leftover = _cells(row, segment, max(middle, _LEFT_MARGIN))
                cells += placed
                lost += leftover
    names, score, _ = heading or _Heading(("", ""), (0, 0), 0)
    return SheetGame(number, names, score, tuple(cells), tuple(lost))


class _Heading(NamedTuple):
    """The line above a game; `middle` is half way to the right column."""

    names: tuple[str, str]
    score: tuple[int, int]
    middle: int


def _heading(line: str) -> _Heading | None:
    """`Ann : 3      Bob : 1`."""
    marks = list(_SCORE.finditer(line))
    if len(marks) != len((LEFT, RIGHT)) or line[marks[1].end() :].strip():
        return None
    left, right = marks
    between = line[left.end() : right.start()]
    names = (line[: left.start()].strip(), between.strip())
    starts_at = right.start() - len(between.lstrip())
    return _Heading(names, (int(left[1]), int(right[1])), starts_at // 2)


def _segments(line: str, row: int) -> Iterator[tuple[int, str]]:
    """A line cut at its row numbers; without one it goes on with the row above."""
    marks = list(_ROW.finditer(line))
    before = line[: marks[0].start()] if marks else line
    if before.strip():
        yield row, before
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(line)
        yield int(mark[1]), " " * len(mark[0]) + line[mark.end() : end]


def _cells(row: int, segment: str, middle: int) -> tuple[list[Cell], list[str]]:
    """The cells of a segment and what stands there besides."""
    marks = list(_ENTRY.finditer(segment))
    first = marks[0].start() if marks else len(segment)
    lost = [segment[:first].strip()] if segment[:first].strip() else []
    cells: list[Cell] = []
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(segment)
        is_right = at > 0 or mark.start() > middle
        cell, leftover = _cell(row, RIGHT if is_right else LEFT, mark, segment[mark.end() : end])
        cells.append(cell)
        if leftover:
            lost.append(leftover)
    return cells, lost


def _cell(row: int, seat: Seat, mark: re.Match[str], rest: str) -> tuple[Cell, str]:
    assert mark.lastgroup is not None, "each alternative of the pattern is named"
    entry = Entry(mark.lastgroup)
    rest = rest.strip()
    if entry is Entry.ROLL:
        return Cell(row, seat, entry, rest, dice=mark[0][:-1]), ""
    number = _NUMBER.match(rest)
    leftover = rest[number.end() :].strip() if number else rest
    text = f"{mark[0]} {rest}".strip()
    return Cell(row, seat, entry, text, number=int(number[1]) if number else None), leftover
