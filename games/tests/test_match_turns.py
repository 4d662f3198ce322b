"""Rolling, playing and the end of a game (Backgammon 3 to 5 and 9, as the machine applies them)."""

import pytest

from games.match import commands as c
from games.match.errors import (
    GameOver,
    NothingToPlay,
    NothingToRoll,
    NotYourTurn,
    Stale,
    VersionAhead,
)
from games.match.events import GameEnded, MatchEnded, Rolled, TurnPlayed
from games.match.machine import may, whose
from games.match.state import Phase, Result
from games.rules.board import START, Position, side
from games.rules.dice import Roll
from games.rules.errors import IllegalTurn
from games.rules.outcome import Win
from games.rules.turns import Move, Step
from games.tests.match_table import DARK, LIGHT, MatchTable, kinds, single

HOME_BOARD = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}
ONE_LEFT = side({1: 1})
BEHIND = side({24: 2, 13: 5, 8: 3, 6: 5})
DANCER = side({25: 1, 6: 5, 8: 3, 13: 5, 20: 1})


def ended(table: MatchTable) -> GameEnded:
    return next(event for event, _ in reversed(table.log) if isinstance(event, GameEnded))


def test_a_turn_is_rolled_played_and_passed_on() -> None:
    table = MatchTable.started(throws=[(3, 1)])
    (played,) = table.play("8/5 6/5")
    assert played == TurnPlayed(
        LIGHT, (Step(8, 5, 3, hit=False), Step(6, 5, 1, hit=False)), auto=False
    )
    state = table.state
    assert (state.phase, state.on_roll, state.roll) == (Phase.TO_ROLL, DARK, None)
    assert state.checkers(LIGHT) == side({24: 2, 13: 5, 8: 2, 6: 4, 5: 2})
    assert state.position == Position(START.mine, state.checkers(LIGHT))
    assert (table.last_turn.side, table.last_turn.steps) == (LIGHT, played.steps)
    assert table.roll(2, 6) == (Rolled(DARK, 6, 2, 2),)
    assert table.state.roll == Roll(6, 2)


def test_each_side_writes_its_own_points() -> None:
    """Bug R11: the second player's 13/8 is from its own midpoint."""
    table = MatchTable.started(throws=[(2, 5)])
    table.play("13/8 13/11")
    assert table.state.checkers(DARK) == side({24: 2, 13: 3, 11: 1, 8: 4, 6: 5})
    assert table.state.checkers(LIGHT) == START.mine


@pytest.mark.parametrize("text", ["6/5 8/5", "8/5 6/5"])
def test_any_order_of_the_steps_is_the_same_turn(text: str) -> None:
    """Table 1: canonicalised by the position it leads to."""
    table = MatchTable.started(throws=[(3, 1)])
    table.play(text)
    assert table.state.checkers(LIGHT) == side({24: 2, 13: 5, 8: 2, 6: 4, 5: 2})


def test_joined_steps_are_accepted() -> None:
    table = MatchTable.started(throws=[(6, 5)])
    table.do(c.PlayTurn(LIGHT, (Move(24, 13),)))
    assert table.state.checkers(LIGHT) == side({24: 1, 13: 6, 8: 3, 6: 5})


@pytest.mark.parametrize(
    "moves", [(), (Move(13, 8),), (Move(13, 7),), (Move(24, 22), Move(24, 22)), (Move(0, 25),)]
)
def test_what_is_no_whole_legal_turn_changes_nothing(moves: tuple[Move, ...]) -> None:
    table = MatchTable.started(throws=[(5, 2)])
    before = table.state
    with pytest.raises(IllegalTurn):
        table.do(c.PlayTurn(LIGHT, moves))
    assert table.state == before


def test_a_hit_checker_goes_to_the_bar() -> None:
    """Backgammon 3.1."""
    table = MatchTable.started(throws=[(6, 2)])
    table.play("24/18 13/11")
    table.roll(6, 1)
    table.play("13/7* 8/7")
    assert table.state.checkers(LIGHT)[25] == 1
    assert table.state.checkers(LIGHT)[18] == 0
    assert table.last_turn.steps[0].hit or table.last_turn.steps[1].hit


