"""Our legal turns are those of two other programs, on 20,000 positions of every phase."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import bgsage
import gnubg_nn  # type: ignore[import-untyped]
import pytest

from games.rules.board import BAR, PLACES, Position, Side, checked, facing
from games.rules.dice import Roll
from games.rules.turns import legal_turns
from games.tests import rules_cases

POSITIONS_OF_A_PHASE = 5_000

Phase = Callable[[Random], Iterator[Position]]
Board = tuple[Side, Side]
"""Mine and theirs, each from the 1 point to the bar: the other programs do not keep what is off."""

PHASES: list[Phase] = [
    rules_cases.played,
    rules_cases.scattered,
    rules_cases.shut_out,
    rules_cases.bearing_off,
]


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.__name__)
def test_legal_turns_are_those_of_gnubg_and_bgsage(phase: Phase) -> None:
    """Backgammon 3 and 4."""
    chance = Random(phase.__name__)
    for position in islice(phase(chance), POSITIONS_OF_A_PHASE):
        checked(position)
        roll = rules_cases.roll(chance)
        ours = {(final.mine[1:], final.theirs[1:]) for final in legal_turns(position, roll).finals}
        assert ours == _by_gnubg(position, roll), (position, roll)
        assert ours == _by_bgsage(position, roll), (position, roll)


def _by_gnubg(position: Position, roll: Roll) -> set[Board]:
    board = [list(position.theirs[1:]), list(position.mine[1:])]
    boards = map(gnubg_nn.board_from_position_key, gnubg_nn.moves(board, *roll))
    return {(tuple(mine), tuple(theirs)) for theirs, mine in boards}


def _by_bgsage(position: Position, roll: Roll) -> set[Board]:
    board = [position.mine[point] - position.theirs[facing(point)] for point in range(PLACES)]
    board[0], board[BAR] = position.theirs[BAR], position.mine[BAR]
    after = [_board(found) for found in bgsage.possible_moves(board, *roll)]
    if after == [(position.mine[1:], position.theirs[1:])]:
        return set()  # so it answers a roll that cannot be played
    won = [board for board in after if not any(board[0])]
    if len(won) > 1:  # it also lists to win with one die where both can be played
        after = [board for board in after if board not in won or board == max(won, key=_hit)]
    return set(after)


def _board(found: list[int]) -> Board:
    mine = tuple([count if count > 0 else 0 for count in found[1:]])
    theirs = tuple([-count if count < 0 else 0 for count in found[24:0:-1]])
    return mine, (*theirs, found[0])


def _hit(board: Board) -> int:
    return board[1][-1]
