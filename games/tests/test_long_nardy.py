"""Long nardy by hand, clause by clause; sides are written by own progress, off is 24."""

from collections.abc import Mapping

import pytest

from games.rules.board import CHECKERS, OFF, Position
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.errors import BothFinished, IllegalPosition, SharedPoint, WrongCheckerCount
from games.rules.long_nardy import (
    HEAD,
    LONG_NARDY,
    LONG_NARDY_FNR,
    START,
    LongNardy,
    by_progress,
    checked,
    facing,
    from_progress,
)
from games.rules.nardy_notation import format_nardy_turn, parse_nardy_moves, read_nardy_turn
from games.rules.notation import BadNotation
from games.rules.outcome import Win
from games.rules.turns import IllegalTurn, TurnGraph, legal_turns
from games.rules.variants import rules_of

AWAY = {15: 1, 0: 14}
"""A side that is in nobody's way in these tests, unless said."""


def position(mine: Mapping[int, int], theirs: Mapping[int, int]) -> Position:
    sides = [from_progress([side.get(p, 0) for p in range(25)]) for side in (mine, theirs)]
    return checked(Position(*sides))


def graph(
    mine: Mapping[int, int],
    theirs: Mapping[int, int],
    *dice: int,
    rules: LongNardy = LONG_NARDY,
) -> TurnGraph:
    return legal_turns(position(mine, theirs), Roll.of(*dice), rules)


def turns(*asked: Mapping[int, int] | int, rules: LongNardy = LONG_NARDY) -> set[str]:
    found = graph(*asked, rules=rules).finals
    return {format_nardy_turn(turn) for turn in found.values()}


# Nardy 1: the board


def test_both_sides_start_with_all_on_the_head_in_opposite_corners() -> None:
    assert by_progress(START.mine) == by_progress(START.theirs) == (15,) + (0,) * 24
    assert facing(HEAD) == HEAD - 12


def test_both_go_the_same_way_round() -> None:
    """A side's progress p is the other's p + 12, past the end at the beginning."""
    for progress in range(24):
        assert HEAD - facing(HEAD - progress) == (progress + 12) % 24
        assert facing(facing(HEAD - progress)) == HEAD - progress


@pytest.mark.parametrize(
    ("mine", "theirs", "refusal"),
    [
        ((15, *[0] * 24), (14, *[0] * 24), WrongCheckerCount),
        ((15, *[0] * 24), (16, *[0] * 24), WrongCheckerCount),
        ((16, -1, *[0] * 23), (15, *[0] * 24), WrongCheckerCount),
        ((14, 1, *[0] * 23), (14, *[0] * 12, 1, *[0] * 11), SharedPoint),
        ((14, *[0] * 11, 1, *[0] * 12), (15, *[0] * 24), SharedPoint),
        ((*[0] * 24, 15), (*[0] * 24, 15), BothFinished),
    ],
)
def test_an_impossible_board_is_refused(
    mine: tuple[int, ...], theirs: tuple[int, ...], refusal: type[IllegalPosition]
) -> None:
    with pytest.raises(refusal):
        checked(Position(from_progress(mine), from_progress(theirs)))


def test_a_checker_on_the_bar_or_a_short_side_is_refused() -> None:
    with pytest.raises(WrongCheckerCount):
        checked(Position((0,) * 24 + (14, 1), START.theirs))
    with pytest.raises(WrongCheckerCount):
        checked(Position((15,), START.theirs))
    with pytest.raises(WrongCheckerCount):
        from_progress([15])


# Nardy 3: moving


def test_no_checker_lands_on_an_enemy_not_even_on_a_single_one() -> None:
    """Nardy 3.1. Progress 5 is their 17, 8 their 20: the 5-3 is blocked both ways from 0."""
    assert turns({0: 14, 10: 1}, {0: 13, 17: 1, 3: 1}, 5, 5) == set()
    assert turns({0: 14, 10: 1}, {0: 14, 17: 1}, 5, 4) == {"1-5 11-16", "11-20", "1-10"}


def test_every_step_of_a_longer_move_lands_legally() -> None:
    """Nardy 3.3. 0 to 9 is free, but neither 4 nor 5 is."""
    assert turns({0: 14, 23: 1}, {16: 1, 17: 1, 0: 13}, 5, 4) == set()


def test_a_double_is_four_steps_that_may_be_of_one_checker() -> None:
    """Nardy 3.2."""
    assert turns({3: 1, 23: 14}, {0: 15}, 2, 2) == {"4-12"}
    assert turns({2: 1, 23: 14}, {0: 15}, 5, 5) == {"3-8"}  # 12 is their head


