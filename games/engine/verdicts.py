"""From an engine's verdict to what the match machine is told: millionths of a stake, with the interval."""

import json

from games.engine.adjudicate import evaluate
from games.engine.questions import Verdict, question_of
from games.match.commands import Adjudicate
from games.match.events import PPM
from games.match.sides import Side
from games.match.state import MatchState


def verdict(state: MatchState, *, side: Side, seed: int) -> Adjudicate:
    """What `side` gains in an abandoned match, by the engine. Slow: seconds of one core."""
    question = question_of(state, side)
    found = evaluate(question, seed=seed)
    estimate, low, high = (
        _ppm(found, value, state.cube_value) for value in (found.value, found.low, found.high)
    )
    detail = json.dumps({"question": question.record(), "verdict": found.record()}, default=str)
    return Adjudicate(
        side=side,
        estimate=estimate,
        low=low,
        high=high,
        engine=f"{found.engine} {found.version}",
        detail=detail,
    )


def _ppm(found: Verdict, value: float, cube: int) -> int:
    """Points at cube 1 in a single game; in a series the stake times twice the chance less one (money.md 5)."""
    stakes = value * cube if found.measure == "points" else 2 * value - 1
    return round(stakes * PPM)
