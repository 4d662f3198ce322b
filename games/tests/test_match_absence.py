"""Lost connection and abandonment in the machine (live-table 5, 6)."""

import pytest

from games.match import commands as c
from games.match.errors import (
    BeingAdjudicated,
    NotAbandoned,
    NotDueYet,
    NothingToMark,
    TimeIsUp,
)
from games.match.events import PPM
from games.match.machine import deadline
from games.match.state import Phase
from games.rules.outcome import Win
from games.tests.match_table import DARK, LIGHT, MOVE_MS, RESERVE_MS, MatchTable, series, single

WINDOW_MS = 180_000


def verdict(side=DARK, estimate=0, low=0, high=0) -> c.Adjudicate:
    return c.Adjudicate(side, estimate, low, high, engine="test", detail="")


def abandoned(*gone) -> MatchTable:
    """Light is on roll with all its time; `gone` have left for good."""
    table = MatchTable.started(single(clock=single().clock))
    for side in gone:
        table.do(c.MarkLost(side, table.now))
    # The clock of the player on roll would run out just as the window does; the opponent plays on.
    table.now += WINDOW_MS
    table.do(c.Expire(kind=None))
    return table


def test_the_time_away_is_counted_in_all_and_not_for_each_cut() -> None:
    """Table 5."""
    table = MatchTable.started()
    table.do(c.MarkLost(DARK, table.now))
    table.now += 5_000
    table.do(c.MarkReturned(DARK))
    assert table.state.away_ms[DARK] == 5_000
    table.do(c.MarkLost(DARK, table.now))
    assert deadline(table.state) == min(
        table.now + WINDOW_MS - 5_000, table.state.clock.due_ms or 0
    )


def test_being_away_does_not_stop_the_clock() -> None:
    """Table 5: the timers go on running; here the reserve is out before the window."""
    table = MatchTable.started(single(window_ms=300_000))
    table.do(c.MarkLost(LIGHT, table.now))
    table.now += MOVE_MS + RESERVE_MS
    table.do(c.Expire(kind=Win.SINGLE))
    assert table.state.result is not None
    assert table.state.result.reason == "time"


def test_a_window_that_is_used_up_leads_to_adjudication_with_the_clock_stopped() -> None:
    table = abandoned(DARK)
    assert table.state.phase is Phase.ADJUDICATING
    assert table.state.left == {DARK}
    assert table.state.clock.running is None
    with pytest.raises(BeingAdjudicated):
        table.do(c.MarkReturned(DARK))


def test_who_comes_back_in_time_plays_on_and_who_comes_late_does_not() -> None:
    """Bug T03: whichever is first decides."""
    table = MatchTable.started()
    table.do(c.MarkLost(DARK, table.now))
    table.now += WINDOW_MS - 1
    with pytest.raises(NotDueYet):
        table.do(c.Expire(kind=None))
    table.do(c.MarkReturned(DARK))
    late = MatchTable.started()
    late.do(c.MarkLost(DARK, late.now))
    late.now += WINDOW_MS
    with pytest.raises(TimeIsUp):
        late.do(c.MarkReturned(DARK))


def test_absence_is_marked_once() -> None:
    table = MatchTable.started()
    with pytest.raises(NothingToMark):
        table.do(c.MarkReturned(DARK))
    table.do(c.MarkLost(DARK, table.now))
    with pytest.raises(NothingToMark):
        table.do(c.MarkLost(DARK, table.now))


def test_absence_makes_no_command_of_the_opponent_stale() -> None:
    table = MatchTable.started()
    seen = table.state.version
    table.do(c.MarkLost(DARK, table.now))
    assert table.state.decided_at <= seen


@pytest.mark.parametrize(
    ("gone", "side", "applied"),
    [
        ((DARK,), DARK, -700_000),
        ((DARK,), LIGHT, -300_000),
        ((LIGHT, DARK), DARK, -500_000),
    ],
)
def test_the_one_who_left_gets_the_lower_end_and_both_the_estimate(gone, side, applied) -> None:
    """Table 6. The verdict says what `side` gains."""
    table = abandoned(*gone)
    table.do(verdict(side, estimate=-500_000, low=-700_000, high=-300_000))
    assert table.state.verdict is not None
    assert table.state.verdict.applied == applied
    assert table.state.phase is Phase.OVER
    assert table.state.result is not None
    assert table.state.result.winner is side.other


def test_a_verdict_never_passes_the_limit() -> None:
    table = abandoned(DARK)
    table.do(verdict(DARK, estimate=-40 * PPM, low=-50 * PPM, high=-30 * PPM))
    assert table.state.verdict is not None
    assert table.state.verdict.applied == -12 * PPM


def test_a_verdict_is_given_once_and_only_on_an_abandoned_match() -> None:
    table = abandoned(DARK)
    table.do(verdict(DARK, -1, -1, -1))
    with pytest.raises(NotAbandoned):
        table.do(verdict(DARK, -1, -1, -1))
    with pytest.raises(NotAbandoned):
        MatchTable.started().do(verdict())


def test_without_a_verdict_in_two_minutes_a_person_decides() -> None:
    table = abandoned(DARK)
    assert deadline(table.state) == table.now + 120_000
    table.now += 120_000
    table.do(c.Expire(kind=None))
    assert table.state.with_moderators
    assert deadline(table.state) is None
    table.do(verdict(DARK, -PPM, -PPM, -PPM))
    assert table.state.phase is Phase.OVER


def test_a_repeater_loses_the_game_instead() -> None:
    table = MatchTable.started()
    table.do(c.MarkLost(DARK, table.now))
    table.now += WINDOW_MS
    table.do(c.Expire(kind=Win.GAMMON, forfeits=frozenset({DARK})))
    assert table.state.result is not None
    assert (table.state.result.reason, table.state.result.win) == ("left", 2)


def test_in_blitz_a_lost_lease_is_a_lost_triple_game() -> None:
    """Table 5."""
    table = MatchTable.started(single(blitz=True))
    table.do(c.MarkLost(DARK, table.now))
    assert table.state.result is not None
    assert (table.state.result.winner, table.state.result.points) == (LIGHT, 3)


def test_a_series_is_adjudicated_as_a_whole() -> None:
    table = MatchTable.started(series(5))
    table.do(c.MarkLost(DARK, table.now))
    table.now += WINDOW_MS
    table.do(c.Expire(kind=None))
    table.do(verdict(DARK, -2 * PPM, -2 * PPM, -2 * PPM))
    assert table.state.verdict is not None
    assert table.state.verdict.applied == -PPM, "never more than the stake"


def test_downtime_is_credited_to_those_who_are_away_too() -> None:
    table = MatchTable.started()
    table.do(c.MarkLost(DARK, table.now))
    table.now += 60_000
    before = deadline(table.state) or 0
    table.do(c.Credit(50_000, "outage"))
    assert deadline(table.state) == before + 50_000


def test_a_voided_match_waits_for_no_verdict() -> None:
    table = abandoned(DARK)
    table.do(c.Void("test"))
    assert table.state.phase is Phase.VOID
