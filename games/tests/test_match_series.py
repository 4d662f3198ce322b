"""Series of games: score, Crawford, dead cubes, who starts (Backgammon 6 and 8)."""

from dataclasses import replace

import pytest

from games.match import commands as c
from games.match.errors import CrawfordGame, DeadCube, GameRunning
from games.match.events import GameEnded, GameStarted, MatchEnded, OpeningRolled
from games.match.machine import may
from games.match.sides import BySide, Side
from games.match.state import Phase, Result
from games.rules.board import Position, side
from games.rules.outcome import Win
from games.tests.match_table import DARK, LIGHT, MatchTable, kinds, series

GAMMON = Position(side({1: 1}), side({13: 5, 6: 10}))


def at_score(light: int, dark: int, length: int, **terms: object) -> MatchTable:
    """A series in which the next game is about to be won by light with a single."""
    table = MatchTable.started(series(length, **terms))
    table.state = replace(table.state, score=BySide(light, dark))
    return table


def win_game(table: MatchTable, winner: Side, opening: tuple[int, int] = (4, 2)) -> None:
    """The loser resigns a single game and the next one opens."""
    table.to_roll(winner.other)
    table.throws = [opening]
    table.do(c.OfferResign(winner.other, Win.SINGLE))
    table.do(c.AnswerResign(winner, accept=True))


def test_the_next_game_starts_by_itself_with_a_new_opening_throw() -> None:
    table = MatchTable.started(series(3), throws=[(5, 2)])
    table.to_move(LIGHT, (2, 1), Position(side({1: 1}), side({6: 5})))
    table.throws = [(3, 3), (2, 5)]
    events = table.play("1/off")
    assert events[1:] == (
        GameEnded(LIGHT, 1, 1, 1, "borne_off"),
        GameStarted(2),
        OpeningRolled(3, 3, 2),
        OpeningRolled(2, 5, 3),
    )
    assert (table.state.game, dict(table.state.score)) == (2, {LIGHT: 1, DARK: 0})
    assert table.state.last_turn is None
    assert (table.state.cube_value, table.state.cube_owner) == (1, None)
    assert table.state.last_game == Result(LIGHT, 1, 1, 1, "borne_off")
    assert table.state.result is None


@pytest.mark.parametrize("winner", [LIGHT, DARK])
@pytest.mark.parametrize(("opening", "starter"), [((2, 5), DARK), ((5, 2), LIGHT)])
def test_the_opening_dice_decide_who_starts_each_game(
    winner: Side, opening: tuple[int, int], starter: Side
) -> None:
    """Bug R25: neither the last winner nor the colour does."""
    table = MatchTable.started(series(3), throws=[(6, 1)])
    win_game(table, winner, opening)
    assert (table.state.game, table.state.on_roll) == (2, starter)


@pytest.mark.parametrize("ending", ["borne_off", "resign", "time", "drop"])
def test_every_ending_scores_by_the_same_rule(ending: str) -> None:
    """Bug C10: a gammon at cube 2 is four points however the game ended; a drop is the cube."""
    table = MatchTable.started(series(7), throws=[(6, 1)])
    table.throws = [(4, 2)]
    if ending == "borne_off":
        table.to_move(LIGHT, (2, 1), GAMMON, cube_value=2, cube_owner=DARK)
        table.play("1/off")
    elif ending == "resign":
        table.to_roll(DARK, cube_value=2, cube_owner=DARK)
        table.do(c.OfferResign(DARK, Win.GAMMON))
        table.do(c.AnswerResign(LIGHT, accept=True))
    elif ending == "time":
        table.to_roll(DARK, cube_value=2, cube_owner=DARK)
        table.now = table.due
        table.do(c.Expire(Win.GAMMON))
    else:
        table.to_roll(LIGHT, cube_value=4, cube_owner=LIGHT)
        table.do(c.Double(LIGHT))
        table.do(c.Drop(DARK))
    assert table.last_game.points == 4
    assert table.last_game.reason == ending
    assert dict(table.state.score) == {LIGHT: 4, DARK: 0}
    assert table.state.game == 2