def test_of_one_die_that_either_can_be_it_is_the_larger() -> None:
    """Nardy 3.4. From 3 to 9 or to 5; 11 is theirs."""
    found = graph({3: 1, 23: 14}, {23: 1, 0: 14}, 6, 2)
    assert (found.dice_used, turns({3: 1, 23: 14}, {23: 1, 0: 14}, 6, 2)) == (1, {"4-10"})


def test_the_smaller_die_is_played_where_the_larger_cannot_be() -> None:
    """Nardy 3.4."""
    assert turns({3: 1, 23: 14}, {21: 1, 23: 1, 0: 13}, 6, 2) == {"4-6"}


def test_a_die_may_not_be_wasted() -> None:
    """Nardy 3.4. 4 to 10 would leave no 2: only 9 to 15 to 17 plays both."""
    theirs = {18: 1, 23: 1, 0: 13}
    assert turns({4: 1, 9: 1, 23: 13}, theirs, 6, 2) == {"10-18"}


# Nardy 4: the head


@pytest.mark.parametrize("roll", ALL_ROLLS)
def test_the_first_player_takes_two_from_the_head_with_66_44_33_only(roll: Roll) -> None:
    """Nardy 4."""
    found = legal_turns(START, roll, LONG_NARDY)
    heads = {CHECKERS - final.mine[HEAD] for final in found.finals}
    assert heads == ({2} if roll in {(6, 6), (4, 4), (3, 3)} else {1})


@pytest.mark.parametrize(
    ("roll", "turn", "used"),
    [((6, 6), "1-7(2)", 2), ((4, 4), "1-9(2)", 4), ((3, 3), "1-7(2)", 4)],
)
def test_what_the_second_checker_brings_the_first_player(
    roll: tuple[int, int], turn: str, used: int
) -> None:
    """Nardy 4. Their head is in the way on 12."""
    found = legal_turns(START, Roll.of(*roll), LONG_NARDY)
    assert found.dice_used == used
    assert turn in {format_nardy_turn(turn) for turn in found.finals.values()}


def test_one_checker_leaves_the_head_on_every_later_turn() -> None:
    """Nardy 4. With 6-6 as on the first turn, but not the first."""
    assert turns({0: 14, 23: 1}, {0: 15}, 6, 6) == {"1-7"}
    later = graph({0: 13, 6: 2}, {0: 15}, 4, 4)
    assert {final.mine[HEAD] for final in later.finals} == {12, 13}


@pytest.mark.parametrize(
    ("first", "roll", "heads"),
    [
        ({0: 14, 5: 1}, (6, 6), {2}),
        ({0: 14, 5: 1}, (4, 4), {2}),
        ({0: 14, 5: 1}, (3, 3), {2}),
        ({0: 14, 5: 1}, (5, 5), {1}),
        ({0: 14, 10: 1}, (5, 5), {1}),
        ({0: 14, 20: 1}, (2, 2), {2}),
        ({0: 14, 20: 1}, (6, 2), {2}),
        ({0: 14, 20: 1}, (5, 3), {2}),
        ({0: 14, 20: 1}, (6, 1), {1}),
    ],
)
def test_the_second_player_takes_two_where_that_plays_more_dice(
    first: dict[int, int], roll: tuple[int, int], heads: set[int]
) -> None:
    """Nardy 4: also where the first player's checker is in the way, as after 5-5."""
    found = graph({0: 15}, first, *roll)
    assert {CHECKERS - final.mine[HEAD] for final in found.finals} == heads


def test_the_second_player_takes_one_where_two_play_no_more() -> None:
    """Nardy 4. 5-5 with a checker of theirs on its 5: nothing at all."""
    assert graph({0: 15}, {0: 14, 17: 1}, 5, 5).dice_used == 0


# Nardy 5: the block


FIVE = {13: 1, 14: 1, 15: 1, 16: 1, 17: 2, 22: 9}
"""Their 1 to 5 are held, with a checker to spare on the last: 17 to 18 makes it six."""


def steps(
    mine: Mapping[int, int],
    theirs: Mapping[int, int],
    *dice: int,
    rules: LongNardy = LONG_NARDY,
) -> set[tuple[int, int]]:
    """The steps with which a legal turn may begin."""
    return {
        (HEAD - edge[0], HEAD - edge[1])
        for edge in graph(mine, theirs, *dice, rules=rules).nodes[0]
    }


