"""Time: delay and reserve, flags, claims, credits (Table 4)."""

import pytest

from games.match import commands as c
from games.match.clock import Clock
from games.match.errors import GameOver, NotDueYet, NotStarted, NotYourTurn, TimeIsUp
from games.match.events import Credited, GameEnded, GameStarted, MatchEnded, TimeExpired
from games.match.machine import may, whose
from games.match.sides import BySide, Side
from games.match.state import Phase
from games.match.terms import ClockTerms, clock_terms
from games.rules.board import Position, side
from games.rules.outcome import Win
from games.rules.turns import Move
from games.tests.match_table import (
    DARK,
    LIGHT,
    MOVE_MS,
    RESERVE_MS,
    MatchTable,
    kinds,
    series,
    single,
)

TWENTY = clock_terms("blitz", "single", 1)
RACE = side({6: 15})


def reserve(table: MatchTable) -> dict[Side, int]:
    return dict(table.state.clock.reserve_ms)


@pytest.mark.parametrize(
    ("preset", "kind", "length", "expected"),
    [
        ("blitz", "single", 1, ClockTerms(8_000, 60_000)),
        ("normal", "single", 1, ClockTerms(12_000, 180_000)),
        ("slow", "single", 1, ClockTerms(20_000, 540_000)),
        ("normal", "series", 1, ClockTerms(12_000, 60_000)),
        ("normal", "series", 7, ClockTerms(12_000, 420_000)),
        ("slow", "series", 25, ClockTerms(20_000, 4_500_000)),
    ],
)
def test_the_presets_give_reserve_by_the_point(
    preset: str, kind: str, length: int, expected: ClockTerms
) -> None:
    assert clock_terms(preset, kind, length) == expected


def test_a_turn_within_the_delay_costs_no_reserve() -> None:
    table = MatchTable.started(throws=[(3, 1)])
    assert table.due == table.now + MOVE_MS + RESERVE_MS
    table.now += MOVE_MS
    table.play("8/5 6/5")
    assert reserve(table) == {LIGHT: RESERVE_MS, DARK: RESERVE_MS}
    assert (table.state.clock.running, table.state.clock.since_ms) == (DARK, table.now)


def test_what_goes_beyond_the_delay_is_taken_from_the_mover_for_good() -> None:
    table = MatchTable.started(throws=[(3, 1)])
    table.now += MOVE_MS + 7_500
    table.play("8/5 6/5")
    assert reserve(table) == {LIGHT: RESERVE_MS - 7_500, DARK: RESERVE_MS}
    table.now += 1_000
    table.roll(3, 1)
    table.play("8/5 6/5")
    assert table.due == table.now + MOVE_MS + RESERVE_MS - 7_500


def test_rolling_does_not_start_the_delay_anew() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT)
    due = table.due
    table.now += 10_000
    table.roll(3, 1)
    assert table.due == due


def test_cube_answers_run_on_the_answering_players_timers() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT)
    table.now += 4_000
    table.do(c.Double(LIGHT))
    assert whose(table.state) is table.state.clock.running is DARK
    assert table.due == table.now + MOVE_MS + RESERVE_MS
    table.now += MOVE_MS + 3_000
    table.do(c.Take(DARK))
    assert reserve(table) == {LIGHT: RESERVE_MS, DARK: RESERVE_MS - 3_000}
    assert table.state.clock.running is LIGHT


def test_an_offer_does_not_start_the_delay_of_the_turn_anew() -> None:
    """Eight seconds are left of the twelve when the double is taken."""
    table = MatchTable.started()
    table.to_roll(LIGHT)
    table.now += 4_000
    table.do(c.Double(LIGHT))
    table.now += 1_000
    table.do(c.Take(DARK))
    assert table.due == table.now + MOVE_MS - 4_000 + RESERVE_MS
    table.now += 10_000
    table.roll(3, 1)
    table.play("8/5 6/5")
    assert reserve(table) == {LIGHT: RESERVE_MS - 2_000, DARK: RESERVE_MS}


def test_offering_to_resign_again_and_again_wins_no_time() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT)
    for level in Win:
        table.now += MOVE_MS
        table.do(c.OfferResign(LIGHT, level))
        assert table.state.clock.running is DARK
        table.do(c.AnswerResign(DARK, accept=False))
    assert reserve(table) == {LIGHT: RESERVE_MS - 2 * MOVE_MS, DARK: RESERVE_MS}


