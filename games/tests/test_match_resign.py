"""Resigning in three levels (Backgammon 7)."""

import pytest

from games.match import commands as c
from games.match.errors import (
    CannotResignNow,
    GameOver,
    NothingToAnswer,
    NothingToPlay,
    NotYourTurn,
    ResignLevelImpossible,
    ResignLevelRefused,
    Stale,
)
from games.match.events import GameEnded, GameStarted, MatchEnded, ResignAccepted, ResignOffered
from games.match.machine import may, resign_levels, whose
from games.match.state import Phase
from games.rules.board import Position, side
from games.rules.outcome import Win
from games.tests.match_table import DARK, LIGHT, MatchTable, kinds, series, single

ALL = (Win.SINGLE, Win.GAMMON, Win.BACKGAMMON)


def before_roll(**changes: object) -> MatchTable:
    table = MatchTable.started(single(cap_points=192))
    table.to_roll(LIGHT, **changes)
    return table


def test_one_resigns_on_ones_own_turn_before_rolling() -> None:
    table = before_roll()
    assert resign_levels(table.state, LIGHT) == ALL
    assert resign_levels(table.state, DARK) == ()
    assert table.do(c.OfferResign(LIGHT, Win.GAMMON)) == (ResignOffered(LIGHT, 2),)
    assert (table.state.phase, whose(table.state)) == (Phase.RESIGN_ANSWER, DARK)
    assert may(table.state, DARK) == {"answer"}
    assert may(table.state, LIGHT) == {"claim"}


def test_one_resigns_after_rolling_and_no_turn_is_made_up_for_it() -> None:
    """Bug C20: the game ends with the level; the roll is not turned into an empty play."""
    table = before_roll()
    table.roll(5, 2)
    table.do(c.OfferResign(LIGHT, Win.SINGLE))
    with pytest.raises(NothingToPlay):
        table.do(c.PlayTurn(DARK, ()))
    events = table.do(c.AnswerResign(DARK, accept=True))
    assert events == (
        ResignAccepted(DARK),
        GameEnded(DARK, 1, 1, 1, "resign"),
        MatchEnded(DARK, 1, "resign"),
    )


def test_one_resigns_when_doubled_at_the_value_before_the_double() -> None:
    table = before_roll(cube_value=2, cube_owner=LIGHT)
    table.do(c.Double(LIGHT))
    assert resign_levels(table.state, DARK) == ALL
    assert resign_levels(table.state, LIGHT) == ()
    table.do(c.OfferResign(DARK, Win.GAMMON))
    assert whose(table.state) is LIGHT
    events = table.do(c.AnswerResign(LIGHT, accept=True))
    assert events[1] == GameEnded(LIGHT, 2, 2, 4, "resign")


def test_after_a_refusal_when_doubled_the_double_still_waits() -> None:
    table = before_roll()
    table.do(c.Double(LIGHT))
    table.do(c.OfferResign(DARK, Win.SINGLE))
    table.do(c.AnswerResign(LIGHT, accept=False))
    assert (table.state.phase, whose(table.state)) == (Phase.CUBE_ANSWER, DARK)
    assert table.state.offered_value == 2
    assert resign_levels(table.state, DARK) == ALL[1:]
    table.do(c.Take(DARK))
    assert (table.state.cube_value, table.state.on_roll) == (2, LIGHT)


def test_the_doubler_resigns_when_beavered_at_the_doubled_value() -> None:
    table = MatchTable.started(single(beavers=True))
    table.to_roll(LIGHT)
    table.do(c.Double(LIGHT))
    table.do(c.Beaver(DARK))
    table.do(c.OfferResign(LIGHT, Win.SINGLE))
    table.do(c.AnswerResign(DARK, accept=False))
    assert table.state.phase is Phase.BEAVER_ANSWER
    table.do(c.OfferResign(LIGHT, Win.GAMMON))
    events = table.do(c.AnswerResign(DARK, accept=True))
    assert events[1] == GameEnded(DARK, 2, 2, 4, "resign")


@pytest.mark.parametrize("phase", ["waiting", "doubler", "answering"])
def test_at_other_times_nobody_resigns(phase: str) -> None:
    table = before_roll()
    who = DARK
    if phase == "doubler":
        table.do(c.Double(LIGHT))
        who = LIGHT
    if phase == "answering":
        table.do(c.OfferResign(LIGHT, Win.SINGLE))
    with pytest.raises(CannotResignNow):
        table.do(c.OfferResign(who, Win.SINGLE))


def test_a_refused_level_and_lower_ones_are_not_offered_again_in_that_turn() -> None:
    table = before_roll()
    table.do(c.OfferResign(LIGHT, Win.GAMMON))
    assert kinds(table.do(c.AnswerResign(DARK, accept=False))) == ["resign_refused"]
    assert (table.state.phase, table.state.on_roll) == (Phase.TO_ROLL, LIGHT)
    assert resign_levels(table.state, LIGHT) == (Win.BACKGAMMON,)
    for level in (Win.SINGLE, Win.GAMMON):
        with pytest.raises(ResignLevelRefused):
            table.do(c.OfferResign(LIGHT, level))
    table.roll(3, 1)
    assert resign_levels(table.state, LIGHT) == (Win.BACKGAMMON,)
    table.do(c.OfferResign(LIGHT, Win.BACKGAMMON))
    table.do(c.AnswerResign(DARK, accept=False))
    assert table.state.phase is Phase.TO_MOVE
    assert "resign" not in may(table.state, LIGHT)
    with pytest.raises(ResignLevelRefused):
        table.do(c.OfferResign(LIGHT, Win.BACKGAMMON))
    table.play("8/5 6/5")
    assert resign_levels(table.state, DARK) == ALL


