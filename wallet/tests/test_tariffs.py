"""The commission: every worked case of Money 4, and what holds for all of them."""

import csv
import io
import json
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from wallet.management.commands.quote_fee import answer
from wallet.money import MAX_AMOUNT
from wallet.tariff_text import editions_in_file, names
from wallet.tariffs import BadQuote, Quote, Room, quote

CASES = list(
    csv.DictReader(
        io.StringIO(Path(__file__).with_name("cases").joinpath("fees.tsv").read_text()),
        delimiter="\t",
    )
)
TARIFFS = {name: editions_in_file(name)[-1] for name in names()}
RU, FI = TARIFFS["play65-ru"], TARIFFS["play65-fi"]
EVEN = (1700, 1700)


def fee(stake: int, win: int = 0, *, tariff=RU, room="main", length=0, ratings=EVEN) -> int:
    kind = "series" if length else "single"
    return quote(
        tariff,
        room=room,
        kind=kind,
        length=length or 1,
        stake=stake,
        win=win or stake,
        ratings=ratings,
    ).fee_each


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case.values()))
def test_worked_case(case: dict[str, str]) -> None:
    found = quote(
        TARIFFS[case["tariff"]],
        room=case["room"],
        kind=case["kind"],
        length=int(case["length"]),
        stake=int(case["stake"]),
        win=int(case["win"]),
        ratings=(int(case["rating_a"]), int(case["rating_b"])),
    )
    figures = (found.fee_each, found.winner_gain, found.loser_loss)
    assert figures == (int(case["fee_each"]), int(case["winner_gain"]), int(case["loser_loss"]))


def test_the_case_file_is_whole() -> None:
    assert len(CASES) == 33


@pytest.mark.django_db
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case.values()))
def test_the_command_answers_the_worked_case(case: dict[str, str]) -> None:
    """Both ways of giving the ratings."""
    numbers = {"length", "stake", "win", "rating_a", "rating_b"}
    asked: dict[str, Any] = {
        name: int(text) if name in numbers else text for name, text in case.items()
    }
    due = {name: int(asked.pop(name)) for name in ("fee_each", "winner_gain", "loser_loss")}
    assert answer(json.dumps(asked).encode()) == due
    asked["ratings"] = [asked.pop("rating_a"), asked.pop("rating_b")]
    assert answer(json.dumps(asked).encode()) == due


# --- the edges of each rule -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ratings", "factor"),
    [
        ((1651, 2400), 1),  # both above 1650
        ((1650, 2400), 2),  # one is not above it
        ((1650, 1749), 1),
        ((1650, 1750), Fraction(3, 2)),
        ((1650, 1849), Fraction(3, 2)),
        ((1650, 1850), 2),
        ((1449, 100), 1),  # both below 1450
        ((1450, 100), Fraction(5, 4)),  # 1400 v 1450
        ((1500, 100), Fraction(3, 2)),
        ((1599, 1390), Fraction(3, 2)),  # 1400 v 1599
        ((1600, 1390), 2),
        ((1620, 1620), 1),
        ((1619, 1620), Fraction(5, 4)),
        ((1619, 1719), Fraction(3, 2)),
        ((Decimal("1650.5"), 2400), 1),
        ((Decimal("1619.99"), 1650), Fraction(5, 4)),
    ],
)
def test_rating_factor(ratings: tuple[int, int], factor: Fraction) -> None:
    for pair in (ratings, ratings[::-1]):
        found = quote(
            RU, room="main", kind="single", length=1, stake=1_000, win=1_000, ratings=pair
        )
        assert found.rate == factor * Fraction(49, 1_000)


def test_the_fixed_fee_ends_at_fifty_cents_of_stake() -> None:
    """Not of win; and no factor, ladder or Giants reduction touches it."""
    assert fee(49, 5_000) == 3
    assert fee(50, 5_000) == 195
    assert fee(49, ratings=(1500, 1900)) == 3
    assert fee(49, length=15) == 3
    assert fee(49, room="giants", ratings=(1900, 1900)) == 3
    assert fee(49, room="dark") == 3  # 5.9 % of 49 is 2.891
    assert fee(10, room="dark") == 1  # 0.59: the Dark Room has no fixed fee


def test_the_ladder_grows_with_length_up_to_its_maximum() -> None:
    assert [fee(1_000, length=n) for n in (1, 2, 3, 10, 11, 12)] == [49, 54, 59, 94, 99, 99]
    assert [fee(9_999, length=n) for n in (1, 10, 11)] == [440, 890, 890]
    assert [fee(10_000, length=n) for n in (1, 10, 11)] == [340, 790, 790]


