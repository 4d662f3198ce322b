"""Positions, dice and results as values."""

import doctest
from types import ModuleType

import pytest

from games.rules import board, dice, gnuid, notation, turns, xgid
from games.rules.board import (
    START,
    Position,
    Side,
    checked,
    has_contact,
    is_bearing_off,
    pips,
    side,
)
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.errors import (
    BadDice,
    BothFinished,
    IllegalPosition,
    SharedPoint,
    WrongCheckerCount,
)
from games.rules.outcome import Win, is_over, win_kind, worst_loss
from games.rules.variants import UnknownVariant, rules_of

OUT = side({})


@pytest.mark.parametrize("module", [board, dice, gnuid, notation, turns, xgid])
def test_the_examples_in_the_documentation_are_true(module: ModuleType) -> None:
    tried = doctest.testmod(module)
    assert tried.attempted > 0
    assert tried.failed == 0


def test_the_start() -> None:
    """Backgammon 1."""
    assert pips(START.mine) == pips(START.theirs) == 167
    assert checked(START).flipped() == START


@pytest.mark.parametrize(
    ("mine", "why"),
    [
        ((1, *START.mine[1:]), WrongCheckerCount),
        ((-1, *START.mine[1:24], 3, 0), WrongCheckerCount),
        (START.mine[:25], WrongCheckerCount),
        (side({24: 1, 1: 14}), SharedPoint),
        (side({12: 15}), SharedPoint),
    ],
)
def test_what_no_game_can_reach_is_refused(mine: Side, why: type[IllegalPosition]) -> None:
    """R03."""
    with pytest.raises(why) as refusal:
        checked(Position(mine, START.theirs))
    assert refusal.value.code == "illegal_position"
    assert refusal.value.text % refusal.value.params


def test_only_one_side_can_have_finished() -> None:
    with pytest.raises(BothFinished):
        checked(Position(OUT, OUT))
    assert is_over(checked(Position(OUT, START.theirs)))


def test_both_bars_may_be_occupied() -> None:
    """R03."""
    both = Position(side({25: 2, 6: 13}), side({25: 1, 6: 14}))
    assert checked(both) == both


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ({13: 15}, {13: 15}, True),
        ({12: 15}, {13: 15}, False),
        ({12: 14, 25: 1}, {13: 15}, True),
        ({6: 15}, {6: 14, 25: 1}, True),
        ({6: 15}, {6: 15}, False),
        ({}, {25: 1, 6: 14}, False),
    ],
)
def test_contact_is_a_checker_with_an_enemy_before_it(
    mine: dict[int, int],
    theirs: dict[int, int],
    expected: bool,  # noqa: FBT001
) -> None:
    position = Position(side(mine), side(theirs))
    assert has_contact(position) is has_contact(position.flipped()) is expected


def test_bearing_off_needs_everybody_home() -> None:
    """Backgammon 4."""
    assert is_bearing_off(side({6: 3, 1: 2}))
    assert not is_bearing_off(side({7: 1, 1: 14}))
    assert not is_bearing_off(side({25: 1, 1: 14}))


@pytest.mark.parametrize("shown", [(0, 1), (1, 7), (True, 2), (2.0, 1), ("1", 2), (None, 1)])
def test_dice_show_whole_numbers_from_one_to_six(shown: tuple[int, int]) -> None:
    with pytest.raises(BadDice):
        Roll.of(*shown)


def test_there_are_21_rolls() -> None:
    """Backgammon 3.3."""
    assert len(set(ALL_ROLLS)) == 21
    assert {Roll.of(a, b) for a in range(1, 7) for b in range(1, 7)} == set(ALL_ROLLS)
    assert (Roll.of(2, 5).dice, Roll.of(3, 3).dice) == ((5, 2), (3, 3, 3, 3))


@pytest.mark.parametrize(
    ("loser", "expected"),
    [
        ({6: 14}, Win.SINGLE),
        ({25: 1, 6: 13}, Win.SINGLE),
        ({18: 1, 6: 14}, Win.GAMMON),
        ({19: 1, 6: 14}, Win.BACKGAMMON),
        ({24: 1, 6: 14}, Win.BACKGAMMON),
        ({25: 1, 6: 14}, Win.BACKGAMMON),
    ],
)
def test_how_much_a_win_counts(loser: dict[int, int], expected: Win) -> None:
    """Backgammon 5."""
    assert win_kind(Position(OUT, side(loser))) is expected


@pytest.mark.parametrize(
    ("loser", "winner", "expected"),
    [
        ({25: 1, 6: 13}, {6: 15}, Win.SINGLE),
        ({13: 15}, {13: 15}, Win.BACKGAMMON),
        ({19: 1, 6: 14}, {5: 2}, Win.BACKGAMMON),
        ({18: 1, 6: 14}, {5: 2}, Win.GAMMON),
    ],
)
def test_what_can_still_be_lost(
    loser: dict[int, int], winner: dict[int, int], expected: Win
) -> None:
    """Backgammon 7."""
    assert worst_loss(Position(side(loser), side(winner))) is expected


def test_variants_are_found_by_name() -> None:
    assert rules_of("backgammon").start == START
    with pytest.raises(UnknownVariant):
        rules_of("chess")
