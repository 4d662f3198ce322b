"""What a won game counts: one function for every way it can end. Knows no money (Backgammon 5, 6, 8, 9)."""

from games.match.sides import Side
from games.match.state import MatchState
from games.match.terms import Terms
from games.rules.outcome import Win


def counted_win(state: MatchState, win: Win) -> Win:
    """Jacoby: gammon and backgammon count single unless the cube was turned (Backgammon 6)."""
    if state.terms.has_jacoby and not state.cube_turned:
        return Win.SINGLE
    return win


def points_of(terms: Terms, win: int, cube: int) -> int:
    """Win times cube; in a single game not more than its limit (Backgammon 9).

    A series counts the whole of it; what is beyond the target does not enter the score.
    """
    points = win * cube
    return points if terms.cap_points is None else min(points, terms.cap_points)


def score_after(state: MatchState, winner: Side, points: int) -> int:
    """The winner's score; in a series never more than the target (Backgammon 8)."""
    score = state.score[winner] + points
    return score if state.terms.is_single else min(score, state.terms.length)


def is_decided(state: MatchState) -> bool:
    """Whether the match ends with the game that has just ended."""
    if state.terms.is_single:
        return True
    return any(score >= state.terms.length for score in state.score.values())


def is_crawford_due(state: MatchState) -> bool:
    """Whether the next game is the one without the cube (Backgammon 6)."""
    if not state.terms.has_crawford or state.crawford_played:
        return False
    return any(score == state.terms.length - 1 for score in state.score.values())
