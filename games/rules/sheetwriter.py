"""Writes a match file: the layout that scoresheet.py reads, as GNU Backgammon and XG write it.

Knows where things stand on the sheet, not whether they are right.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from games.rules.scoresheet import LEFT, RIGHT, Cell, Entry, Sheet, SheetGame

_LEFT_WIDTH: Final = 34
_NAME_WIDTH: Final = 28
_WORDS: Final = {
    Entry.DOUBLE: "Doubles =>",
    Entry.BEAVER: "Beavers =>",
    Entry.TAKE: "Takes",
    Entry.DROP: "Drops",
    Entry.RESIGN: "Resigns",
    Entry.LOSS: "Losses",
    Entry.WIN: "Wins",
}
_VALUED: Final = frozenset({Entry.DOUBLE, Entry.BEAVER})
_COUNTED: Final = frozenset({Entry.LOSS, Entry.WIN})


def format_sheet(sheet: Sheet) -> str:
    """The file. What `parse_sheet` reads from it is the sheet again, if its cells are `cell`s.

    Words that nobody could place are left out.
    """
    lines = [f'; [{key} "{value}"]' for key, value in sheet.headers]
    lines += sheet.comments
    if sheet.length is not None:
        lines += ["", f" {sheet.length} point match"]
    for game in sheet.games:
        lines += ["", *_game(game)]
    return "\n".join(lines) + "\n"


def cell(row: int, seat: int, entry: Entry, text: str = "", number: int | None = None) -> Cell:
    """An entry as it reads when it comes from a file that was written here.

    `text` is the dice and the play of a roll ("31: 8/5 6/5"), `number` a cube value or points.
    """
    if entry is Entry.ROLL:
        dice, _, play = text.partition(":")
        return Cell(row, seat, entry, play.strip(), dice=dice)
    return Cell(row, seat, entry, _said(entry, number), number=number)


def _said(entry: Entry, number: int | None) -> str:
    words = _WORDS[entry]
    if number is None:
        return words
    if entry in _COUNTED:
        return f"{words} {number} point" + "s" * (number != 1)
    return f"{words} {number}"


def _game(game: SheetGame) -> Iterator[str]:
    (left, right), (left_score, right_score) = game.names, game.score
    yield f" Game {game.number}"
    yield f" {f'{left} : {left_score}':<{_NAME_WIDTH + 6}} {right} : {right_score}"
    for number, cells in _rows(game.cells):
        shown = {LEFT: "", RIGHT: ""}
        for entry in cells:
            shown[entry.seat] = _shown(entry)
        mark = f"{number:3}) " if number else " " * 5
        # Never shorter than the left column: GNU Backgammon 1.07 looks for the right one there.
        yield f"{mark}{shown[LEFT]:<{_LEFT_WIDTH}} {shown[RIGHT]}"


def _rows(cells: Iterable[Cell]) -> Iterator[tuple[int, list[Cell]]]:
    """Cells that stand on one line, with its number, 0 where it goes on with the row above."""
    line: list[Cell] = []
    last = 0
    for entry in cells:
        if line and (entry.row != line[0].row or _needs_a_line(line[-1], entry)):
            yield _number(line, last), line
            last, line = line[0].row, []
        line.append(entry)
    if line:
        yield _number(line, last), line


def _needs_a_line(before: Cell, entry: Cell) -> bool:
    """A result stands on a line of its own; so does what does not fit to the right of the cell before."""
    return entry.entry is Entry.WIN or entry.seat <= before.seat


def _number(line: list[Cell], last: int) -> int:
    row = line[0].row
    return 0 if row == last or line[0].entry is Entry.WIN else row


def _shown(entry: Cell) -> str:
    if entry.entry is Entry.ROLL:
        return f"{entry.dice}: {entry.text}".rstrip()
    return f" {entry.text}"
