"""A tariff as a public page shows it: tables, conditions and examples made from the same data."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from wallet.money import Currency, format_amount
from wallet.tariffs import Column, Giants, Kind, Quote, RatingFactor, Room, Schedule, Tariff, quote

ROOM_NAMES: Final[dict[Room, str | Promise]] = {
    Room.MAIN: gettext_lazy("Main hall"),
    Room.BLITZ: gettext_lazy("Blitz"),
    Room.GIANTS: gettext_lazy("Giants"),
    Room.DARK: gettext_lazy("Dark Room"),
}
WIN_NAMES: Final[dict[int, str | Promise]] = {
    1: gettext_lazy("single game"),
    2: gettext_lazy("gammon"),
    3: gettext_lazy("backgammon"),
}
EXAMPLE_STAKES: Final = (25, 100, 500, 1_000, 2_500, 5_000, 10_000)
EXAMPLE_RATINGS: Final = (1_700, 1_700)
EXAMPLE_LENGTH: Final = 5
GAMMON: Final = 2


@dataclass(frozen=True, slots=True)
class TierRow:
    """One line of a table of rates. `ladder` is empty where length does not matter."""

    amounts: str
    percent: str
    ladder: str


@dataclass(frozen=True, slots=True)
class Section:
    """What one or several rooms pay."""

    rooms: str
    fixed: str
    single: tuple[TierRow, ...]
    series: tuple[TierRow, ...]
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """What a winner pays and gets at one stake in the main hall."""

    stake: str
    single: Quote
    gammon: Quote
    series: Quote


def sections(tariff: Tariff) -> list[Section]:
    """The rooms of a tariff; rooms that pay alike share a section."""
    alike: list[tuple[Column, list[Room]]] = []
    for room, column in tariff.columns.items():
        same = next((rooms for known, rooms in alike if known == column), None)
        if same is None:
            alike.append((column, [room]))
        else:
            same.append(room)
    return [_section(column, rooms) for column, rooms in alike]


def examples(tariff: Tariff) -> list[Example]:
    """A few stakes, between players whose ratings change nothing."""
    return [
        Example(
            stake=_usd(stake),
            single=_example(tariff, Kind.SINGLE, 1, stake, stake),
            gammon=_example(tariff, Kind.SINGLE, 1, stake, stake * GAMMON),
            series=_example(tariff, Kind.SERIES, EXAMPLE_LENGTH, stake, stake),
        )
        for stake in EXAMPLE_STAKES
    ]


@dataclass(frozen=True, slots=True)
class Question:
    """What the calculator is asked; `stake` in cents."""

    room: Room
    kind: Kind
    length: int
    stake: int
    ratings: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Answer:
    """One kind of win: its name, the amounts in cents, and the percentage; `percent` is "" for a fixed fee."""

    name: str
    win: int
    percent: str
    quote: Quote


def answers(tariff: Tariff, question: Question) -> list[Answer]:
    """What each kind of win costs; one line for a series. Raises BadQuote."""
    factors = WIN_NAMES if question.kind is Kind.SINGLE else {1: gettext_lazy("series")}
    return [_answer(tariff, question, factor, str(name)) for factor, name in factors.items()]


def _answer(tariff: Tariff, question: Question, factor: int, name: str) -> Answer:
    win = question.stake * factor
    found = quote(
        tariff,
        room=question.room,
        kind=question.kind,
        length=question.length,
        stake=question.stake,
        win=win,
        ratings=question.ratings,
    )
    return Answer(name, win, "" if found.rate is None else percent(found.rate), found)


def percent(rate: Fraction) -> str:
    """A rate as people write it: 49/1000 is "4.9%"."""
    figures = Decimal(rate.numerator * 100) / Decimal(rate.denominator)
    return f"{figures.normalize():f}%"


def _example(tariff: Tariff, kind: Kind, length: int, stake: int, win: int) -> Quote:
    return quote(
        tariff,
        room=Room.MAIN,
        kind=kind,
        length=length,
        stake=stake,
        win=win,
        ratings=EXAMPLE_RATINGS,
    )


def _section(column: Column, rooms: Sequence[Room]) -> Section:
    fixed = ""
    if column.fixed is not None:
        fixed = _("A stake under %(below)s costs %(fee)s for each player instead.") % {
            "below": _usd(column.fixed.below),
            "fee": _usd(column.fixed.fee),
        }
    return Section(
        rooms=", ".join(str(ROOM_NAMES[room]) for room in rooms),
        fixed=fixed,
        single=_rows(column.single),
        series=_rows(column.series),
        conditions=(*_giants(column.giants), *_rating_factor(column.rating_factor)),
    )


def _rows(schedule: Schedule) -> tuple[TierRow, ...]:
    ends = [tier.start for tier in schedule.tiers[1:]]
    return tuple(
        TierRow(
            amounts=_amounts(tier.start, end),
            percent=percent(tier.rate),
            ladder=_("plus %(step)s for each point over 1, at most %(most)s")
            % {"step": percent(tier.step), "most": percent(tier.at_most)}
            if tier.step and tier.at_most is not None
            else "",
        )
        for tier, end in zip(schedule.tiers, [*ends, None], strict=True)
    )


def _amounts(start: int, end: int | None) -> str:
    if end is None:
        return _("from %(amount)s") % {"amount": _usd(start)} if start else _("any amount")
    if not start:
        return _("up to %(amount)s") % {"amount": _usd(end - 1)}
    return f"{_usd(start)} – {_usd(end - 1)}"  # noqa: RUF001 - an en dash between two amounts


def _rating_factor(factor: RatingFactor | None) -> list[str]:
    if factor is None:
        return []
    said = [
        _(
            "Ratings below %(floor)d count as %(floor)d. Nothing is added when both players are "
            "above %(above)d or both below %(below)d. Otherwise the first that applies:"
        )
        % {
            "floor": factor.counted_at_least,
            "above": factor.none_if_both_above,
            "below": factor.none_if_both_below,
        }
    ]
    said += [
        _("ratings %(difference)d or more apart: the rate times %(factor)s")
        % {"difference": difference, "factor": _plain(times)}
        for difference, times in factor.by_difference
    ]
    one_below = _("one player below %(rating)d: the rate times %(factor)s")
    return [
        *said,
        one_below % {"rating": factor.one_below, "factor": _plain(factor.one_below_factor)},
    ]


def _giants(giants: Giants | None) -> list[str]:
    if giants is None:
        return []
    said = []
    for rung in giants.by_stake:
        stake = _usd(rung.start)
        if rung.rate is not None:
            said.append(
                _("stakes from %(stake)s: %(rate)s, whatever the length")
                % {"stake": stake, "rate": percent(rung.rate)}
            )
        elif rung.start:
            said.append(
                _("stakes from %(stake)s: the rate times %(factor)s")
                % {"stake": stake, "factor": _plain(rung.factor)}
            )
        else:
            said.append(
                _("smaller stakes: the rate times %(factor)s") % {"factor": _plain(rung.factor)}
            )
    most = _("at most %(amount)s for each player and game") % {"amount": _usd(giants.at_most)}
    return [*said, most]


def _plain(factor: Fraction) -> str:
    figures = Decimal(factor.numerator) / Decimal(factor.denominator)
    return f"{figures.normalize():f}"


def _usd(minor: int) -> str:
    return format_amount(minor, Currency.USD)
