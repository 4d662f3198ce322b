"""Replays the games of a score sheet by the rules and reports what does not agree with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, assert_never

from games.rules.board import BAR, OFF, START, Position, facing
from games.rules.dice import Roll
from games.rules.errors import IllegalTurn
from games.rules.notation import BadNotation, parse_moves, read_turn
from games.rules.outcome import Win, is_over, is_won, win_kind
from games.rules.scoresheet import Cell, Entry, Seat, SheetGame
from games.rules.turns import Move, Turn, TurnGraph, legal_turns


class OddityKind(StrEnum):
    """What may be wrong with a sheet."""

    ILLEGAL_PLAY = "illegal_play"
    UNREADABLE_PLAY = "unreadable_play"
    NO_PLAY_WRITTEN = "no_play_written"
    FALSE_STAR = "false_star"
    OUT_OF_TURN = "out_of_turn"
    BAD_CUBE = "bad_cube"
    AFTER_END = "after_end"
    NOT_REPLAYED = "not_replayed"
    WRONG_WINNER = "wrong_winner"
    WRONG_POINTS = "wrong_points"
    WRONG_SCORE = "wrong_score"
    NO_RESULT = "no_result"
    NO_LENGTH = "no_length"
    LOST_TEXT = "lost_text"


@dataclass(frozen=True, slots=True)
class Oddity:
    """One thing that is not as it should be. `row` is the number written at the left margin.

    `ply` counts the entries of its game from 1; None where the whole game is odd. `position`, from the view of the player on roll, and `roll` are given where a play is odd.
    """

    kind: OddityKind
    game: int
    row: int | None = None
    seat: Seat | None = None
    text: str = ""
    roll: Roll | None = None
    position: Position | None = None
    ply: int | None = None


class PlyKind(StrEnum):
    """What happened in a ply; an illegal play or an unplayed roll is not a dance."""

    PLAY = "play"
    DANCE = "dance"
    ILLEGAL = "illegal"
    UNPLAYED = "unplayed"
    UNCHECKED = "unchecked"
    DOUBLE = "double"
    BEAVER = "beaver"
    TAKE = "take"
    DROP = "drop"
    RESIGN = "resign"
    LOSS = "loss"
    WIN = "win"


@dataclass(frozen=True, slots=True)
class Ply:
    """One cell of the sheet, replayed. `turn` is set for a legal play, `position` is before it."""

    kind: PlyKind
    cell: Cell
    position: Position
    roll: Roll | None = None
    turn: Turn | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game with its result as written: `points` for `winner`, at `cube`.

    `win` is what the position at the end is worth, None if the game was not played to its end.
    """

    number: int
    score: tuple[int, int]
    plies: tuple[Ply, ...]
    winner: Seat | None
    points: int
    cube: int
    win: Win | None


def replayed(
    sheets: Sequence[SheetGame], length: int, *, has_crawford: bool
) -> tuple[tuple[Game, ...], tuple[Oddity, ...]]:
    """The games and their oddities. `length` 0 stands for no limit."""
    games: list[Game] = []
    oddities: list[Oddity] = []
    score = [0, 0]
    was_crawford = False
    for sheet in sheets:
        is_crawford = has_crawford and not was_crawford and bool(length) and length - 1 in score
        was_crawford |= is_crawford
        replay = _Replay(sheet, length, is_crawford=is_crawford)
        if list(sheet.score) != score:
            replay.note(OddityKind.WRONG_SCORE, text=f"{sheet.score[0]}-{sheet.score[1]}")
            score = list(sheet.score)
        game = replay.game()
        if game.winner is not None:
            score[game.winner] += game.points
        games.append(game)
        oddities += replay.oddities
    return tuple(games), tuple(oddities)


_KINDS: Final = {
    Entry.DOUBLE: PlyKind.DOUBLE,
    Entry.BEAVER: PlyKind.BEAVER,
    Entry.TAKE: PlyKind.TAKE,
    Entry.DROP: PlyKind.DROP,
    Entry.RESIGN: PlyKind.RESIGN,
    Entry.LOSS: PlyKind.LOSS,
    Entry.WIN: PlyKind.WIN,
}


