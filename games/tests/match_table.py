"""A match on a table of its own for the tests of the machine: scripted dice, a clock set by hand."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple

from games.match import commands as c
from games.match.events import Event
from games.match.machine import deadline, decide, evolve, open_match
from games.match.sides import Side
from games.match.state import LastTurn, MatchState, Phase, Result
from games.match.terms import ClockTerms, Terms, clock_terms
from games.rules.board import Position
from games.rules.dice import Roll
from games.rules.notation import parse_moves

LIGHT, DARK = Side.LIGHT, Side.DARK
SEEDS = {LIGHT: "11" * 32, DARK: "22" * 32}
COMMITS = {side: sha256(bytes.fromhex(seed)).hexdigest() for side, seed in SEEDS.items()}
OPENED_AT = 1_000_000
MOVE_MS, RESERVE_MS = 12_000, 180_000


class Thrown(NamedTuple):
    """Two dice as they fell."""

    first: int
    second: int


def exact_clock(kind: str, length: int) -> ClockTerms:
    """The default clock without its allowance for lag, which has tests of its own (test_match_lag)."""
    return replace(clock_terms("normal", kind, length), lag_ms=0)


def single(**changes: Any) -> Terms:
    """A single game with the default clock and limit."""
    terms = Terms(
        variant="backgammon",
        kind="single",
        length=1,
        jacoby=False,
        beavers=False,
        crawford=True,
        clock=exact_clock("single", 1),
        blitz=False,
        cap_points=12,
    )
    return replace(terms, **changes)


def series(length: int, **changes: Any) -> Terms:
    """A series with the default clock."""
    return single(
        kind="series",
        length=length,
        cap_points=None,
        clock=exact_clock("series", length),
        **changes,
    )


class MatchTable:
    """A running match. `throws` are used up in order; a throw too many is an error of the test."""

    def __init__(self, terms: Terms | None = None, throws: Sequence[tuple[int, int]] = ()) -> None:
        self.now = OPENED_AT
        self.throws = list(throws)
        self.drawn = 0
        self.log: list[tuple[Event, int]] = []
        self.state: MatchState
        for event in open_match(terms or single(), "aa" * 32):
            self._apply(event)

    @classmethod
    def started(
        cls, terms: Terms | None = None, throws: Sequence[tuple[int, int]] = ((5, 2),)
    ) -> "MatchTable":
        """Both accepted and revealed, the stakes are held, the first game has begun."""
        table = cls(terms, throws)
        for side in Side:
            table.do(c.Accept(side, COMMITS[side]))
        for side in Side:
            table.do(c.RevealSeed(side, SEEDS[side]))
        table.do(c.StartGame())
        return table

    def do(self, command: c.Command, *, known: int | None = None) -> tuple[Event, ...]:
        """Decides the command now and applies what follows."""
        events = decide(self.state, command, now_ms=self.now, dice=self.dice, known_version=known)
        for event in events:
            self._apply(event)
        return events

    def play(self, text: str) -> tuple[Event, ...]:
        """The player on roll plays a turn written as in `13/8 6/5*`."""
        assert self.state.on_roll is not None
        return self.do(c.PlayTurn(self.state.on_roll, tuple(parse_moves(text))))

    def roll(self, first: int, second: int) -> tuple[Event, ...]:
        """The player on roll rolls these dice."""
        assert self.state.on_roll is not None
        self.throws.append((first, second))
        return self.do(c.Roll(self.state.on_roll))

    def to_roll(self, side: Side, position: Position | None = None, **changes: Any) -> None:
        """Puts `side` before its roll, with its own checkers as `mine`. Not part of the log."""
        self._put(side, Phase.TO_ROLL, None, position, changes)

    def to_move(
        self, side: Side, roll: tuple[int, int], position: Position | None = None, **changes: Any
    ) -> None:
        """Puts `side` before its turn with a roll. Not part of the log."""
        self._put(side, Phase.TO_MOVE, Roll.of(*roll), position, changes)

    def _put(
        self,
        side: Side,
        phase: Phase,
        roll: Roll | None,
        position: Position | None,
        changes: dict[str, Any],
    ) -> None:
        view = position or self.state.view_of(side)
        clock = self.state.clock.turn_of(side, self.now)
        placed = {"phase": phase, "roll": roll, "position": view, "on_roll": side, "clock": clock}
        self.state = replace(self.state, **{**placed, **changes})

    @property
    def due(self) -> int:
        """The deadline of a match that has one."""
        due = deadline(self.state)
        assert due is not None
        return due

    @property
    def last_turn(self) -> LastTurn:
        """The turn that was just played."""
        assert self.state.last_turn is not None
        return self.state.last_turn

    @property
    def last_game(self) -> Result:
        """How the last game ended."""
        assert self.state.last_game is not None
        return self.state.last_game

    @property
    def result(self) -> Result:
        """How the match ended."""
        assert self.state.result is not None
        return self.state.result

    def replayed(self) -> MatchState:
        """The state folded from the whole log."""
        state = None
        for event, at_ms in self.log:
            state = evolve(state, event, at_ms)
        assert state is not None
        return state

    def dice(self, number: int) -> Thrown:
        """The next scripted throw; no number is passed over or asked for twice."""
        self.drawn += 1
        assert number == self.drawn
        return Thrown(*self.throws.pop(0))

    def _apply(self, event: Event) -> None:
        self.state = evolve(getattr(self, "state", None), event, self.now)
        self.log.append((event, self.now))


def kinds(events: Sequence[Event]) -> list[str]:
    """The kinds of some events, in order."""
    return [event.KIND for event in events]
