"""From an engine's verdict to what the match machine is told: millionths of a stake, with the interval."""

import json
from math import isfinite

from games.engine.adjudicate import evaluate
from games.engine.questions import Verdict, question_of
from games.match.commands import Adjudicate
from games.match.events import PPM
from games.match.sides import Side
from games.match.state import MatchState

ROUNDING = PPM // 1_000
"""How far a verdict on the highest cube may be off by the digits it is told in."""


def verdict(state: MatchState, *, side: Side, seed: int) -> Adjudicate:
    """What `side` gains in an abandoned match, by the engine. Slow: seconds of one core."""
    question = question_of(state, side)
    found = evaluate(question, seed=seed)
    _require_plausible(found, state)
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


class Implausible(Exception):
    """What the engine says cannot be: nobody is paid by it, and a person decides in the end."""


def _require_plausible(found: Verdict, state: MatchState) -> None:
    """Raises Implausible for no interval around its value, or for more than can be won or lost."""
    ends = (found.low, found.value, found.high)
    if not all(isfinite(end) for end in ends) or list(ends) != sorted(ends):
        raise Implausible(ends)
    most = PPM * (state.terms.cap_points or 1) + ROUNDING
    if not all(abs(_ppm(found, end, state.cube_value)) <= most for end in ends):
        raise Implausible(ends)


def _ppm(found: Verdict, value: float, cube: int) -> int:
    """Points at cube 1 in a single game; in a series the stake times twice the chance less one (money.md 5)."""
    stakes = value * cube if found.measure == "points" else 2 * value - 1
    return round(stakes * PPM)
