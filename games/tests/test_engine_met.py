"""The match equity table: whole, the same as bgsage's own, and read at the right place after a game."""

import bgbot_cpp  # type: ignore[import-not-found]
import pytest

from games.engine.met import LONGEST, chance, chance_after
from games.engine.questions import Series

NEEDS = range(1, LONGEST + 1)


def test_the_table_is_the_one_that_bgsage_rolls_out_with() -> None:
    """Or else an equity at a score could not be turned back into a chance."""
    for mine in NEEDS:
        for theirs in NEEDS:
            for over in (False, True):
                ours = chance(mine, theirs, crawford_is_over=over)
                assert ours == pytest.approx(bgbot_cpp.get_met(mine, theirs, over), abs=1e-7)


def test_what_one_side_wins_the_other_loses() -> None:
    for mine in NEEDS:
        for theirs in NEEDS:
            both = chance(mine, theirs, crawford_is_over=True)
            assert both + chance(theirs, mine, crawford_is_over=True) == pytest.approx(1)


def test_more_points_to_go_is_never_better() -> None:
    for mine in range(1, LONGEST):
        for theirs in NEEDS:
            nearer = chance(mine, theirs, crawford_is_over=False)
            assert nearer > chance(mine + 1, theirs, crawford_is_over=False)


def test_enough_points_win_the_series() -> None:
    assert chance_after(Series(3, 1, 0), 2) == 1
    assert chance_after(Series(3, 1, 0), 192) == 1


@pytest.mark.parametrize(
    ("series", "points", "mine_to_go", "theirs_to_go", "crawford_is_over"),
    [
        (Series(5, 2, 0), 1, 2, 5, False),
        (Series(5, 2, 0), 2, 1, 5, False),  # the Crawford game comes next
        (Series(5, 4, 2, crawford=True), 0, 1, 3, True),
        (Series(5, 2, 4, crawford=True), 1, 2, 1, True),
        (Series(5, 2, 4), 1, 2, 1, True),  # it has been played
        (Series(5, 2, 0, has_crawford=False), 2, 1, 5, True),  # it is never played
    ],
)
def test_after_a_game_the_crawford_game_is_over_or_is_to_come(
    series: Series, points: int, mine_to_go: int, theirs_to_go: int, *, crawford_is_over: bool
) -> None:
    """Backgammon 6."""
    expected = chance(mine_to_go, theirs_to_go, crawford_is_over=crawford_is_over)
    assert chance_after(series, points) == expected


def test_the_known_numbers_of_the_table() -> None:
    assert chance(1, 2, crawford_is_over=False) == 0.67736
    assert chance(2, 1, crawford_is_over=True) == 0.48803
    assert chance(25, 24, crawford_is_over=False) == 0.46914
