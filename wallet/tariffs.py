"""What the house takes from a win, by tariff. Pure: exact fractions; tariff_text reads the rates.

Order (Money 4): final win, rate, ladder and its maximum, Giants or rating factor, times the amount,
rounded half up once for each player, the cap in Giants, and never more than the win.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Final, TypeAlias

from wallet.money import MAX_AMOUNT

LONGEST: Final = 1_000
HIGHEST_RATING: Final = 10_000
HALF: Final = Fraction(1, 2)

Rating: TypeAlias = int | Decimal | Fraction


class UnknownTariff(ValueError):
    """No tariff or edition of this name."""


class BadQuote(ValueError):
    """The question makes no sense: a wrong type, an amount out of range, an unknown room."""


class Room(StrEnum):
    """The rooms that a tariff tells apart, as columns of its table."""

    MAIN = "main"
    GIANTS = "giants"
    DARK = "dark"
    BLITZ = "blitz"
    PRACTICE = "practice"


class Kind(StrEnum):
    """What is played: one game with the cube, or a series to a number of points."""

    SINGLE = "single"
    SERIES = "series"


class Base(StrEnum):
    """The amount that a rate applies to, and that chooses the tier."""

    WIN = "win"
    STAKE = "stake"


@dataclass(frozen=True, slots=True)
class Fixed:
    """Stakes under `below` cents pay `fee` cents each instead of a rate."""

    below: int
    fee: int


@dataclass(frozen=True, slots=True)
class Tier:
    """From `start` cents: a rate, and in a ladder a step for each point of length over 1."""

    start: int
    rate: Fraction
    step: Fraction
    at_most: Fraction | None

    def rate_at(self, length: int) -> Fraction:
        """The rate of a series to `length` points."""
        rate = self.rate + self.step * (length - 1)
        return rate if self.at_most is None else min(rate, self.at_most)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The tiers of one kind of game, cheapest amount first."""

    on: Base
    tiers: tuple[Tier, ...]

    def tier_of(self, amount: int) -> Tier:
        """The last tier that begins at or below the amount."""
        return [tier for tier in self.tiers if tier.start <= amount][-1]


@dataclass(frozen=True, slots=True)
class RatingFactor:
    """Raises the rate for uneven or low ratings; the first condition that holds decides."""

    counted_at_least: int
    none_if_both_above: int
    none_if_both_below: int
    by_difference: tuple[tuple[int, Fraction], ...]
    one_below: int
    one_below_factor: Fraction

    def of(self, ratings: Sequence[Fraction]) -> Fraction:
        """The factor for two ratings as they were at the start."""
        low, high = sorted(max(rating, Fraction(self.counted_at_least)) for rating in ratings)
        if low > self.none_if_both_above or high < self.none_if_both_below:
            return Fraction(1)
        for difference, factor in self.by_difference:
            if high - low >= difference:
                return factor
        return self.one_below_factor if low < self.one_below else Fraction(1)


@dataclass(frozen=True, slots=True)
class GiantsRung:
    """From this stake in Giants: a rate instead of everything before, or a factor on it."""

    start: int
    rate: Fraction | None
    factor: Fraction


@dataclass(frozen=True, slots=True)
class Giants:
    """The reduction by stake, dearest stake first, and the most that a player pays for a game."""

    at_most: int
    by_stake: tuple[GiantsRung, ...]

    def reduced(self, rate: Fraction, stake: int) -> Fraction:
        """The rate in Giants for this stake, in cents."""
        rung = next(rung for rung in self.by_stake if rung.start <= stake)
        return rate * rung.factor if rung.rate is None else rung.rate


@dataclass(frozen=True, slots=True)
class Column:
    """All that one room pays by."""

    fixed: Fixed | None
    single: Schedule
    series: Schedule
    rating_factor: RatingFactor | None = None
    giants: Giants | None = None

    def schedule(self, kind: Kind) -> Schedule:
        """The tiers for a kind of game."""
        return self.single if kind is Kind.SINGLE else self.series


