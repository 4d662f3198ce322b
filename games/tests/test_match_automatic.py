"""What is played without asking: three switches, each player's own (Table 2)."""

from games.match import commands as c
from games.match.events import Rolled, SwitchesSet, TurnPlayed
from games.match.sides import Side
from games.match.state import Phase, Switches
from games.rules.board import Position, side
from games.rules.turns import Step
from games.tests.match_table import DARK, LIGHT, MatchTable, kinds, series

FORCED = Position(side({25: 2, 6: 5, 8: 3, 13: 5}), side({6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 13: 5}))
"""Two on the bar against five points: with a 1 one of them enters, and no more can be played."""
RACE = Position(side({6: 2, 5: 2, 4: 1}), side({6: 2, 3: 3}))


def switch(table: MatchTable, by: Side, *names: str) -> list[str]:
    """Turns on exactly these switches; the kinds of what follows."""
    chosen = {name: name in names for name in ("auto_roll", "auto_forced", "auto_bear_off")}
    return kinds(table.do(c.SetSwitches(by, **chosen)))


def test_all_switches_are_off_at_first_and_each_players_own() -> None:
    table = MatchTable.started()
    assert set(table.state.switches.values()) == {Switches()}
    assert table.do(c.SetSwitches(DARK, auto_roll=True, auto_forced=True, auto_bear_off=False)) == (
        SwitchesSet(DARK, auto_roll=True, auto_forced=True, auto_bear_off=False),
    )
    assert table.state.switches[LIGHT] == Switches()
    assert table.state.switches[DARK] == Switches(auto_roll=True, auto_forced=True)


def test_rolling_is_never_automatic_for_a_player_who_may_double() -> None:
    """Table 2: never applied to cube decisions."""
    table = MatchTable.started(throws=[(3, 1)])
    switch(table, DARK, "auto_roll")
    assert kinds(table.play("8/5 6/5")) == ["turn_played"]
    assert (table.state.phase, table.state.on_roll) == (Phase.TO_ROLL, DARK)


def test_a_player_without_the_cube_rolls_automatically() -> None:
    table = MatchTable.started(throws=[(3, 1)])
    table.to_move(LIGHT, (3, 1), cube_value=2, cube_owner=LIGHT)
    switch(table, DARK, "auto_roll")
    table.throws = [(6, 2)]
    assert kinds(table.play("8/5 6/5")) == ["turn_played", "rolled"]
    assert (table.state.phase, table.state.on_roll) == (Phase.TO_MOVE, DARK)


def test_in_the_crawford_game_rolling_is_automatic() -> None:
    table = MatchTable.started(series(3), throws=[(3, 1)])
    table.to_move(LIGHT, (3, 1), crawford=True)
    switch(table, DARK, "auto_roll")
    table.throws = [(6, 2)]
    assert kinds(table.play("8/5 6/5")) == ["turn_played", "rolled"]


def test_the_doubler_rolls_automatically_once_the_cube_is_taken() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT)
    switch(table, LIGHT, "auto_roll")
    table.do(c.Double(LIGHT))
    table.throws = [(6, 2)]
    assert kinds(table.do(c.Take(DARK))) == ["double_taken", "rolled"]


def test_taking_and_dropping_are_never_automatic() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT)
    for by in (LIGHT, DARK):
        switch(table, by, "auto_roll", "auto_forced", "auto_bear_off")
    assert kinds(table.do(c.Double(LIGHT))) == ["double_offered"]
    assert table.state.phase is Phase.CUBE_ANSWER


def test_turning_the_switch_on_rolls_at_once() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT, cube_value=2, cube_owner=DARK)
    table.throws = [(3, 1)]
    assert switch(table, LIGHT, "auto_roll") == ["switches_set", "rolled"]
    assert switch(table, LIGHT, "auto_roll") == [], "a switch that stays as it is is no event"


def test_a_forced_turn_passes_by_itself_once() -> None:
    """Bug R23: one play, whoever else is connected and whatever they send."""
    table = MatchTable.started()
    table.to_roll(LIGHT, FORCED)
    switch(table, LIGHT, "auto_forced")
    events = table.roll(5, 1)
    played = [event for event in events if isinstance(event, TurnPlayed)]
    assert len(played) == 1
    assert played[0].auto
    assert played[0].steps == (Step(25, 24, 1, hit=False),)
    assert (table.state.phase, table.state.on_roll) == (Phase.TO_ROLL, DARK)
    before = table.state.position
    assert switch(table, DARK, "auto_forced") == ["switches_set"]
    assert table.state.position == before


def test_without_the_switch_a_forced_turn_is_the_players() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT, FORCED)
    switch(table, DARK, "auto_forced")
    assert kinds(table.roll(5, 1)) == ["rolled"]
    assert table.state.phase is Phase.TO_MOVE


def test_a_turn_with_a_choice_is_never_played_automatically() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT)
    switch(table, LIGHT, "auto_forced", "auto_bear_off")
    assert kinds(table.roll(6, 5)) == ["rolled"]


def test_in_a_race_with_all_home_as_many_as_possible_are_borne_off() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT, RACE)
    switch(table, LIGHT, "auto_bear_off")
    events = table.roll(5, 4)
    assert events == (
        Rolled(LIGHT, 5, 4, 2),
        TurnPlayed(LIGHT, (Step(5, 0, 5, hit=False), Step(4, 0, 4, hit=False)), auto=True),
    )


def test_bearing_off_is_not_automatic_while_somebody_can_be_hit() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT, Position(side({6: 2, 5: 2}), side({25: 1, 6: 5})))
    switch(table, LIGHT, "auto_bear_off")
    assert kinds(table.roll(4, 3)) == ["rolled"]


def test_bearing_off_is_not_automatic_before_all_are_home() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT, Position(side({7: 1, 6: 2, 5: 2}), side({6: 2})))
    switch(table, LIGHT, "auto_bear_off")
    assert kinds(table.roll(4, 3)) == ["rolled"]


def test_a_race_of_two_automatic_players_runs_to_its_end() -> None:
    table = MatchTable.started()
    for by in (LIGHT, DARK):
        switch(table, by, "auto_roll", "auto_forced", "auto_bear_off")
    table.to_roll(LIGHT, RACE, cube_value=64, cube_owner=LIGHT)
    table.throws = [(5, 4), (2, 1), (6, 6)]
    events = table.do(c.Roll(LIGHT))
    assert kinds(events)[-2:] == ["game_ended", "match_ended"]
    assert table.result.winner is LIGHT
    assert not table.throws
