"""Rolls a question out in batches until its answer is narrow enough. Knows bgsage only through its door.

All of it is from the view of the player on roll, in the account of games.engine.worth.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import hypot
from typing import Final

import numpy as np

from games.engine import lookahead, sage
from games.engine.questions import CUBE_LIMIT, Question, Whose
from games.engine.sampling import MOST_BATCHES, Estimate, estimate
from games.engine.worth import TWICE, Cube, Cubes, Values, Worth, in_series, single, worth_of
from games.rules.dice import Roll
from games.rules.outcome import Win
from games.rules.turns import legal_turns

MODEL_DOUBT: Final = 0.01
"""Points by which bgsage itself is in doubt, beside the luck of the trials: docs/adjudication.md."""

LIMIT_DOUBT: Final = 0.25
"""The share of what a limit gives or takes that is in doubt, as the look ahead is short."""

SEEDS: Final = 1 << 31
BETWEEN_SEEDS: Final = 1_000_003
"""Batches of one question take seeds that are far apart."""

CANDIDATES: Final = 3
"""Plays of a roll that are rolled out."""
SEARCHED: Final = 8
"""Plays of a roll that are searched before."""
CLOSE: Final = 0.06
"""Points behind the best search from which on a play is not rolled out."""
FIRST_LOOK: Final = 2
"""Batches of each of these plays before the best of them is chosen."""

Pulse = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Effort:
    """Batches at least and at most, and half an interval in points that is narrow enough to stop."""

    least: int = 4
    most: int = 10
    enough: float = 0.006

    def __post_init__(self) -> None:
        assert FIRST_LOOK <= self.least <= self.most <= MOST_BATCHES, "batches with an interval"


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is rolled out: its luck, how long, and whom to tell after each trial."""

    seed: int
    effort: Effort
    pulse: Pulse


@dataclass(frozen=True, slots=True)
class Rolled:
    """The values before the roll, without a double this turn: in the states of the cube that were asked."""

    low: Values
    value: Values
    high: Values
    batches: int


