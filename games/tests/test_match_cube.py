"""The cube: access, answers, beavers, Jacoby (Backgammon 6)."""

import pytest

from accounts.errors import Refused
from games.match import commands as c
from games.match.errors import (
    CubeAtLimit,
    CubeNotYours,
    DoubleBeforeRolling,
    NoBeavers,
    NoCube,
    NothingToAnswer,
    NothingToPlay,
    NothingToRoll,
    NotYourTurn,
    Stale,
)
from games.match.events import (
    BeaverAccepted,
    Beavered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    GameEnded,
    MatchEnded,
)
from games.match.machine import may, whose
from games.match.state import Phase
from games.match.terms import Terms
from games.rules.board import Position, side
from games.rules.turns import Move
from games.tests.match_table import DARK, LIGHT, MatchTable, kinds, series, single

BEAVERS = single(beavers=True, cap_points=192)
JACOBY = single(jacoby=True, cap_points=192)
GAMMON = Position(side({1: 1}), side({13: 5, 6: 10}))


def before_roll(terms: Terms | None = None, **changes: object) -> MatchTable:
    """Light is to roll in the starting position."""
    table = MatchTable.started(terms or single(cap_points=192))
    table.to_roll(LIGHT, **changes)
    return table


def test_the_cube_is_centred_at_one_and_open_to_whoever_is_to_roll() -> None:
    table = before_roll()
    assert (table.state.cube_value, table.state.cube_owner) == (1, None)
    assert may(table.state, LIGHT) == {"roll", "double", "resign"}
    assert may(table.state, DARK) == {"claim"}


def test_a_double_is_offered_before_rolling_only() -> None:
    table = before_roll()
    with pytest.raises(NotYourTurn):
        table.do(c.Double(DARK))
    table.roll(5, 2)
    with pytest.raises(DoubleBeforeRolling):
        table.do(c.Double(LIGHT))


def test_the_opening_winner_cannot_double() -> None:
    """The opening dice are rolled already."""
    table = MatchTable.started()
    with pytest.raises(DoubleBeforeRolling):
        table.do(c.Double(LIGHT))


def test_a_taken_double_gives_the_taker_the_cube() -> None:
    table = before_roll()
    assert table.do(c.Double(LIGHT)) == (DoubleOffered(LIGHT, 2),)
    assert (table.state.phase, whose(table.state)) == (Phase.CUBE_ANSWER, DARK)
    assert (table.state.offered_by, table.state.offered_value) == (LIGHT, 2)
    assert table.state.cube_value == 1
    assert may(table.state, DARK) == {"take", "drop", "resign"}
    assert may(table.state, LIGHT) == {"claim"}
    assert table.do(c.Take(DARK)) == (DoubleTaken(DARK, 2),)
    assert (table.state.cube_value, table.state.cube_owner) == (2, DARK)
    assert (table.state.phase, table.state.on_roll) == (Phase.TO_ROLL, LIGHT)


def test_a_dropped_double_loses_the_value_before_it() -> None:
    table = before_roll(cube_value=4, cube_owner=LIGHT)
    table.do(c.Double(LIGHT))
    assert table.do(c.Drop(DARK)) == (
        DoubleDropped(DARK),
        GameEnded(LIGHT, 1, 4, 4, "drop"),
        MatchEnded(LIGHT, 4, "drop"),
    )


def test_only_the_owner_may_redouble() -> None:
    table = before_roll(cube_value=2, cube_owner=DARK)
    with pytest.raises(CubeNotYours):
        table.do(c.Double(LIGHT))
    table.roll(3, 1)
    table.do(c.PlayTurn(LIGHT, (Move(8, 5), Move(6, 5))))
    assert "double" in may(table.state, DARK)
    assert table.do(c.Double(DARK)) == (DoubleOffered(DARK, 4),)
    table.do(c.Take(LIGHT))
    assert (table.state.cube_value, table.state.cube_owner) == (4, LIGHT)


def test_the_cube_is_doubled_up_to_64_and_no_further() -> None:
    table = before_roll()
    doubler = LIGHT
    for value in (2, 4, 8, 16, 32, 64):
        table.to_roll(doubler)
        assert table.do(c.Double(doubler)) == (DoubleOffered(doubler, value),)
        table.do(c.Take(doubler.other))
        assert table.state.cube_value == value
        doubler = doubler.other
    table.to_roll(doubler)
    assert "double" not in may(table.state, doubler)
    with pytest.raises(CubeAtLimit):
        table.do(c.Double(doubler))


@pytest.mark.parametrize("owner", [None, LIGHT, DARK])
def test_every_owner_of_the_cube_can_be_read_by_either_side(owner: str | None) -> None:
    """Bug C02."""
    table = before_roll(cube_value=2, cube_owner=owner)
    assert table.state.cube_owner is owner
    assert ("double" in may(table.state, LIGHT)) == (owner is not DARK)
    table.to_roll(DARK)
    assert ("double" in may(table.state, DARK)) == (owner is not LIGHT)


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (c.Roll(DARK), NothingToRoll),
        (c.PlayTurn(DARK, ()), NothingToPlay),
        (c.AnswerResign(DARK, accept=False), NothingToAnswer),
        (c.Double(DARK), DoubleBeforeRolling),
        (c.Roll(LIGHT), NotYourTurn),
        (c.Take(LIGHT), NotYourTurn),
        (c.Drop(LIGHT), NotYourTurn),
    ],
)
def test_an_offered_cube_waits_for_a_plain_yes_or_no(
    command: c.Command, refusal: type[Refused]
) -> None:
    """Bug C04: nothing but take, drop, beaver or resigning is an answer."""
    table = before_roll()
    table.do(c.Double(LIGHT))
    with pytest.raises(refusal):
        table.do(command)
    assert table.state.phase is Phase.CUBE_ANSWER


