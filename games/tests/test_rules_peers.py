"""Our legal turns are those of two other programs, on 20,000 positions of every phase."""

from collections.abc import Callable
from random import Random

import bgsage
import gnubg_nn
import pytest

from games.rules.board import BAR, PLACES, Position, Side, facing
from games.rules.dice import Roll
from games.rules.turns import legal_turns
from games.tests import rules_cases

POSITIONS_OF_A_PHASE = 5_000

PHASES: list[Callable[[Random], Position]] = [
    rules_cases.played,
    rules_cases.scattered,
    rules_cases.shut_out,
    rules_cases.bearing_off,
]


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.__name__)
def test_legal_turns_are_those_of_gnubg_and_bgsage(phase: Callable[[Random], Position]) -> None:
    """Backgammon 3 and 4."""
    chance = Random(phase.__name__)
    for _ in range(POSITIONS_OF_A_PHASE):
        position, roll = phase(chance), rules_cases.roll(chance)
        ours = {(final.mine[1:], final.theirs[1:]) for final in legal_turns(position, roll).finals}
        assert ours == _by_gnubg(position, roll), (position, roll)
        assert (ours or {(position.mine[1:], position.theirs[1:])}) == _by_bgsage(position, roll), (
            position,
            roll,
        )


def _by_gnubg(position: Position, roll: Roll) -> set[tuple[Side, Side]]:
    board = [list(position.theirs[1:]), list(position.mine[1:])]
    boards = map(gnubg_nn.board_from_position_key, gnubg_nn.moves(board, *roll))
    return {(tuple(mine), tuple(theirs)) for theirs, mine in boards}


def _by_bgsage(position: Position, roll: Roll) -> set[tuple[Side, Side]]:
    """As bgsage answers: a roll that cannot be played leaves the board as it is."""
    board = [position.mine[point] - position.theirs[facing(point)] for point in range(PLACES)]
    board[0], board[BAR] = position.theirs[BAR], position.mine[BAR]
    return {_sides(after) for after in bgsage.possible_moves(board, *roll)}


def _sides(board: list[int]) -> tuple[Side, Side]:
    mine = (*(max(board[point], 0) for point in range(1, BAR)), board[BAR])
    theirs = (*(max(-board[facing(point)], 0) for point in range(1, BAR)), abs(board[0]))
    return mine, theirs
