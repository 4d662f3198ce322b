"""What a person writes for a turn: any order, any notation, and still only legal steps."""

from collections.abc import Sequence

import pytest

from games.rules.board import START, Position, checked, side
from games.rules.dice import Roll
from games.rules.errors import IllegalTurn
from games.rules.gnuid import parse_position_id
from games.rules.notation import parse_moves, read_turn
from games.rules.turns import AmbiguousTurn, Move, TurnGraph, legal_turns


def graph_of(mine: dict[int, int], theirs: dict[int, int], *dice: int) -> TurnGraph:
    return legal_turns(checked(Position(side(mine), side(theirs))), Roll.of(*dice))


def test_the_order_of_the_moves_does_not_matter() -> None:
    graph = legal_turns(START, Roll.of(3, 1))
    assert graph.resolve([Move(8, 5), Move(6, 5)])[1] == graph.resolve([Move(6, 5), Move(8, 5)])[1]


def test_the_turn_that_is_found_keeps_the_written_order_where_it_is_legal() -> None:
    turn, _ = legal_turns(START, Roll.of(3, 1)).resolve([Move(6, 5), Move(8, 5)])
    assert [(step.src, step.die) for step in turn] == [(6, 1), (8, 3)]


def test_one_checker_may_be_written_with_joined_moves() -> None:
    graph = legal_turns(START, Roll.of(6, 5))
    ends = {
        read_turn(graph, text)[1] for text in ("24/13", "24/18 18/13", "24/18/13", "18/13 24/18")
    }
    assert len(ends) == 1


def test_moves_of_a_double_may_be_joined_and_counted() -> None:
    graph = legal_turns(START, Roll.of(2, 2))
    texts = ("13/9(2)", "13/9 13/9", "13/11(2) 11/9(2)", "13/11/9 13/9", "11/9 13/11 11/9 13/11")
    assert len({read_turn(graph, text)[1] for text in texts}) == 1


@pytest.mark.parametrize(
    "text",
    [
        "8/5",
        "8/5 6/5 6/5",
        "8/5 8/5",
        "8/4 6/6",
        "13/10 10/6",
        "",
        "24/20 6/5",
        "25/22 6/5",
        "5/8 6/5",
    ],
)
def test_what_does_not_use_the_dice_is_refused(text: str) -> None:
    """Backgammon 3.4."""
    with pytest.raises(IllegalTurn):
        read_turn(legal_turns(START, Roll.of(3, 1)), text)


def test_every_step_of_a_joined_move_must_land_legally() -> None:
    """Backgammon 3.5, R29: the sum of the dice is not enough."""
    one_way = graph_of({13: 1, 1: 14}, {14: 2, 10: 13}, 4, 2)
    assert [step.dst for step in read_turn(one_way, "13/7")[0]] == [9, 7]
    with pytest.raises(IllegalTurn):
        read_turn(one_way, "13/11/7")
    no_way = graph_of({13: 1, 20: 1, 1: 13}, {14: 2, 16: 2, 10: 11}, 4, 2)
    with pytest.raises(IllegalTurn):
        read_turn(no_way, "13/7")


def test_a_published_illegal_play_is_refused() -> None:
    """R29."""
    graph = legal_turns(parse_position_id("HC/wATDg8+AxAA"), Roll.of(1, 5))
    with pytest.raises(IllegalTurn):
        read_turn(graph, "13/12 13/8")


def test_three_hops_are_not_two_dice() -> None:
    """R29."""
    with pytest.raises(IllegalTurn):
        read_turn(legal_turns(START, Roll.of(3, 1)), "8/7 7/6 6/4")


def test_a_shut_origin_does_not_make_a_move_ambiguous() -> None:
    """R07. The 12 point is shut: nothing but the 11s can come to 10."""
    graph = graph_of({13: 2, 11: 2, 1: 11}, {13: 2, 23: 13}, 1, 1)
    with pytest.raises(IllegalTurn):
        read_turn(graph, "13/10 11/10")
    assert read_turn(graph, "11/10(2) 10/9(2)")[1] == read_turn(graph, "11/9(2)")[1]


def test_every_checker_on_the_bar_may_be_named() -> None:
    """R15."""
    graph = graph_of({25: 2, 6: 13}, {6: 2, 13: 13}, 3, 1)
    assert read_turn(graph, "bar/22 bar/24")[1] == read_turn(graph, "25/24 25/22")[1]


def test_a_larger_die_bears_off_the_highest_checker() -> None:
    """R17."""
    graph = graph_of({3: 1}, {13: 15}, 5, 4)
    assert read_turn(graph, "3/off")[1].mine == side({})


def test_no_moves_are_right_only_when_nothing_can_be_played() -> None:
    """R05, C20."""
    shut = graph_of({25: 1, 6: 14}, {6: 2, 3: 2, 13: 11}, 6, 3)
    assert shut.resolve([]) == ((), shut.position)
    with pytest.raises(IllegalTurn):
        shut.resolve([Move(6, 3)])
    with pytest.raises(IllegalTurn):
        legal_turns(START, Roll.of(2, 1)).resolve([])


AMBIGUOUS = ({13: 1, 1: 14}, {14: 1, 10: 14}, 4, 2)
"""13/7 by way of the blot on 11, or past it by way of 9."""


def test_two_ways_that_hit_differently_must_be_told_apart() -> None:
    graph = graph_of(*AMBIGUOUS)
    with pytest.raises(AmbiguousTurn) as refusal:
        graph.resolve([Move(13, 7)])
    assert refusal.value.code == "ambiguous_turn"
    assert len(refusal.value.readings) == 2


@pytest.mark.parametrize(
    ("moves", "is_hit"),
    [
        ([Move(13, 7, hit=False)], False),
        ([Move(13, 11), Move(11, 7)], True),
        ([Move(13, 11, hit=True), Move(11, 7)], True),
        ([Move(13, 9), Move(9, 7)], False),
    ],
)
def test_naming_the_way_settles_it(moves: Sequence[Move], is_hit: bool) -> None:  # noqa: FBT001
    turn, end = graph_of(*AMBIGUOUS).resolve(moves)
    assert any(step.hit for step in turn) is is_hit
    assert bool(end.theirs[25]) is is_hit


def test_a_written_turn_without_a_star_does_not_hit() -> None:
    """The custom of score sheets, where the moves alone leave it open."""
    graph = graph_of(*AMBIGUOUS)
    assert read_turn(graph, "13/7")[1].theirs[25] == 0
    assert read_turn(graph, "13/11*/7")[1].theirs[25] == 1


def test_a_hit_that_does_not_happen_is_refused() -> None:
    with pytest.raises(IllegalTurn):
        read_turn(legal_turns(START, Roll.of(3, 1)), "8/5* 6/5")
    with pytest.raises(IllegalTurn):
        graph_of(*AMBIGUOUS).resolve([Move(13, 11, hit=False), Move(11, 7)])


def test_a_long_list_of_moves_is_refused_at_once() -> None:
    with pytest.raises(IllegalTurn):
        legal_turns(START, Roll.of(1, 1)).resolve(parse_moves(" ".join(["8/7"] * 45)))
