"""Tariffs as people write them: TOML to exact rates and back. Pure; refuses whatever it does not know.

Amounts in cents, rates in percent, factors as they stand. 4.9 becomes 49/10, never a float.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from wallet.money import MAX_AMOUNT
from wallet.tariffs import (
    HIGHEST_RATING,
    Base,
    Column,
    Fixed,
    Giants,
    GiantsRung,
    RatingFactor,
    Room,
    Schedule,
    Tariff,
    Tier,
    UnknownTariff,
)

FOLDER: Final = Path(__file__).with_name("tariffs")
PERCENT: Final = Fraction(1, 100)
MOST_PERCENT: Final = Fraction(50)
"""Two fees of more than half would be more than the win."""
MOST_FACTOR: Final = Fraction(10)
MOST_AWAY_S: Final = 3_600
MOST_ROWS: Final = 20
LONGEST_TEXT: Final = 10_000
_FIGURES: Final = re.compile(r"[0-9]{1,6}\.[0-9]{1,6}")

T = TypeVar("T")


class BadTariff(ValueError):
    """The text is no tariff; the message says where and why."""


def names() -> tuple[str, ...]:
    """All tariffs that have a file, by name."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def editions_in_file(name: str) -> tuple[Tariff, ...]:
    """The editions that came with the programme, oldest first. Raises UnknownTariff."""
    if name not in names():
        raise UnknownTariff(name)
    written = _Table(_loaded((FOLDER / f"{name}.toml").read_text("utf-8")), name)
    found = [
        _tariff(name, str(edition.take("since")), 1, edition) for edition in written.rows("edition")
    ]
    written.done()
    return tuple(sorted(found, key=lambda tariff: tariff.since))


def read(name: str, since: str, number: int, text: str) -> Tariff:
    """One edition from its rates. Raises BadTariff."""
    return _tariff(name, since, number, _Table(_loaded(text), "the tariff"))


def write(tariff: Tariff) -> str:
    """The rates of an edition, so that `read` gives the same back."""
    main, giants, dark = (tariff.columns[room] for room in (Room.MAIN, Room.GIANTS, Room.DARK))
    assert main.fixed is not None, "the main hall has a fixed fee below some stake"
    parts = [
        f"smallest_stake = {tariff.smallest_stake}\ncome_back = {tariff.come_back_s}\n",
        f"[fixed]\nbelow = {main.fixed.below}\nfee = {main.fixed.fee}\n",
        _schedule_text("single", main.single),
        _schedule_text("series", main.series),
    ]
    if main.rating_factor is not None:
        parts.append(_rating_factor_text(main.rating_factor))
    if giants.giants is not None:
        parts.append(_giants_text(giants.giants))
    if dark.fixed is None:
        parts += [_schedule_text("dark.single", dark.single)]
        parts += [_schedule_text("dark.series", dark.series)]
    return "\n".join(parts)


# --- reading --------------------------------------------------------------------------------------


class _Table:
    """A table of which every key must be asked for."""

    def __init__(self, written: object, path: str) -> None:
        if not isinstance(written, Mapping):
            raise BadTariff(f"{path} must be a table")
        self._written = dict(written)
        self.path = path

    def take(self, key: str) -> Any:
        if key not in self._written:
            raise BadTariff(f"{self.path}: {key} is missing")
        return self._written.pop(key)

    def __contains__(self, key: str) -> bool:
        return key in self._written

    def table(self, key: str) -> "_Table":
        return _Table(self.take(key), f"{self.path}: {key}")

    def rows(self, key: str) -> list["_Table"]:
        rows = self.take(key)
        if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_ROWS:
            raise BadTariff(f"{self.path}: {key} must have 1 to {MOST_ROWS} rows")
        return [_Table(row, f"{self.path}: {key} {n}") for n, row in enumerate(rows, 1)]

    def whole(self, key: str, least: int = 0, most: int = MAX_AMOUNT) -> int:
        number = self.take(key)
        if type(number) is not int or not least <= number <= most:
            raise BadTariff(f"{self.path}: {key} must be a whole number from {least} to {most}")
        return number

    def share(self, key: str, most: Fraction) -> Fraction:
        number = self.take(key)
        if type(number) not in (int, Fraction) or not 0 <= number <= most:
            raise BadTariff(f"{self.path}: {key} must be a number from 0 to {most}")
        return Fraction(number)

    def maybe(self, key: str, read: Callable[["_Table"], T]) -> T | None:
        return read(self.table(key)) if key in self else None

    def done(self) -> None:
        if self._written:
            raise BadTariff(f"{self.path}: {', '.join(map(str, self._written))} is not known")


def _loaded(text: str) -> dict[str, Any]:
    if len(text) > LONGEST_TEXT:
        raise BadTariff(f"the text is longer than {LONGEST_TEXT} characters")
    try:
        return tomllib.loads(text, parse_float=_exact)
    except (ValueError, RecursionError) as error:
        raise BadTariff(str(error)) from error


def _exact(figures: str) -> Fraction:
    if not _FIGURES.fullmatch(figures):
        raise BadTariff(f"{figures} is not a rate: write it like 4.9")
    return Fraction(figures)


