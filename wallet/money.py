"""Amounts: integers of the smallest unit inside, strict text at the edge. Knows no framework."""

import re
from enum import StrEnum
from typing import Final

from wallet.errors import AmountTooLarge, BadAmount, FractionOfUnit


class Currency(StrEnum):
    """What an amount counts. Nothing converts between currencies."""

    USD = "USD"
    PLAY = "PLAY"

    @property
    def decimals(self) -> int:
        """Digits after the point: cents for USD, none for chips."""
        return _DECIMALS[self]

    @property
    def sign(self) -> str:
        """What stands before the figures; chips have no sign."""
        return _SIGNS[self]


_DECIMALS: Final = {Currency.USD: 2, Currency.PLAY: 0}
_SIGNS: Final = {Currency.USD: "$", Currency.PLAY: ""}

MAX_AMOUNT: Final = 10**15
"""The largest single transfer in minor units: far above any stake, far below a bigint's end."""

MINUS: Final = "\N{MINUS SIGN}"

# Digits are ASCII on purpose: "\d" would let the figures of every script through.
_WRITTEN: Final = re.compile(r"(?P<whole>0|[1-9][0-9]{0,17})(?:[.,](?P<part>[0-9]+))?")


def parse_amount(text: str, currency: Currency) -> int:
    """Minor units written in `text`: "5", "2.5", "2.50" and "2,50" for money, "500" for chips.

    Raises BadAmount for anything else (signs, exponents, spaces inside, foreign digits,
    thousands separators), FractionOfUnit for "1.005", AmountTooLarge above MAX_AMOUNT.
    """
    written = _WRITTEN.fullmatch(text.strip())
    if written is None:
        raise BadAmount
    part = written["part"] or ""
    if len(part) > currency.decimals:
        raise FractionOfUnit(decimals=currency.decimals)
    amount = int(written["whole"] + part.ljust(currency.decimals, "0"))
    if amount > MAX_AMOUNT:
        raise AmountTooLarge(most=format_amount(MAX_AMOUNT, currency))
    return amount


def plain_amount(minor: int, currency: Currency) -> str:
    """Figures that `parse_amount` reads back: "1234.50", "1840"; negative ones with a hyphen."""
    sign = "-" if minor < 0 else ""
    whole, part = divmod(abs(minor), 10**currency.decimals)
    if not currency.decimals:
        return f"{sign}{whole}"
    return f"{sign}{whole}.{part:0{currency.decimals}d}"


def format_amount(minor: int, currency: Currency) -> str:
    """For people: "$1,234.50", "1,840"; a loss has a real minus sign before the currency's."""
    whole, _, part = plain_amount(abs(minor), currency).partition(".")
    figures = f"{currency.sign}{int(whole):,}"
    if part:
        figures = f"{figures}.{part}"
    return f"{MINUS}{figures}" if minor < 0 else figures


def format_change(minor: int, currency: Currency) -> str:
    """As `format_amount`, with a plus before what was gained: "+$9.02"."""
    return f"+{format_amount(minor, currency)}" if minor > 0 else format_amount(minor, currency)