def test_a_double_is_shown_with_the_board_after_the_last_move() -> None:
    """Bug C06: the state of the offer holds the moved board and its own number."""
    table = MatchTable.started(throws=[(3, 1)])
    table.play("8/5 6/5")
    moved = table.state
    table.do(c.Double(DARK))
    assert (
        table.state.checkers(LIGHT)
        == moved.checkers(LIGHT)
        == side({24: 2, 13: 5, 8: 2, 6: 4, 5: 2})
    )
    assert table.state.version == moved.version + 1
    with pytest.raises(Stale):
        table.do(c.Drop(LIGHT), known=moved.version)
    table.do(c.Take(LIGHT), known=table.state.version)


def test_a_late_answer_to_a_double_does_not_answer_the_next() -> None:
    table = before_roll()
    table.do(c.Double(LIGHT))
    first = table.state.version
    table.do(c.Take(DARK), known=first)
    with pytest.raises(NotYourTurn):
        table.do(c.Drop(DARK))
    with pytest.raises(Stale):
        table.do(c.Drop(DARK), known=first)


def test_a_double_beyond_the_limit_of_the_table_is_allowed() -> None:
    """Money 3."""
    table = before_roll(single(cap_points=3), cube_value=8, cube_owner=LIGHT)
    table.do(c.Double(LIGHT))
    events = table.do(c.Drop(DARK))
    assert events[1] == GameEnded(LIGHT, 1, 8, 3, "drop")


def test_long_nardy_has_no_cube() -> None:
    """Nardy 7."""
    table = before_roll()
    table.to_roll(LIGHT, terms=single(variant="long-nardy"))
    with pytest.raises(NoCube):
        table.do(c.Double(LIGHT))
    assert "double" not in may(table.state, LIGHT)


def test_a_beaver_redoubles_and_keeps_the_cube() -> None:
    table = before_roll(BEAVERS)
    table.do(c.Double(LIGHT))
    assert may(table.state, DARK) == {"take", "drop", "beaver", "resign"}
    assert table.do(c.Beaver(DARK)) == (Beavered(DARK, 4),)
    assert (table.state.phase, whose(table.state)) == (Phase.BEAVER_ANSWER, LIGHT)
    assert (table.state.offered_by, table.state.offered_value) == (DARK, 4)
    assert may(table.state, LIGHT) == {"take", "drop", "resign"}
    assert table.do(c.Take(LIGHT)) == (BeaverAccepted(LIGHT),)
    assert (table.state.cube_value, table.state.cube_owner) == (4, DARK)
    assert (table.state.phase, table.state.on_roll) == (Phase.TO_ROLL, LIGHT)


def test_dropping_a_beaver_pays_the_doubled_value() -> None:
    """Backgammon 6: cube 1, double 2, beaver 4, drop pays 2."""
    table = before_roll(BEAVERS)
    table.do(c.Double(LIGHT))
    table.do(c.Beaver(DARK))
    assert table.do(c.Drop(LIGHT)) == (
        DoubleDropped(LIGHT),
        GameEnded(DARK, 1, 2, 2, "drop"),
        MatchEnded(DARK, 2, "drop"),
    )


def test_a_beaver_is_a_table_option_of_single_games() -> None:
    for terms in (single(), series(5, beavers=True)):
        table = before_roll(terms)
        table.do(c.Double(LIGHT))
        assert "beaver" not in may(table.state, DARK)
        with pytest.raises(NoBeavers):
            table.do(c.Beaver(DARK))


def test_a_beaver_answers_a_double_and_not_a_beaver() -> None:
    table = before_roll(BEAVERS)
    table.do(c.Double(LIGHT))
    table.do(c.Beaver(DARK))
    with pytest.raises(NothingToAnswer):
        table.do(c.Beaver(LIGHT))


@pytest.mark.parametrize(("cube", "is_open"), [(16, True), (32, False)])
def test_no_beaver_passes_64(cube: int, is_open: bool) -> None:  # noqa: FBT001
    table = before_roll(BEAVERS, cube_value=cube, cube_owner=LIGHT)
    table.do(c.Double(LIGHT))
    assert ("beaver" in may(table.state, DARK)) == is_open
    if is_open:
        assert table.do(c.Beaver(DARK)) == (Beavered(DARK, 64),)
    else:
        with pytest.raises(CubeAtLimit):
            table.do(c.Beaver(DARK))


@pytest.mark.parametrize(
    ("terms", "owner", "cube", "expected"),
    [
        (JACOBY, None, 1, GameEnded(LIGHT, 1, 1, 1, "borne_off")),
        (JACOBY, DARK, 2, GameEnded(LIGHT, 2, 2, 4, "borne_off")),
        (single(), None, 1, GameEnded(LIGHT, 2, 1, 2, "borne_off")),
        (series(7, jacoby=True), None, 1, GameEnded(LIGHT, 2, 1, 2, "borne_off")),
    ],
)
def test_with_jacoby_a_gammon_counts_single_unless_the_cube_was_turned(
    terms: Terms, owner: str | None, cube: int, expected: GameEnded
) -> None:
    """Backgammon 6: off by default, single games only."""
    table = before_roll(terms)
    table.throws = [(6, 5)]
    table.to_move(LIGHT, (2, 1), GAMMON, cube_value=cube, cube_owner=owner)
    events = table.play("1/off")
    assert events[1] == expected


def test_a_dropped_double_has_not_turned_the_cube() -> None:
    table = before_roll(JACOBY)
    events = [*table.do(c.Double(LIGHT)), *table.do(c.Drop(DARK))]
    assert kinds(events) == ["double_offered", "double_dropped", "game_ended", "match_ended"]
    assert not table.state.cube_turned
