"""Rooms are data: what is shipped, and what the database refuses to hold (rooms.md 1)."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import translation

from rooms import shipped
from rooms.models import Room
from rooms.tests.people import room

pytestmark = pytest.mark.usefixtures("lobby")


def test_practice_main_hall_giants_dark_room_and_blitz_are_shipped() -> None:
    assert [(each.slug, each.currency, each.column) for each in Room.objects.all()] == [
        ("practice", "PLAY", "practice"),
        ("main", "USD", "main"),
        ("giants", "USD", "giants"),
        ("dark", "USD", "dark"),
        ("blitz", "USD", "blitz"),
    ]
    assert room("giants").min_rating == 1800
    assert room("dark").anonymous
    assert room("blitz").blitz
    for each in Room.objects.all():
        assert set(each.variants) == {"backgammon", "long-nardy", "long-nardy-fnr"}
        assert each.name_en
        assert each.name_ru
        assert each.name_fi


def test_shipping_again_leaves_alone_what_staff_changed() -> None:
    Room.objects.filter(slug="main").update(max_stake=5_000)
    shipped.lay_down(Room)
    assert room("main").max_stake == 5_000


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "Main hall"), ("ru", "Главный зал"), ("fi", "Pääsali"), ("de", "Main hall")],
)
def test_a_room_has_a_name_in_each_language(language: str, name: str) -> None:
    with translation.override(language):
        assert room("main").name == name


@pytest.mark.parametrize(
    "change",
    [
        {"min_stake": 9},
        {"min_stake": 0},
        {"max_stake": 1},
        {"currency": "EUR"},
        {"column": "practice"},
        {"min_rating": 1800, "max_rating": 1700},
        {"longest_series": 0},
        {"longest_series": 26},
    ],
)
def test_the_database_refuses_a_room_that_cannot_be(change: dict[str, int | str]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Room.objects.filter(slug="main").update(**change)


@pytest.mark.parametrize("variants", [[], "backgammon", ["chess"]])
def test_staff_cannot_allow_a_game_that_the_site_does_not_play(variants: object) -> None:
    main = room("main")
    main.variants = variants
    with pytest.raises(ValidationError):
        main.full_clean()