class Rollout:
    """One question. `cubes` is the account that counts; what bgsage rolls out for may be another."""

    def __init__(self, question: Question, cubes: Cubes, plan: Plan) -> None:
        self._question = question
        self._cubes = cubes
        self._plan = plan
        self._start = Cube(question.cube_value, question.cube_owner)
        self._game, own = _as_bgsage_counts(question, self._start)
        self._own = Cubes(replace(own, highest=cubes.worth.highest), self._start)
        self._board = sage.to_board(question.position)

    # before the roll

    def to_roll(self) -> Rolled:
        """Rolls out the branches that the cube decision at hand needs."""
        asked = self._asked()
        game = self._game._replace(cube=asked)
        branches: list[sage.CubeEquities] = []
        for seed in self._seeds():
            branches.append(sage.rolled_out(self._board, game, seed, self._progress))
            if len(branches) >= self._plan.effort.least and self._is_enough(branches):
                break
        return self._corrected(self._estimates(branches, asked), len(branches))

    def _asked(self) -> Cube:
        """The cube with which the game goes on if nobody doubles; of a beaver, once it is accepted."""
        if self._question.offered_by is Whose.THEIRS:
            return Cube(self._start.value * TWICE, Whose.THEIRS)
        return self._start

    def _is_enough(self, branches: Sequence[sage.CubeEquities]) -> bool:
        return all(
            estimate(equities).half <= self._plan.effort.enough
            for equities in zip(*branches, strict=True)
        )

    def _estimates(
        self, branches: Sequence[sage.CubeEquities], asked: Cube
    ) -> dict[Cube, Estimate]:
        no_double, double_take = (estimate(found) for found in zip(*branches, strict=True))
        found = {asked: self._counted(no_double, asked)}
        if self._cubes.worth.may_double(asked):
            taken = asked.doubled()
            found[taken] = self._counted(double_take, asked)
            if self._cubes.worth.may_beaver(asked):
                # Without a limit, at twice the cube a single game is worth just twice as much.
                found[Cube(taken.value * TWICE, Whose.THEIRS)] = found[taken].times(TWICE)
        return found

    def _corrected(self, found: dict[Cube, Estimate], batches: int) -> Rolled:
        gained = self._gained(lambda accounts: lookahead.rolled(self._board, accounts))
        low, value, high = (np.full(len(self._cubes.states), np.nan) for _ in range(3))
        for state, estimated in found.items():
            at = self._cubes.at(state)
            doubted = self._doubted(estimated, float(gained[at]), state)
            low[at], value[at], high[at] = doubted.low, doubted.value, doubted.high
        return Rolled(low, value, high, batches)

    # with dice on the board

    def to_play(self, roll: Roll) -> tuple[Estimate, int]:
        """The value of the best play of the dice, and how many batches were rolled out."""
        after = [
            sage.to_board(final) for final in legal_turns(self._question.position, roll).finals
        ]
        ends = [win for win in map(sage.won_by_mover, after) if win]
        if ends:
            return Estimate(self._cubes.worth.of_win(self._start, max(ends)), 0.0), 0
        plays = [_Play(board) for board in self._candidates(after or [self._board])]
        for play in plays:
            play.gained = self._gained_by(play.board, lookahead.TURNS)
            play.equities += [self._rolled_out(play, seed) for seed in self._seeds()[:FIRST_LOOK]]
        best = max(plays, key=lambda play: self._found(play).value)
        self._go_on(best)
        return self._found(best), sum(len(play.equities) for play in plays)

    def _candidates(self, after: Sequence[sage.Board]) -> list[sage.Board]:
        """The plays that may be the best, by the networks and then by search."""
        likely = sorted(after, key=lambda board: -self._at_sight(board))[:SEARCHED]
        if len(likely) == 1:
            return likely
        found = {at: self._searched(board) for at, board in enumerate(likely)}
        ranked = sorted(found, key=lambda at: -found[at])[:CANDIDATES]
        return [likely[at] for at in ranked if found[at] >= found[ranked[0]] - CLOSE]

    def _at_sight(self, board: sage.Board) -> float:
        chances, _ = sage.after_turn(board, self._board)
        leaf = lookahead.Leaf(chances, sage.cube_life(board, chances))
        return float(lookahead.judged([leaf], self._cubes)[0, self._cubes.at(self._start)])

    def _searched(self, board: sage.Board) -> float:
        equity = Estimate(sage.searched(board, self._game), 0.0)
        return self._counted(equity, self._start).value + self._gained_by(board, turns=1)

    def _rolled_out(self, play: "_Play", seed: int) -> float:
        return sage.rolled_out_after_turn(play.board, self._game, seed, self._progress)

    def _go_on(self, play: "_Play") -> None:
        effort = self._plan.effort
        for seed in self._seeds()[FIRST_LOOK:]:
            enough = estimate(play.equities).half <= effort.enough
            if len(play.equities) >= effort.least and enough:
                return
            play.equities.append(self._rolled_out(play, seed))

    def _found(self, play: "_Play") -> Estimate:
        counted = self._counted(estimate(play.equities), self._start)
        return self._doubted(counted, play.gained, self._start)

    # from bgsage's account to ours

    def _counted(self, equity: Estimate, cube: Cube) -> Estimate:
        """An equity in bgsage's unit: 1 for the win of a single game at this cube, -1 for its loss."""
        worth = self._own.worth
        won, lost = worth.of_win(cube, Win.SINGLE), worth.of_loss(cube, Win.SINGLE)
        unit = (won - lost) / 2
        return Estimate(lost + (equity.value + 1) * unit, equity.half * unit)

    def _gained_by(self, board: sage.Board, turns: int) -> float:
        gained = self._gained(lambda accounts: lookahead.after_turn(board, accounts, turns))
        return float(gained[self._cubes.at(self._start)])

    def _gained(self, look: Callable[[list[Cubes]], list[Values]]) -> Values:
        """How much more the account that counts finds than bgsage's own."""
        if self._cubes.worth == self._own.worth:
            return np.zeros(len(self._cubes.states))
        counted, own = look([self._cubes, self._own])
        gained: Values = counted - own
        return gained

    def _doubted(self, found: Estimate, gained: float, cube: Cube) -> Estimate:
        worth = self._cubes.worth
        unit = (worth.of_win(cube, Win.SINGLE) - worth.of_loss(cube, Win.SINGLE)) / 2
        return found.moved(gained, hypot(MODEL_DOUBT * unit, LIMIT_DOUBT * gained))

    # the luck

    def _seeds(self) -> list[int]:
        first = self._plan.seed
        return [(first + batch * BETWEEN_SEEDS) % SEEDS for batch in range(self._plan.effort.most)]

    def _progress(self, *_: int) -> None:
        self._plan.pulse()


@dataclass
class _Play:
    """A play of the dice, and what has been found of it so far."""

    board: sage.Board
    gained: float = 0.0
    equities: list[float] = field(default_factory=list)


def _as_bgsage_counts(question: Question, start: Cube) -> tuple[sage.Game, Worth]:
    """What bgsage rolls out for, and its account of it: it knows no limit, and only series with Crawford."""
    series = question.series
    if series is not None:
        game = sage.Game(
            start, series.i_need, series.they_need, series.crawford, highest=CUBE_LIMIT
        )
        return game, in_series(replace(series, has_crawford=True), start.value)
    if question.is_all_one:
        return sage.Game(start, 1, 1), worth_of(question)
    jacoby, beavers = question.jacoby, question.beavers
    game = sage.Game(start, jacoby=jacoby, beavers=beavers, highest=CUBE_LIMIT)
    return game, single(start.value, None, jacoby=jacoby, beavers=beavers)