def test_a_block_of_six_with_an_enemy_behind_is_forbidden() -> None:
    """Nardy 5."""
    assert (17, 18) not in steps(FIVE, {0: 15}, 2, 1)
    assert (17, 18) not in steps(FIVE, {0: 1, 7: 14}, 2, 1)


def test_a_row_in_front_of_nobody_is_allowed() -> None:
    """Nardy 5: all enemies have passed it."""
    assert (17, 18) in steps(FIVE, {7: 15}, 2, 1)


@pytest.mark.parametrize("safe", [18, 23, 24])
def test_a_block_is_allowed_once_an_enemy_is_home_or_off(safe: int) -> None:
    """Nardy 5."""
    assert (17, 18) in steps(FIVE, {0: 14, safe: 1}, 2, 1)


def test_an_enemy_who_is_nearly_home_does_not_allow_a_block() -> None:
    """Nardy 5."""
    assert (17, 18) not in steps(FIVE, {0: 14, 17: 1}, 2, 1)


def test_the_block_is_looked_at_after_every_step_though_a_later_die_undoes_it() -> None:
    """Nardy 5: 17 to 18 stands for one step; 13 to 15 opens it again."""
    undone = by_progress(position({14: 1, 15: 2, 16: 1, 17: 1, 18: 1, 22: 9}, {0: 15}).mine)
    found = graph(FIVE, {0: 15}, 2, 1)
    # The other way round it never stands, so the same end is legal.
    assert undone in {by_progress(final.mine) for final in found.finals}
    assert (17, 18) not in steps(FIVE, {0: 15}, 2, 1)


def test_a_checker_may_not_pass_through_the_sixth_point_either() -> None:
    """Nardy 5: 17 to 20 by way of 18, as 19 is theirs."""
    passed = by_progress(position({13: 1, 14: 1, 15: 1, 16: 1, 17: 1, 20: 1, 22: 9}, {0: 15}).mine)

    def ends(theirs: dict[int, int]) -> set[tuple[int, ...]]:
        return {by_progress(final.mine) for final in graph(FIVE, theirs, 2, 1).finals}

    assert passed not in ends({0: 14, 7: 1})
    assert passed in ends({7: 15})
    assert passed in ends({0: 15})  # by way of 19


def test_a_step_from_one_end_of_the_row_to_the_other_is_allowed() -> None:
    """Nardy 5: it is five again."""
    five = {13: 1, 14: 1, 15: 1, 16: 1, 17: 1, 22: 10}
    assert (13, 18) in steps(five, {0: 15}, 5, 4)


def test_a_row_is_not_joined_over_the_end_of_the_enemys_route() -> None:
    """Nardy 5: own 9 to 14 are their 21, 22, 23 and 0, 1, 2."""
    mine = {8: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 20: 9}
    theirs = {3: 15}
    assert (8, 14) in steps(mine, theirs, 6, 5)


def test_a_row_of_six_up_to_the_end_of_the_route_is_a_block() -> None:
    """Nardy 5: own 6 to 11 are their 18 to 23."""
    mine = {5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 22: 9}
    assert (5, 11) not in steps(mine, {3: 15}, 6, 5)


def test_a_gap_filled_in_a_longer_row_makes_a_block() -> None:
    """Nardy 5: seven in a row, their 1 to 7."""
    mine = {10: 1, 13: 1, 14: 1, 15: 1, 17: 1, 18: 1, 19: 1, 22: 8}
    assert (10, 16) not in steps(mine, {0: 1, 15: 14}, 6, 5)
    assert (10, 16) in steps(mine, {8: 1, 15: 14}, 6, 5)


# Nardy 6: bearing off


def test_an_exact_die_bears_off_and_a_step_inside_is_an_alternative() -> None:
    """Nardy 6."""
    assert turns({20: 1, 18: 1, 24: 13}, AWAY, 4, 1) == {"19-20 21-off", "19-24", "19-23 21-22"}


def test_a_larger_die_bears_off_the_farthest_only() -> None:
    """Nardy 6."""
    assert turns({20: 2, 22: 1, 24: 12}, AWAY, 6, 5) == {"21-off(2)"}
    assert turns({18: 1, 22: 1, 24: 13}, AWAY, 5, 4) == {"19-24 23-off", "19-off"}


def test_nothing_is_borne_off_while_a_checker_is_outside() -> None:
    """Nardy 6."""
    assert turns({17: 1, 23: 14}, AWAY, 1, 1) == {
        "18-19 24-off(3)",
        "18-20 24-off(2)",
        "18-21 24-off",
        "18-22",
    }


