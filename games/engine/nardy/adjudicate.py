"""What an interrupted game of long nardy is worth to the player on roll, with its 95 % interval.

A game that is over or a short bear-off is counted exactly; where both sides are home the table of bear-offs
knows; anything else is rolled out. The same question with the same seed has the same verdict.
"""

from collections.abc import Callable
from dataclasses import astuple
from math import hypot, inf
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np

from games.engine.endgame import Endgame, is_solvable
from games.engine.nardy import features
from games.engine.nardy.evaluator import Evaluator, evaluator
from games.engine.nardy.moves import Sides, sides_of
from games.engine.nardy.player import SEARCHED, ranked
from games.engine.nardy.rollout import TRIALS, Start, rolled_out
from games.engine.nardy.stakes import Stakes, stakes_of
from games.engine.questions import DECIMALS, Question, Settings, Verdict
from games.engine.rollouts import Effort, Pulse
from games.engine.sampling import Estimate, estimate
from games.engine.worth import Cube, Cubes, Worth
from games.rules.board import Position
from games.rules.outcome import Win, is_over, is_won
from games.rules.turns import legal_turns
from games.rules.variants import rules_of

ENGINE: Final = "nardy"
PLIES: Final = 1
"""Of the play in rollouts."""

EFFORT: Final = Effort(least=4, most=12, enough=0.012)
CANDIDATES: Final = 3
"""Plays of a roll that are rolled out."""
CLOSE: Final = 0.08
"""Points behind the best at two plies from which on a play is not rolled out."""
FIRST_LOOK: Final = 2
"""Batches of each of these plays before the best of them is chosen."""

MODEL_DOUBT: Final = 0.03
"""Points by which the network itself is in doubt (95 %), beside the luck of the trials: docs/engine.md."""
TABLE_DOUBT: Final = 0.01
"""The same of the table of bear-offs."""


class _Found(NamedTuple):
    estimate: Estimate
    settings: Settings


class _Plan(NamedTuple):
    judge: Evaluator
    stakes: Stakes
    seed: int
    effort: Effort
    pulse: Pulse


def engine_version(ruleset: str) -> str:
    """Which network it is."""
    said = evaluator(ruleset).net.said
    return f"{features.NAME}{features.VERSION} {said['games']}"


def evaluate(
    question: Question, *, seed: int, effort: Effort | None = None, pulse: Pulse
) -> Verdict:
    """The verdict for the asker, who is on roll. `pulse` is called after every batch."""
    assert question.on_roll, "asked for the player on roll"
    judge = evaluator(question.variant)
    plan = _Plan(judge, stakes_of(question), seed, effort or EFFORT, pulse)
    found = _found(question, plan)
    low, value, high = (
        round(_within(plan.stakes, end), DECIMALS)
        for end in (found.estimate.low, found.estimate.value, found.estimate.high)
    )
    version = engine_version(question.variant)
    return Verdict(question.measure, value, low, high, ENGINE, version, found.settings)


def _found(question: Question, plan: _Plan) -> _Found:
    position = question.position
    if is_over(position):
        return _Found(
            Estimate(_counted(question, plan), 0.0), Settings("finished", 0, 0, plan.seed)
        )
    if is_solvable(position):
        return _Found(Estimate(_solved(question, plan), 0.0), Settings("exact", 0, 0, plan.seed))
    mine, theirs = sides_of([position])
    if bool(plan.judge.is_race(mine, theirs)[0]):
        estimate_ = Estimate(_by_table(question, plan), TABLE_DOUBT * plan.stakes.unit)
        return _Found(estimate_, Settings("table", 0, PLIES, plan.seed))
    found, batches = _played(question, plan) if question.roll else _rolled(question, plan)
    return _Found(found, Settings("rollout", batches * TRIALS, PLIES, plan.seed))


def _counted(question: Question, plan: _Plan) -> float:
    rules, stakes = rules_of(question.variant), plan.stakes
    if is_won(question.position):
        is_mars = rules.win_kind(question.position) is Win.GAMMON
        return stakes.win_mars if is_mars else stakes.win
    is_mars = rules.win_kind(question.position.flipped()) is Win.GAMMON
    return stakes.lose_mars if is_mars else stakes.lose


