"""What an interrupted game is worth: whoever asks, whatever waits for an answer, whatever the stakes."""

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from games.engine.adjudicate import (
    Effort,
    Question,
    Series,
    Verdict,
    Whose,
    evaluate,
    question_of,
)
from games.engine.met import chance
from games.match import commands as c
from games.rules.board import BAR, Position, side
from games.rules.dice import Roll
from games.rules.outcome import Win
from games.tests.match_table import DARK, LIGHT, MatchTable, series, single

QUICK = Effort(least=3, most=3)
SEED = 20_260_901

RACE = Position(side({6: 5, 5: 5, 4: 5}), side({6: 6, 5: 5, 4: 4}))
AGAINST_AN_ANCHOR = Position(
    side({6: 3, 5: 3, 4: 3, 2: 2, 1: 2}), side({22: 2, 6: 4, 5: 4, 4: 3, 3: 2})
)
"""The one on roll bears off against two checkers on a point of its home."""
LOST = Position(side({9: 5, 8: 5, 7: 5}), side({2: 5, 1: 5}))
"""The other side has five off, and few to go."""
LAST_ROLL = Position(side({6: 1, 1: 1}), side({1: 1}))
"""15 rolls of 36 win."""
BOTH_ON_THE_BAR = Position(
    side({BAR: 1, 6: 4, 5: 3, 4: 3, 3: 2, 2: 2}), side({BAR: 1, 6: 4, 5: 3, 4: 3, 3: 2, 2: 2})
)
"""One gap each."""
SHUT_OUT = Position(
    side({BAR: 2, 13: 5, 8: 4, 6: 4}), side({6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 7: 3})
)
"""Nothing enters against six closed points."""


def quickly(question: Question, seed: int = SEED) -> Verdict:
    return evaluate(question, seed=seed, effort=QUICK)


# whoever asks

INTERRUPTED = [
    Question(RACE),
    Question(AGAINST_AN_ANCHOR, roll=Roll.of(6, 3), cube_value=2, cube_owner=Whose.THEIRS),
    Question(RACE, offered_by=Whose.MINE, beavers=True),
    Question(AGAINST_AN_ANCHOR, cube_value=2, cube_owner=Whose.MINE, cap=3),
    Question(RACE, series=Series(5, 1, 3)),
]


@pytest.mark.parametrize("question", INTERRUPTED)
def test_the_other_side_asks_about_the_same_game(question: Question) -> None:
    mine, theirs = quickly(question), quickly(question.flipped())
    total = 0 if mine.measure == "points" else 1
    assert theirs.value == pytest.approx(total - mine.value)
    assert (theirs.low, theirs.high) == pytest.approx((total - mine.high, total - mine.low))


@pytest.mark.parametrize("question", INTERRUPTED)
def test_the_same_seed_has_the_same_verdict_whatever_was_asked_before(question: Question) -> None:
    first = quickly(question)
    quickly(Question(BOTH_ON_THE_BAR), seed=SEED + 1)
    assert quickly(question) == first


def test_the_same_seed_has_the_same_verdict_in_another_process() -> None:
    asks = (
        "from games.tests.test_engine_adjudicate import *;"
        "print(quickly(Question(AGAINST_AN_ANCHOR)).value)"
    )
    told = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True)
    assert float(told.stdout) == quickly(Question(AGAINST_AN_ANCHOR)).value


def test_another_seed_has_another_verdict() -> None:
    assert quickly(Question(RACE), seed=1).value != quickly(Question(RACE), seed=2).value


def test_a_verdict_names_its_engine_and_how_it_was_found() -> None:
    record = quickly(Question(RACE)).record()
    assert record["engine"] == "bgsage"
    assert record["version"]
    assert record["settings"] == {"method": "rollout", "trials": 108, "ply": 2, "seed": SEED}


# over, or nearly


