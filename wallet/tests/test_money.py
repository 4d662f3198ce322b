"""Amounts at the edge: strict in, plain out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallet.errors import AmountTooLarge, BadAmount, FractionOfUnit
from wallet.money import (
    MAX_AMOUNT,
    Currency,
    format_amount,
    format_change,
    parse_amount,
    plain_amount,
)

USD, PLAY = Currency.USD, Currency.PLAY


@pytest.mark.parametrize(
    ("text", "cents"),
    [("5", 500), ("2.50", 250), ("2,50", 250), ("2.5", 250), ("0.10", 10), (" 7 ", 700), ("0", 0)],
)
def test_reads(text: str, cents: int) -> None:
    assert parse_amount(text, USD) == cents


def test_reads_chips() -> None:
    assert parse_amount("1840", PLAY) == 1_840


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-1",
        "+1",
        "1e9",
        "1E2",
        "NaN",
        "inf",
        "0x10",
        "1_000",
        "1 000",
        "1\u00a0000",
        "1,000.00",
        "1.2.3",
        ".50",
        "5.",
        "$5",
        "5 USD",
        "\u0665",  # an Arabic-Indic five
        "\uff15",  # a full-width five
        "²",
        "05",
        "1\n2",
        "\u22125",
        "9" * 19,
        "9" * 5_000,
    ],
)
def test_refuses(text: str) -> None:
    for currency in Currency:
        with pytest.raises(BadAmount) as refusal:
            parse_amount(text, currency)
        assert refusal.value.text % refusal.value.params
        assert refusal.value.code == "bad_amount"


def test_refuses_a_fraction_of_the_smallest_unit() -> None:
    for text, currency in (("1.005", USD), ("1,000", USD), ("1.0", PLAY), ("1,0", PLAY)):
        with pytest.raises(FractionOfUnit):
            parse_amount(text, currency)


def test_refuses_more_than_the_ledger_moves() -> None:
    assert parse_amount(plain_amount(MAX_AMOUNT, USD), USD) == MAX_AMOUNT
    with pytest.raises(AmountTooLarge):
        parse_amount(plain_amount(MAX_AMOUNT + 1, USD), USD)


@given(st.integers(0, MAX_AMOUNT), st.sampled_from(Currency))
def test_what_is_written_is_read_back(amount: int, currency: Currency) -> None:
    assert parse_amount(plain_amount(amount, currency), currency) == amount


@given(st.text(max_size=12), st.sampled_from(Currency))
def test_any_text_is_an_amount_or_a_refusal(text: str, currency: Currency) -> None:
    try:
        amount = parse_amount(text, currency)
    except BadAmount:
        return
    assert 0 <= amount <= MAX_AMOUNT
    assert text.isascii() or not text.strip().isalnum()


def test_shows() -> None:
    assert format_amount(123_450, USD) == "$1,234.50"
    assert format_amount(-1_500, USD) == "\u2212$15.00"
    assert format_amount(1_840, PLAY) == "1,840"
    assert format_change(902, USD) == "+$9.02"
    assert format_change(0, USD) == "$0.00"
    assert format_change(-5, PLAY) == "\u22125"
    assert plain_amount(-5, USD) == "-0.05"
