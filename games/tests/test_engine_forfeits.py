"""What a forfeit counts: the loss that the engine of the variant finds likeliest (live-table 4)."""

import pytest

from games.engine.forfeits import likeliest_loss
from games.rules import long_nardy
from games.rules.board import START, Position, side
from games.rules.outcome import Win

FAR_BEHIND = Position(side({24: 15}), side({1: 3}))
HOME_IN_TIME = Position(side({6: 15}), side({1: 14, 12: 1}))


@pytest.mark.parametrize("variant", ["long-nardy", "long-nardy-fnr"])
@pytest.mark.parametrize(
    ("position", "win"),
    [(FAR_BEHIND, Win.GAMMON), (long_nardy.START, Win.SINGLE), (HOME_IN_TIME, Win.SINGLE)],
)
def test_long_nardy_is_judged_by_its_own_engine(variant: str, position: Position, win: Win) -> None:
    for seen, on_roll in ((position, True), (position.flipped(), False)):
        assert likeliest_loss(seen, loser_on_roll=on_roll, variant=variant) is win


def test_backgammon_by_its_own() -> None:
    assert likeliest_loss(START, loser_on_roll=True, variant="backgammon") is Win.SINGLE