@pytest.mark.parametrize(
    ("loser", "changes", "expected"),
    [
        ({1: 1}, {}, 1),
        ({6: 15}, {}, 2),
        ({6: 14, 24: 1}, {}, 3),
        ({6: 14, BAR: 1}, {}, 3),
        ({6: 14, BAR: 1}, {"jacoby": True}, 1),
        ({6: 14, BAR: 1}, {"jacoby": True, "cube_value": 2, "cube_owner": Whose.MINE}, 3),
        ({6: 14, BAR: 1}, {"cube_value": 2, "cube_owner": Whose.MINE, "cap": 3}, 1.5),
        ({6: 14, BAR: 1}, {"series": Series(5, 2, 0)}, 1),
        ({6: 15}, {"series": Series(5, 2, 0)}, chance(1, 5, crawford_is_over=False)),
    ],
)
def test_a_game_that_is_over_counts_what_it_has_come_to(
    loser: dict[int, int], changes: dict[str, Any], expected: float
) -> None:
    """Backgammon 5, 6, 8 and 9."""
    over = Question(Position(side({}), side(loser)), on_roll=False, **changes)
    verdict = evaluate(over, seed=SEED)
    assert (verdict.low, verdict.value, verdict.high) == pytest.approx((expected,) * 3)
    assert verdict.settings.method == "finished"


def test_the_last_roll_is_counted_exactly() -> None:
    verdict = evaluate(Question(LAST_ROLL), seed=SEED)
    assert verdict.value == verdict.low == verdict.high == pytest.approx(2 * 15 / 36 - 1, abs=1e-6)
    assert verdict.settings.method == "exact"


def test_dice_on_the_board_count_and_dice_to_come_never() -> None:
    """Table 6. Sixes win at once; a 2-1 loses to any roll."""
    assert evaluate(Question(LAST_ROLL, roll=Roll.of(6, 1)), seed=SEED).value == 1
    assert evaluate(Question(LAST_ROLL, roll=Roll.of(2, 1)), seed=SEED).value == -1


def test_a_play_that_wins_is_found_also_when_it_is_not_a_short_bear_off() -> None:
    """The last checker comes off while theirs stand everywhere."""
    scattered = Position(side({2: 1}), side({24: 2, 13: 5, 8: 3, 6: 5}))
    verdict = evaluate(Question(scattered, roll=Roll.of(6, 1)), seed=SEED)
    assert verdict.value == verdict.low == 3


def test_a_roll_that_cannot_be_played_passes() -> None:
    shut_out = Question(SHUT_OUT, cube_value=2, cube_owner=Whose.MINE)
    passes = quickly(replace(shut_out, roll=Roll.of(6, 5)))
    assert passes.high < -1
    assert passes.value == pytest.approx(quickly(shut_out).value, abs=0.05)


def test_bars_on_both_sides_are_no_trouble() -> None:
    first_to_roll = quickly(Question(BOTH_ON_THE_BAR))
    assert -0.5 < first_to_roll.low < first_to_roll.high < 0.5


# the cube


def test_a_double_that_waits_is_dropped_where_that_is_better() -> None:
    """The one who must answer gives up the value of the cube before it, and no more."""
    lost = Question(LOST, offered_by=Whose.THEIRS, on_roll=False)
    assert quickly(lost).value == -1
    assert quickly(replace(lost, cube_value=2, cube_owner=Whose.THEIRS)).value == -1


def test_a_double_that_waits_is_taken_where_that_is_better() -> None:
    offered = quickly(Question(RACE.flipped(), offered_by=Whose.THEIRS, on_roll=False))
    assert -1 < offered.low < offered.high < 0


def test_a_last_roll_double_is_taken_from_a_quarter_on() -> None:
    offered = Question(LAST_ROLL, offered_by=Whose.MINE)
    assert evaluate(offered, seed=SEED).value == pytest.approx(2 * (2 * 15 / 36 - 1), abs=1e-6)


def test_a_beaver_is_accepted_or_costs_the_doubled_cube() -> None:
    """Backgammon 6. The double is taken, so all is counted in the cube of two."""
    beavered = Question(
        LAST_ROLL,
        offered_by=Whose.THEIRS,
        cube_value=2,
        cube_owner=Whose.THEIRS,
        beavers=True,
    )
    assert evaluate(beavered, seed=SEED).value == pytest.approx(2 * (2 * 15 / 36 - 1), abs=1e-6)
    hopeless = replace(beavered, position=Position(side({6: 3}), side({1: 1})))
    assert evaluate(hopeless, seed=SEED).value == -1