def _solved(question: Question, plan: _Plan) -> float:
    """Both sides are home, where long nardy is borne off as backgammon is (Nardy 6)."""
    stakes = plan.stakes
    mars = plan.judge.is_fnr
    won = (0.0, stakes.win, stakes.win_mars if mars else stakes.win)
    lost = (0.0, stakes.lose, stakes.lose_mars if mars else stakes.lose)
    cubes = Cubes(Worth(won, lost, highest=1), Cube(1, None))
    endgame = Endgame(question.position, cubes, plan.pulse)
    return float(endgame.played(question.roll)[0] if question.roll else endgame.rolled()[0])


def _by_table(question: Question, plan: _Plan) -> float:
    if question.roll is None:
        values = plan.judge.values(*sides_of([question.position]))
        return float(plan.stakes.worth(values)[0])
    ends = list(legal_turns(question.position, question.roll, rules_of(question.variant)).finals)
    values = plan.judge.values_of_mover(*sides_of(ends))
    return float(plan.stakes.worth(values).max())


# rollouts


def _rolled(question: Question, plan: _Plan) -> tuple[Estimate, int]:
    """Before the roll."""
    mine, theirs = sides_of([question.position])
    return _rolled_on(plan, lambda seed: _batch(plan, plan.stakes, mine[0], theirs[0], seed), [])


def _played(question: Question, plan: _Plan) -> tuple[Estimate, int]:
    """With dice on the board: the value of the best play."""
    assert question.roll is not None, "there are dice to play"
    rules = rules_of(question.variant)
    graph = legal_turns(question.position, question.roll, rules)
    if any(map(is_won, graph.finals)):
        end = next(filter(is_won, graph.finals))
        is_mars = rules.win_kind(end) is Win.GAMMON
        return Estimate(plan.stakes.win_mars if is_mars else plan.stakes.win, 0.0), 0
    plays = [_Play(plan, final) for final in _candidates(question, plan)]
    for play in plays:
        play.batches += [play.batch((plan.seed, n)) for n in range(FIRST_LOOK)]
    best = max(plays, key=lambda play: fmean(batch.worth for batch in play.batches))
    found, batches = _rolled_on(plan, best.batch, best.batches)
    return found, batches + FIRST_LOOK * (len(plays) - 1)


def _candidates(question: Question, plan: _Plan) -> list[Position]:
    """The plays that may be the best, by search; the position itself if there is none."""
    assert question.roll is not None, "there are dice to play"
    graph = legal_turns(question.position, question.roll, rules_of(question.variant))
    choices = ranked(graph, question.variant, plies=2)[:SEARCHED]
    if not choices:
        return [question.position]
    worths = plan.stakes.worth(
        np.array([astuple(choice.chances) for choice in choices], np.float32)
    )
    order = np.argsort(-worths, kind="stable")[:CANDIDATES]
    close = worths[order] >= worths[order[0]] - CLOSE * plan.stakes.unit
    return [choices[at].final for at in order[close]]


class _Batch(NamedTuple):
    """What a batch was worth to the asker, and the share of its games that the network valued."""

    worth: float
    cut: float


class _Play:
    """A play of the dice, and its batches so far."""

    def __init__(self, plan: _Plan, final: Position) -> None:
        self.batches: list[_Batch] = []
        self._plan = plan
        self._mine, self._theirs = (sides[0] for sides in sides_of([final]))

    def batch(self, seed: tuple[int, ...]) -> _Batch:
        theirs = _batch(self._plan, self._plan.stakes.flipped(), self._theirs, self._mine, seed)
        return _Batch(-theirs.worth, theirs.cut)


def _batch(
    plan: _Plan, stakes: Stakes, to_roll: Sides, other: Sides, seed: tuple[int, ...]
) -> _Batch:
    found = rolled_out(plan.judge, Start(to_roll, other), stakes, seed)
    plan.pulse()
    return _Batch(float(stakes.worth(found.chances)), found.cut)


def _rolled_on(
    plan: _Plan, batch: Callable[[tuple[int, ...]], _Batch], batches: list[_Batch]
) -> tuple[Estimate, int]:
    """More batches until the interval is narrow enough, or there are enough of them."""
    effort, unit = plan.effort, plan.stakes.unit
    while len(batches) < effort.most:
        half = estimate([b.worth for b in batches]).half if batches else inf
        if len(batches) >= effort.least and half <= effort.enough * unit:
            break
        batches.append(batch((plan.seed, len(batches))))
    found = estimate([b.worth for b in batches])
    doubt = MODEL_DOUBT * unit * fmean(b.cut for b in batches)
    return Estimate(found.value, hypot(found.half, doubt)), len(batches)


def _within(stakes: Stakes, value: float) -> float:
    """Never beyond what can be won or lost."""
    return min(max(value, stakes.lose_mars), stakes.win_mars)
