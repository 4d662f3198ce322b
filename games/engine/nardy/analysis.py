"""What the turns of a match of long nardy cost: equity lost, luck, better ways. There is no cube to judge.

Equities are points a game, in a series by what the points are worth at the score. Plays are compared two
plies deep. The evaluator judges, so it finds no fault with itself at that depth.
"""

from collections.abc import Iterator
from dataclasses import astuple
from typing import Final

import numpy as np

from games.engine.analysis import Judged, Kind, Option
from games.engine.decisions import Decision, Rolled
from games.engine.nardy.adjudicate import ENGINE, engine_version
from games.engine.nardy.evaluator import Values, evaluator
from games.engine.nardy.moves import sides_of
from games.engine.nardy.player import best_of_rolls, ranked
from games.engine.nardy.rulesets import LONG_NARDY_FNR
from games.engine.nardy.stakes import POINTS, Stakes, in_series
from games.rules.board import Position
from games.rules.dice import ALL_ROLLS
from games.rules.nardy_notation import format_nardy_turn
from games.rules.scoresheet import LEFT
from games.rules.situation import Situation
from games.rules.turns import Move, Turn, TurnGraph, legal_turns
from games.rules.variants import rules_of

SHOWN: Final = 4


def engine_name(ruleset: str) -> str:
    """What the analysis calls itself."""
    return f"{ENGINE} {engine_version(ruleset)}"


def judged(decision: Decision, ruleset: str) -> Iterator[Judged]:
    """What the evaluator thinks of a turn."""
    assert isinstance(decision, Rolled), "long nardy has no cube"
    situation = decision.situation
    stakes = _stakes(situation, ruleset)
    graph = legal_turns(situation.position, decision.roll, rules_of(ruleset))
    options: tuple[Option, ...] = ()
    lost, chosen = 0.0, ""
    if decision.turn is not None:
        chosen = format_nardy_turn(decision.turn)
        if len(graph.finals) > 1:
            options = _plays(graph, decision.turn, stakes, ruleset)
            lost = next(option.lost for option in options if option.text == chosen)
    yield Judged(
        n=decision.played_at,
        seat=decision.seat,
        kind=Kind.PLAY,
        chosen=chosen,
        lost=lost,
        counts=bool(options),
        chance=_chance(decision, stakes, ruleset),
        luck=_luck(decision, stakes, ruleset),
        options=_shown(options, chosen),
    )


def _stakes(situation: Situation, ruleset: str) -> Stakes:
    if not situation.length:
        return POINTS
    mine, theirs = (situation.length - points for points in situation.score)
    return in_series(ruleset, mine, theirs, None)


def _plays(graph: TurnGraph, turn: Turn, stakes: Stakes, ruleset: str) -> tuple[Option, ...]:
    """What each way costs beside the best, the best first; `turn` under its own name."""
    choices = ranked(graph, ruleset, plies=2, stakes=stakes, keep=_end(graph, turn))
    made = _end(graph, turn)
    worth = stakes.points(np.array([astuple(choice.chances) for choice in choices], np.float32))
    deep = [at for at, choice in enumerate(choices) if choice.plies > 1 or len(choices) == 1]
    best = worth[deep].max()
    named = [
        Option(
            format_nardy_turn(turn if choices[at].final == made else choices[at].turn),
            float(best - worth[at]),
        )
        for at in deep
    ]
    return tuple(sorted(named, key=lambda option: option.lost))


def _end(graph: TurnGraph, turn: Turn) -> Position:
    """Where a turn leads: its own steps may come in another order than those of the graph."""
    return graph.resolve([Move(step.src, step.dst, step.hit) for step in turn])[1]


def _shown(options: tuple[Option, ...], chosen: str) -> tuple[Option, ...]:
    kept = options[:SHOWN]
    if options and all(option.text != chosen for option in kept):
        made = next(option for option in options if option.text == chosen)
        kept = (*kept[: SHOWN - 1], made)
    return kept


def _luck(decision: Rolled, stakes: Stakes, ruleset: str) -> float:
    """What the best play of this roll is worth beside the mean of all rolls it could have been."""
    worth = stakes.points(_by_roll(decision, ruleset))
    weights = np.array([1.0 if roll.is_double else 2.0 for roll in ALL_ROLLS])
    if decision.is_opening and ruleset == LONG_NARDY_FNR:
        weights[[roll.is_double for roll in ALL_ROLLS]] = 0
    mean = float(np.average(worth, weights=weights))
    return float(worth[ALL_ROLLS.index(decision.roll)]) - mean


def _by_roll(decision: Rolled, ruleset: str) -> Values:
    """The chances of the player on roll after the best play of each of the 21 rolls."""
    mine, theirs = sides_of([decision.situation.position])
    return best_of_rolls(evaluator(ruleset), mine, theirs)


def _chance(decision: Rolled, stakes: Stakes, ruleset: str) -> float:
    """The chance of seat 0 to win what is played for."""
    values = evaluator(ruleset).values(*sides_of([decision.situation.position]))
    is_series = bool(decision.situation.length)
    mine = float(stakes.worth(values)[0]) if is_series else float(values[0, 0])
    mine = min(1.0, max(0.0, mine))
    return mine if decision.seat == LEFT else 1 - mine
