"""What holds for every position and roll, tried on random ones."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.board import BAR, HOME, OFF, Position, Side, checked, facing, pips, side
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.gnuid import parse_position_id, position_id
from games.rules.notation import format_turn, read_turn
from games.rules.outcome import is_over
from games.rules.turns import Move, Step, Turn, legal_turns

ROLLS = st.sampled_from(ALL_ROLLS)
few = settings(max_examples=100, derandomize=True, deadline=None)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position that `checked` accepts, neither side finished."""
    owners = draw(st.lists(st.sampled_from("mt"), min_size=24, max_size=24))
    mine = [point for point in range(1, BAR) if owners[point - 1] == "m"]
    theirs = [facing(point) for point in range(1, BAR) if owners[point - 1] == "t"]
    return checked(Position(draw(sides(mine)), draw(sides(theirs))))


@st.composite
def sides(draw: st.DrawFn, points: list[int]) -> Side:
    places = st.sampled_from([OFF, BAR, *points])
    checkers = draw(st.lists(places, min_size=14, max_size=14))
    counts = Counter([*checkers, draw(st.sampled_from([BAR, *points]))])
    del counts[OFF]
    return side(counts)


@few
@given(positions(), ROLLS)
def test_a_turn_keeps_fifteen_checkers_a_side_and_no_shared_point(
    position: Position, roll: Roll
) -> None:
    for final in legal_turns(position, roll).finals:
        checked(final)


@few
@given(positions(), ROLLS)
def test_the_pips_fall_by_the_dice_and_rise_by_what_was_hit(position: Position, roll: Roll) -> None:
    """R21."""
    for final, turn in legal_turns(position, roll).finals.items():
        assert len(turn) == legal_turns(position, roll).dice_used
        gone = sum(step.src - step.dst for step in turn)
        assert pips(final.mine) == pips(position.mine) - gone
        assert all(step.die == step.src - step.dst or step.dst == OFF for step in turn)
        assert all(step.die >= step.src - step.dst for step in turn)
        lost = sum(BAR - facing(step.dst) for step in turn if step.hit)
        assert pips(final.theirs) == pips(position.theirs) + lost


@few
@given(positions(), ROLLS)
def test_the_dice_have_no_order(position: Position, roll: Roll) -> None:
    turned = Roll.of(roll.low, roll.high)
    assert legal_turns(position, turned).finals == legal_turns(position, roll).finals


@few
@given(positions(), ROLLS)
def test_the_search_agrees_with_the_law_as_it_is_written(position: Position, roll: Roll) -> None:
    """Backgammon 3.4, told a second time in the plainest way."""
    orders = {roll.dice, roll.dice[::-1]}
    plays = {play for dice in orders for play in _plays(position, dice)}
    longest = max(len(turn) for turn, _ in plays)
    plays = {(turn, end) for turn, end in plays if len(turn) == longest}
    if longest == 1 and not roll.is_double:
        highest = max(turn[0].die for turn, _ in plays)
        plays = {(turn, end) for turn, end in plays if turn[0].die == highest}
    graph = legal_turns(position, roll)
    assert graph.dice_used == longest
    assert set(graph.finals) == ({end for _, end in plays} if longest else set())


@few
@given(positions(), ROLLS)
def test_the_other_side_sees_the_same_board(position: Position, roll: Roll) -> None:
    assert position.flipped().flipped() == position
    for final in legal_turns(position, roll).finals:
        assert checked(final.flipped()).mine == final.theirs


@few
@given(positions(), ROLLS, st.randoms(use_true_random=False))
def test_a_turn_can_be_told_in_any_order_of_its_steps(
    position: Position, roll: Roll, chance: Random
) -> None:
    graph = legal_turns(position, roll)
    for final, turn in islice(graph.finals.items(), 12):
        moves = [Move(step.src, step.dst, step.hit) for step in turn]
        chance.shuffle(moves)
        assert graph.resolve(moves)[1] == final


@few
@given(positions(), ROLLS)
def test_what_is_written_for_a_turn_is_read_back(position: Position, roll: Roll) -> None:
    graph = legal_turns(position, roll)
    for final, turn in graph.finals.items():
        assert read_turn(graph, format_turn(turn))[1] == final


@few
@given(positions())
def test_a_position_id_is_read_back(position: Position) -> None:
    """R03: also with checkers on both bars."""
    assert parse_position_id(position_id(position)) == position


def _plays(position: Position, dice: tuple[int, ...]) -> Iterator[tuple[Turn, Position]]:
    """Every way to play the dice in this order, also those that stop early."""
    yield (), position
    if not dice or is_over(position):
        return
    for step, after in _steps(position, dice[0]):
        for turn, end in _plays(after, dice[1:]):
            yield (step, *turn), end


def _steps(position: Position, die: int) -> Iterator[tuple[Step, Position]]:
    mine, theirs = position
    highest = max(point for point, count in enumerate(mine) if count)
    for src in [BAR] if mine[BAR] else range(1, BAR):
        dst = max(src - die, OFF)
        if not mine[src] or (dst and theirs[facing(dst)] > 1):
            continue
        if dst == OFF and (highest > HOME or (src < die and src != highest)):
            continue
        hit = bool(dst and theirs[facing(dst)])
        yield Step(src, dst, die, hit), _moved(position, src, dst, hit=hit)


def _moved(position: Position, src: int, dst: int, *, hit: bool) -> Position:
    mine, theirs = (list(counts) for counts in position)
    mine[src] -= 1
    mine[dst] += 1
    if hit:
        theirs[facing(dst)] -= 1
        theirs[BAR] += 1
    return Position(tuple(mine), tuple(theirs))
