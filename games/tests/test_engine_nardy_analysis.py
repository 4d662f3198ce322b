"""What the turns of long nardy cost, by the evaluator."""

import pytest

from games.engine.analysis import Judged, Kind
from games.engine.analysts import ANALYSTS
from games.engine.decisions import Rolled
from games.engine.nardy import player
from games.engine.nardy.rulesets import LONG_NARDY, LONG_NARDY_FNR, RULESETS
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.long_nardy import START
from games.rules.nardy_notation import format_nardy_turn
from games.rules.scoresheet import LEFT, RIGHT
from games.rules.situation import Situation
from games.rules.turns import Turn, legal_turns
from games.rules.variants import rules_of
from games.tests.test_engine_nardy import LATE, MIDDLE, position

ROLL = Roll.of(3, 1)


def rolled(turn: Turn | None, roll: Roll = ROLL, seat: int = LEFT, **situation: object) -> Rolled:
    where = Situation(**{"position": MIDDLE} | situation)
    return Rolled(n=4, seat=seat, situation=where, roll=roll, turn=turn, played_at=5)


def judged(decision: Rolled, ruleset: str = LONG_NARDY) -> Judged:
    (found,) = ANALYSTS[ruleset].judged(decision)
    return found


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_best_play_costs_nothing_and_others_what_they_lose(ruleset: str) -> None:
    graph = legal_turns(MIDDLE, ROLL, rules_of(ruleset))
    choices = player.ranked(graph, ruleset, plies=2)
    best = judged(rolled(choices[0].turn), ruleset)
    assert (best.lost, best.counts, best.kind, best.n) == (0, True, Kind.PLAY, 5)
    assert best.options[0].text == best.chosen == format_nardy_turn(choices[0].turn)
    worst = judged(rolled(choices[-1].turn), ruleset)
    assert worst.lost > 0.02
    assert worst.options[-1].text == worst.chosen
    assert len(worst.options) == 4
    assert [o.lost for o in worst.options] == sorted(o.lost for o in worst.options)


def test_a_roll_that_is_forced_or_not_played_is_no_decision() -> None:
    stuck = position({0: 15}, {0: 14, 17: 1})
    none = judged(rolled((), Roll.of(5, 5), position=stuck))
    assert (none.counts, none.lost, none.options) == (False, 0, ())
    assert not judged(rolled(None)).counts


def test_the_luck_of_all_rolls_is_nothing_on_the_whole() -> None:
    lucks = [judged(rolled(None, roll)).luck for roll in ALL_ROLLS]
    weights = [1 if roll.is_double else 2 for roll in ALL_ROLLS]
    mean = sum(w * (luck or 0) for w, luck in zip(weights, lucks, strict=True)) / 36
    assert mean == pytest.approx(0, abs=1e-5)


def test_by_the_federation_no_double_opens() -> None:
    """Nardy 8: the luck of an opening roll is beside those that could have been."""
    opening = Rolled(1, LEFT, Situation(position=START), ROLL, None, 2, is_opening=True)
    assert judged(opening, LONG_NARDY_FNR).luck != judged(opening, LONG_NARDY).luck


def test_the_chance_is_that_of_the_left_seat() -> None:
    left, right = judged(rolled(None)), judged(rolled(None, seat=RIGHT))
    assert left.chance == pytest.approx(1 - right.chance)
    assert left.chance == pytest.approx(player.outlook(MIDDLE, LONG_NARDY).win)


def test_in_a_series_it_is_the_series_that_is_played_for() -> None:
    behind = judged(rolled(None, position=LATE, length=5, score=(0, 4)))
    ahead = judged(rolled(None, position=LATE, length=5, score=(4, 0)))
    assert behind.chance < 0.3 < 0.7 < ahead.chance


def test_it_says_who_it_is() -> None:
    assert ANALYSTS[LONG_NARDY].name().startswith("nardy nardy-c1 ")
