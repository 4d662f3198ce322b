"""Which loss a forfeited game is likeliest to have been heading for (live-table 4), in any variant."""

from games.engine import backgammon
from games.engine.nardy import player
from games.engine.nardy.rulesets import RULESETS
from games.rules.board import Position
from games.rules.outcome import Win
from games.rules.variants import rules_of


def likeliest_loss(position: Position, *, loser_on_roll: bool, variant: str) -> Win:
    """The kind of loss that the variant's engine finds likeliest. `position` is seen by the player on roll."""
    if variant not in RULESETS:
        return backgammon.likeliest_loss(position, loser_on_roll=loser_on_roll)
    losers_view = position if loser_on_roll else position.flipped()
    if rules_of(variant).worst_loss(losers_view) is Win.SINGLE:
        return Win.SINGLE
    found = player.outlook(position, variant)
    lose = 1 - found.win if loser_on_roll else found.win
    mars = found.lose_mars if loser_on_roll else found.win_mars
    return Win.GAMMON if mars > lose - mars else Win.SINGLE
