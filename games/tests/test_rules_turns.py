"""The law of the turn, clause by clause, on recorded counts and on reported mistakes of others."""

from typing import Any

import pytest

from games.management.commands.perft import count
from games.rules.backgammon import BACKGAMMON
from games.rules.board import START, Position, checked, pips, side
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.gnuid import parse_position_id, position_id
from games.rules.notation import format_turn
from games.rules.turns import Edge, Step, Turn, TurnGraph, legal_turns
from games.tests import rules_cases

COUNTED = rules_cases.counted_positions()
AWAY_POINTS = {24: 2, 13: 5, 8: 3, 6: 5}
AWAY = side(AWAY_POINTS)


def turns(mine: dict[int, int], theirs: dict[int, int], *dice: int) -> set[str]:
    graph = legal_turns(checked(Position(side(mine), side(theirs))), Roll.of(*dice))
    return {format_turn(turn) for turn in graph.finals.values()}


@pytest.mark.parametrize(("depth", "nodes"), [(1, 447), (2, 202_782)])
def test_the_start_has_the_published_number_of_final_positions(depth: int, nodes: int) -> None:
    assert count(START, depth, BACKGAMMON) == nodes


def test_there_are_800_counted_positions() -> None:
    assert len(COUNTED) == 800


@pytest.mark.parametrize("part", range(8))
def test_the_counted_positions_have_their_final_positions(part: int) -> None:
    for name, expected in COUNTED[part::8]:
        position = parse_position_id(name)
        found = sum(len(legal_turns(position, roll).finals) for roll in ALL_ROLLS)
        assert found == expected, name


@pytest.mark.parametrize("case", rules_cases.rule_cases(), ids=lambda case: case["id"])
def test_rule_cases(case: dict[str, Any]) -> None:
    graph = legal_turns(parse_position_id(case["gnu_position_id"]), Roll.of(*case["dice"]))
    finals = sorted(position_id(final.flipped()) for final in graph.finals)
    assert (graph.dice_used, finals) == (case["dice_used"], case["final_gnu_ids_opponent_on_roll"])


# Backgammon 3 and 4, by hand


def test_a_point_with_two_enemy_checkers_cannot_be_landed_on() -> None:
    """Backgammon 3.1, 3.5. The 7 point is shut, so the 6 has to be played last."""
    graph = legal_turns(checked(Position(side({13: 1, 1: 14}), side({18: 15}))), Roll.of(6, 5))
    assert [line for _, line in lines(graph)] == [[(13, 8, 5, False, 1), (8, 2, 6, False, 2)]]


def test_a_blot_is_hit_and_goes_to_the_bar() -> None:
    """Backgammon 3.1."""
    assert turns({13: 1, 1: 14}, {18: 1, 10: 14}, 6, 5) == {"13/7*/2", "13/2"}
    hit, passed = legal_turns(
        Position(side({13: 1, 1: 14}), side({18: 1, 10: 14})), Roll.of(6, 5)
    ).finals
    assert (hit.theirs, passed.theirs) == (side({25: 1, 10: 14}), side({18: 1, 10: 14}))


def test_nothing_else_moves_while_a_checker_is_on_the_bar() -> None:
    """Backgammon 3.2. What cannot enter is lost."""
    assert turns({25: 2, 13: 13}, {6: 5, 10: 10}, 6, 3) == {"bar/22"}
    assert turns({25: 1, 13: 14}, {6: 5, 3: 5, 10: 5}, 6, 3) == set()


def test_after_the_last_has_entered_the_other_dice_are_played() -> None:
    """Backgammon 3.2, 3.3."""
    assert turns({25: 1, 13: 14}, {8: 2, 24: 13}, 4, 4) == {"bar/21 13/9(3)", "bar/21 13/9 13/5"}


def test_of_one_die_that_either_can_be_it_is_the_larger() -> None:
    """Backgammon 3.4."""
    graph = legal_turns(Position(side({24: 1, 1: 14}), side({12: 2, 13: 13})), Roll.of(6, 5))
    assert graph.dice_used == 1
    assert [format_turn(turn) for turn in graph.finals.values()] == ["24/18"]
    assert turns({24: 1, 1: 14}, {8: 2, 13: 13}, 6, 1) == {"24/18"}


def test_the_smaller_die_is_played_when_the_larger_cannot_be() -> None:
    """Backgammon 3.4."""
    assert turns({24: 1, 1: 14}, {7: 2, 13: 11, 12: 2}, 6, 5) == {"24/19"}


def test_a_checker_behind_must_move_before_a_lower_one_is_borne_off() -> None:
    """Backgammon 4; reported as R13."""
    assert turns({6: 1, 3: 1}, {13: 15}, 5, 4) == {"6/1 3/off", "6/2 3/off"}


def test_the_highest_checker_is_borne_off_with_a_larger_die() -> None:
    """Backgammon 4."""
    assert turns({4: 2, 3: 1}, AWAY_POINTS, 6, 5) == {"4/off(2)"}


def test_another_step_may_be_preferred_to_bearing_off() -> None:
    """Backgammon 4."""
    assert turns({6: 1, 5: 1, 2: 1}, AWAY_POINTS, 2, 1) >= {"6/5 2/off", "6/3"}


def test_bearing_off_waits_for_a_checker_outside() -> None:
    """Backgammon 4."""
    found = turns({7: 1, 1: 14}, {13: 15}, 1, 1)
    assert found == {"7/6 1/off(3)", "7/5 1/off(2)", "7/4 1/off", "7/3"}


