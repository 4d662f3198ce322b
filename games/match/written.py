"""A match as a score sheet: from its events to the cells of a .mat file. Knows no players and no money."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from games.match import events as e
from games.match.sides import Side
from games.rules.notation import format_turn
from games.rules.scoresheet import LEFT, RIGHT, Cell, Entry, SheetGame
from games.rules.sheetwriter import cell
from games.rules.turns import Turn

SEATS: Final = {Side.LIGHT: LEFT, Side.DARK: RIGHT}


TurnText: TypeAlias = Callable[[Turn], str]


def written_games(
    happened: Iterable[e.Event], names: tuple[str, str], turn_text: TurnText = format_turn
) -> tuple[tuple[SheetGame, ...], bool]:
    """The games of a match, light's column being the left one, and whether the last was broken off.

    `turn_text` writes a turn as the game's notation has it.

    Points are win times cube, as the formats want it; a limit of the table is not known to them.
    """
    writer = _Writer(names, turn_text)
    for event in happened:
        writer.take(event)
    return writer.games()


@dataclass(slots=True)
class _Game:
    """A game as far as it has been written."""

    number: int
    score: tuple[int, int]
    cells: list[Cell] = field(default_factory=list)
    row: int = 1
    is_over: bool = False

    def add(self, seat: int, entry: Entry, text: str = "", number: int | None = None) -> None:
        """The next entry; a row goes from left to right."""
        if self.cells and (seat == LEFT or self.cells[-1].seat == RIGHT):
            self.row += 1
        self.cells.append(cell(self.row, seat, entry, text, number))


class _Writer:
    """Turns events into cells; those that are not part of the play are passed over."""

    def __init__(self, names: tuple[str, str], turn_text: TurnText) -> None:
        self._names = names
        self._turn_text = turn_text
        self._games: list[_Game] = []
        self._score = [0, 0]
        self._rolled: tuple[int, str] | None = None

    def games(self) -> tuple[tuple[SheetGame, ...], bool]:
        sheets = [
            SheetGame(game.number, self._names, game.score, tuple(game.cells), ())
            for game in self._games
        ]
        return tuple(sheets), bool(self._games) and not self._games[-1].is_over

    def take(self, event: e.Event) -> None:
        match event:
            case e.GameStarted(game=number):
                self._games.append(_Game(number, (self._score[LEFT], self._score[RIGHT])))
            case e.OpeningRolled(light=light, dark=dark) if light != dark:
                opener = Side.LIGHT if light > dark else Side.DARK
                self._rolled = SEATS[opener], f"{max(light, dark)}{min(light, dark)}"
            case e.Rolled(side=side, high=high, low=low):
                self._rolled = SEATS[side], f"{high}{low}"
            case e.TurnPlayed(side=side, steps=steps):
                self._played(self._turn_text(steps))
            case e.GameEnded():
                self._ended(event)
            case _:
                self._cube(event)

    def _cube(self, event: e.Event) -> None:
        match event:
            case e.DoubleOffered(side=side, value=value):
                self._now.add(SEATS[side], Entry.DOUBLE, number=value)
            case e.Beavered(side=side, value=value):
                self._now.add(SEATS[side], Entry.BEAVER, number=value)
            case e.DoubleTaken(side=side):
                self._now.add(SEATS[side], Entry.TAKE)
            case e.DoubleDropped(side=side):
                self._now.add(SEATS[side], Entry.DROP)
            case _:
                pass

    @property
    def _now(self) -> _Game:
        return self._games[-1]

    def _played(self, play: str) -> None:
        assert self._rolled is not None, "a turn is played with dice"
        seat, dice = self._rolled
        self._rolled = None
        self._now.add(seat, Entry.ROLL, f"{dice}: {play}")

    def _ended(self, event: e.GameEnded) -> None:
        """Dice that were thrown and not played stand there without a play."""
        if self._rolled is not None:
            self._played("")
        game, winner = self._now, SEATS[event.winner]
        points = event.win * event.cube
        game.cells.append(cell(game.row, winner, Entry.WIN, number=points))
        game.is_over = True
        self._score[winner] += points