@pytest.mark.parametrize(("length", "target"), [(1, 1), (3, 3), (5, 4)])
def test_a_series_ends_when_the_target_is_reached_and_never_counts_beyond_it(
    length: int, target: int
) -> None:
    """Backgammon 8."""
    table = MatchTable.started(series(length))
    table.throws = [(4, 2)]
    table.to_move(LIGHT, (2, 1), GAMMON, cube_value=2, cube_owner=DARK)
    events = table.play("1/off")
    assert events[1] == GameEnded(LIGHT, 2, 2, 4, "borne_off")
    assert table.state.score[LIGHT] == target
    if target == length:
        assert events[2:] == (MatchEnded(LIGHT, length, "borne_off"),)
        assert table.state.result == Result(LIGHT, 2, 2, length, "borne_off")
    else:
        assert kinds(events[2:]) == ["game_started", "opening_rolled"]


def test_leaving_or_running_out_of_time_loses_one_game_and_not_the_series() -> None:
    """Bug C18."""
    table = MatchTable.started(series(5))
    with pytest.raises(GameRunning):
        table.do(c.Leave(LIGHT))
    table.throws = [(4, 2)]
    table.now = table.due
    table.do(c.Expire(Win.SINGLE))
    assert (dict(table.state.score), table.state.phase) == ({LIGHT: 0, DARK: 1}, Phase.TO_MOVE)


def test_blitz_in_a_series_counts_triple_too() -> None:
    table = MatchTable.started(series(5, blitz=True))
    table.throws = [(4, 2)]
    table.now = table.due
    table.do(c.Expire(None))
    assert table.state.score[DARK] == 3


def test_the_first_game_at_one_point_from_the_target_is_the_crawford_game() -> None:
    table = at_score(1, 0, length=3)
    before = table.state
    win_game(table, LIGHT)
    assert (before.crawford, table.state.crawford) == (False, True)
    table.to_roll(DARK)
    assert "double" not in may(table.state, DARK)
    with pytest.raises(CrawfordGame):
        table.do(c.Double(DARK))


def test_after_the_crawford_game_the_cube_is_back() -> None:
    table = at_score(1, 0, length=3)
    win_game(table, LIGHT)
    win_game(table, DARK)
    assert not table.state.crawford
    table.to_roll(DARK)
    assert "double" in may(table.state, DARK)
    win_game(table, DARK)
    assert dict(table.state.score) == {LIGHT: 2, DARK: 2}
    assert not table.state.crawford


def test_crawford_can_be_off() -> None:
    table = at_score(1, 0, length=3, crawford=False)
    win_game(table, LIGHT)
    assert not table.state.crawford


def test_to_one_point_no_cube_is_turned() -> None:
    table = MatchTable.started(series(1))
    assert not table.state.crawford
    table.to_roll(LIGHT)
    with pytest.raises(DeadCube):
        table.do(c.Double(LIGHT))


@pytest.mark.parametrize(
    ("light", "dark", "cube", "is_open"),
    [
        (3, 3, 4, False),  # both need four: the cube covers it
        (3, 2, 4, True),  # dark needs five
        (2, 3, 4, True),  # light needs five: the double can gain
        (3, 3, 2, True),
        (5, 6, 2, False),
    ],
)
def test_a_cube_that_covers_what_both_need_is_dead(
    light: int,
    dark: int,
    cube: int,
    is_open: bool,  # noqa: FBT001
) -> None:
    """Backgammon 6, bug C04: a double is refused only when it can change nothing for either."""
    table = at_score(light, dark, length=7)
    table.to_roll(LIGHT, cube_value=cube, cube_owner=LIGHT)
    assert ("double" in may(table.state, LIGHT)) == is_open
    if is_open:
        table.do(c.Double(LIGHT))
    else:
        with pytest.raises(DeadCube):
            table.do(c.Double(LIGHT))


def test_a_double_that_wins_the_series_if_dropped_is_legal() -> None:
    """Bug C04: four away with the cube on four, while the other side needs more."""
    table = at_score(3, 0, length=7)
    table.to_roll(LIGHT, cube_value=4, cube_owner=LIGHT)
    table.do(c.Double(LIGHT))
    events = table.do(c.Drop(DARK))
    assert events[1:] == (GameEnded(LIGHT, 1, 4, 4, "drop"), MatchEnded(LIGHT, 7, "drop"))