class _Replay:
    """One game as far as it has been replayed."""

    def __init__(self, sheet: SheetGame, length: int, *, is_crawford: bool) -> None:
        self.oddities: list[Oddity] = []
        self._sheet = sheet
        self._length = length
        self._is_crawford = is_crawford
        self._plies: list[Ply] = []
        self._position = START
        self._on_roll: Seat | None = None
        self._is_board_known = True
        self._cube = 1
        self._cube_owner: Seat | None = None
        self._offered: int | None = None
        self._beavered_from: int | None = None
        self._loser: Seat | None = None
        self._winner: Seat | None = None
        self._points = 0

    def note(
        self, kind: OddityKind, cell: Cell | None = None, text: str = "", roll: Roll | None = None
    ) -> None:
        """Reports an oddity of this game."""
        self.oddities.append(
            Oddity(
                kind,
                game=self._sheet.number,
                row=cell.row if cell else None,
                seat=cell.seat if cell else None,
                text=text or (cell.text if cell else ""),
                roll=roll,
                position=self._position if roll else None,
                ply=len(self._plies) + 1 if cell else None,
            )
        )

    def game(self) -> Game:
        """Replays all cells and judges the result."""
        for cell in self._sheet.cells:
            if self._winner is not None:
                self.note(OddityKind.AFTER_END, cell)
            self._plies.append(self._ply(cell))
        for words in self._sheet.lost:
            self.note(OddityKind.LOST_TEXT, text=words)
        win = self._win()
        self._judge(win)
        return Game(
            number=self._sheet.number,
            score=self._sheet.score,
            plies=tuple(self._plies),
            winner=self._winner,
            points=self._points,
            cube=self._cube,
            win=win,
        )

    def _ply(self, cell: Cell) -> Ply:
        match cell.entry:
            case Entry.ROLL:
                return self._rolled(cell)
            case Entry.DOUBLE:
                self._double(cell)
            case Entry.BEAVER:
                self._beaver(cell)
            case Entry.TAKE:
                self._take(cell)
            case Entry.DROP | Entry.RESIGN | Entry.LOSS:
                self._lose(cell)
            case Entry.WIN:
                self._winner, self._points = cell.seat, cell.number or 0
            case _:
                assert_never(cell.entry)
        return Ply(_KINDS[cell.entry], cell, self._position)

    # the dice

    def _rolled(self, cell: Cell) -> Ply:
        if self._on_roll is None:
            self._on_roll = cell.seat
        elif self._on_roll != cell.seat:
            self.note(OddityKind.OUT_OF_TURN, cell)
            self._pass_on(self._position)
        roll = Roll.of(*map(int, cell.dice))
        self._beavered_from = None
        before = self._position
        kind, turn, after = self._played(cell, roll)
        self._pass_on(after)
        return Ply(kind, cell, before, roll, turn)

    def _pass_on(self, after: Position) -> None:
        self._position = after.flipped()
        self._on_roll = None if self._on_roll is None else 1 - self._on_roll

    def _played(self, cell: Cell, roll: Roll) -> tuple[PlyKind, Turn | None, Position]:
        if not self._is_board_known:
            return PlyKind.UNCHECKED, None, self._position
        graph = legal_turns(self._position, roll)
        if not cell.text or cell.text.lower() == _CANNOT_MOVE:
            return self._not_played(cell, graph)
        try:
            turn, after = self._read(cell, graph)
        except BadNotation:
            self.note(OddityKind.UNREADABLE_PLAY, cell, roll=roll)
            return self._not_played(cell, graph)
        except IllegalTurn:
            self.note(OddityKind.ILLEGAL_PLAY, cell, roll=roll)
            return PlyKind.ILLEGAL, None, self._forced(cell)
        return PlyKind.PLAY, turn, after

    def _not_played(self, cell: Cell, graph: TurnGraph) -> tuple[PlyKind, Turn | None, Position]:
        if not graph.finals:
            return PlyKind.DANCE, (), self._position
        self.note(OddityKind.NO_PLAY_WRITTEN, cell, roll=graph.roll)
        return PlyKind.UNPLAYED, None, self._position

    def _read(self, cell: Cell, graph: TurnGraph) -> tuple[Turn, Position]:
        try:
            return read_turn(graph, cell.text)
        except IllegalTurn:
            if "*" not in cell.text:
                raise
            read = read_turn(graph, cell.text.replace("*", ""))
            self.note(OddityKind.FALSE_STAR, cell, roll=graph.roll)
            return read

    def _forced(self, cell: Cell) -> Position:
        """The board after an illegal play as far as the checkers can be put where it says."""
        position = self._position
        for move in parse_moves(cell.text):
            put = _put(position, move)
            if put is None:
                self.note(OddityKind.NOT_REPLAYED, cell)
                self._is_board_known = False
                return self._position
            position = put
        return position

    # the cube

    def _double(self, cell: Cell) -> None:
        self._offered = cell.number or 2 * self._cube
        is_ours = self._cube_owner in (None, cell.seat) and self._on_roll in (None, cell.seat)
        if self._offered != 2 * self._cube or self._is_crawford or not is_ours:
            self.note(OddityKind.BAD_CUBE, cell)

    def _beaver(self, cell: Cell) -> None:
        """Who beavers keeps the cube; the doubler then rolls or drops (Backgammon 6)."""
        expected = 2 * (self._offered or self._cube)
        self._beavered_from = expected // 2
        self._cube, self._cube_owner = cell.number or expected, cell.seat
        if self._offered is None or self._cube != expected:
            self.note(OddityKind.BAD_CUBE, cell)

    def _take(self, cell: Cell) -> None:
        if self._offered is None:
            self.note(OddityKind.BAD_CUBE, cell)
            return
        self._cube, self._cube_owner, self._offered = self._offered, cell.seat, None

    def _lose(self, cell: Cell) -> None:
        if cell.entry is Entry.DROP and self._offered is None:
            self.note(OddityKind.BAD_CUBE, cell)
        if cell.entry is Entry.DROP and self._beavered_from is not None:
            self._cube = self._beavered_from  # a beaver that is dropped costs what was doubled to
        self._loser = cell.seat

    # the result

    def _win(self) -> Win | None:
        if not self._is_board_known or not is_over(self._position):
            return None
        is_ours = is_won(self._position)
        return win_kind(self._position if is_ours else self._position.flipped())

    def _judge(self, win: Win | None) -> None:
        if self._winner is None:
            self.note(OddityKind.NO_RESULT)
            return
        # After the last turn the loser is on roll.
        loser = self._on_roll if win else self._loser
        if loser == self._winner:
            self.note(OddityKind.WRONG_WINNER)
        if not self._are_points_possible(win):
            self.note(OddityKind.WRONG_POINTS, text=str(self._points))

    def _are_points_possible(self, win: Win | None) -> bool:
        """Level times cube, or what was needed if that is less."""
        assert self._winner is not None
        levels: Sequence[int] = (
            (win,) if win else (Win.SINGLE,) if self._was_dropped() else tuple(Win)
        )
        needed = self._length - self._sheet.score[self._winner]
        is_capped = bool(self._length) and self._points == needed < max(levels) * self._cube
        return is_capped or self._points in [level * self._cube for level in levels]

    def _was_dropped(self) -> bool:
        return any(ply.kind is PlyKind.DROP for ply in self._plies)


_CANNOT_MOVE: Final = "cannot move"


def _put(position: Position, move: Move) -> Position | None:
    """A checker put from one place to another, whatever the dice; None if it cannot be."""
    mine, theirs = list(position.mine), list(position.theirs)
    if not mine[move.src]:
        return None
    mine[move.src] -= 1
    mine[move.dst] += 1
    if OFF < move.dst < BAR and theirs[facing(move.dst)]:
        if theirs[facing(move.dst)] > 1:
            return None
        theirs[facing(move.dst)] = 0
        theirs[BAR] += 1
    return Position(tuple(mine), tuple(theirs))
