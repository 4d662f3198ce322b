"""Money that was lost at a table, quickly: a match broken off and adjudicated."""

from accounts.models import User
from games import course, house
from games.dbclock import read_ms
from games.match import commands
from games.match.sides import Side
from games.tests.abandoned import begin
from games.tests.players import open_table, usd_terms
from wallet.money import Currency
from wallet.selectors import balance_of

PPM = 1_000_000


def lose(loser: User, *, to: User, points: int, stake: int) -> int:
    """The loser sits light, leaves, and is judged to have lost so many stakes. Answers what it cost them, in cents."""
    before = balance_of(loser.pk, Currency.USD)
    match_id = open_table(loser, to, usd_terms(stake, limit_factor=3))
    begin(match_id)
    state = course.load(match_id)[1]
    long_ago = read_ms() - state.terms.window_ms - 1
    house.advance(match_id, commands.MarkLost(side=Side.LIGHT, since_ms=long_ago))
    house.advance(match_id, course.expiry(course.load(match_id)[1], frozenset()))
    won = points * PPM
    house.advance(
        match_id,
        commands.Adjudicate(
            side=Side.DARK, estimate=won, low=won, high=won, engine="test", detail=""
        ),
    )
    return before - balance_of(loser.pk, Currency.USD)