def test_only_the_side_on_roll_rolls_and_plays() -> None:
    table = MatchTable.started(throws=[(5, 2)])
    with pytest.raises(NotYourTurn):
        table.do(c.PlayTurn(DARK, (Move(13, 8), Move(13, 11))))
    with pytest.raises(NotYourTurn):
        table.do(c.Roll(DARK))
    with pytest.raises(NothingToRoll):
        table.do(c.Roll(LIGHT))
    table.play("13/8 13/11")
    with pytest.raises(NotYourTurn):
        table.do(c.Roll(LIGHT))
    with pytest.raises(NothingToPlay):
        table.do(c.PlayTurn(DARK, ()))


def test_asking_for_turns_is_answered_in_every_state() -> None:
    """Bug R05: nothing to play is no error, for either seat and after the end."""
    table = MatchTable.started(throws=[(5, 2)])
    playing = table.state
    table.play("13/8 13/11")
    rolling = table.state
    table.do(c.OfferResign(DARK, Win.SINGLE))
    answering = table.state
    table.do(c.AnswerResign(LIGHT, accept=True))
    assert playing.turns is not None
    for state in (MatchTable().state, rolling, answering, table.state):
        assert state.turns is None
        assert "play" not in may(state, LIGHT) | may(state, DARK)
    assert may(table.state, LIGHT) == may(table.state, DARK) == frozenset()


def test_the_turns_of_a_roll_are_listed_once() -> None:
    table = MatchTable.started(throws=[(5, 2)])
    assert table.state.turns is table.replayed().turns


def test_a_roll_that_cannot_be_played_passes_at_once() -> None:
    """Backgammon 3.2: what cannot enter is lost."""
    table = MatchTable.started()
    table.to_roll(LIGHT, Position(DANCER, side(HOME_BOARD)))
    events = table.roll(6, 3)
    assert events == (Rolled(LIGHT, 6, 3, 2), TurnPlayed(LIGHT, (), auto=True))
    assert (table.state.phase, table.state.on_roll) == (Phase.TO_ROLL, DARK)
    assert table.last_turn.steps == ()


def test_dances_in_a_row_alternate_and_never_loop() -> None:
    """Bug R19: both closed out; each dance costs its mover's time only."""
    table = MatchTable.started()
    shut = side({25: 1, 13: 2, **HOME_BOARD})
    table.to_roll(LIGHT, Position(shut, shut))
    expected = LIGHT
    for number in range(20):
        table.now += 20_000
        before = table.state
        assert whose(before) is expected
        assert kinds(table.roll(1 + number % 6, 2)) == ["rolled", "turn_played"]
        assert table.state.version == before.version + 2
        lost = {
            side: before.clock.reserve_ms[side] - table.state.clock.reserve_ms[side]
            for side in (LIGHT, DARK)
        }
        assert lost == {expected: 8_000, expected.other: 0}
        expected = expected.other


def test_two_closed_boards_with_both_on_automatic_stop_after_a_while() -> None:
    """Bug R19: one command never rolls for ever."""
    table = MatchTable.started(throws=[(5, 2)])
    shut = side({25: 1, 13: 2, **HOME_BOARD})
    for side_ in (LIGHT, DARK):
        table.do(c.SetSwitches(side_, auto_roll=True, auto_forced=True, auto_bear_off=True))
    table.to_roll(LIGHT, Position(shut, shut), cube_value=64, cube_owner=LIGHT)
    table.throws = [(1, 2)] * 100
    events = table.do(c.Roll(LIGHT))
    assert 100 < len(events) <= 2 * 65
    assert table.state.phase is Phase.TO_ROLL
    assert "roll" in may(table.state, table.state.on_roll)


def test_bearing_off_the_last_checkers_leaves_unused_dice() -> None:
    """Bug R09: two checkers, 6-6."""
    table = MatchTable.started()
    table.to_move(LIGHT, (6, 6), Position(side({1: 2}), side({20: 1, 5: 3})))
    events = table.play("1/off(2)")
    assert kinds(events) == ["turn_played", "game_ended", "match_ended"]
    assert len(table.last_turn.steps) == 2
    assert ended(table) == GameEnded(LIGHT, 1, 1, 1, "borne_off")
    assert events[2] == MatchEnded(LIGHT, 1, "borne_off")
    assert table.state.checkers(LIGHT)[0] == 15
    assert table.state.result == Result(LIGHT, 1, 1, 1, "borne_off")


