"""Whole series, from the ready check to the last cent, for every series row of the cases of fees (Money 4)."""

import csv
from pathlib import Path

import pytest
from pytest_django import Settings

from games import seating
from games.match.sides import Side
from games.models import PlayerRating
from games.ratings import UNIT
from games.rules.outcome import Win
from games.terms import table_terms
from games.tests.abandoned import begin
from games.tests.decided import lose
from games.tests.players import make_user
from wallet import reconcile
from wallet.money import Currency
from wallet.selectors import balance_of

pytestmark = pytest.mark.django_db
BROUGHT = 20_000
TABLE = Path(__file__).parents[2] / "wallet" / "tests" / "cases" / "fees.tsv"


def series_rows() -> list[dict[str, str]]:
    with TABLE.open() as lines:
        return [row for row in csv.DictReader(lines, delimiter="\t") if row["kind"] == "series"]


@pytest.mark.parametrize("row", series_rows(), ids=lambda row: "-".join(row.values()))
def test_a_series_pays_what_the_case_says(row: dict[str, str], settings: Settings) -> None:
    settings.TARIFF = row["tariff"]
    users = [make_user(cents=BROUGHT) for _ in range(2)]
    for user, points in zip(users, (row["rating_a"], row["rating_b"]), strict=True):
        PlayerRating.objects.create(
            user=user, game="backgammon", currency="USD", billionths=int(points) * UNIT
        )
    stake = int(row["stake"])
    match_id = seating.open_match(
        light=users[0],
        dark=users[1],
        terms=table_terms(currency="USD", stake=stake, kind="series", length=int(row["length"])),
        room=row["room"],
        column=row["room"],
    )
    begin(match_id)
    assert [balance_of(user.pk, Currency.USD) for user in users] == [BROUGHT - stake] * 2
    lose(match_id, Side.DARK, Win.BACKGAMMON)
    won, paid = (balance_of(user.pk, Currency.USD) - BROUGHT for user in users)
    assert (won, -paid) == (int(row["winner_gain"]), int(row["loser_loss"]))
    assert stake - won == 2 * int(row["fee_each"])
    ledger = [outcome for outcome in reconcile.run() if "rating" not in outcome.name]
    assert [line for outcome in ledger for line in outcome.findings] == []


def test_there_are_series_rows() -> None:
    assert len(series_rows()) >= 8