def test_giants() -> None:
    giants = {"room": "giants", "ratings": (1800, 1800)}
    assert fee(4_999, **giants) == 220  # 4.9 % x 0.90 = 4.41 %
    assert fee(5_000, **giants) == 166  # 3.9 % x 0.85 = 3.315 %
    assert fee(49_999, **giants) == 1_232  # 2.9 % x 0.85 = 2.465 %
    assert fee(50_000, **giants) == 1_225  # 2.45 %
    assert fee(1_000, length=3, **giants) == 53  # 5.9 % x 0.90 = 5.31 %
    assert fee(100_000, length=25, **giants) == 2_000
    assert fee(81_633, **giants) == 2_000
    assert fee(81_600, **giants) == 1_999


def test_dark_room_has_no_ladder_and_no_rating_factor() -> None:
    dark = {"room": "dark", "ratings": (1400, 1900)}
    assert fee(1_000, length=15, **dark) == 59
    assert [fee(n, **dark) for n in (4_999, 5_000, 9_999, 10_000)] == [295, 245, 490, 390]


def test_fi_is_one_rate_everywhere() -> None:
    for room in ("main", "giants", "dark", "blitz"):
        for length in (0, 1, 15):
            for ratings in ((1400, 1900), (1900, 1900)):
                words = {"tariff": FI, "room": room, "length": length, "ratings": ratings}
                assert fee(49, **words) == 3
                assert fee(50, **words) == 3
                assert fee(100, **words) == 7
                assert fee(100_000, **words) == 6_500


def test_chips_pay_nothing_and_blitz_pays_as_the_main_hall() -> None:
    assert fee(1_000, room="practice") == 0
    assert fee(1_000, 3_000, room="blitz", ratings=(1500, 1500)) == fee(
        1_000, 3_000, ratings=(1500, 1500)
    )


def test_an_adjudicated_series_pays_on_the_transfer() -> None:
    """Money 5: commission on that transfer, tier by it, never above it."""
    words: dict[str, Any] = {
        "room": "main",
        "kind": "series",
        "length": 3,
        "stake": 10_000,
        "ratings": EVEN,
    }
    assert quote(RU, win=4_000, adjudicated=True, **words).fee_each == 236  # 5.9 %
    assert quote(RU, win=1, adjudicated=True, **words) == Quote(0, 1, 1, Fraction(59, 1_000))
    assert quote(RU, win=0, adjudicated=True, **words).winner_gain == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"room": "attic"},
        {"kind": "double"},
        {"length": 0},
        {"length": True},
        {"length": 10**9},
        {"stake": 9},
        {"stake": 500.0},
        {"stake": "500"},
        {"stake": True},
        {"win": -1},
        {"win": MAX_AMOUNT + 1},
        {"win": None},
        {"ratings": (1500,)},
        {"ratings": None},
        {"ratings": (1500, 1500.0)},
        {"ratings": (1500, Decimal("NaN"))},
        {"ratings": (1500, True)},
        {"ratings": (1500, -1)},
        {"ratings": (1500, 10**30)},
    ],
    ids=str,
)
def test_a_question_without_sense_is_refused(wrong: dict[str, object]) -> None:
    sound = {"room": "main", "kind": "single", "length": 1, "stake": 500, "win": 500}
    with pytest.raises(BadQuote):
        quote(RU, **(sound | {"ratings": EVEN} | wrong))


# --- what holds for every question ----------------------------------------------------------------

amounts = st.integers(10, 300_000)
ratings = st.tuples(st.integers(1_000, 2_400), st.integers(1_000, 2_400))
tariffs = st.sampled_from([RU, FI])
rooms = st.sampled_from([room.value for room in Room])
kinds = st.sampled_from(["single", "series"])
lengths = st.integers(1, 25)


questions = st.fixed_dictionaries(
    {
        "room": rooms,
        "kind": kinds,
        "length": lengths,
        "stake": amounts,
        "win": st.integers(0, 600_000),
        "ratings": ratings,
        "adjudicated": st.booleans(),
    }
)


@given(tariffs, questions)
def test_fees_never_exceed_the_win_and_nothing_is_lost(tariff, asked) -> None:
    found, win = quote(tariff, **asked), asked["win"]
    assert 0 <= 2 * found.fee_each <= win
    assert found.loser_loss == win
    assert found.winner_gain + 2 * found.fee_each == win
    assert found.winner_gain >= 0
    swapped = quote(tariff, **(asked | {"ratings": asked["ratings"][::-1]}))
    assert swapped == found


@given(tariffs, rooms, kinds, lengths, amounts, ratings)
def test_a_longer_series_never_costs_less(tariff, room, kind, length, stake, both) -> None:
    words = {"room": room, "kind": kind, "stake": stake, "win": stake, "ratings": both}
    assert (
        quote(tariff, length=length, **words).fee_each
        <= quote(tariff, length=length + 1, **words).fee_each
    )