@pytest.mark.parametrize(
    ("loser", "win"),
    [
        (side({6: 14}), 1),
        (side({7: 5, 6: 10}), 2),
        (side({18: 1, 6: 14}), 2),
        (side({19: 1, 6: 14}), 3),
        (side({25: 1, 6: 14}), 3),
        (side({25: 1, 6: 13}), 1),
    ],
)
@pytest.mark.parametrize("cube", [1, 2, 4])
def test_a_win_counts_its_kind_times_the_cube(loser: tuple[int, ...], win: int, cube: int) -> None:
    """Backgammon 5."""
    table = MatchTable.started(single(cap_points=192))
    table.to_move(DARK, (2, 1), Position(ONE_LEFT, loser), cube_value=cube)
    table.play("1/off")
    assert ended(table) == GameEnded(DARK, win, cube, win * cube, "borne_off")


@pytest.mark.parametrize(("cap", "points"), [(3, 3), (6, 6), (12, 8), (192, 8)])
def test_a_single_game_never_counts_more_than_its_limit(cap: int, points: int) -> None:
    """Backgammon 9."""
    table = MatchTable.started(single(cap_points=cap))
    table.to_move(LIGHT, (2, 1), Position(ONE_LEFT, BEHIND), cube_value=4, cube_owner=LIGHT)
    loser = Position(ONE_LEFT, side({13: 5, 6: 10}))
    table.to_move(LIGHT, (2, 1), loser, cube_value=4, cube_owner=LIGHT)
    table.play("1/off")
    assert ended(table) == GameEnded(LIGHT, 2, 4, points, "borne_off")
    assert table.result.points == points


def test_after_the_end_everything_is_refused() -> None:
    table = MatchTable.started()
    table.to_move(LIGHT, (2, 1), Position(ONE_LEFT, BEHIND))
    table.play("1/off")
    assert table.state.phase is Phase.OVER
    for command in (
        c.Roll(DARK),
        c.Double(DARK),
        c.PlayTurn(LIGHT, ()),
        c.ClaimTime(DARK),
        c.Leave(DARK),
        c.SetSwitches(DARK, auto_roll=True, auto_forced=True, auto_bear_off=True),
        c.Expire(None),
        c.Void("late"),
        c.Credit(1, "late"),
        c.StartGame(),
    ):
        with pytest.raises(GameOver):
            table.do(command)


def test_a_hopeless_game_is_played_on() -> None:
    """Bug C12: only a player or the rules end a game, never a judgement of the position."""
    table = MatchTable.started()
    table.to_roll(DARK, Position(side({25: 1, 24: 2, 23: 12}), ONE_LEFT))
    table.roll(1, 2)
    assert table.state.phase in (Phase.TO_MOVE, Phase.TO_ROLL)
    assert table.state.result is None


def test_a_command_made_on_an_older_board_is_stale() -> None:
    """Table 1. The same roll, sent again after the turn has come round, must not roll again."""
    table = MatchTable.started()
    table.to_roll(LIGHT, Position(DANCER, side(HOME_BOARD)))
    seen = table.state.version
    table.roll(6, 3)
    table.roll(2, 1)
    table.play("6/4 2/1")
    assert "roll" in may(table.state, LIGHT)
    table.throws = [(6, 6)]
    with pytest.raises(Stale):
        table.do(c.Roll(LIGHT), known=seen)
    assert table.throws == [(6, 6)]


def test_a_board_from_the_future_is_refused() -> None:
    table = MatchTable.started()
    for command in (
        c.PlayTurn(LIGHT, ()),
        c.SetSwitches(LIGHT, auto_roll=True, auto_forced=False, auto_bear_off=False),
    ):
        with pytest.raises(VersionAhead):
            table.do(command, known=table.state.version + 1)


def test_what_decides_nothing_makes_no_command_stale() -> None:
    """The opponent's switches and credited time do not get in the way of a turn."""
    table = MatchTable.started(throws=[(3, 1)])
    seen = table.state.version
    table.do(c.SetSwitches(DARK, auto_roll=True, auto_forced=False, auto_bear_off=False))
    table.do(c.Credit(500, "restart"))
    table.do(c.PlayTurn(LIGHT, (Move(8, 5), Move(6, 5))), known=seen)
    assert table.state.on_roll is DARK


def test_a_voided_match_has_no_result() -> None:
    table = MatchTable.started()
    assert kinds(table.do(c.Void("staff"))) == ["match_voided"]
    assert (table.state.phase, table.state.result) == (Phase.VOID, None)
    assert table.state.closed_because == "staff"
    assert table.state.clock.running is None
