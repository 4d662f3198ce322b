"""A match at one moment, as a value. It changes only by events; what may be asked of it is in machine.py."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final

from games.match.clock import Clock
from games.match.events import Adjudicated, Reason
from games.match.sides import BySide, Side
from games.match.terms import Terms
from games.rules.board import Position
from games.rules.board import Side as Checkers
from games.rules.dice import Roll
from games.rules.outcome import Win
from games.rules.turns import Turn, TurnGraph, legal_turns
from games.rules.variants import rules_of

GRAPHS_KEPT: Final = 1024
"""Turns are listed once a roll: when it is drawn, sent to its player and played."""


class Phase(StrEnum):
    """What the match waits for."""

    READY = "ready"
    SEEDS = "seeds"
    TO_ROLL = "to_roll"
    TO_MOVE = "to_move"
    CUBE_ANSWER = "cube_answer"
    BEAVER_ANSWER = "beaver_answer"
    RESIGN_ANSWER = "resign_answer"
    ADJUDICATING = "adjudicating"
    OVER = "over"
    CANCELLED = "cancelled"
    VOID = "void"


BEFORE_PLAY: Final = frozenset({Phase.READY, Phase.SEEDS})
FINISHED: Final = frozenset({Phase.OVER, Phase.CANCELLED, Phase.VOID})


@dataclass(frozen=True, slots=True)
class Switches:
    """What is done for a player without asking; all off at first."""

    auto_roll: bool = False
    auto_forced: bool = False
    auto_bear_off: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """A cube that waits for an answer: who offers it and the value it would have."""

    by: Side
    value: int


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offer to lose; if it is refused, play goes back to `resumes`."""

    side: Side
    level: Win
    resumes: Phase


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The turn that was played last in this game."""

    side: Side
    steps: Turn


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended, or a match: then `points` is the winner's score if it is a series."""

    winner: Side
    win: int
    cube: int
    points: int
    reason: Reason


@dataclass(frozen=True)
class MatchState:
    """`version` counts the events so far; `decided_at` is the last one that changed what can be decided.

    `position` is the view of the side on roll, or light's while nobody is. `cube_value` is what the
    game is worth as agreed, so a value that is only offered is not in it. `refused` is the highest
    level of resignation that was refused to each side in this turn, 0 if none. `away_since` has the
    sides whose presence is lost now, `away_ms` what each side's earlier absences took in all; `left`
    are those who abandoned the match. `first` moved first in this game, and is white in long nardy. Without slots, for `changed`.
    """

    version: int
    decided_at: int
    phase: Phase
    since_ms: int
    terms: Terms
    server_commit: str
    commits: Mapping[Side, str]
    seeds: Mapping[Side, str]
    switches: BySide[Switches]
    clock: Clock
    game: int
    score: BySide[int]
    crawford: bool
    crawford_played: bool
    position: Position
    on_roll: Side | None
    roll: Roll | None
    rolls_drawn: int
    cube_value: int
    cube_owner: Side | None
    offer: Offer | None
    resign: Resignation | None
    refused: BySide[int]
    last_turn: LastTurn | None
    last_game: Result | None
    result: Result | None
    closed_because: str | None
    away_since: Mapping[Side, int] = field(default_factory=dict)
    away_ms: BySide[int] = field(default_factory=lambda: BySide.both(0))
    left: frozenset[Side] = frozenset()
    with_moderators: bool = False
    verdict: Adjudicated | None = None
    first: Side | None = None

    @property
    def accepted(self) -> frozenset[Side]:
        """Who is ready."""
        return frozenset(self.commits)

    @property
    def offered_by(self) -> Side | None:
        """Who has offered the cube and waits for an answer."""
        return self.offer.by if self.offer else None

    @property
    def offered_value(self) -> int | None:
        """What the cube would be worth if the offer is accepted."""
        return self.offer.value if self.offer else None

    @property
    def cube_turned(self) -> bool:
        """Whether a double was ever taken in this game (Backgammon 6, Jacoby)."""
        return self.cube_owner is not None

    @property
    def turns(self) -> TurnGraph | None:
        """All legal turns of the roll that is to be played; None when no roll is."""
        if self.phase is not Phase.TO_MOVE or self.roll is None:
            return None
        return _graph(self.terms.variant, self.position, self.roll)

    def view_of(self, side: Side) -> Position:
        """The position with `side`'s checkers as `mine`."""
        is_own = side is (self.on_roll or Side.LIGHT)
        return self.position if is_own else self.position.flipped()

    def checkers(self, side: Side) -> Checkers:
        """The 26 counts of one side in its own numbering."""
        return self.view_of(side).mine


@lru_cache(maxsize=GRAPHS_KEPT)
def _graph(variant: str, position: Position, roll: Roll) -> TurnGraph:
    return legal_turns(position, roll, rules_of(variant))