@dataclass(frozen=True, slots=True)
class Tariff:
    """One dated edition. `columns` lacks the rooms that pay nothing; `since` is a date as in 2026-01-31.

    `come_back_s`: how long a player may be away in all in one match (live-table 5).
    `number` tells editions of one day apart.
    """

    name: str
    since: str
    smallest_stake: int
    come_back_s: int
    columns: Mapping[Room, Column]
    number: int = 1

    @property
    def edition(self) -> str:
        """The name that a match keeps: `editions.load` gives this very edition for it."""
        dated = f"{self.name}@{self.since}"
        return dated if self.number == 1 else f"{dated}.{self.number}"


@dataclass(frozen=True, slots=True)
class Quote:
    """What a win costs, in cents; `rate` is None where no percentage was used."""

    fee_each: int
    winner_gain: int
    loser_loss: int
    rate: Fraction | None = None


def quote(  # noqa: PLR0913 - each word of the question is named at every call
    tariff: Tariff,
    *,
    room: str,
    kind: str,
    length: int,
    stake: int,
    win: int,
    ratings: tuple[Rating, Rating],
    adjudicated: bool = False,
) -> Quote:
    """What each player pays to the house, and what that leaves.

    `stake` and `win` in cents, `win` already with cube, kind and limit; `ratings` as at the start.
    `adjudicated`: the win is a transfer that the engine found, and is the base in a series too
    (Money 5). Raises BadQuote.
    """
    asked_room, asked_kind = _room(room), _kind(kind)
    _require_whole("length", length, 1, LONGEST)
    _require_whole("stake", stake, tariff.smallest_stake, MAX_AMOUNT)
    _require_whole("win", win, 0, MAX_AMOUNT)
    exact = _exact_ratings(ratings)
    column = tariff.columns.get(asked_room)
    if column is None:
        return _quote(0, win)
    if column.fixed is not None and stake < column.fixed.below:
        return _quote(column.fixed.fee, win)
    schedule = column.schedule(asked_kind)
    amount = win if adjudicated or schedule.on is Base.WIN else stake
    tier = schedule.tier_of(amount)
    rate = tier.rate_at(length if asked_kind is Kind.SERIES else 1)
    if column.giants is not None:
        rate = column.giants.reduced(rate, stake)
    if column.rating_factor is not None:
        rate *= column.rating_factor.of(exact)
    fee = _rounded_half_up(rate * amount)
    if column.giants is not None:
        fee = min(fee, column.giants.at_most)
    return _quote(fee, win, rate)


def _quote(fee: int, win: int, rate: Fraction | None = None) -> Quote:
    """Both fees together never exceed the win."""
    fee_each = min(fee, win // 2)
    return Quote(fee_each, winner_gain=win - 2 * fee_each, loser_loss=win, rate=rate)


def _rounded_half_up(amount: Fraction) -> int:
    return (amount + HALF).__floor__()


# --- the question ---------------------------------------------------------------------------------


def _room(room: str) -> Room:
    try:
        return Room(room)
    except ValueError as error:
        raise BadQuote("unknown room") from error


def _kind(kind: str) -> Kind:
    try:
        return Kind(kind)
    except ValueError as error:
        raise BadQuote("unknown kind") from error


def _require_whole(name: str, number: object, least: int, most: int) -> None:
    if type(number) is not int:
        raise BadQuote(f"{name} must be a whole number")
    if not least <= number <= most:
        raise BadQuote(f"{name} must be from {least} to {most}")


def _exact_ratings(ratings: object) -> list[Fraction]:
    match ratings:
        case (first, second):
            return [_exact_rating(first), _exact_rating(second)]
        case _:
            raise BadQuote("two ratings are needed")


def _exact_rating(rating: object) -> Fraction:
    if isinstance(rating, bool) or not isinstance(rating, int | Decimal | Fraction):
        raise BadQuote("a rating must be a number")
    if isinstance(rating, Decimal) and not rating.is_finite():
        raise BadQuote("a rating must be a number")
    if not 0 <= rating <= HIGHEST_RATING:
        raise BadQuote(f"a rating must be from 0 to {HIGHEST_RATING}")
    return Fraction(rating)
