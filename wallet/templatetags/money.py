"""Amounts in templates."""

from django import template

from wallet.money import Currency, format_amount, format_change
from wallet.tariffs import Quote

register = template.Library()


@register.filter
def amount(minor: int, currency: str = Currency.USD.value) -> str:
    """Minor units as people write them: {{ 1250|amount }} is $12.50."""
    return format_amount(minor, Currency(currency))


@register.filter
def change(minor: int, currency: str = Currency.USD.value) -> str:
    """The same with its sign: +$12.50."""
    return format_change(minor, Currency(currency))


@register.filter
def whole(minor: int, currency: str = Currency.USD.value) -> str:
    """An amount without its cents, for the scale of a chart."""
    return format_amount(minor, Currency(currency)).partition(".")[0]


@register.filter
def both_fees(quote: Quote) -> str:
    """What both players pay together."""
    return format_amount(2 * quote.fee_each, Currency.USD)
