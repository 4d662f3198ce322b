"""Before the first move: ready check, seeds, stakes, opening throw (Table 1, Backgammon 2)."""

import pytest

from games.match import commands as c
from games.match.errors import (
    AlreadyAccepted,
    AlreadyRevealed,
    BadCommit,
    BadSeed,
    GameOver,
    GameRunning,
    NotAccepted,
    NotDueYet,
    NotStarted,
)
from games.match.events import GameStarted, MatchCancelled, OpeningRolled
from games.match.machine import deadline, may, whose
from games.match.state import Phase
from games.rules.dice import Roll
from games.tests.match_table import (
    COMMITS,
    DARK,
    LIGHT,
    OPENED_AT,
    SEEDS,
    MatchTable,
    kinds,
    single,
)


def seated() -> MatchTable:
    table = MatchTable()
    for side in (LIGHT, DARK):
        table.do(c.Accept(side, COMMITS[side]))
    return table


def test_a_match_opens_with_the_ready_check_of_both() -> None:
    table = MatchTable()
    assert (table.state.phase, table.state.version) == (Phase.READY, 1)
    assert whose(table.state) is None
    assert may(table.state, LIGHT) == may(table.state, DARK) == {"accept", "leave"}
    assert table.due == OPENED_AT + 60_000


def test_when_both_have_accepted_the_seeds_are_due_within_30_seconds() -> None:
    table = MatchTable()
    table.do(c.Accept(DARK, COMMITS[DARK]))
    assert (table.state.phase, table.state.accepted) == (Phase.READY, frozenset({DARK}))
    assert may(table.state, DARK) == {"leave"}
    table.now += 5_000
    table.do(c.Accept(LIGHT, COMMITS[LIGHT]))
    assert (table.state.phase, table.state.accepted) == (Phase.SEEDS, frozenset({LIGHT, DARK}))
    assert table.due == OPENED_AT + 35_000
    assert may(table.state, LIGHT) == {"reveal", "leave"}


def test_nobody_accepts_or_reveals_twice() -> None:
    table = MatchTable()
    table.do(c.Accept(LIGHT, COMMITS[LIGHT]))
    with pytest.raises(AlreadyAccepted):
        table.do(c.Accept(LIGHT, COMMITS[DARK]))
    with pytest.raises(NotAccepted):
        table.do(c.RevealSeed(LIGHT, SEEDS[LIGHT]))
    table.do(c.Accept(DARK, COMMITS[DARK]))
    table.do(c.RevealSeed(LIGHT, SEEDS[LIGHT]))
    with pytest.raises(AlreadyRevealed):
        table.do(c.RevealSeed(LIGHT, SEEDS[LIGHT]))


@pytest.mark.parametrize("commit", ["", "aa", "AA" * 32, "zz" * 32, "aa" * 32 + "\n"])
def test_a_commitment_is_64_lowercase_hexadecimal_digits(commit: str) -> None:
    with pytest.raises(BadCommit):
        MatchTable().do(c.Accept(LIGHT, commit))


@pytest.mark.parametrize("seed", ["", "22" * 32, "11" * 31, "xx" * 32, "11" * 32 + "\n"])
def test_only_the_committed_seed_is_accepted(seed: str) -> None:
    """Dice 3: a player cannot choose the seed after the opponent's is known."""
    table = seated()
    with pytest.raises(BadSeed):
        table.do(c.RevealSeed(LIGHT, seed))
    assert table.state.seeds == {}


def test_the_game_starts_only_when_both_seeds_are_known() -> None:
    table = seated()
    table.do(c.RevealSeed(DARK, SEEDS[DARK]))
    with pytest.raises(NotStarted):
        table.do(c.StartGame())
    assert kinds(table.do(c.RevealSeed(LIGHT, SEEDS[LIGHT]))) == ["seed_revealed"]
    table.throws = [(1, 2)]
    events = table.do(c.StartGame())
    assert events == (GameStarted(1), OpeningRolled(1, 2, 1))
    with pytest.raises(GameRunning):
        table.do(c.StartGame())