def test_a_bad_double_is_beavered_where_that_is_allowed() -> None:
    """A double at a disadvantage costs twice as much."""
    offered = Question(LAST_ROLL, offered_by=Whose.MINE)
    once = evaluate(offered, seed=SEED).value
    twice = evaluate(replace(offered, beavers=True), seed=SEED).value
    assert twice == pytest.approx(2 * once, abs=2e-6)


def test_who_may_double_is_better_off_than_who_may_not() -> None:
    mine = quickly(Question(RACE, cube_value=2, cube_owner=Whose.MINE))
    theirs = quickly(Question(RACE, cube_value=2, cube_owner=Whose.THEIRS))
    assert mine.low > theirs.high


def test_with_jacoby_gammons_count_only_once_the_cube_was_turned() -> None:
    """Backgammon 6. LOST loses a gammon nearly for sure."""
    assert quickly(Question(LOST)).value < -1.9
    assert quickly(Question(LOST, jacoby=True)).value == -1
    turned = Question(LOST, jacoby=True, cube_value=2, cube_owner=Whose.THEIRS)
    assert quickly(turned).value < -1.9


# the limit of the table


def test_no_verdict_is_beyond_the_limit() -> None:
    """Money 3."""
    lost = Question(LOST, cube_value=2, cube_owner=Whose.THEIRS, cap=3)
    verdict = quickly(lost)
    assert -1.5 <= verdict.low < verdict.value < verdict.high < -1.4


def test_at_the_limit_only_the_winner_matters() -> None:
    """Gammons, doubles and whoever owns the cube change nothing any more."""
    at_limit = Question(AGAINST_AN_ANCHOR, cube_value=4, cube_owner=Whose.THEIRS, cap=3)
    verdict = quickly(at_limit)
    assert 0.5 < verdict.low < verdict.high <= 0.75
    assert quickly(replace(at_limit, cube_owner=Whose.MINE)) == verdict
    assert quickly(replace(at_limit, cube_owner=None, offered_by=Whose.MINE)) == verdict


def test_a_limit_that_no_game_can_reach_changes_nothing() -> None:
    assert quickly(Question(RACE, cap=192)) == quickly(Question(RACE))


def test_a_limit_far_away_changes_next_to_nothing() -> None:
    near = quickly(Question(AGAINST_AN_ANCHOR, cap=24))
    assert near.value == pytest.approx(quickly(Question(AGAINST_AN_ANCHOR)).value, abs=0.005)