def test_the_last_checker_comes_home_and_leaves_in_one_turn() -> None:
    """Nardy 6."""
    assert turns({17: 1, 24: 14}, AWAY, 6, 1) == {"18-off"}
    assert turns({12: 1, 24: 14}, {1: 15}, 6, 6) == {"13-off"}


def test_the_game_ends_at_once_with_the_fifteenth_checker() -> None:
    """Nardy 7."""
    found = graph({23: 2, 24: 13}, AWAY, 6, 6)
    assert found.dice_used == 2
    assert [final.mine[OFF] for final in found.finals] == [15]
    over = legal_turns(next(iter(found.finals)), Roll.of(6, 6), LONG_NARDY)
    assert (over.dice_used, over.finals) == (0, {})


# Nardy 7 and 8: results


@pytest.mark.parametrize(
    ("loser", "kind", "fnr_kind"),
    [
        ({23: 14, 24: 1}, Win.SINGLE, Win.SINGLE),
        ({0: 14, 24: 1}, Win.SINGLE, Win.SINGLE),
        ({18: 15}, Win.SINGLE, Win.GAMMON),
        ({17: 1, 18: 14}, Win.GAMMON, Win.GAMMON),
        ({0: 15}, Win.GAMMON, Win.GAMMON),
    ],
)
def test_mars_is_none_off_and_by_the_first_ruleset_not_all_home(
    loser: dict[int, int], kind: Win, fnr_kind: Win
) -> None:
    end = position({24: 15}, loser)
    assert (LONG_NARDY.win_kind(end), LONG_NARDY_FNR.win_kind(end)) == (kind, fnr_kind)
    view = end.flipped()
    assert (LONG_NARDY.worst_loss(view), LONG_NARDY_FNR.worst_loss(view)) == (kind, fnr_kind)


# Nardy 8: the second ruleset


@pytest.mark.parametrize("roll", ALL_ROLLS)
def test_by_fnr_the_first_player_takes_one_from_the_head(roll: Roll) -> None:
    found = legal_turns(START, roll, LONG_NARDY_FNR)
    assert {CHECKERS - final.mine[HEAD] for final in found.finals} == {1}


@pytest.mark.parametrize("roll", ALL_ROLLS)
def test_by_fnr_the_second_player_takes_two_with_33_44_66_only(roll: Roll) -> None:
    """Also not where the first player's checker is in the way."""
    for first in ({0: 14, 11: 1}, {0: 14, 20: 1}):
        found = graph({0: 15}, first, *roll, rules=LONG_NARDY_FNR)
        heads = {CHECKERS - final.mine[HEAD] for final in found.finals}
        assert heads == ({2} if roll in {(6, 6), (4, 4), (3, 3)} else {1})


def test_by_fnr_a_block_is_forbidden_only_while_all_fifteen_are_behind() -> None:
    assert (17, 18) not in steps(FIVE, {0: 15}, 2, 1, rules=LONG_NARDY_FNR)
    assert (17, 18) in steps(FIVE, {0: 14, 7: 1}, 2, 1, rules=LONG_NARDY_FNR)
    assert (17, 18) not in steps(FIVE, {0: 14, 7: 1}, 2, 1)


# names and notation


def test_both_rulesets_are_found_by_name() -> None:
    assert rules_of("long-nardy") is LONG_NARDY
    assert rules_of("long-nardy-fnr") is LONG_NARDY_FNR


def test_the_spec_has_an_example_of_the_notation() -> None:
    """Notation: 0/5 0/3 is written 1-6 1-4."""
    moves = parse_nardy_moves("1-6 1-4")
    assert [(24 - move.src, 24 - move.dst) for move in moves] == [(0, 5), (0, 3)]


def test_what_is_written_for_a_turn_is_read_back() -> None:
    for mine, theirs in (({0: 15}, {0: 15}), ({18: 3, 20: 4, 22: 5}, {1: 15})):
        mine = {**mine, 24: 15 - sum(mine.values())}
        for roll in ALL_ROLLS:
            found = graph(mine, theirs, *roll)
            for final, turn in found.finals.items():
                assert read_nardy_turn(found, format_nardy_turn(turn))[1] == final


@pytest.mark.parametrize("text", ["0-5", "25-off", "1/6", "bar-3", "1-6*", "1-", "x"])
def test_what_is_no_turn_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        parse_nardy_moves(text)


def test_a_turn_against_the_rules_is_refused() -> None:
    found = legal_turns(START, Roll.of(5, 3), LONG_NARDY)
    assert read_nardy_turn(found, "1-9")[1].mine[HEAD] == 14
    with pytest.raises(IllegalTurn):
        read_nardy_turn(found, "1-6 1-4")
