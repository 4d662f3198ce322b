"""An abandoned match of long nardy, from the table to what the machine is told."""

import json

import pytest

from games.engine import verdicts
from games.engine.questions import Whose, question_of
from games.match.events import PPM
from games.rules.board import Position, side
from games.tests.match_table import DARK, LIGHT, MatchTable, series, single

LONG, FNR = "long-nardy", "long-nardy-fnr"
SHORT_RACE = Position(side({4: 1, 2: 2}), side({3: 2, 1: 1}))
LAST_ROLL = Position(side({1: 1}), side({24: 1, 6: 14}))


@pytest.mark.parametrize("variant", [LONG, FNR])
def test_a_single_game_is_judged_in_points(variant: str) -> None:
    table = MatchTable.started(single(variant=variant), throws=[(5, 2)])
    table.to_roll(LIGHT, position=SHORT_RACE)
    mine = verdicts.verdict(table.state, side=LIGHT, seed=1)
    theirs = verdicts.verdict(table.state, side=DARK, seed=1)
    assert mine.estimate == mine.low == mine.high == -theirs.estimate
    assert 0 < mine.estimate < PPM
    assert mine.engine.startswith("nardy nardy-c1 ")
    assert json.loads(mine.detail)["verdict"]["settings"]["method"] == "exact"


def test_the_last_roll_wins_mars_at_double_the_stake() -> None:
    """Nardy 7."""
    table = MatchTable.started(single(variant=LONG), throws=[(5, 2)])
    table.to_roll(LIGHT, position=LAST_ROLL)
    assert verdicts.verdict(table.state, side=LIGHT, seed=1).estimate == 2 * PPM


def test_a_series_is_judged_by_the_chance_to_win_it() -> None:
    """Nardy 9: two points away, the mars of the last roll wins it."""
    table = MatchTable.started(series(3, variant=LONG), throws=[(5, 2)])
    table.to_roll(LIGHT, position=LAST_ROLL, score=table.state.score.changed(LIGHT, 1))
    found = verdicts.verdict(table.state, side=LIGHT, seed=1)
    assert (found.low, found.estimate, found.high) == (PPM, PPM, PPM)


def test_who_moves_first_next_is_part_of_the_question_where_it_goes_round() -> None:
    """Nardy 2 and 8."""
    table = MatchTable.started(series(3, variant=LONG), throws=[(5, 2)])
    assert table.state.first is LIGHT
    table.to_roll(LIGHT)
    assert question_of(table.state, LIGHT).next_first is Whose.THEIRS
    assert question_of(table.state, DARK).next_first is Whose.MINE
    other = MatchTable.started(series(3, variant=FNR), throws=[(5, 2)])
    assert question_of(other.state, LIGHT).next_first is None
