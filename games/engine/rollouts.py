"""Rolls a question out in batches until its answer is narrow enough. Knows bgsage only through its door.

All of it is from the view of the player on roll, in the account of games.engine.worth.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from games.engine import lookahead, sage
from games.engine.correction import Correction, Gain
from games.engine.questions import Question, Whose
from games.engine.sampling import MOST_BATCHES, Estimate, estimate
from games.engine.worth import TWICE, Cube, Cubes, Values
from games.rules.dice import Roll
from games.rules.turns import legal_turns

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

    def halved(self) -> "Effort":
        """Where two rollouts share the time of one."""
        most = max(self.most // 2, FIRST_LOOK)
        return Effort(min(self.least, most), most, self.enough)


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
    """One question. `cubes` is the account that counts."""

    def __init__(self, question: Question, cubes: Cubes, plan: Plan) -> None:
        self._question = question
        self._cubes = cubes
        self._plan = plan
        self._start = Cube(question.cube_value, question.cube_owner)
        self._correction = Correction(question, cubes)
        self._game = self._correction.game_at(self._start)
        self._board = sage.to_board(question.position)

    # before the roll

    def to_roll(self) -> Rolled:
        """Rolls out the branches that the cube decision at hand needs."""
        asked = self._asked()
        game = self._correction.game_at(asked)
        branches: list[sage.CubeEquities] = []
        for seed in self._seeds():
            branches.append(sage.rolled_out(self._board, game, seed, self._progress))
            found = self._estimates(branches, asked)
            if self._is_enough(len(branches), *found.values()):
                break
        return self._corrected(found, asked, len(branches))

    def _asked(self) -> Cube:
        """The cube with which the game goes on if nobody doubles; of a beaver, once it is accepted."""
        if self._question.offered_by is Whose.THEIRS:
            return Cube(self._start.value * TWICE, Whose.THEIRS)
        return self._start

    def _estimates(
        self, branches: Sequence[sage.CubeEquities], asked: Cube
    ) -> dict[Cube, Estimate]:
        """In bgsage's unit, the cube that was asked about."""
        found = {asked: estimate([branch.no_double for branch in branches])}
        if self._cubes.worth.may_double(asked):
            found[asked.doubled()] = estimate([branch.double_take for branch in branches])
        return found

    def _corrected(self, found: dict[Cube, Estimate], asked: Cube, batches: int) -> Rolled:
        gain = self._correction.before_roll(self._board)
        low, value, high = (np.full(len(self._cubes.states), np.nan) for _ in range(3))
        for state, equity in self._with_beaver(found, asked).items():
            counted = self._correction.counted(equity, asked)
            corrected = self._correction.corrected(counted, gain, state)
            at = self._cubes.at(state)
            low[at], value[at], high[at] = corrected.low, corrected.value, corrected.high
        return Rolled(low, value, high, batches)

    def _with_beaver(self, found: dict[Cube, Estimate], asked: Cube) -> dict[Cube, Estimate]:
        """Without a limit, at twice the cube a single game is worth just twice as much."""
        if not self._cubes.worth.may_beaver(asked):
            return found
        taken = asked.doubled()
        return {**found, Cube(taken.value * TWICE, Whose.THEIRS): found[taken].times(TWICE)}

    # with dice on the board

    def to_play(self, roll: Roll) -> tuple[Estimate, int]:
        """The value of the best play of the dice, and how many batches were rolled out."""
        after = [
            sage.to_board(final) for final in legal_turns(self._question.position, roll).finals
        ]
        ends = [win for win in map(sage.won_by_mover, after) if win]
        if ends:
            return Estimate(self._cubes.worth.of_win(self._start, max(ends)), 0.0), 0
        plays = [
            _Play(board, self._correction.after_turn(board))
            for board in self._candidates(after or [self._board])
        ]
        for play in plays:
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
        gain = self._correction.after_turn(board, turns=1)
        counted = self._correction.counted(equity, self._start)
        return self._correction.corrected(counted, gain, self._start).value

    def _rolled_out(self, play: "_Play", seed: int) -> float:
        return sage.rolled_out_after_turn(play.board, self._game, seed, self._progress)

    def _go_on(self, play: "_Play") -> None:
        for seed in self._seeds()[FIRST_LOOK:]:
            if self._is_enough(len(play.equities), estimate(play.equities)):
                return
            play.equities.append(self._rolled_out(play, seed))

    def _found(self, play: "_Play") -> Estimate:
        counted = self._correction.counted(estimate(play.equities), self._start)
        return self._correction.corrected(counted, play.gain, self._start)

    # how long, and with which luck

    def _is_enough(self, batches: int, *equities: Estimate) -> bool:
        effort = self._plan.effort
        return batches >= effort.least and all(equity.half <= effort.enough for equity in equities)

    def _seeds(self) -> list[int]:
        first = self._plan.seed
        return [(first + batch * BETWEEN_SEEDS) % SEEDS for batch in range(self._plan.effort.most)]

    def _progress(self, *_: int) -> None:
        self._plan.pulse()


@dataclass
class _Play:
    """A play of the dice, and what has been found of it so far."""

    board: sage.Board
    gain: Gain
    equities: list[float] = field(default_factory=list)
