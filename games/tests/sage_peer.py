"""bgsage's own analysis of a match: its public analyser at one depth for everything, nothing left out."""

from collections.abc import Sequence
from typing import Any

from games.engine.analysis import CLOSE, PR_FACTOR, may_double
from games.engine.decisions import Answered, Decision, Doubled, Rolled
from games.engine.sage import to_board
from games.rules.scoresheet import LEFT, RIGHT, Seat
from games.rules.situation import Owner, Situation
from games.rules.turns import Move, legal_turns

OWNERS = {Owner.NOBODY: "centered", Owner.MINE: "player", Owner.THEIRS: "opponent"}


def error_rates(decisions: Sequence[Decision], level: str = "3ply") -> tuple[float, float]:
    """PR of both players. Very slow: seconds for each roll."""
    from bgsage import BgBotAnalyzer

    analyser = BgBotAnalyzer(eval_level=level, parallel_threads=1)
    lost: dict[Seat, list[float]] = {LEFT: [], RIGHT: []}
    for decision in decisions:
        lost[decision.seat] += _lost(analyser, decision)
    left, right = (
        PR_FACTOR * sum(mine) / len(mine) if mine else 0.0 for mine in (lost[LEFT], lost[RIGHT])
    )
    return left, right


def _lost(analyser: Any, decision: Decision) -> list[float]:
    """What each decision that counts has cost."""
    situation = decision.situation
    board = to_board(situation.position)
    match decision:
        case Rolled():
            costs = _not_doubling(analyser, decision, board)
            return costs + _played(analyser, decision, board)
        case Doubled():
            found = analyser.cube_action(board, **_asked(situation))
            doubling = min(found.equity_dt, found.equity_dp)
            return [max(found.equity_nd, doubling) - doubling]
        case Answered(taken=taken):
            found = analyser.cube_action(board, **_asked(situation))
            wrong = found.equity_dt - found.equity_dp
            return [max(0.0, wrong if taken else -wrong)]


def _not_doubling(analyser: Any, decision: Rolled, board: list[int]) -> list[float]:
    if decision.is_opening or not may_double(decision.situation):
        return []
    found = analyser.cube_action(board, **_asked(decision.situation))
    doubling = min(found.equity_dt, found.equity_dp)
    best = max(found.equity_nd, doubling)
    return [best - found.equity_nd] if best - doubling < CLOSE else []


def _played(analyser: Any, decision: Rolled, board: list[int]) -> list[float]:
    graph = legal_turns(decision.situation.position, decision.roll)
    if decision.turn is None or len(graph.finals) < len((LEFT, RIGHT)):
        return []
    moves = [Move(step.src, step.dst, step.hit) for step in decision.turn]
    made = to_board(graph.resolve(moves)[1])
    found = analyser.checker_play(board, *decision.roll, **_asked(decision.situation))
    ours = next(move for move in found.moves if list(move.board) == made)
    return [max(0.0, -ours.equity_diff)]


def _asked(situation: Situation) -> dict[str, Any]:
    mine, theirs = situation.score
    length = situation.length
    return {
        "cube_value": situation.cube,
        "cube_owner": OWNERS[situation.cube_owner],
        "away1": length - mine if length else 0,
        "away2": length - theirs if length else 0,
        "is_crawford": situation.is_crawford,
        "jacoby": situation.has_jacoby,
        "beaver": situation.has_beavers,
    }
