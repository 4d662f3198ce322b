"""The events that one command leads to, gathered with the state after each. Grants and refuses nothing."""

from games.match.commands import Dice, Throw
from games.match.events import (
    ColoursDrawn,
    Event,
    GameEnded,
    GameStarted,
    MatchEnded,
    OpeningRolled,
    Reason,
    Rolled,
    TurnPlayed,
)
from games.match.evolve import COLOURS_DRAWN, evolve
from games.match.score import counted_win, is_decided, points_of
from games.match.sides import Side
from games.match.state import MatchState
from games.rules.dice import Roll
from games.rules.outcome import Win, is_won
from games.rules.turns import Turn
from games.rules.variants import rules_of


class Sequel:
    """What follows from a state: `events` so far and the `state` after them."""

    __slots__ = ("_dice", "_now_ms", "events", "state")

    def __init__(self, state: MatchState, now_ms: int, dice: Dice) -> None:
        self.state = state
        self.events: list[Event] = []
        self._now_ms = now_ms
        self._dice = dice

    def add(self, event: Event) -> None:
        """One more event, and the state after it."""
        self.state = evolve(self.state, event, self._now_ms)
        self.events.append(event)

    def start_game(self) -> None:
        """The next game with its opening throws, one more as long as they are equal (Backgammon 2, Nardy 2)."""
        self.add(GameStarted(self.state.game + 1))
        while self.state.on_roll is None:
            number, throw = self._next_throw()
            throws = ColoursDrawn if self.state.terms.variant in COLOURS_DRAWN else OpeningRolled
            self.add(throws(throw.first, throw.second, number))

    def roll(self, side: Side) -> None:
        """The dice of a turn."""
        number, throw = self._next_throw()
        roll = Roll.of(throw.first, throw.second)
        self.add(Rolled(side, roll.high, roll.low, number))

    def play(self, side: Side, turn: Turn, *, auto: bool) -> None:
        """A legal turn, and the end of the game if it bears off the last checker."""
        self.add(TurnPlayed(side, turn, auto))
        view = self.state.view_of(side)
        if is_won(view):
            self.end_game(
                side,
                counted_win(self.state, rules_of(self.state.terms.variant).win_kind(view)),
                "borne_off",
            )

    def end_game(self, winner: Side, win: Win, reason: Reason) -> None:
        """The game's points, and the end of the match or the next game. `win`: as it counts."""
        cube = self.state.cube_value
        points = points_of(self.state.terms, win, cube)
        self.add(GameEnded(winner, win.value, cube, points, reason))
        if is_decided(self.state):
            self.add(MatchEnded(winner, self.state.score[winner], reason))
        else:
            self.start_game()

    def _next_throw(self) -> tuple[int, Throw]:
        number = self.state.rolls_drawn + 1
        return number, self._dice(number)