def test_a_finished_game_has_no_turns() -> None:
    """Reported as R05."""
    for over in (Position(side({}), AWAY), Position(AWAY, side({}))):
        graph = legal_turns(over, Roll.of(6, 5))
        assert (graph.dice_used, graph.finals, graph.nodes) == (0, {}, ((),))


# mistakes reported of other sites


def test_a_die_may_not_be_wasted_from_the_bar() -> None:
    """R01."""
    graph = legal_turns(parse_position_id("4OfgIDBudgCAXA"), Roll.of(5, 3))
    found = {format_turn(turn) for turn in graph.finals.values()}
    assert found == {"bar/20 24/21", "bar/20 6/3", "bar/20 5/2"}


def test_the_game_ends_with_the_last_checker_and_not_with_the_last_die() -> None:
    """R09."""
    graph = legal_turns(Position(side({1: 2}), AWAY), Roll.of(6, 6))
    assert list(graph.finals.values()) == [(Step(1, 0, 6, hit=False),) * 2]


def test_two_checkers_on_the_bar_are_the_same() -> None:
    """R15."""
    assert turns({25: 2, 6: 13}, AWAY_POINTS, 3, 1) == {"bar/24 bar/22"}


@pytest.mark.parametrize("dice", [(5, 4), (4, 5), (3, 5)])
def test_the_last_checker_leaves_with_any_die_that_is_large_enough(dice: tuple[int, int]) -> None:
    """R17."""
    graph = legal_turns(parse_position_id("4HPwATAEAAAAAA"), Roll.of(*dice))
    assert (graph.dice_used, graph.is_forced) == (1, True)


def test_both_sides_can_dance_again_and_again() -> None:
    """R19. Both are shut out: each roll is simply over."""
    locked = Position(*(side({25: 1, 6: 3, 5: 3, 4: 2, 3: 2, 2: 2, 1: 2}) for _ in range(2)))
    for roll in ALL_ROLLS:
        assert legal_turns(locked, roll).dice_used == 0
        assert legal_turns(locked.flipped(), roll).finals == {}


def test_the_two_sides_move_towards_each_other() -> None:
    """R11, R21. Each in its own numbering; for the other that is the opposite direction."""
    graph = legal_turns(START, Roll.of(3, 1))
    for final in graph.finals:
        assert pips(final.mine) == pips(START.mine) - 4
        answer = legal_turns(final.flipped(), Roll.of(6, 5))
        assert all(pips(after.mine) == pips(final.theirs) - 11 for after in answer.finals)


def test_a_double_costs_positions_and_not_sequences() -> None:
    """R27. The worst of the counted positions has thousands of sequences."""
    most = max(
        len(legal_turns(parse_position_id(name), Roll.of(die, die)).nodes)
        for name, _ in COUNTED[:500]
        for die in range(1, 7)
    )
    assert most < 2_500


# the graph


@pytest.mark.parametrize(
    "name", ["4HPwATDgc/ABMA", "4HPwAQXgc+IDIA", "4PduAABs3ogBBg", "wXcDAGzadgMBCQ"]
)
def test_every_line_of_the_graph_is_a_legal_turn_and_all_orders_are_in_it(name: str) -> None:
    position = parse_position_id(name)
    for roll in ALL_ROLLS:
        graph = legal_turns(position, roll)
        positions = list(graph.finals)
        ends = set()
        for end, line in lines(graph):
            assert len(line) == graph.dice_used
            assert played(position, line) == positions[end - len(graph.nodes) + len(positions)]
            ends.add(end)
        assert len(ends) == len(positions)


def test_the_graph_holds_both_orders_of_two_steps() -> None:
    graph = legal_turns(START, Roll.of(3, 1))
    orders = [[edge[:2] for edge in line] for _, line in lines(graph)]
    assert [(8, 5), (6, 5)] in orders
    assert [(6, 5), (8, 5)] in orders


def test_a_wasteful_first_step_is_not_in_the_graph() -> None:
    """R01 again: bar/22 would waste the 5."""
    graph = legal_turns(parse_position_id("4OfgIDBudgCAXA"), Roll.of(5, 3))
    assert {edge[:3] for edge in graph.nodes[0]} == {(25, 20, 5)}


def test_the_order_of_the_finals_is_stable() -> None:
    first, second = (legal_turns(START, Roll.of(2, 2)) for _ in range(2))
    assert list(first.finals.items()) == list(second.finals.items())
    assert first.nodes == second.nodes


def lines(graph: TurnGraph, node: int = 0) -> list[tuple[int, list[Edge]]]:
    """All lines from a node, each with the number of the node where it ends."""
    if not graph.nodes[node]:
        return [(node, [])]
    return [
        (end, [edge, *line]) for edge in graph.nodes[node] for end, line in lines(graph, edge[4])
    ]


def played(position: Position, line: list[Edge] | Turn) -> Position:
    """The steps carried out one by one, in the plainest way."""
    mine, theirs = list(position.mine), list(position.theirs)
    for src, dst, _, hit, *_ in line:
        mine[src] -= 1
        mine[dst] += 1
        if dst:
            assert theirs[25 - dst] == int(hit)
        if hit:
            theirs[25 - dst] -= 1
            theirs[25] += 1
    return Position(tuple(mine), tuple(theirs))
