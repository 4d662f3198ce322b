"""What a table may be for: stakes, limits, games (money.md 2 and 3, rooms.md 1)."""

from typing import Any

import pytest

from accounts.errors import Refused
from games.terms import table_terms
from rooms.forms import NewTableForm
from rooms.models import Room
from rooms.tests.people import room, terms

pytestmark = pytest.mark.usefixtures("lobby")
TOKEN = "a-token-of-this-form"


def filled(slug: str = "main", **changes: str) -> NewTableForm:
    """The form as a browser sends it."""
    sent = {"variant": "backgammon", "kind": "single", "stake": "5", "limit": "12"}
    form = NewTableForm(room(slug), {**sent, "clock": "normal", "token": TOKEN, **changes})
    form.is_valid()
    return form


@pytest.mark.parametrize(
    ("factor", "limit"), [(3, 1500), (6, 3000), (12, 6000), (24, 12000), (192, 96000)]
)
def test_the_limit_is_a_whole_multiple_of_the_stake(factor: int, limit: int) -> None:
    assert terms(500, limit_factor=factor).limit == limit


@pytest.mark.parametrize("factor", [0, 1, 2, 4, 13, 64, 193, -12, 12.0, True, None, "12"])
def test_no_other_limit_is_taken(factor: Any) -> None:
    with pytest.raises(Refused) as refused:
        terms(500, limit_factor=factor)
    assert refused.value.code == "bad_limit"


@pytest.mark.parametrize("stake", [9, 0, -500, 5.5, True, None, "500", 10**12])
def test_no_stake_is_taken_that_is_not_a_whole_number_of_at_least_ten_cents(stake: Any) -> None:
    with pytest.raises(Refused) as refused:
        terms(stake)
    assert refused.value.code == "bad_stake"


def test_a_room_has_stakes_of_its_own() -> None:
    Room.objects.filter(slug="main").update(min_stake=1_000, max_stake=5_000)
    assert terms(1_000).stake == 1_000
    for outside in (999, 5_001):
        with pytest.raises(Refused) as refused:
            terms(outside)
        assert refused.value.code == "bad_stake"
        assert refused.value.params == {"least": "$10.00", "most": "$50.00"}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"variant": "chess"}, "unknown_variant"),
        ({"variant": "tavla"}, "unknown_variant"),
        ({"kind": "series", "length": 5, "options": frozenset({"beavers"})}, "bad_terms"),
        ({"kind": "duel"}, "bad_terms"),
        ({"clock": "none"}, "bad_terms"),
        ({"options": frozenset({"free_money"})}, "bad_terms"),
    ],
)
def test_a_table_that_the_room_does_not_play_is_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        terms(500, **change)
    assert refused.value.code == code


def test_a_closed_room_takes_no_table() -> None:
    Room.objects.filter(slug="main").update(is_open=False)
    with pytest.raises(Refused) as refused:
        terms()
    assert refused.value.code == "room_closed"


def test_a_blitz_room_makes_every_table_blitz() -> None:
    Room.objects.filter(slug="main").update(blitz=True)
    assert terms(clock="normal").clock == "blitz"
    assert terms(clock="normal").blitz


@pytest.mark.parametrize(
    ("text", "stake"), [("5", 500), ("5.00", 500), (" 2.5 ", 250), ("2,50", 250), ("0.10", 10)]
)
def test_the_form_reads_an_amount_as_people_write_it(text: str, stake: int) -> None:
    found = filled(stake=text).terms
    assert found is not None
    assert found.stake == stake


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "0.09",
        "-5",
        "+5",
        "5.005",
        "1e3",
        "NaN",
        "inf",
        "$5",
        "five",
        "5 5",
        "1,000.00",
        "\N{ARABIC-INDIC DIGIT FIVE}",
        "0x5",
        "9" * 19,
    ],
)
def test_the_form_says_beside_the_stake_what_is_wrong_with_it(text: str) -> None:
    form = filled(stake=text)
    assert form.terms is None
    assert list(form.errors) == ["stake"]


@pytest.mark.parametrize("text", ["2.5", "1.0", "0"])
def test_chips_are_whole(text: str) -> None:
    assert list(filled("practice", stake=text).errors) == ["stake"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("limit", "7"),
        ("limit", "-3"),
        ("limit", "x"),
        ("variant", "chess"),
        ("kind", "duel"),
        ("clock", "blitz"),
    ],
)
def test_a_choice_that_was_not_shown_is_refused_beside_its_field(field: str, value: str) -> None:
    assert list(filled(**{field: value}).errors) == [field]


def test_jacoby_and_beavers_are_options_of_a_single_game() -> None:
    found = filled(jacoby="on", beavers="on").terms
    assert found is not None
    assert (found.jacoby, found.beavers) == (True, True)
    plain = filled().terms
    assert plain is not None
    assert (plain.jacoby, plain.beavers) == (False, False)


@pytest.mark.parametrize("length", [1, 2, 5, 25])
def test_a_series_is_played_for_its_stake_whatever_limit_is_asked(length: int) -> None:
    """Backgammon 8, Money 2."""
    found = terms(500, kind="series", length=length, limit_factor=24)
    assert (found.kind, found.length, found.limit, found.limit_factor) == ("series", length, 500, 1)
    assert found.crawford


@pytest.mark.parametrize("length", [0, 26, -1, 2.5, True, None, "5"])
def test_no_other_length_is_taken_by_the_site(length: Any) -> None:
    with pytest.raises(Refused) as refused:
        table_terms(currency="USD", stake=500, kind="series", length=length)
    assert refused.value.code == "bad_length"


@pytest.mark.parametrize(
    "text", ["", "0", "26", "2.5", "five", "-1", "1e1", "5 ", "\u0665", "9" * 20]
)
def test_the_form_says_beside_the_length_what_is_wrong_with_it(text: str) -> None:
    form = filled(kind="series", length=text)
    if text == "5 ":  # blanks around a number are nobody's mistake
        assert form.terms is not None
        assert form.terms.length == 5
        return
    assert form.terms is None
    assert form.errors == {
        "length": ["In this room a series is played to a whole number of points, from 1 to 25."]
    }


def test_a_single_game_takes_no_notice_of_the_length() -> None:
    found = filled(length="2.5").terms
    assert found is not None
    assert (found.kind, found.length) == ("single", 1)


def test_a_room_may_play_shorter_series_only() -> None:
    Room.objects.filter(slug="main").update(longest_series=7)
    assert terms(kind="series", length=7).length == 7
    with pytest.raises(Refused) as refused:
        terms(kind="series", length=8)
    assert (refused.value.code, refused.value.params) == ("bad_length", {"most": 7})


def test_crawford_is_an_option_of_a_series_and_on_by_default() -> None:
    usual, without = (
        filled(kind="series", length="5"),
        filled(kind="series", length="5", no_crawford="on", jacoby="on", beavers="on"),
    )
    assert usual.terms is not None
    assert without.terms is not None
    assert (usual.terms.crawford, without.terms.crawford) == (True, False)
    assert (without.terms.jacoby, without.terms.beavers) == (False, False)
