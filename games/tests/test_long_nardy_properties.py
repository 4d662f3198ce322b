"""What holds for every position and roll of long nardy, tried on random ones."""

from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.board import OFF, Position, pips
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.errors import IllegalPosition
from games.rules.long_nardy import (
    HEAD,
    LONG_NARDY,
    LONG_NARDY_FNR,
    LongNardy,
    by_progress,
    checked,
    facing,
    from_progress,
)
from games.rules.nardy_notation import format_nardy_turn, read_nardy_turn
from games.rules.outcome import is_won
from games.rules.turns import Move, legal_turns
from games.tests.long_nardy_cases import Case, locks_in

ROLLS = st.sampled_from(ALL_ROLLS)
RULES = st.sampled_from([LONG_NARDY, LONG_NARDY_FNR])
few = settings(max_examples=100, derandomize=True, deadline=None)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position that `checked` accepts, neither side finished."""
    owners = ["m", "t", *draw(st.lists(st.sampled_from("mt"), min_size=22, max_size=22))]
    mine = [point for point in range(24) if owners[point] == "m"]
    theirs = [(point + 12) % 24 for point in range(24) if owners[point] == "t"]
    sides = [from_progress(draw(counts(points))) for points in (mine, theirs)]
    return checked(Position(*sides))


@st.composite
def counts(draw: st.DrawFn, points: list[int]) -> tuple[int, ...]:
    places = draw(st.lists(st.sampled_from([24, *points]), min_size=14, max_size=14))
    held = Counter([*places, draw(st.sampled_from(points))])
    return tuple(held[place] for place in range(25))


@few
@given(positions(), ROLLS, RULES)
def test_a_turn_keeps_fifteen_checkers_a_side_and_no_shared_point(
    position: Position, roll: Roll, rules: LongNardy
) -> None:
    for final in legal_turns(position, roll, rules).finals:
        assert checked(final).theirs == position.theirs


@few
@given(positions(), ROLLS, RULES)
def test_the_pips_fall_by_the_dice(position: Position, roll: Roll, rules: LongNardy) -> None:
    graph = legal_turns(position, roll, rules)
    for final, turn in graph.finals.items():
        assert len(turn) == graph.dice_used <= len(roll.dice)
        assert pips(position.mine) - pips(final.mine) == sum(step.src - step.dst for step in turn)
        assert all(step.die == step.src - step.dst or step.dst == OFF for step in turn)
        assert not any(step.hit for step in turn)


@few
@given(positions(), ROLLS, RULES)
def test_no_step_leaves_an_illegal_block(position: Position, roll: Roll, rules: LongNardy) -> None:
    """Nardy 5, after every single step, in every order of the graph."""
    graph = legal_turns(position, roll, rules)
    theirs = by_progress(position.theirs)

    def walk(node: int, mine: list[int]) -> None:
        for src, dst, _, _, to in graph.nodes[node][:4]:
            after = [*mine]
            after[HEAD - src] -= 1
            after[HEAD - dst] += 1
            assert not locks_in(Case(tuple(after), theirs), rules.name)
            walk(to, after)

    walk(0, list(by_progress(position.mine)))


@few
@given(positions(), ROLLS, RULES)
def test_one_checker_leaves_the_head_and_two_on_a_first_turn_at_most(
    position: Position, roll: Roll, rules: LongNardy
) -> None:
    """Nardy 4."""
    most = 2 if position.mine[HEAD] == 15 else 1
    for final in legal_turns(position, roll, rules).finals:
        assert position.mine[HEAD] - final.mine[HEAD] <= most


@few
@given(positions(), ROLLS, RULES)
def test_a_won_game_has_no_dice_left_to_play(
    position: Position, roll: Roll, rules: LongNardy
) -> None:
    """Nardy 7: the game ends at once."""
    for final in legal_turns(position, roll, rules).finals:
        if is_won(final):
            assert legal_turns(final, roll, rules).dice_used == 0
            assert rules.win_kind(final) == rules.worst_loss(final.flipped())


@few
@given(positions(), ROLLS, RULES, st.randoms(use_true_random=False))
def test_a_turn_can_be_told_in_any_order_of_its_steps_and_is_read_back(
    position: Position, roll: Roll, rules: LongNardy, chance: Random
) -> None:
    graph = legal_turns(position, roll, rules)
    for final, turn in islice(graph.finals.items(), 8):
        moves = [Move(step.src, step.dst) for step in turn]
        chance.shuffle(moves)
        assert graph.resolve(moves)[1] == final
        assert read_nardy_turn(graph, format_nardy_turn(turn))[1] == final


@few
@given(positions())
def test_the_other_side_sees_the_same_board(position: Position) -> None:
    assert checked(position.flipped()).flipped() == position
    taken = {point for point in range(1, 25) if position.mine[point]}
    assert not taken & {facing(point) for point in range(1, 25) if position.theirs[point]}
    assert from_progress(by_progress(position.mine)) == position.mine


@few
@given(positions(), st.integers(0, 23), st.integers(0, 23))
def test_a_checker_too_many_or_on_an_enemy_point_is_refused(
    position: Position, progress: int, enemy: int
) -> None:
    more = list(by_progress(position.mine))
    more[progress] += 1
    with pytest.raises(IllegalPosition):
        checked(position._replace(mine=from_progress(more)))
    held = [p for p in range(24) if position.theirs[HEAD - p]]
    if held and any(position.mine[1:25]):
        on_them = list(by_progress(position.mine))
        source = next(p for p in range(24) if on_them[p])
        on_them[source] -= 1
        on_them[(held[enemy % len(held)] + 12) % 24] += 1
        with pytest.raises(IllegalPosition):
            checked(position._replace(mine=from_progress(on_them)))