@given(tariffs, rooms, amounts, ratings, st.integers(0, 4_998), st.integers(0, 4_998))
def test_within_a_tier_more_win_never_costs_less(tariff, room, stake, both, one, other) -> None:
    less, more = sorted((one, other))
    words = {"room": room, "kind": "single", "length": 1, "stake": stake, "ratings": both}
    assert quote(tariff, win=less, **words).fee_each <= quote(tariff, win=more, **words).fee_each


@given(amounts, ratings)
def test_the_exact_fee_is_rounded_half_up_once(stake, both) -> None:
    found = quote(
        RU, room="main", kind="single", length=1, stake=stake, win=stake * 2, ratings=both
    )
    if found.rate is not None:
        assert -Fraction(1, 2) < found.fee_each - found.rate * stake * 2 <= Fraction(1, 2)


CLIFFS = {
    # (tariff, room, series to): amounts, in cents, from which a player pays less than for a cent less
    ("play65-ru", "main", 0): [50, 5_000, 10_000],
    ("play65-ru", "main", 1): [50, 5_000, 10_000],
    ("play65-ru", "main", 25): [5_000, 10_000],
    ("play65-ru", "blitz", 0): [50, 5_000, 10_000],
    ("play65-ru", "giants", 0): [50, 5_000, 10_000, 50_000],
    ("play65-ru", "giants", 25): [5_000, 10_000, 50_000],
    ("play65-ru", "dark", 0): [5_000, 10_000],
    ("play65-ru", "dark", 25): [5_000, 10_000],
    ("play65-ru", "practice", 0): [],
    ("play65-fi", "main", 0): [],
    ("play65-fi", "main", 25): [],
    ("play65-fi", "giants", 0): [],
    ("play65-fi", "dark", 5): [],
}


@pytest.mark.parametrize("place", CLIFFS, ids=lambda place: "-".join(map(str, place)))
def test_a_dearer_game_costs_more_but_for_the_documented_cliffs(place) -> None:
    """Where a tier begins its lower rate holds for the whole amount; nowhere else does a fee fall."""
    tariff, room, length = place
    both = (1_900, 1_900) if room == "giants" else EVEN
    found = []
    for first, last in ((10, 10_100), (49_900, 50_100), (81_000, 82_000)):
        fees = [
            fee(stake, tariff=TARIFFS[tariff], room=room, length=length, ratings=both)
            for stake in range(first, last)
        ]
        found += [first + n for n in range(1, len(fees)) if fees[n] < fees[n - 1]]
    assert found == CLIFFS[place]


@pytest.mark.django_db
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=8,
    ),
    st.sampled_from(["tariff", "room", "kind", "length", "stake", "win", "rating_a", "ratings"]),
)
def test_the_command_answers_any_json(anything, field) -> None:
    sound = {
        "tariff": "play65-ru",
        "room": "main",
        "kind": "single",
        "length": 1,
        "stake": 500,
        "win": 1_000,
        "rating_a": 1_700,
        "rating_b": 1_700,
    }
    for asked in (anything, sound | {field: anything}):
        answered = answer(json.dumps(asked).encode())
        assert set(answered) in ({"error"}, {"fee_each", "winner_gain", "loser_loss"})


def test_the_command_goes_on_after_bad_lines() -> None:
    sound = (
        '{"tariff":"play65-ru","room":"main","kind":"single","length":1,"stake":500,"win":1000,'
        '"ratings":[1700,1700]}'
    )
    bad = [
        "{",
        "[]",
        "null",
        "nonsense",
        '"' + "9" * 5_000 + '"',
        "9" * 5_000,
        "[" * 60_000,
        sound.replace("500", "500.5"),
        sound.replace("500", "5e2"),
        sound.replace("500", "NaN"),
        sound.replace("500", "Infinity"),
        sound.replace("500", "true"),
        sound.replace("500", "-500"),
        sound.replace("500", "9" * 5_000),
        sound.replace("500", '"500"'),
        sound.replace("[1700,1700]", "[1700]"),
        sound.replace("[1700,1700]", "{}"),
        sound.replace("[1700,1700]", '"12"'),
        sound.replace('"play65-ru"', "[]"),
        sound.replace('"main"', "[]"),
        sound.replace('"single"', "{}"),
    ]
    lines = "\n".join([sound, "", *bad, sound]).encode() + b"\n\xff\xfe\n" + sound.encode()
    done = subprocess.run(
        [sys.executable, "manage.py", "quote_fee"],
        input=lines,
        capture_output=True,
        check=True,
        cwd=settings.BASE_DIR,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(bad) + 4
    due = {"fee_each": 49, "winner_gain": 902, "loser_loss": 1_000}
    assert [n for n, one in enumerate(answers) if one == due] == [0, len(bad) + 1, len(bad) + 3]
    assert all(set(one) == {"error"} for one in answers if one != due)
