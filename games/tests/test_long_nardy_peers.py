"""Our legal turns of long nardy are those of a second, slow telling; `make nardy-law` compares 50,000."""

import pytest

from games.tests.compare_long_nardy import RULES, comparisons, ours
from games.tests.long_nardy_cases import NO_BLOCK, START, Case, locks_in, turns

POSITIONS = 3_000


def test_both_tellings_agree_on_positions_of_every_phase() -> None:
    """Nardy 3 to 6 and 8."""
    found = list(comparisons(POSITIONS, seed=7))
    assert len(found) == POSITIONS
    assert [c for c in found if c.ours != c.slow] == []
    assert {c.slow[0] for c in found} == {0, 1, 2, 3, 4}


def test_the_block_takes_steps_away_in_many_of_the_positions() -> None:
    """A comparison in which the block never mattered would say nothing about it."""
    blocking = [c for c in comparisons(POSITIONS // 5, seed=8) if c.phase == "blocking"]
    assert not all(locks_in(c.case, c.ruleset) for c in blocking)
    barred = [c for c in blocking if turns(c.case, c.dice, NO_BLOCK) != c.slow]
    assert len(barred) > len(blocking) // 10


@pytest.mark.parametrize("ruleset", RULES)
def test_second_turns_after_each_possible_first_turn(ruleset: str) -> None:
    """Nardy 4 and 8: all first rolls, every turn, all second rolls."""
    rolls = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
    firsts = {end for roll in rolls for end in turns(Case(START, START), roll, ruleset)[1]}
    assert len(firsts) >= 10
    for first in firsts:
        case = Case(START, first)
        for roll in rolls:
            assert ours(case, roll, ruleset) == turns(case, roll, ruleset), (first, roll)
