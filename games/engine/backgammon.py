"""What the engine thinks of a backgammon position. Uses bgsage; knows no match, no clock and no money."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.rules.board import BAR, OFF, Position, facing
from games.rules.outcome import Win, worst_loss


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances of the player on roll, each from 0 to 1; gammons include backgammons. Source: bgsage."""

    win: float
    gammon_win: float
    backgammon_win: float
    gammon_loss: float
    backgammon_loss: float


@lru_cache(maxsize=1)
def _analyzer() -> Any:
    from bgsage import BgBotAnalyzer

    return BgBotAnalyzer(eval_level="1ply")


def to_bgsage(position: Position) -> list[int]:
    """Counts as bgsage wants them: 1-24 by the mover's points, below 0 the other side; 25 and 0 the two bars."""
    board = [0] * (BAR + 1)
    for point in range(OFF + 1, BAR):
        board[point] = position.mine[point] - position.theirs[facing(point)]
    board[BAR] = position.mine[BAR]
    board[0] = position.theirs[BAR]
    return board


def chances(position: Position) -> Chances:
    """Cubeless chances before the roll of the player on roll, at one ply."""
    found = _analyzer().cube_action(to_bgsage(position), cube_value=1).probs
    return Chances(
        win=found.win,
        gammon_win=found.gammon_win,
        backgammon_win=found.backgammon_win,
        gammon_loss=found.gammon_loss,
        backgammon_loss=found.backgammon_loss,
    )


def likeliest_loss(position: Position, *, loser_on_roll: bool) -> Win:
    """The kind of loss that the engine finds likeliest, for a forfeit on time (live-table 4).

    `position` is seen by the player on roll. Single for certain once the loser has a checker off.
    """
    losers_view = position if loser_on_roll else position.flipped()
    worst = worst_loss(losers_view)
    if worst is Win.SINGLE:
        return Win.SINGLE
    found = chances(position)
    lose = 1 - found.win if loser_on_roll else found.win
    gammon = found.gammon_loss if loser_on_roll else found.gammon_win
    backgammon = found.backgammon_loss if loser_on_roll else found.backgammon_win
    kinds = {
        Win.SINGLE: lose - gammon,
        Win.GAMMON: gammon - backgammon,
        Win.BACKGAMMON: backgammon,
    }
    return max((kind for kind in kinds if kind <= worst), key=lambda kind: kinds[kind])