def _tariff(name: str, since: str, number: int, written: _Table) -> Tariff:
    smallest = written.whole("smallest_stake", 1)
    come_back = written.whole("come_back", 1, MOST_AWAY_S)
    fixed = _fixed(written.table("fixed"))
    single, series = _schedule(written.table("single")), _schedule(written.table("series"))
    factor = written.maybe("rating_factor", _rating_factor)
    reduction = written.maybe("giants", _giants)
    dark = written.maybe("dark", _dark) or Column(fixed, single, series)
    written.done()
    main = Column(fixed, single, series, rating_factor=factor)
    return Tariff(
        name=name,
        since=since,
        number=number,
        smallest_stake=smallest,
        come_back_s=come_back,
        columns={
            Room.MAIN: main,
            Room.BLITZ: main,
            Room.GIANTS: Column(fixed, single, series, giants=reduction),
            Room.DARK: dark,
        },
    )


def _fixed(written: _Table) -> Fixed:
    fixed = Fixed(below=written.whole("below"), fee=written.whole("fee"))
    written.done()
    return fixed


def _dark(written: _Table) -> Column:
    single, series = _schedule(written.table("single")), _schedule(written.table("series"))
    written.done()
    return Column(None, single, series)


def _schedule(written: _Table) -> Schedule:
    try:
        base = Base(written.take("on"))
    except ValueError as error:
        raise BadTariff(f'{written.path}: on must be "win" or "stake"') from error
    tiers = tuple(_tier(row) for row in written.rows("tiers"))
    starts = [tier.start for tier in tiers]
    if starts[0] != 0 or starts != sorted(set(starts)):
        raise BadTariff(f"{written.path}: tiers begin at 0 and rise")
    written.done()
    return Schedule(base, tiers)


def _tier(written: _Table) -> Tier:
    start, rate = written.whole("from"), written.share("percent", MOST_PERCENT)
    step, at_most = Fraction(0), None
    if "step" in written:
        step = written.share("step", MOST_PERCENT)
        at_most = written.share("at_most", MOST_PERCENT) * PERCENT
    written.done()
    return Tier(start=start, rate=rate * PERCENT, step=step * PERCENT, at_most=at_most)


def _rating_factor(written: _Table) -> RatingFactor:
    by_difference = tuple(_difference(row) for row in written.rows("by_difference"))
    if list(by_difference) != sorted(set(by_difference), reverse=True):
        raise BadTariff(f"{written.path}: by_difference begins with the largest")
    one_below = written.table("one_below")
    factor = RatingFactor(
        counted_at_least=written.whole("counted_at_least", 0, HIGHEST_RATING),
        none_if_both_above=written.whole("none_if_both_above", 0, HIGHEST_RATING),
        none_if_both_below=written.whole("none_if_both_below", 0, HIGHEST_RATING),
        by_difference=by_difference,
        one_below=one_below.whole("rating", 0, HIGHEST_RATING),
        one_below_factor=one_below.share("factor", MOST_FACTOR),
    )
    one_below.done()
    written.done()
    return factor


def _difference(written: _Table) -> tuple[int, Fraction]:
    found = written.whole("from", 0, HIGHEST_RATING), written.share("factor", MOST_FACTOR)
    written.done()
    return found


def _giants(written: _Table) -> Giants:
    rungs = tuple(_rung(row) for row in written.rows("by_stake"))
    starts = [rung.start for rung in rungs]
    if starts[-1] != 0 or starts != sorted(set(starts), reverse=True):
        raise BadTariff(f"{written.path}: by_stake begins with the dearest and ends at 0")
    giants = Giants(at_most=written.whole("at_most"), by_stake=rungs)
    written.done()
    return giants


def _rung(written: _Table) -> GiantsRung:
    start = written.whole("from")
    rate = written.share("percent", MOST_PERCENT) * PERCENT if "percent" in written else None
    factor = written.share("factor", MOST_FACTOR) if rate is None else Fraction(1)
    written.done()
    return GiantsRung(start=start, rate=rate, factor=factor)


# --- writing --------------------------------------------------------------------------------------


def _plain(number: Fraction) -> str:
    return f"{(Decimal(number.numerator) / Decimal(number.denominator)).normalize():f}"


def _schedule_text(name: str, schedule: Schedule) -> str:
    rows = "".join(f"    {{ {_tier_text(tier)} }},\n" for tier in schedule.tiers)
    return f'[{name}]\non = "{schedule.on}"\ntiers = [\n{rows}]\n'


def _tier_text(tier: Tier) -> str:
    text = f"from = {tier.start}, percent = {_plain(tier.rate / PERCENT)}"
    if tier.at_most is None:
        return text
    step, most = _plain(tier.step / PERCENT), _plain(tier.at_most / PERCENT)
    return f"{text}, step = {step}, at_most = {most}"


def _rating_factor_text(factor: RatingFactor) -> str:
    rows = "".join(
        f"    {{ from = {difference}, factor = {_plain(times)} }},\n"
        for difference, times in factor.by_difference
    )
    one_below = f"rating = {factor.one_below}, factor = {_plain(factor.one_below_factor)}"
    return (
        f"[rating_factor]\ncounted_at_least = {factor.counted_at_least}\n"
        f"none_if_both_above = {factor.none_if_both_above}\n"
        f"none_if_both_below = {factor.none_if_both_below}\n"
        f"by_difference = [\n{rows}]\none_below = {{ {one_below} }}\n"
    )


def _giants_text(giants: Giants) -> str:
    rows = "".join(f"    {{ {_rung_text(rung)} }},\n" for rung in giants.by_stake)
    return f"[giants]\nat_most = {giants.at_most}\nby_stake = [\n{rows}]\n"


def _rung_text(rung: GiantsRung) -> str:
    if rung.rate is not None:
        return f"from = {rung.start}, percent = {_plain(rung.rate / PERCENT)}"
    return f"from = {rung.start}, factor = {_plain(rung.factor)}"
