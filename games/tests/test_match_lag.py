"""The allowance for lag: small, the player's own, by the database's time only, and no way to win time."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from games.match import commands as c
from games.match.clock import LAG_AT_ONCE_MS, Clock, forgiven_ms
from games.match.sides import SIDES, Side
from games.match.terms import LAG_MS, ClockTerms, clock_terms
from games.tests.match_table import DARK, LIGHT, MOVE_MS, RESERVE_MS, MatchTable, single

TERMS = ClockTerms(move_ms=12_000, reserve_ms=60_000, lag_ms=LAG_MS)
thinking = st.lists(st.integers(0, 20_000), max_size=40)


def test_a_table_gives_each_player_two_seconds_for_the_way_of_their_messages() -> None:
    assert clock_terms("normal", "single", 1).lag_ms == LAG_MS == 2_000


def test_a_late_decision_costs_a_little_less_until_the_allowance_is_used_up() -> None:
    terms = single(clock=replace(clock_terms("normal", "single", 1), lag_ms=300))
    table = MatchTable.started(terms)
    assert table.state.clock.running is LIGHT
    left = RESERVE_MS
    for charged in (800, 900, 1_000):
        table.now += MOVE_MS + 1_000
        clock = table.state.clock.turn_of(DARK, table.now).turn_of(LIGHT, table.now)
        table.state = replace(table.state, clock=clock)
        left -= charged
        assert table.state.clock.reserve_ms[LIGHT] == left
    assert dict(table.state.clock.lag_ms) == {LIGHT: 0, DARK: 300}


def test_the_allowance_puts_no_deadline_off() -> None:
    table = MatchTable.started(single(clock=clock_terms("normal", "single", 1)))
    assert table.due == table.now + MOVE_MS + RESERVE_MS
    table.now = table.due
    table.do(c.Expire(kind=None))
    assert table.state.phase.value == "over"


def test_a_turn_within_the_delay_uses_nothing_of_it() -> None:
    clock = Clock.of(TERMS).turn_of(LIGHT, 0).turn_of(DARK, TERMS.move_ms)
    assert clock.lag_ms[LIGHT] == LAG_MS


@given(over=st.integers(0, 10**6), quota=st.integers(0, LAG_MS))
def test_what_is_forgiven_is_never_more_than_was_spent_or_is_left(over: int, quota: int) -> None:
    forgiven = forgiven_ms(over, quota)
    assert 0 <= forgiven <= min(over, quota, LAG_AT_ONCE_MS)


@given(turns=thinking)
def test_in_a_whole_match_at_most_the_allowance_is_won(turns: list[int]) -> None:
    """However a player splits their thinking, what they pay is what they took, less two seconds at most."""
    clock, now = Clock.of(TERMS).turn_of(LIGHT, 0), 0
    paid = dict.fromkeys(SIDES, 0)
    for spent in turns:
        side = clock.running
        assert side is not None
        spent = min(spent, TERMS.move_ms + clock.reserve_ms[side])
        now += spent
        paid[side] += max(0, spent - TERMS.move_ms)
        clock = clock.turn_of(side.other, now)
        for one in SIDES:
            charged = TERMS.reserve_ms - clock.reserve_ms[one]
            assert paid[one] - charged == LAG_MS - clock.lag_ms[one]
            assert 0 <= clock.lag_ms[one] <= LAG_MS
            assert clock.reserve_ms[one] >= 0


@given(turns=thinking, lag=st.integers(0, LAG_MS))
def test_nobodys_deadline_is_later_than_the_clock_without_it_by_more_than_the_allowance(
    turns: list[int], lag: int
) -> None:
    plain, kind = (Clock.of(replace(TERMS, lag_ms=ms)).turn_of(LIGHT, 0) for ms in (0, lag))
    now = 0
    for spent in turns:
        assert plain.due_ms is not None
        assert kind.due_ms is not None
        assert 0 <= kind.due_ms - plain.due_ms <= lag
        side: Side = plain.running or LIGHT
        now += min(spent, plain.due_ms - now)
        plain, kind = plain.turn_of(side.other, now), kind.turn_of(side.other, now)