def test_a_refusal_holds_for_that_turn_only() -> None:
    table = before_roll()
    table.do(c.OfferResign(LIGHT, Win.BACKGAMMON))
    table.do(c.AnswerResign(DARK, accept=False))
    table.roll(3, 1)
    table.play("8/5 6/5")
    table.roll(3, 1)
    table.play("8/5 6/5")
    assert resign_levels(table.state, LIGHT) == ALL


def test_impossible_levels_are_not_offered() -> None:
    """A gammon cannot be lost once a checker is off."""
    table = before_roll(position=None)
    table.to_roll(LIGHT, Position(side({6: 10, 20: 4}), side({6: 15})))
    assert resign_levels(table.state, LIGHT) == (Win.SINGLE,)
    for level in (Win.GAMMON, Win.BACKGAMMON):
        with pytest.raises(ResignLevelImpossible):
            table.do(c.OfferResign(LIGHT, level))
    table.do(c.OfferResign(LIGHT, Win.SINGLE))


def test_a_backgammon_is_not_offered_once_nobody_can_be_caught_behind() -> None:
    table = before_roll()
    table.to_roll(LIGHT, Position(side({10: 15}), side({6: 15})))
    assert resign_levels(table.state, LIGHT) == (Win.SINGLE, Win.GAMMON)
    with pytest.raises(ResignLevelImpossible):
        table.do(c.OfferResign(LIGHT, Win.BACKGAMMON))


def test_with_jacoby_and_a_centred_cube_only_a_single_game_can_be_lost() -> None:
    table = MatchTable.started(single(jacoby=True))
    assert resign_levels(table.state, LIGHT) == (Win.SINGLE,)
    table.to_roll(LIGHT, cube_value=2, cube_owner=DARK)
    assert resign_levels(table.state, LIGHT) == ALL


def test_only_the_opponent_answers_and_only_an_offer() -> None:
    table = before_roll()
    with pytest.raises(NothingToAnswer):
        table.do(c.AnswerResign(LIGHT, accept=True))
    with pytest.raises(NotYourTurn):
        table.do(c.AnswerResign(DARK, accept=True))
    table.do(c.OfferResign(LIGHT, Win.SINGLE))
    with pytest.raises(NotYourTurn):
        table.do(c.AnswerResign(LIGHT, accept=True))


@pytest.mark.parametrize("level", ALL)
@pytest.mark.parametrize("cube", [1, 4, 64])
def test_points_of_a_resignation_are_level_times_cube(level: Win, cube: int) -> None:
    """Bug C16."""
    table = before_roll(cube_value=cube, cube_owner=DARK)
    table.do(c.OfferResign(LIGHT, level))
    events = table.do(c.AnswerResign(DARK, accept=True))
    assert events[1] == GameEnded(DARK, level, cube, level * cube, "resign")


@pytest.mark.parametrize(("win", "cube", "points"), [(4, 1, 4), (0, 2, 1), (1, 4, 4016), (2, 2, 0)])
def test_no_game_can_end_with_other_points_than_level_times_cube(
    win: int, cube: int, points: int
) -> None:
    """Bug C16: the record itself refuses them."""
    with pytest.raises(ValueError, match="GameEnded"):
        GameEnded(DARK, win, cube, points, "resign")


def test_one_click_that_arrives_three_times_resigns_one_game() -> None:
    """Bug C08: 3-0 at most, and the next game is not resigned as well."""
    table = MatchTable.started(series(7), throws=[(5, 2)])
    seen = table.state.version
    table.do(c.OfferResign(LIGHT, Win.BACKGAMMON), known=seen)
    with pytest.raises(Stale):
        table.do(c.OfferResign(LIGHT, Win.BACKGAMMON), known=seen)
    offered = table.state.version
    table.throws = [(6, 1)]
    events = table.do(c.AnswerResign(DARK, accept=True), known=offered)
    assert events[2] == GameStarted(2)
    assert table.state.on_roll is LIGHT
    for version in (seen, offered):
        with pytest.raises(Stale):
            table.do(c.OfferResign(LIGHT, Win.BACKGAMMON), known=version)
    with pytest.raises(Stale):
        table.do(c.AnswerResign(DARK, accept=True), known=offered)
    assert dict(table.state.score) == {LIGHT: 0, DARK: 3}
    assert (table.state.game, table.state.phase) == (2, Phase.TO_MOVE)


def test_a_second_answer_finds_the_match_over() -> None:
    table = before_roll()
    table.do(c.OfferResign(LIGHT, Win.SINGLE))
    table.do(c.AnswerResign(DARK, accept=True))
    with pytest.raises(GameOver):
        table.do(c.AnswerResign(DARK, accept=True))
