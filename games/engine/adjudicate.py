"""What an interrupted game is worth to the one who asks (Table 6).

A game that is over or a short bear-off is counted exactly; anything else is rolled out, backgammon by
bgsage and long nardy by games.engine.nardy.
The same question with the same seed has the same verdict. See docs/adjudication.md.
"""

from dataclasses import replace
from typing import Final, NamedTuple

from games.engine import sage
from games.engine.backgammon import outlook
from games.engine.endgame import Endgame, is_solvable
from games.engine.nardy import adjudicate as long_nardy
from games.engine.nardy.rulesets import RULESETS
from games.engine.questions import (
    DECIMALS,
    Question,
    Series,
    Settings,
    Verdict,
    Whose,
    question_of,
)
from games.engine.rollouts import Effort, Plan, Pulse, Rollout
from games.engine.worth import TWICE, Cube, Cubes, Values, Worth, worth_of
from games.rules.outcome import Win, is_over, is_won, win_kind

__all__ = [
    "Effort",
    "Question",
    "Series",
    "Settings",
    "Verdict",
    "Whose",
    "evaluate",
    "question_of",
]


MANY_GAMMONS: Final = 0.15
"""With fewer, doubling is never wrong for the one who trails."""


class Interval(NamedTuple):
    """A value between the ends of its 95 % interval, in the account of games.engine.worth."""

    low: float
    value: float
    high: float

    @classmethod
    def exactly(cls, value: float) -> "Interval":
        return cls(value, value, value)


def nothing() -> None:
    """The pulse of who does not want to know."""


def evaluate(
    question: Question, *, seed: int, effort: Effort | None = None, pulse: Pulse = nothing
) -> Verdict:
    """The verdict for the asker. Dice that were thrown count as they lie, dice to come never.

    `pulse` is called after every trial, many times a second, in the calling thread; what it raises
    ends the work and comes out here. Signals are served as fast: no step of the work is longer.
    """
    asked = question if question.on_roll else question.flipped()
    if asked.variant in RULESETS:
        verdict = long_nardy.evaluate(asked, seed=seed, effort=effort, pulse=pulse)
        return verdict if question.on_roll else verdict.flipped()
    if asked.is_all_one:
        # Neither a double nor a drop can change what the game is worth, and nobody need drop.
        asked = replace(asked, offered_by=None)
    found, settings = _found(asked, Plan(seed, effort or Effort(), pulse))
    verdict = _verdict(asked, found, settings)
    return verdict if question.on_roll else verdict.flipped()


def _found(question: Question, plan: Plan) -> tuple[Interval, Settings]:
    """For the player on roll, who is the asker here."""
    worth = worth_of(question)
    start = Cube(question.cube_value, question.cube_owner)
    if is_over(question.position):
        return _counted(question, worth, start), Settings("finished", 0, 0, plan.seed)
    cubes = Cubes(worth, start)
    if is_solvable(question.position):
        return _solved(question, cubes, plan), Settings("exact", 0, 0, plan.seed)
    interval, batches = _rolled_out(question, cubes, plan)
    return _within(worth, interval), Settings("rollout", batches * sage.TRIALS, sage.PLY, plan.seed)


def _counted(question: Question, worth: Worth, start: Cube) -> Interval:
    position = question.position
    if is_won(position):
        return Interval.exactly(worth.of_win(start, win_kind(position)))
    return Interval.exactly(worth.of_loss(start, win_kind(position.flipped())))


def _solved(question: Question, cubes: Cubes, plan: Plan) -> Interval:
    endgame = Endgame(question.position, cubes, plan.pulse)
    if question.roll is None:
        return Interval.exactly(_settled(question, cubes, endgame.rolled()))
    start = Cube(question.cube_value, question.cube_owner)
    return Interval.exactly(float(endgame.played(question.roll)[cubes.at(start)]))


def _rolled_out(question: Question, cubes: Cubes, plan: Plan) -> tuple[Interval, int]:
    if not _may_be_too_good(question):
        return _rolled_out_once(question, cubes, plan)
    # After the Crawford game bgsage has the one who trails double at once, however sure its gammon.
    assert question.series is not None, "only a series has a Crawford game"
    plan = replace(plan, effort=plan.effort.halved())
    playing_on = replace(question, series=replace(question.series, crawford=True))
    doubled, batches = _rolled_out_once(question, cubes, plan)
    played_on, more = _rolled_out_once(playing_on, Cubes(worth_of(playing_on), cubes.start), plan)
    choose = max if question.trails is Whose.MINE else min
    return Interval(*map(choose, doubled, played_on)), batches + more


def _may_be_too_good(question: Question) -> bool:
    """Whether the one who trails after the Crawford game may do better to play on for a gammon."""
    if question.offered_by is not None or question.trails is None:
        return False
    chances = outlook(question.position)
    mine = question.trails is Whose.MINE
    return (chances.gammon_win if mine else chances.gammon_loss) >= MANY_GAMMONS


def _rolled_out_once(question: Question, cubes: Cubes, plan: Plan) -> tuple[Interval, int]:
    rollout = Rollout(question, cubes, plan)
    if question.roll is not None:
        found, batches = rollout.to_play(question.roll)
        return Interval(found.low, found.value, found.high), batches
    rolled = rollout.to_roll()
    ends = (_settled(question, cubes, end) for end in (rolled.low, rolled.value, rolled.high))
    return Interval(*ends), rolled.batches


def _within(worth: Worth, found: Interval) -> Interval:
    """No end of it beyond what can be won or lost."""
    return Interval(*(min(max(end, worth.lost[-1]), worth.won[-1]) for end in found))


def _settled(question: Question, cubes: Cubes, rolled: Values) -> float:
    """The value once whoever has the cube to think about has decided as well as can be.

    It grows with every one of `rolled`, so the low ends of those give its low end.
    """
    start = Cube(question.cube_value, question.cube_owner)
    if question.offered_by is None:
        return float(cubes.decided(rolled)[cubes.at(start)])
    if question.offered_by is Whose.MINE:
        return float(cubes.answered(rolled, start))
    # A beaver: its double is taken already, so to drop loses the doubled value (Backgammon 6).
    accepted = float(rolled[cubes.at(Cube(start.value * TWICE, Whose.THEIRS))])
    return max(accepted, cubes.worth.of_loss(start, Win.SINGLE))


def _verdict(question: Question, found: Interval, settings: Settings) -> Verdict:
    if question.series is not None:
        found = Interval(*((end + 1) / 2 for end in found))
    low, value, high = (round(end, DECIMALS) for end in found)
    return Verdict(question.measure, value, low, high, sage.ENGINE, sage.engine_version(), settings)
