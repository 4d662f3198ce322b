"""Long nardy at the table: colours, first moves, mars, no cube (rules.md, Nardy 2 and 7)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.errors import BadTerms
from games.match import commands as c
from games.match.cube import has_access
from games.match.errors import DoubleBeforeRolling, NoCube
from games.match.events import ColoursDrawn, GameEnded, GameStarted, MatchEnded
from games.match.machine import may, resign_levels, whose
from games.match.sides import Side
from games.match.state import FINISHED, Phase
from games.rules.board import CHECKERS, Position, side
from games.rules.outcome import Win
from games.rules.turns import Move
from games.terms import table_terms
from games.tests.match_table import DARK, LIGHT, MatchTable, series, single

LONG, FNR = "long-nardy", "long-nardy-fnr"
LAST_ONE = side({1: 1})


@pytest.mark.parametrize(("throw", "white"), [((2, 5), DARK), ((6, 1), LIGHT)])
def test_the_throw_draws_the_colours_and_white_rolls_both_dice(
    throw: tuple[int, int], white: Side
) -> None:
    table = MatchTable.started(single(variant=LONG), throws=[(4, 4), throw])
    drawn = [event for event, _ in table.log if isinstance(event, ColoursDrawn)]
    assert drawn == [ColoursDrawn(4, 4, 1), ColoursDrawn(*throw, 2)]
    state = table.state
    assert (state.phase, state.on_roll, state.first, state.roll) == (
        Phase.TO_ROLL,
        white,
        white,
        None,
    )
    assert may(state, white) == {"roll", "resign"}
    table.throws = [(6, 6)]
    table.do(c.Roll(white))
    assert table.state.phase is Phase.TO_MOVE, "a double may open"


def test_by_the_federation_the_higher_die_plays_both() -> None:
    table = MatchTable.started(single(variant=FNR), throws=[(3, 3), (2, 5)])
    assert (table.state.on_roll, table.state.first) == (DARK, DARK)
    assert table.state.roll == (5, 2)


def test_in_a_series_the_first_move_changes_hands() -> None:
    table = MatchTable.started(series(5, variant=LONG), throws=[(2, 5)])
    firsts = [table.state.first]
    for _ in range(3):
        loser = whose(table.state)
        assert loser is not None
        table.do(c.OfferResign(loser, Win.SINGLE))
        events = table.do(c.AnswerResign(loser.other, accept=True))
        assert not any(isinstance(event, ColoursDrawn) for event in events)
        firsts.append(table.state.first)
        assert table.state.on_roll is table.state.first
        assert table.state.clock.running is table.state.first
    assert firsts == [DARK, LIGHT, DARK, LIGHT]


def ended(loser: Position, variant: str = LONG, **terms: object) -> MatchTable:
    """Light bears off its last checker against dark's counts."""
    table = MatchTable.started(single(variant=variant, **terms), throws=[(5, 2)])
    table.to_move(LIGHT, (2, 1), Position(LAST_ONE, loser.mine))
    table.play("1/off")
    return table


@pytest.mark.parametrize(
    ("loser", "variant", "win"),
    [
        ({24: 15}, LONG, 2),
        ({6: 14, 7: 1}, LONG, 2),
        ({6: 15}, LONG, 1),
        ({6: 14}, LONG, 1),
        ({6: 15}, FNR, 2),
        ({6: 14}, FNR, 1),
    ],
)
def test_mars_counts_two_and_being_home_saves_from_it(
    loser: dict[int, int], variant: str, win: int
) -> None:
    counts = side(loser)
    table = ended(Position(counts, counts), variant)
    end = next(event for event, _ in table.log if isinstance(event, GameEnded))
    assert (end.win, end.cube, end.points) == (win, 1, win)
    assert table.state.phase is Phase.OVER


def test_there_is_no_cube() -> None:
    table = MatchTable.started(single(variant=LONG), throws=[(6, 1)])
    assert not any(has_access(table.state, side_) for side_ in Side)
    with pytest.raises((NoCube, DoubleBeforeRolling)):
        table.do(c.Double(LIGHT))


def test_nobody_resigns_more_than_a_mars() -> None:
    table = MatchTable.started(single(variant=LONG), throws=[(6, 1)])
    assert resign_levels(table.state, LIGHT) == (Win.SINGLE, Win.GAMMON)


@pytest.mark.parametrize("option", ["jacoby", "beavers"])
def test_options_of_the_cube_are_refused(option: str) -> None:
    with pytest.raises(BadTerms):
        table_terms(variant=LONG, currency="PLAY", stake=1, options=frozenset({option}))


def test_only_what_can_be_lost_is_held() -> None:
    terms = table_terms(variant=LONG, currency="USD", stake=100, limit_factor=192)
    assert terms.limit == 300


@settings(deadline=None, max_examples=40)
@given(variant=st.sampled_from([LONG, FNR]), seed=st.integers(0, 2**32))
def test_games_come_to_an_end_and_no_checker_is_lost(variant: str, seed: int) -> None:
    table = MatchTable.started(single(variant=variant), throws=[(1, 2 + seed % 5)])
    table.state = replace(table.state, clock=replace(table.state.clock, move_ms=10**9))
    number = seed
    while table.state.phase not in FINISHED:
        state = table.state
        mover = state.on_roll
        assert mover is not None
        if state.phase is Phase.TO_ROLL:
            number = (number * 6364136223846793005 + 1442695040888963407) % 2**64
            table.throws = [(1 + (number >> 33) % 6, 1 + (number >> 48) % 6)]
            table.do(c.Roll(mover))
            table.throws = []
            continue
        assert state.turns is not None
        turns = list(state.turns.finals.values())
        turn = turns[(number >> 40) % len(turns)]
        table.do(c.PlayTurn(mover, tuple(Move(step.src, step.dst) for step in turn)))
        assert all(sum(counts) == CHECKERS for counts in table.state.position)
    kinds = [type(event) for event, _ in table.log]
    assert kinds.count(GameStarted) == 1
    assert kinds[-1] is MatchEnded