def test_after_a_beaver_the_doublers_time_runs() -> None:
    table = MatchTable.started(single(beavers=True))
    table.to_roll(LIGHT)
    table.do(c.Double(LIGHT))
    table.do(c.Beaver(DARK))
    assert whose(table.state) is table.state.clock.running is LIGHT
    table.now += 5_000
    table.do(c.Take(LIGHT))
    assert (table.state.clock.running, table.due) == (
        LIGHT,
        table.now - 5_000 + MOVE_MS + RESERVE_MS,
    )


def test_the_flag_falls_at_the_deadline_without_any_message_of_the_loser() -> None:
    """Bug T01."""
    table = MatchTable.started()
    table.now = table.due - 1
    with pytest.raises(NotDueYet):
        table.do(c.Expire(None))
    table.now += 1
    assert table.do(c.Expire(None)) == (
        TimeExpired(LIGHT),
        GameEnded(DARK, 1, 1, 1, "time"),
        MatchEnded(DARK, 1, "time"),
    )
    assert reserve(table) == {LIGHT: 0, DARK: RESERVE_MS}


def test_a_move_at_the_deadline_is_too_late_and_one_before_it_is_not() -> None:
    """Bug T03: exactly one wins and the second gets a clear reply."""
    table = MatchTable.started(throws=[(3, 1)])
    move = c.PlayTurn(LIGHT, (Move(8, 5), Move(6, 5)))
    table.now = table.due
    with pytest.raises(TimeIsUp):
        table.do(move)
    table.now -= 1
    with pytest.raises(NotDueYet):
        table.do(c.ClaimTime(DARK))
    table.do(move)
    table.now += 1
    with pytest.raises(NotYourTurn):
        table.do(c.PlayTurn(LIGHT, ()))
    with pytest.raises(NotDueYet):
        table.do(c.Expire(Win.SINGLE))


def test_after_the_flag_the_move_finds_the_game_over() -> None:
    """Bug T03, the other way round."""
    table = MatchTable.started(throws=[(3, 1)])
    table.now = table.due
    table.do(c.Expire(None))
    with pytest.raises(GameOver):
        table.do(c.PlayTurn(LIGHT, (Move(8, 5), Move(6, 5))))


@pytest.mark.parametrize("hidden", [0, 30_000, 120_000])
def test_time_runs_on_whatever_the_browser_does(hidden: int) -> None:
    """Bug T09: a hidden tab sends nothing, and its clock runs."""
    table = MatchTable.started(throws=[(3, 1)])
    table.now += hidden
    assert table.due == table.now - hidden + MOVE_MS + RESERVE_MS
    table.play("8/5 6/5")
    assert reserve(table)[LIGHT] == RESERVE_MS - max(0, hidden - MOVE_MS)


def test_a_deadline_moves_with_events_only() -> None:
    """Bug T07: neither switches nor refused commands put it off."""
    table = MatchTable.started()
    due = table.due
    table.now += 50_000
    table.do(c.SetSwitches(LIGHT, auto_roll=True, auto_forced=False, auto_bear_off=False))
    table.do(c.SetSwitches(DARK, auto_roll=True, auto_forced=True, auto_bear_off=False))
    with pytest.raises(NotDueYet):
        table.do(c.ClaimTime(DARK))
    assert table.due == due


def test_one_deadline_has_one_effect() -> None:
    """Bug T11: both clients and the sweep report it at once."""
    table = MatchTable.started(series(5), throws=[(5, 2)])
    table.now = table.due
    table.throws = [(6, 1)]
    table.do(c.Expire(Win.SINGLE))
    assert (table.state.game, table.state.score[DARK]) == (2, 1)
    for command in (c.Expire(Win.SINGLE), c.ClaimTime(DARK), c.ClaimTime(LIGHT)):
        with pytest.raises(NotDueYet):
            table.do(command)


def test_a_claim_is_open_to_the_waiting_player_and_true_only_at_the_deadline() -> None:
    table = MatchTable.started()
    assert "claim" in may(table.state, DARK)
    assert "claim" not in may(table.state, LIGHT)
    with pytest.raises(NotDueYet):
        table.do(c.ClaimTime(DARK))
    table.now = table.due
    with pytest.raises(TimeIsUp):
        table.do(c.ClaimTime(DARK))
    with pytest.raises(NotStarted):
        MatchTable().do(c.ClaimTime(DARK))


def test_past_the_deadline_switches_can_be_set_but_play_nothing() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT, cube_value=2, cube_owner=DARK)
    table.now = table.due
    events = table.do(c.SetSwitches(LIGHT, auto_roll=True, auto_forced=True, auto_bear_off=True))
    assert kinds(events) == ["switches_set"]