@pytest.mark.parametrize(
    ("throw", "starter"), [((5, 2), LIGHT), ((2, 5), DARK), ((6, 5), LIGHT), ((1, 2), DARK)]
)
def test_the_higher_die_starts_and_plays_both(throw: tuple[int, int], starter: str) -> None:
    """Backgammon 2."""
    table = MatchTable.started(throws=[throw])
    assert table.state.on_roll is whose(table.state) is starter
    assert (table.state.phase, table.state.roll) == (Phase.TO_MOVE, Roll.of(*throw))
    assert may(table.state, table.state.on_roll) == {"play", "resign"}


def test_equal_opening_dice_are_thrown_again_and_no_double_opens() -> None:
    """Backgammon 2; automatic doubles are off."""
    table = MatchTable.started(throws=[(3, 3), (6, 6), (2, 4)])
    throws = [event for event, _ in table.log if isinstance(event, OpeningRolled)]
    assert throws == [OpeningRolled(3, 3, 1), OpeningRolled(6, 6, 2), OpeningRolled(2, 4, 3)]
    assert (table.state.on_roll, table.state.roll) == (DARK, Roll(4, 2))
    assert (table.state.rolls_drawn, table.state.cube_value) == (3, 1)


def test_leaving_before_the_game_cancels_it_at_no_cost() -> None:
    """Table 1: before both accepted nothing costs anything."""
    for table in (MatchTable(), seated()):
        assert table.do(c.Leave(DARK)) == (MatchCancelled("left"),)
        assert (table.state.phase, table.state.result) == (Phase.CANCELLED, None)
        assert deadline(table.state) is None
        with pytest.raises(GameOver):
            table.do(c.Accept(LIGHT, COMMITS[LIGHT]))


def test_a_ready_check_that_nobody_answers_is_cancelled_after_60_seconds() -> None:
    table = MatchTable()
    table.now += 59_999
    with pytest.raises(NotDueYet):
        table.do(c.Expire(None))
    table.now += 1
    assert table.do(c.Expire(None)) == (MatchCancelled("not_ready"),)
    with pytest.raises(GameOver):
        table.do(c.Expire(None))


def test_seeds_that_do_not_come_cancel_the_match_after_30_seconds() -> None:
    table = seated()
    table.now += 30_000
    assert table.do(c.Expire(None)) == (MatchCancelled("no_seeds"),)


def test_stakes_that_cannot_be_held_cancel_the_match() -> None:
    """Money 2: both stakes or neither."""
    table = seated()
    for side in (LIGHT, DARK):
        table.do(c.RevealSeed(side, SEEDS[side]))
    assert table.do(c.HoldFailed("insufficient_funds")) == (MatchCancelled("insufficient_funds"),)
    assert (table.state.phase, table.state.game) == (Phase.CANCELLED, 0)


def test_once_the_game_runs_nobody_leaves_and_no_hold_fails() -> None:
    table = MatchTable.started()
    for command in (c.Leave(LIGHT), c.HoldFailed("late"), c.Accept(LIGHT, COMMITS[LIGHT])):
        with pytest.raises(GameRunning):
            table.do(command)


def test_nothing_is_played_before_the_game_starts() -> None:
    for table in (MatchTable(single()), seated()):
        for command in (c.Roll(LIGHT), c.Double(LIGHT), c.Take(DARK), c.PlayTurn(LIGHT, ())):
            with pytest.raises(NotStarted):
                table.do(command)


def test_switches_can_be_set_before_the_game_starts() -> None:
    table = MatchTable()
    table.do(c.SetSwitches(DARK, auto_roll=True, auto_forced=False, auto_bear_off=True))
    assert table.state.switches[DARK].auto_roll
    assert not table.state.switches[LIGHT].auto_roll
