"""What an engine is asked about an interrupted game, and what it answers. Knows no engine, no clock and no money."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final, Literal

from games.match.evolve import COLOURS_DRAWN
from games.match.sides import Side
from games.match.state import MatchState
from games.rules.backgammon import BACKGAMMON
from games.rules.board import Position
from games.rules.dice import Roll
from games.rules.variants import rules_of

CUBE_LIMIT: Final = 64
"""Backgammon 6: at 64 nobody may double."""

DECIMALS: Final = 6
"""Verdicts are rounded so that a record reads the same as what was paid by."""

Measure = Literal["points", "chance"]


class Whose(StrEnum):
    """A side as the asker sees it."""

    MINE = "mine"
    THEIRS = "theirs"

    @property
    def other(self) -> "Whose":
        return Whose.THEIRS if self is Whose.MINE else Whose.MINE


@dataclass(frozen=True, slots=True)
class Series:
    """The score of a series. `crawford`: this game is the one without the cube (Backgammon 6)."""

    length: int
    mine: int
    theirs: int
    crawford: bool = False
    has_crawford: bool = True

    def __post_init__(self) -> None:
        assert 0 <= self.mine < self.length, "a series that is won has no next game"
        assert 0 <= self.theirs < self.length, "a series that is won has no next game"

    @property
    def i_need(self) -> int:
        return self.length - self.mine

    @property
    def they_need(self) -> int:
        return self.length - self.theirs

    def flipped(self) -> "Series":
        """The score as the other side sees it."""
        return Series(self.length, self.theirs, self.mine, self.crawford, self.has_crawford)


@dataclass(frozen=True, slots=True)
class Question:
    """A game at the moment it was broken off. `position.mine` belongs to the asker.

    `on_roll`: whether it is the asker's turn. `roll`: dice that were thrown and not yet played.
    `cube_value` is what the game is worth as agreed, without a double that waits for its answer;
    `offered_by` is who made that double. A cube offered by the side that is not on roll is a
    beaver, whose double has been taken. `cap`: no win counts more points than this (Backgammon 9).
    `series` None is a single game; there neither Jacoby, beavers nor `cap` apply. Long nardy has no
    cube; there `next_first` is who moves first in the next game of a series, None if that is unknown.
    """

    position: Position
    on_roll: bool = True
    roll: Roll | None = None
    cube_value: int = 1
    cube_owner: Whose | None = None
    offered_by: Whose | None = None
    jacoby: bool = False
    beavers: bool = False
    cap: int | None = None
    series: Series | None = None
    variant: str = BACKGAMMON.name
    next_first: Whose | None = None

    def __post_init__(self) -> None:
        rules_of(self.variant).checked(self.position)
        assert self.roll is None or self.offered_by is None, "nobody doubles after rolling"
        assert self.cap is None or self.cap > 0, "a limit is at least one stake"
        assert self.series is None or not (self.jacoby or self.beavers or self.cap), "single only"

    @property
    def is_all_one(self) -> bool:
        """Whether every win counts the same, as the cube has reached the limit of the table."""
        return self.series is None and self.cap is not None and self.cap <= self.cube_value

    @property
    def trails(self) -> Whose | None:
        """After the Crawford game: who can still gain by doubling, while the other needs one point."""
        series = self.series
        if series is None or series.crawford or series.i_need == series.they_need:
            return None
        needs = {Whose.MINE: series.i_need, Whose.THEIRS: series.they_need}
        trailer = max(needs, key=lambda side: needs[side])
        has_access = self.cube_owner in (None, trailer) and self.cube_value < needs[trailer]
        return trailer if needs[trailer.other] == 1 and has_access else None

    @property
    def measure(self) -> Measure:
        """What the verdict on this question is counted in."""
        return "points" if self.series is None else "chance"

    def flipped(self) -> "Question":
        """The same game as the other side asks about it."""
        return Question(
            position=self.position.flipped(),
            on_roll=not self.on_roll,
            roll=self.roll,
            cube_value=self.cube_value,
            cube_owner=self.cube_owner and self.cube_owner.other,
            offered_by=self.offered_by and self.offered_by.other,
            jacoby=self.jacoby,
            beavers=self.beavers,
            cap=self.cap,
            series=self.series and self.series.flipped(),
            variant=self.variant,
            next_first=self.next_first and self.next_first.other,
        )

    def record(self) -> dict[str, Any]:
        """All of it as JSON knows it, to be stored beside the verdict."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a verdict was found. `trials` is 0 where nothing was left to chance."""

    method: Literal["finished", "exact", "table", "rollout"]
    trials: int
    ply: int
    seed: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """`value` for the asker: points at cube 1, or the chance to win the series. `low` and `high`: 95 %."""

    measure: Measure
    value: float
    low: float
    high: float
    engine: str
    version: str
    settings: Settings

    def __post_init__(self) -> None:
        assert self.low <= self.value <= self.high, "an interval holds its value"

    def flipped(self) -> "Verdict":
        """The same verdict for the other side."""
        total = 0.0 if self.measure == "points" else 1.0
        value, low, high = (
            round(total - end, DECIMALS) for end in (self.value, self.high, self.low)
        )
        return Verdict(self.measure, value, low, high, self.engine, self.version, self.settings)

    def record(self) -> dict[str, Any]:
        """All of it as JSON knows it."""
        return asdict(self)


def question_of(state: MatchState, asker: Side) -> Question:
    """What `asker` asks about a running game. A resignation that waits is ignored."""
    assert state.on_roll is not None, "a game that runs is somebody's turn"
    terms = state.terms
    score, other = state.score[asker], state.score[asker.other]
    return Question(
        position=state.view_of(asker),
        on_roll=state.on_roll is asker,
        roll=state.roll,
        cube_value=state.cube_value,
        cube_owner=_whose(state.cube_owner, asker),
        offered_by=_whose(state.offered_by, asker),
        jacoby=terms.has_jacoby,
        beavers=terms.has_beavers,
        cap=terms.cap_points if terms.is_single else None,
        series=None
        if terms.is_single
        else Series(terms.length, score, other, state.crawford, terms.has_crawford),
        variant=terms.variant,
        next_first=_whose(_next_first(state), asker),
    )


def _next_first(state: MatchState) -> Side | None:
    """Where the colours of a series go round, who moves first in its next game (Nardy 2)."""
    goes_round = state.terms.variant in COLOURS_DRAWN and not state.terms.is_single
    return state.first.other if state.first and goes_round else None


def _whose(side: Side | None, asker: Side) -> Whose | None:
    if side is None:
        return None
    return Whose.MINE if side is asker else Whose.THEIRS