@pytest.mark.parametrize(
    ("loser", "kind", "win"),
    [
        (side({24: 2, 13: 5, 8: 3, 6: 5}), None, 1),
        (side({24: 2, 13: 5, 8: 3, 6: 5}), Win.SINGLE, 1),
        (side({24: 2, 13: 5, 8: 3, 6: 5}), Win.GAMMON, 2),
        (side({24: 2, 13: 5, 8: 3, 6: 5}), Win.BACKGAMMON, 3),
        (side({24: 2, 6: 12}), Win.GAMMON, 1),
        (side({10: 15}), Win.BACKGAMMON, 2),
    ],
)
def test_time_out_loses_the_likeliest_kind_at_the_current_cube(
    loser: tuple[int, ...], kind: Win | None, win: int
) -> None:
    table = MatchTable.started(single(cap_points=192))
    table.to_roll(LIGHT, Position(loser, RACE), cube_value=2, cube_owner=DARK)
    table.now = table.due
    events = table.do(c.Expire(kind))
    assert events[1] == GameEnded(DARK, win, 2, 2 * win, "time")


def test_not_answering_a_double_loses_at_the_value_before_it() -> None:
    table = MatchTable.started()
    table.to_roll(LIGHT)
    table.do(c.Double(LIGHT))
    table.now = table.due
    assert table.do(c.Expire(Win.SINGLE))[:2] == (
        TimeExpired(DARK),
        GameEnded(LIGHT, 1, 1, 1, "time"),
    )


def test_not_answering_a_resignation_loses_on_time() -> None:
    table = MatchTable.started()
    table.do(c.OfferResign(LIGHT, Win.SINGLE))
    table.now = table.due
    assert table.do(c.Expire(None))[0] == TimeExpired(DARK)
    assert table.result.winner is LIGHT


@pytest.mark.parametrize(
    ("cap", "cube", "points"), [(12, 1, 3), (12, 2, 6), (3, 2, 3), (12, 8, 12)]
)
def test_in_blitz_time_out_counts_triple_within_the_limit(cap: int, cube: int, points: int) -> None:
    table = MatchTable.started(single(blitz=True, jacoby=True, clock=TWENTY, cap_points=cap))
    table.to_roll(LIGHT, Position(side({6: 5, 5: 5}), RACE), cube_value=cube)
    table.now = table.due
    assert table.do(c.Expire(Win.SINGLE))[1] == GameEnded(DARK, 3, cube, points, "time")


def test_downtime_of_the_site_is_given_back_to_the_running_clock() -> None:
    table = MatchTable.started(throws=[(3, 1)])
    due = table.due
    table.now += 50_000
    assert table.do(c.Credit(30_000, "downtime")) == (Credited(30_000, "downtime"),)
    assert table.due == due + 30_000
    table.play("8/5 6/5")
    assert reserve(table) == {LIGHT: RESERVE_MS - 8_000, DARK: RESERVE_MS}


def test_a_credit_comes_before_a_flag_that_the_downtime_caused() -> None:
    table = MatchTable.started()
    table.now = table.due + 10_000
    table.do(c.Credit(10_001, "downtime"))
    with pytest.raises(NotDueYet):
        table.do(c.Expire(None))


def test_no_credit_gives_more_than_was_spent() -> None:
    table = MatchTable.started()
    table.now += 1_000
    table.do(c.Credit(3_600_000, "downtime"))
    assert table.due == table.now + MOVE_MS + RESERVE_MS


def test_a_ready_check_is_credited_too() -> None:
    table = MatchTable()
    table.now += 40_000
    table.do(c.Credit(15_000, "downtime"))
    assert table.due == table.now + 35_000


def test_a_series_goes_on_after_a_flag_with_an_empty_reserve() -> None:
    """The reserve is for the whole match: from then on only the delay is left."""
    table = MatchTable.started(series(5), throws=[(5, 2)])
    table.now = table.due
    table.throws = [(6, 1)]
    assert table.do(c.Expire(None))[2] == GameStarted(2)
    assert table.state.phase is Phase.TO_MOVE
    assert table.due == table.now + MOVE_MS


def test_a_clock_that_stands_still_is_never_due() -> None:
    clock = Clock.of(ClockTerms(1_000, 5_000))
    assert clock.due_ms is None
    assert clock.stopped(99) == clock
    assert clock.credited(5, 99) == clock


def test_a_clock_never_gains_by_a_time_that_goes_backwards() -> None:
    clock = Clock.of(ClockTerms(1_000, 5_000)).turn_of(LIGHT, 10_000)
    assert clock.stopped(9_000).reserve_ms == BySide(5_000, 5_000)
