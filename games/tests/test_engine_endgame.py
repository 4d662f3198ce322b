"""Short bear-offs are solved exactly, whatever the stakes: by hand, and against a plain recursion."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from games.engine import endgame
from games.engine.endgame import Endgame, is_solvable
from games.engine.questions import Question, Series, Whose
from games.engine.worth import Cube, Cubes, Worth, worth_of
from games.rules.board import START, Position, side
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.outcome import Win, is_won, win_kind
from games.rules.turns import legal_turns

NOBODYS = Cube(1, None)


def rolled(question: Question) -> dict[Cube, float]:
    cubes = Cubes(worth_of(question), Cube(question.cube_value, question.cube_owner))
    values = Endgame(question.position, cubes).rolled()
    return dict(zip(cubes.states, map(float, values), strict=True))


def test_one_roll_decides() -> None:
    """15 of 36 rolls bear off from 6 and 1; the other side then bears off its last checker."""
    found = rolled(Question(Position(side({6: 1, 1: 1}), side({1: 1}))))
    assert found[NOBODYS] == pytest.approx(2 * 15 / 36 - 1)
    assert found[Cube(2, Whose.THEIRS)] == pytest.approx(2 * (2 * 15 / 36 - 1))


def test_a_limit_holds_what_a_turned_cube_adds() -> None:
    """Money 3: at twice the cube only the limit of 3 is at stake, not 4."""
    position = Position(side({6: 1, 1: 1}), side({1: 1}))
    found = rolled(Question(position, cube_value=2, cube_owner=Whose.MINE, cap=3))
    assert found[Cube(2, Whose.MINE)] == pytest.approx(2 * 15 / 36 - 1)
    assert found[Cube(4, Whose.THEIRS)] == pytest.approx(1.5 * (2 * 15 / 36 - 1))


def test_the_dice_on_the_board_are_played_as_well_as_can_be() -> None:
    """6-5 bears both checkers off; 2-1 leaves one, and the other side needs one roll."""
    question = Question(Position(side({4: 1, 1: 1}), side({1: 1})))
    cubes = Cubes(worth_of(question), NOBODYS)
    played = Endgame(question.position, cubes).played(Roll.of(6, 5))
    assert played[cubes.at(NOBODYS)] == pytest.approx(1)
    played = Endgame(question.position, cubes).played(Roll.of(2, 1))
    assert played[cubes.at(NOBODYS)] == pytest.approx(-1)


def test_a_gammon_can_be_lost_to_the_last_roll() -> None:
    """Backgammon 5: none of the 15 on the ace point is off yet."""
    found = rolled(Question(Position(side({1: 2}), side({1: 15}))))
    assert found[NOBODYS] == pytest.approx(2)
    found = rolled(Question(Position(side({1: 2}), side({1: 15})), jacoby=True))
    assert found[NOBODYS] == pytest.approx(1)


def test_what_is_not_a_short_bear_off_is_left_to_others() -> None:
    assert not is_solvable(START)
    assert not is_solvable(Position(side({6: 8, 5: 7}), side({6: 8, 5: 7})))
    assert not is_solvable(Position(side({1: 1}), side({24: 1})))
    assert not is_solvable(Position(side({}), side({1: 1})))
    assert not is_solvable(Position(side({7: 1}), side({1: 1})))


SMALL = [
    Question(Position(side({6: 1, 3: 1}), side({5: 1, 2: 1}))),
    Question(Position(side({5: 1, 4: 1}), side({6: 1})), cube_value=2, cube_owner=Whose.MINE),
    Question(Position(side({6: 1, 2: 1}), side({4: 1, 3: 1})), cap=3),
    Question(Position(side({3: 1, 2: 1}), side({2: 2, 1: 1})), beavers=True),
    Question(Position(side({5: 1, 2: 1}), side({4: 1, 2: 1})), series=Series(5, 1, 3)),
    Question(Position(side({4: 1}), side({3: 1})), series=Series(7, 6, 4, crawford=True)),
]


@pytest.mark.parametrize("question", SMALL)
def test_the_tables_hold_what_a_plain_recursion_finds(question: Question) -> None:
    plain = _Plain(worth_of(question))
    for cube, value in rolled(question).items():
        if cube.value <= 2 * question.cube_value:
            assert value == pytest.approx(plain.rolled(question.position, cube, mine=True))


@cache
def _finals(position: Position, roll: Roll) -> tuple[Position, ...]:
    return tuple(legal_turns(position, roll).finals)


class _Plain:
    """The rules and nothing else: legal turns, one decision after the other, no tables of positions."""

    def __init__(self, worth: Worth) -> None:
        self._worths = {True: worth, False: worth.flipped()}
        self.rolled = cache(self._rolled)

    def to_roll(self, position: Position, cube: Cube, *, mine: bool) -> float:
        worth = self._worths[mine]
        stays = self.rolled(position, cube, mine=mine)
        if not worth.may_double(cube):
            return stays
        answers = [worth.of_win(cube, Win.SINGLE)]
        taken = Cube(cube.value * 2, Whose.THEIRS)
        answers.append(self.rolled(position, taken, mine=mine))
        if worth.may_beaver(cube):
            beavered = self.rolled(position, Cube(cube.value * 4, Whose.THEIRS), mine=mine)
            answers.append(max(beavered, worth.of_loss(taken, Win.SINGLE)))
        return max(stays, min(answers))

    def _rolled(self, position: Position, cube: Cube, *, mine: bool) -> float:
        total = 0.0
        for roll in ALL_ROLLS:
            weight = 1 if roll.is_double else 2
            total += weight * max(self._after(position, roll, cube, mine=mine))
        return total / 36

    def _after(self, position: Position, roll: Roll, cube: Cube, *, mine: bool) -> Iterator[float]:
        for final in _finals(position, roll):
            if is_won(final):
                yield self._worths[mine].of_win(cube, win_kind(final))
            else:
                yield -self.to_roll(final.flipped(), cube.flipped(), mine=not mine)


def test_every_play_of_a_bear_off_is_a_legal_turn_and_the_other_way_round() -> None:
    """Backgammon 4."""
    chance = Random(4)
    for _ in range(200):
        home = tuple(chance.randint(0, 3) for _ in range(6))
        mine = side({point: count for point, count in enumerate(home, start=1) if count})
        if not any(home) or min(mine) < 0:
            continue
        roll = chance.choice(ALL_ROLLS)
        legal = {final.mine[:7] for final in legal_turns(Position(mine, side({1: 1})), roll).finals}
        assert endgame._plays(mine[:7], roll) == legal
