"""The FIBS formula (Rooms 3): worked examples, an independent reckoning in floating point, and its laws."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ratings import (
    FLOOR,
    GAMES,
    START,
    UNIT,
    AtStake,
    Rating,
    at_stake,
    game_of,
    hundredths,
)
from games.terms import LONGEST_SERIES, VARIANTS

EXPERIENCED = 400
ratings = st.builds(
    Rating,
    billionths=st.integers(400 * UNIT, 3_000 * UNIT),
    experience=st.integers(0, 5_000),
)
lengths = st.integers(1, LONGEST_SERIES)


def rated(points: int | str, experience: int = EXPERIENCED) -> Rating:
    return Rating(int(Decimal(points) * UNIT), experience)


def test_a_new_player_has_1500_and_no_experience() -> None:
    assert Rating().exact == 1500
    assert (Rating().experience, Rating().shown) == (0, "1500")


@pytest.mark.parametrize(
    ("own", "other", "length", "win", "lose"),
    [
        # Worked in Rooms 3.
        (rated(1850), rated(1750), 5, 390, -504),
        (rated(1750), rated(1850), 5, 504, -390),
        (Rating(), Rating(), 1, 1000, -1000),
        # By hand: K is 5 - 1 = 4 after 100 points, 1 from 400 points on, and never less.
        (rated(1500, 100), rated(1500, 100), 1, 800, -800),
        (rated(1500, 400), rated(1500), 1, 200, -200),
        (rated(1500, 9_999), rated(1500), 1, 200, -200),
        # 4 · 1 · √4 · ½.
        (rated(1500), rated(1500), 4, 400, -400),
    ],
)
def test_worked_examples(own: Rating, other: Rating, length: int, win: int, lose: int) -> None:
    stake = at_stake(own, other, length)
    assert (hundredths(stake.win), hundredths(stake.lose)) == (win, lose)


def test_experience_is_each_players_own() -> None:
    new, old = rated(1500, 0), rated(1500)
    assert at_stake(new, old, 1) == AtStake(win=10 * UNIT, lose=-10 * UNIT)
    assert at_stake(old, new, 1) == AtStake(win=2 * UNIT, lose=-2 * UNIT)


@given(own=ratings, other=ratings, length=lengths)
def test_it_is_the_published_formula(own: Rating, other: Rating, length: int) -> None:
    """Written once more as it is published, in floating point."""
    difference = abs(own.billionths - other.billionths) / UNIT
    underdog = 1 / (10 ** (difference * math.sqrt(length) / 2000) + 1)
    winning = 1 - underdog if own.billionths >= other.billionths else underdog
    k = max(1, 5 - own.experience / 100)
    stake = at_stake(own, other, length)
    assert stake.win / UNIT == pytest.approx(4 * k * math.sqrt(length) * (1 - winning), abs=1e-8)
    assert stake.lose / UNIT == pytest.approx(-4 * k * math.sqrt(length) * winning, abs=1e-8)


@given(own=ratings, other=ratings, length=lengths)
def test_a_win_never_costs_and_a_loss_never_pays(own: Rating, other: Rating, length: int) -> None:
    stake = at_stake(own, other, length)
    assert stake.win >= 0 >= stake.lose
    assert (stake.of(won=True), stake.of(won=False)) == (stake.win, stake.lose)


@given(own=ratings, other=ratings, length=lengths)
def test_what_one_wins_the_other_loses_if_both_are_equally_experienced(
    own: Rating, other: Rating, length: int
) -> None:
    peer = Rating(other.billionths, own.experience)
    assert at_stake(own, peer, length).win == -at_stake(peer, own, length).lose


@given(own=ratings, other=ratings, stronger=st.integers(0, 500 * UNIT), length=lengths)
def test_beating_a_stronger_player_brings_no_less(
    own: Rating, other: Rating, stronger: int, length: int
) -> None:
    better = Rating(other.billionths + stronger, other.experience)
    assert at_stake(own, better, length).win >= at_stake(own, other, length).win


@given(st.lists(st.tuples(ratings, lengths, st.booleans()), max_size=30))
def test_the_sum_of_changes_is_exact(matches: list[tuple[Rating, int, bool]]) -> None:
    """Integers: no order and no number of matches loses a billionth."""
    changes = [at_stake(Rating(), other, n).of(won=won) for other, n, won in matches]
    forwards = backwards = START
    for change in changes:
        forwards += change
    for change in reversed(changes):
        backwards += change
    assert forwards == backwards == START + sum(changes)


@pytest.mark.parametrize(
    ("points", "shown", "counted"),
    [
        ("1500", "1500", "1500"),
        ("1503.4999", "1503", "1503.4999"),
        ("1503.5", "1504", "1503.5"),
        ("1400", "1400", "1400"),
        ("1399.999999999", "1400*", "1400"),
        ("900", "1400*", "1400"),
    ],
)
def test_below_1400_is_shown_and_counted_as_1400(points: str, shown: str, counted: str) -> None:
    rating = rated(points)
    assert (rating.shown, rating.counted) == (shown, Decimal(counted))
    assert rating.exact == Decimal(points)
    assert rating.counted >= FLOOR


def test_the_low_are_still_rated_by_what_they_really_have() -> None:
    assert at_stake(rated(1200), rated(1400), 1).win > at_stake(rated(1400), rated(1400), 1).win


@pytest.mark.parametrize(("points", "said"), [("1799.996", "1799.99"), ("1800", "1800.00")])
def test_where_rounding_would_hide_the_reason_the_decimals_are_cut(points: str, said: str) -> None:
    assert rated(points).shown_exactly == said


def test_every_variant_belongs_to_a_game() -> None:
    assert {game_of(variant) for variant in VARIANTS} <= set(GAMES)
    assert game_of("long-nardy") == game_of("long-nardy-fnr") == "long-nardy"
