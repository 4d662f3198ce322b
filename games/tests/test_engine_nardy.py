"""The evaluator of long nardy: what it sees, what it plays, and what it says of abandoned games."""

import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

from games.engine.adjudicate import Effort, Question, Series, Verdict, Whose, evaluate
from games.engine.nardy import evaluator as ev
from games.engine.nardy import features, moves, player
from games.engine.nardy.bearoff import POSITIONS, counts_of, rank_of
from games.engine.nardy.rulesets import LONG_NARDY, LONG_NARDY_FNR, RULESETS
from games.engine.nardy.stakes import chance, stakes_of
from games.rules.board import Position
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.errors import IllegalPosition
from games.rules.long_nardy import START, by_progress, from_progress
from games.rules.turns import legal_turns
from games.rules.variants import rules_of
from games.tests import long_nardy_cases
from games.tests.long_nardy_cases import PHASES, Case, turns
from games.tests.long_nardy_inputs import inputs_of

SEED = 20_261_201
QUICK = Effort(least=2, most=2)


def cases(number: int) -> list[Case]:
    """Of all phases, none over."""
    chance_ = Random(5)
    found = [case for phase in PHASES for case in islice(phase(chance_), number // len(PHASES))]
    return [case for case in found if 15 not in (case.mine[24], case.theirs[24])]


def sides(found: list[Case]) -> tuple[moves.Sides, moves.Sides]:
    return (
        np.array([case.mine for case in found], np.int8),
        np.array([case.theirs for case in found], np.int8),
    )


def position(mine: dict[int, int], theirs: dict[int, int]) -> Position:
    """By own progress."""
    counts = [[side.get(p, 0) for p in range(25)] for side in (mine, theirs)]
    return Position(*map(from_progress, counts))


MIDDLE = position(
    {0: 6, 3: 1, 5: 2, 7: 1, 8: 1, 11: 2, 14: 1, 18: 1}, {0: 7, 1: 1, 4: 2, 10: 1, 14: 2, 18: 2}
)
LATE = position(
    {14: 1, 16: 2, 18: 4, 19: 3, 20: 3, 22: 2}, {15: 1, 17: 1, 18: 5, 20: 3, 21: 3, 23: 2}
)
"""A few turns before both are home."""
RACE = position({18: 5, 20: 6, 22: 4}, {19: 6, 20: 5, 21: 4})
SHORT_RACE = position({20: 1, 22: 2, 24: 12}, {21: 2, 23: 1, 24: 12})


# what it sees


def test_the_inputs_are_those_described() -> None:
    found = cases(1_000)
    seen = features.encoded(*sides(found))
    assert seen.shape == (len(found), 236) == (len(found), features.SIZE)
    expected = np.array([inputs_of(case.mine, case.theirs) for case in found])
    np.testing.assert_allclose(seen, expected, atol=1e-6)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_many_rolls_at_once_have_the_finals_of_the_law(ruleset: str) -> None:
    found = cases(1_000)
    chance_ = Random(6)
    dice = [long_nardy_cases.roll(chance_) for _ in found]
    many = moves.finals(*sides(found), np.array(dice), fnr=ruleset == LONG_NARDY_FNR)
    assert (np.diff(many.owner) >= 0).all()
    for at, (case, roll) in enumerate(zip(found, dice, strict=True)):
        ends = [tuple(map(int, side)) for side in many.sides[many.owner == at]]
        assert len(ends) == len(set(ends))
        assert (many.used[at], set(ends)) == turns(case, roll, ruleset), (case, roll)


# what it knows for certain


def test_every_home_has_a_number_of_its_own() -> None:
    homes = np.array([counts_of(rank) for rank in range(POSITIONS)])
    assert (homes >= 0).all()
    assert (homes.sum(axis=1) <= 15).all()
    assert (rank_of(homes) == np.arange(POSITIONS)).all()


def test_the_race_table_is_near_the_exact_value_of_short_bear_offs() -> None:
    """Both sides home; the exact value plays to win, the table to need few rolls."""
    judge = ev.evaluator(LONG_NARDY)
    for mine, theirs in (
        ({20: 1, 22: 2, 24: 12}, {21: 2, 23: 1, 24: 12}),
        ({18: 2, 19: 1, 24: 12}, {18: 1, 19: 2, 24: 12}),
        ({22: 4, 24: 11}, {23: 5, 24: 10}),
        ({18: 1, 24: 14}, {20: 1, 24: 14}),
    ):
        exact = evaluate(Question(position(mine, theirs), variant=LONG_NARDY), seed=1)
        assert exact.settings.method == "exact"
        by_table = judge.values(*moves.sides_of([position(mine, theirs)]))[0]
        assert 2 * by_table[0] - 1 == pytest.approx(exact.value, abs=0.01)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_that_is_over_is_certain(ruleset: str) -> None:
    is_fnr = ruleset == LONG_NARDY_FNR
    lost = position({18: 15}, {24: 15})
    assert player.outlook(lost, ruleset) == player.Chances(0, 0, float(is_fnr))
    assert player.outlook(lost.flipped(), ruleset) == player.Chances(1, float(is_fnr), 0)
    mars = position({17: 1, 18: 14}, {24: 15})
    assert player.outlook(mars, ruleset) == player.Chances(0, 0, 1)


def test_mars_that_cannot_be_has_no_chance() -> None:
    """Nardy 7: one off, or all home."""
    off = position({0: 14, 24: 1}, {5: 15})
    assert player.outlook(off, LONG_NARDY).lose_mars == 0
    assert player.outlook(off.flipped(), LONG_NARDY).win_mars == 0
    home = position({18: 15}, {3: 15})
    assert player.outlook(home, LONG_NARDY).lose_mars == 0
    assert player.outlook(home, LONG_NARDY).win_mars > 0.5


@pytest.mark.parametrize("ruleset", RULESETS)
def test_chances_are_chances(ruleset: str) -> None:
    values = ev.evaluator(ruleset).values(*sides(cases(500)))
    assert ((values >= 0) & (values <= 1)).all()
    assert (values[:, 1] <= values[:, 0] + 1e-6).all()
    assert (values[:, 2] <= 1 - values[:, 0] + 1e-6).all()


def test_optimism_is_taken_back_where_mars_is_as_likely_as_not() -> None:
    shipped = ev.evaluator(LONG_NARDY)
    raw, sober = (
        ev.Evaluator(LONG_NARDY, shipped.net, shipped.race, optimism).values(*sides(cases(500)))
        for optimism in (0.0, 0.4)
    )
    assert (sober[:, 0] == raw[:, 0]).all()
    assert (sober[:, 1:] <= raw[:, 1:] + 1e-6).all()
    assert 0.001 < (raw - sober).max() <= 0.4 / 16 + 1e-6


def test_the_first_move_is_an_advantage_but_no_great_one() -> None:
    assert 0.1 < player.outlook(START, LONG_NARDY).equity < 0.4


# what it plays


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("plies", [1, 2])
def test_its_choices_are_the_legal_turns_the_best_first(ruleset: str, plies: int) -> None:
    for roll in (Roll.of(6, 5), Roll.of(3, 1), Roll.of(2, 2)):
        graph = legal_turns(MIDDLE, roll, rules_of(ruleset))
        choices = player.ranked(graph, ruleset, plies)
        assert {choice.final: choice.turn for choice in choices} == graph.finals
        searched = [c.chances.equity for c in choices if c.plies == plies]
        assert searched == sorted(searched, reverse=True)
        assert player.ranked(graph, ruleset, plies) == choices


def test_a_roll_that_cannot_be_played_has_no_choices() -> None:
    stuck = legal_turns(position({0: 15}, {0: 14, 17: 1}), Roll.of(5, 5), rules_of(LONG_NARDY))
    assert player.ranked(stuck, LONG_NARDY) == []


def test_it_bears_off_the_last_checker() -> None:
    graph = legal_turns(position({20: 1, 24: 14}, {0: 15}), Roll.of(4, 1), rules_of(LONG_NARDY))
    best = player.ranked(graph, LONG_NARDY)[0]
    assert best.final.mine[0] == 15
    assert best.chances == player.Chances(1, 1, 0)


def test_luck_is_what_the_roll_gains_and_is_nothing_on_the_whole() -> None:
    lucks = [
        player.luck(legal_turns(MIDDLE, roll, rules_of(LONG_NARDY)), LONG_NARDY)
        for roll in ALL_ROLLS
    ]
    weights = [1 if roll.is_double else 2 for roll in ALL_ROLLS]
    mean = sum(w * luck for w, luck in zip(weights, lucks, strict=True)) / 36
    assert mean == pytest.approx(0, abs=1e-5)
    assert max(lucks) > 0.05 > -0.05 > min(lucks)


# what it says of abandoned games

INTERRUPTED = [
    Question(LATE, variant=LONG_NARDY),
    Question(LATE, variant=LONG_NARDY_FNR, roll=Roll.of(6, 3)),
    Question(RACE, variant=LONG_NARDY),
    Question(SHORT_RACE, variant=LONG_NARDY, roll=Roll.of(2, 1)),
    Question(LATE, variant=LONG_NARDY, series=Series(5, 1, 3), next_first=Whose.MINE),
    Question(LATE, variant=LONG_NARDY, cap=1),
]


def quickly(question: Question, seed: int = SEED) -> Verdict:
    return evaluate(question, seed=seed, effort=QUICK)


@pytest.mark.parametrize("question", INTERRUPTED)
def test_the_other_side_asks_about_the_same_game(question: Question) -> None:
    mine, theirs = quickly(question), quickly(question.flipped())
    total = 0 if mine.measure == "points" else 1
    assert theirs.value == pytest.approx(total - mine.value, abs=2e-6)
    assert (theirs.low, theirs.high) == pytest.approx(
        (total - mine.high, total - mine.low), abs=2e-6
    )


@pytest.mark.parametrize("question", INTERRUPTED)
def test_the_same_seed_has_the_same_verdict(question: Question) -> None:
    first = quickly(question)
    quickly(INTERRUPTED[0], seed=SEED + 1)
    assert quickly(question) == first


def test_how_it_was_found_is_told() -> None:
    methods = [quickly(question).settings.method for question in INTERRUPTED]
    assert methods == ["rollout", "rollout", "table", "exact", "rollout", "rollout"]
    record = quickly(INTERRUPTED[0]).record()
    assert record["engine"] == "nardy"
    assert record["version"].startswith("nardy-c1 ")
    assert record["settings"]["trials"] == 2 * 324


def test_a_rollout_is_an_interval_around_what_a_glance_says() -> None:
    found = quickly(Question(MIDDLE, variant=LONG_NARDY))
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(player.outlook(MIDDLE, LONG_NARDY).equity, abs=0.2)


@pytest.mark.parametrize(
    ("loser", "changes", "expected"),
    [
        ({0: 14, 24: 1}, {}, 1),
        ({18: 15}, {}, 1),
        ({18: 15}, {"variant": LONG_NARDY_FNR}, 2),
        ({17: 1, 18: 14}, {}, 2),
        ({0: 15}, {"cap": 1}, 1),
        ({0: 15}, {"series": Series(5, 3, 0)}, 1),
        ({18: 15}, {"series": Series(5, 4, 4)}, 1),
    ],
)
def test_a_game_that_is_over_counts_what_it_has_come_to(
    loser: dict[int, int], changes: dict[str, object], expected: float
) -> None:
    """Nardy 7 to 9."""
    over = replace(Question(position({24: 15}, loser), variant=LONG_NARDY), **changes)
    verdict = evaluate(over, seed=SEED)
    assert (verdict.low, verdict.value, verdict.high) == (expected,) * 3
    assert verdict.settings.method == "finished"


def test_a_last_roll_that_wins_is_counted_exactly() -> None:
    """The checker needs six pips; the other side would be off with its next roll."""
    one = position({18: 1, 24: 14}, {23: 1, 24: 14})
    verdict = evaluate(Question(one, variant=LONG_NARDY), seed=1)
    winning = sum(
        (1 if roll.is_double else 2)
        for roll in ALL_ROLLS
        if roll.high + roll.low >= 6 or (roll.is_double and 4 * roll.high >= 6)
    )
    assert winning == 27
    assert verdict.value == pytest.approx(2 * winning / 36 - 1, abs=1e-6)


def test_a_roll_that_wins_is_certain() -> None:
    won = Question(position({20: 1, 24: 14}, {0: 15}), roll=Roll.of(4, 1), variant=LONG_NARDY)
    verdict = evaluate(won, seed=1)
    assert (verdict.low, verdict.value, verdict.high) == (2, 2, 2)


def test_an_impossible_position_is_refused() -> None:
    for mine, theirs in (({0: 14}, {0: 15}), ({0: 14, 12: 1}, {0: 15})):
        with pytest.raises(IllegalPosition):
            Question(position(mine, theirs), variant=LONG_NARDY)


def test_backgammons_points_are_not_long_nardys() -> None:
    """24 of one and 1 of the other are one point in backgammon only."""
    ahead = position({0: 15}, {23: 15})
    assert Question(ahead, variant=LONG_NARDY).position == ahead
    with pytest.raises(IllegalPosition):
        Question(ahead)


# series


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_series_is_won_by_somebody(ruleset: str) -> None:
    for need in (1, 2, 5, 25):
        for other in (1, 3, 25):
            mine = chance(ruleset, need, other, Whose.MINE)
            assert mine + chance(ruleset, other, need, Whose.THEIRS) == pytest.approx(1)
            assert 0 < mine < 1
    assert chance(ruleset, 0, 4, None) == 1
    assert chance(ruleset, 4, -1, None) == 0
    assert chance(ruleset, 7, 7, None) == pytest.approx(0.5)


def test_the_first_move_counts_in_a_series_by_the_first_ruleset_only() -> None:
    """Nardy 2 and 8."""
    one = chance(LONG_NARDY, 1, 1, Whose.MINE)
    assert one == pytest.approx(player.outlook(START, LONG_NARDY).win)
    assert chance(LONG_NARDY_FNR, 1, 1, Whose.MINE) == pytest.approx(0.5)


def test_at_the_last_point_mars_is_worth_no_more() -> None:
    last = stakes_of(Question(MIDDLE, variant=LONG_NARDY, series=Series(3, 2, 2)))
    assert (last.win, last.win_mars, last.lose, last.lose_mars) == (1, 1, 0, 0)


# files


@pytest.mark.parametrize("ruleset", RULESETS)
def test_weights_of_the_other_ruleset_are_refused(ruleset: str) -> None:
    (other,) = set(RULESETS) - {ruleset}
    with pytest.raises(ev.WrongWeights):
        ev.read_net(ev.WEIGHTS / f"{other}.npz", ruleset)


def test_weights_for_other_features_are_refused(tmp_path: Path) -> None:
    shipped = dict(np.load(ev.WEIGHTS / f"{LONG_NARDY}.npz"))
    changed = str(shipped["metadata"]).replace('"version": 1', '"version": 2')
    np.savez(tmp_path / "net.npz", **{**shipped, "metadata": np.array(changed)})
    with pytest.raises(ev.WrongWeights):
        ev.read_net(tmp_path / "net.npz", LONG_NARDY)


def test_the_site_plays_without_the_compiler() -> None:
    asks = (
        "import sys, games.engine.adjudicate, games.engine.nardy.player;"
        "sys.exit('numba' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", asks], check=True)


def test_positions_go_there_and_back() -> None:
    mine, theirs = moves.sides_of([MIDDLE, START])
    assert tuple(mine[0]) == by_progress(MIDDLE.mine)
    assert tuple(theirs[1]) == by_progress(START.theirs)
