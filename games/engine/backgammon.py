"""What the engine thinks of a backgammon position at a glance. Knows no match, no clock and no money."""

from dataclasses import dataclass

from games.engine import sage
from games.rules.board import Position
from games.rules.outcome import Win, is_over, is_won, win_kind, worst_loss


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances of the player on roll, each from 0 to 1; gammons include backgammons. Source: bgsage."""

    win: float
    gammon_win: float
    backgammon_win: float
    gammon_loss: float
    backgammon_loss: float


def outlook(position: Position) -> Chances:
    """Chances of the player on roll before the roll, without a cube; at a glance, not by a rollout.

    Certain once the game is over.
    """
    if is_over(position):
        return _counted(position)
    others_view = sage.flipped(sage.to_board(position))
    chances, _ = sage.after_turn(others_view, others_view)
    return Chances(*chances.flipped())


def _counted(position: Position) -> Chances:
    won = is_won(position)
    kind = win_kind(position if won else position.flipped())
    gammon, backgammon = float(kind >= Win.GAMMON), float(kind is Win.BACKGAMMON)
    if won:
        return Chances(1.0, gammon, backgammon, 0.0, 0.0)
    return Chances(0.0, 0.0, 0.0, gammon, backgammon)


def likeliest_loss(position: Position, *, loser_on_roll: bool) -> Win:
    """The kind of loss that the engine finds likeliest, for a forfeit on time (live-table 4).

    `position` is seen by the player on roll. Single for certain once the loser has a checker off.
    """
    losers_view = position if loser_on_roll else position.flipped()
    worst = worst_loss(losers_view)
    if worst is Win.SINGLE:
        return Win.SINGLE
    found = outlook(position)
    lose = 1 - found.win if loser_on_roll else found.win
    gammon = found.gammon_loss if loser_on_roll else found.gammon_win
    backgammon = found.backgammon_loss if loser_on_roll else found.backgammon_win
    kinds = {
        Win.SINGLE: lose - gammon,
        Win.GAMMON: gammon - backgammon,
        Win.BACKGAMMON: backgammon,
    }
    return max((kind for kind in kinds if kind <= worst), key=lambda kind: kinds[kind])