@pytest.mark.parametrize("cap", [None, 3, 6])
@pytest.mark.parametrize("owner", list(Whose))
def test_a_rollout_finds_what_the_exact_tables_find(
    cap: int | None, owner: Whose, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same bear-off solved, and rolled out with the look ahead. So short, it is the hardest for a rollout."""
    position = Position(side({6: 1, 5: 2, 4: 1, 3: 1}), side({6: 1, 5: 1, 4: 2, 2: 1}))
    question = Question(position, cube_value=2, cube_owner=owner, cap=cap)
    exact = evaluate(question, seed=SEED)
    assert exact.settings.method == "exact"
    monkeypatch.setattr("games.engine.adjudicate.is_solvable", lambda _: False)
    found = quickly(question)
    assert found.settings.method == "rollout"
    assert found.value == pytest.approx(exact.value, abs=0.05)


# series


def test_a_series_to_one_point_is_the_chance_to_win_the_game() -> None:
    """Twice that chance, less one, is what at the limit of a table is counted in points."""
    verdict = quickly(Question(RACE, series=Series(1, 0, 0)))
    assert verdict.measure == "chance"
    at_limit = quickly(Question(RACE, cube_value=64, cube_owner=Whose.MINE, cap=64))
    assert 2 * verdict.value - 1 == pytest.approx(at_limit.value, abs=1e-5)


def test_a_better_score_is_a_better_chance() -> None:
    behind, level, ahead = (
        quickly(Question(RACE, series=Series(7, mine, 3))) for mine in (1, 3, 5)
    )
    assert behind.high < level.low
    assert level.high < ahead.low


def test_a_lost_gammon_costs_two_points_of_a_series() -> None:
    """Backgammon 8."""
    found = quickly(Question(LOST, series=Series(7, 0, 1)))
    assert found.value == pytest.approx(chance(7, 4, crawford_is_over=False), abs=0.02)


def test_the_crawford_game_has_no_cube() -> None:
    """Backgammon 6. A race that is nearly won is not cashed, so it may still be lost."""
    crawford = Question(RACE.flipped(), on_roll=False, series=Series(5, 4, 2, crawford=True))
    after = replace(crawford, series=Series(5, 4, 2))
    assert quickly(crawford).low > quickly(after).high


def test_who_trails_after_the_crawford_game_plays_on_for_a_sure_gammon() -> None:
    """A double would be dropped for one point; the gammon brings two."""
    trails = Question(LOST.flipped(), series=Series(7, 1, 6))
    assert quickly(trails).value == pytest.approx(chance(4, 1, crawford_is_over=True), abs=0.01)


def test_without_the_crawford_rule_the_cube_stays_for_the_next_game() -> None:
    """Losing to one point away is worse for the other side when it can double at once."""
    with_it = Question(RACE, cube_value=2, cube_owner=Whose.THEIRS, series=Series(5, 2, 2))
    assert with_it.series is not None
    without = replace(with_it, series=replace(with_it.series, has_crawford=False))
    assert quickly(without).value != quickly(with_it).value


# the one who waits


def test_the_pulse_is_felt_after_every_trial_and_ends_the_work() -> None:
    felt = 0

    class Enough(Exception):
        """What a worker raises that is told to stop."""

    def pulse() -> None:
        nonlocal felt
        felt += 1
        if felt == 5:
            raise Enough

    with pytest.raises(Enough):
        evaluate(Question(AGAINST_AN_ANCHOR), seed=SEED, pulse=pulse)
    assert felt == 5
    assert quickly(Question(RACE)) == quickly(Question(RACE))


def test_nothing_is_loaded_before_the_first_question() -> None:
    asks = (
        "import sys, games.engine.adjudicate, games.engine.backgammon;"
        "print([name for name in ('bgbot_cpp', 'bgsage', 'django') if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


# from the match


def test_a_question_is_asked_from_the_side_of_the_asker() -> None:
    table = MatchTable.started(single(jacoby=True, beavers=True, cap_points=6), throws=[(5, 2)])
    table.to_move(LIGHT, (6, 3), LOST, cube_value=2, cube_owner=DARK)
    lights, darks = question_of(table.state, LIGHT), question_of(table.state, DARK)
    assert lights == Question(
        LOST,
        roll=Roll.of(6, 3),
        cube_value=2,
        cube_owner=Whose.THEIRS,
        jacoby=True,
        beavers=True,
        cap=6,
    )
    assert darks == lights.flipped()
    assert not darks.on_roll


def test_a_double_and_a_beaver_that_wait_are_part_of_the_question() -> None:
    table = MatchTable.started(single(beavers=True))
    table.to_roll(DARK)
    table.do(c.Double(DARK))
    asked = question_of(table.state, LIGHT)
    assert (asked.cube_value, asked.cube_owner, asked.offered_by) == (1, None, Whose.THEIRS)
    assert not asked.on_roll
    table.do(c.Beaver(LIGHT))
    asked = question_of(table.state, LIGHT)
    assert (asked.cube_value, asked.cube_owner, asked.offered_by) == (2, Whose.MINE, Whose.MINE)


def test_a_resignation_that_waits_is_ignored() -> None:
    table = MatchTable.started()
    table.to_roll(DARK)
    before = question_of(table.state, LIGHT)
    table.do(c.OfferResign(DARK, Win.SINGLE))
    assert question_of(table.state, LIGHT) == before


def test_the_score_of_a_series_is_part_of_the_question() -> None:
    table = MatchTable.started(series(5))
    table.to_roll(DARK, score=table.state.score.changed(DARK, 4), crawford=True)
    assert question_of(table.state, DARK).series == Series(5, 4, 0, crawford=True)
    assert question_of(table.state, LIGHT).series == Series(5, 0, 4, crawford=True)
    assert question_of(table.state, DARK).cap is None
