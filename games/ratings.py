"""The FIBS rating formula (Rooms 3). Pure: exact decimals, no database, no clock.

One rating per game and currency, from 1500 with experience 0. With D the difference and n the length of
the match, the underdog's chance is 1 / (10^(D√n / 2000) + 1); a player whose experience before the match
was e moves by 4·K·√n times the chance of what did not happen, K = max(1, 5 - e/100).
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from typing import Final

UNIT: Final = 1_000_000_000
"""Ratings are kept as integers of billionths of a point, so that sums of changes are exact everywhere."""

START: Final = 1500 * UNIT
FLOOR: Final = 1400
"""Below it a rating is shown and counted for fees as this."""

GAMES: Final = ("backgammon", "long-nardy")
STEEPNESS: Final = 2000
CHANGE: Final = 4
MOST_K: Final = 5
LEAST_K: Final = 1
EXPERIENCE_OF_ONE: Final = 100
HUNDREDTHS: Final = 100

_EXACT: Final = Context(prec=40, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is known to be: billionths of a point, and the points of length played before."""

    billionths: int = START
    experience: int = 0

    @property
    def exact(self) -> Decimal:
        """In points, to the last billionth.

        >>> Rating(1_503_900_000_001).exact
        Decimal('1503.900000001')
        """
        return _EXACT.divide(Decimal(self.billionths), Decimal(UNIT))

    @property
    def counted(self) -> Decimal:
        """As fees count it: never below 1400 (Money 4)."""
        return max(self.exact, Decimal(FLOOR))

    @property
    def shown(self) -> str:
        """As people read it: whole points, rounded half up.

        >>> Rating(1_399_999_999_999).shown, Rating(1_400_500_000_000).shown
        ('1400*', '1401')
        """
        if self.billionths < FLOOR * UNIT:
            return f"{FLOOR}*"
        return str(self.exact.quantize(Decimal(1), ROUND_HALF_UP))

    @property
    def shown_exactly(self) -> str:
        """With two decimals, where whole points would hide why a bound is not reached; cut, not rounded."""
        return f"{self.billionths // (UNIT // HUNDREDTHS) / Decimal(HUNDREDTHS):.2f}"


@dataclass(frozen=True, slots=True)
class AtStake:
    """What a match can change of a rating, in billionths: `win` above zero, `lose` below."""

    win: int
    lose: int

    def of(self, *, won: bool) -> int:
        """The change for a result."""
        return self.win if won else self.lose


def game_of(variant: str) -> str:
    """The game whose rating a variant counts for: all rulesets of long nardy are one game.

    >>> game_of("long-nardy-fnr")
    'long-nardy'
    """
    return next(game for game in GAMES if variant == game or variant.startswith(f"{game}-"))


def at_stake(own: Rating, other: Rating, length: int) -> AtStake:
    """What `own` gains by winning and loses by losing a match to `length` points (a single game: 1).

    >>> new = Rating()
    >>> at_stake(new, new, 1)
    AtStake(win=10000000000, lose=-10000000000)
    >>> strong, weak = Rating(1850 * UNIT, 400), Rating(1750 * UNIT, 400)
    >>> hundredths(at_stake(strong, weak, 5).win), hundredths(at_stake(weak, strong, 5).win)
    (390, 504)
    """
    root = _EXACT.sqrt(Decimal(length))
    losing = _chance_of_losing(own, other, root)
    winning = _EXACT.subtract(Decimal(1), losing)
    scale = _EXACT.multiply(_EXACT.multiply(Decimal(CHANGE), _k(own.experience)), root)
    return AtStake(win=_billionths(scale, losing), lose=-_billionths(scale, winning))


def hundredths(billionths: int) -> int:
    """Hundredths of a point for people, rounded half up away from zero.

    >>> hundredths(3_899_700_000), hundredths(-5_044_550_000)
    (390, -504)
    """
    step = UNIT // HUNDREDTHS
    rounded = (2 * abs(billionths) + step) // (2 * step)
    return rounded if billionths >= 0 else -rounded


def _chance_of_losing(own: Rating, other: Rating, root: Decimal) -> Decimal:
    """The favourite's is the underdog's chance of winning; both add up to one exactly."""
    if own.billionths < other.billionths:
        return _EXACT.subtract(Decimal(1), _chance_of_losing(other, own, root))
    difference = _EXACT.divide(Decimal(own.billionths - other.billionths), Decimal(UNIT))
    exponent = _EXACT.divide(_EXACT.multiply(difference, root), Decimal(STEEPNESS))
    odds = _EXACT.power(Decimal(10), exponent)
    return _EXACT.divide(Decimal(1), _EXACT.add(odds, Decimal(1)))


def _k(experience: int) -> Decimal:
    """New players move faster."""
    spent = _EXACT.divide(Decimal(experience), Decimal(EXPERIENCE_OF_ONE))
    return max(Decimal(LEAST_K), _EXACT.subtract(Decimal(MOST_K), spent))


def _billionths(scale: Decimal, chance: Decimal) -> int:
    points = _EXACT.multiply(scale, chance)
    return int(_EXACT.multiply(points, Decimal(UNIT)).quantize(Decimal(1), ROUND_HALF_EVEN))
