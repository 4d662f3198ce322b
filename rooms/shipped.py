"""The rooms that a new site starts with. Plain values; the migration and the tests lay them down."""

from typing import Any

PRACTICE: dict[str, Any] = {
    "slug": "practice",
    "name_en": "Practice",
    "name_ru": "Тренировка",
    "name_fi": "Harjoitus",
    "currency": "PLAY",
    "column": "practice",
    "variants": ["backgammon", "long-nardy", "long-nardy-fnr"],
    "longest_series": 25,
    "min_stake": 1,
    "max_stake": 10_000,
    "order": 1,
}
MAIN: dict[str, Any] = {
    "slug": "main",
    "name_en": "Main hall",
    "name_ru": "Главный зал",
    "name_fi": "Pääsali",
    "currency": "USD",
    "column": "main",
    "variants": ["backgammon", "long-nardy", "long-nardy-fnr"],
    "longest_series": 25,
    "min_stake": 10,
    "max_stake": 1_000_000,
    "order": 2,
}
GIANTS: dict[str, Any] = {
    **MAIN,
    "slug": "giants",
    "name_en": "Giants",
    "name_ru": "Гиганты",
    "name_fi": "Jättiläiset",
    "column": "giants",
    "min_rating": 1800,
    "order": 3,
}
DARK: dict[str, Any] = {
    **MAIN,
    "slug": "dark",
    "name_en": "Dark Room",
    "name_ru": "Тёмная комната",
    "name_fi": "Pimeä huone",
    "column": "dark",
    "anonymous": True,
    # Few stakes, so that many wait for the same and a stake tells nobody who is meant.
    "stakes": [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000],
    "min_stake": 100,
    "max_stake": 100_000,
    "order": 4,
}
BLITZ: dict[str, Any] = {
    **MAIN,
    "slug": "blitz",
    "name_en": "Blitz",
    "name_ru": "Блиц",
    "name_fi": "Pikapeli",
    "column": "blitz",
    "blitz": True,
    "order": 5,
}
ROOMS = (PRACTICE, MAIN, GIANTS, DARK, BLITZ)


def lay_down(room_model: Any) -> None:
    """Makes the rooms that are missing; leaves those alone that staff may have changed.

    An older shape of the table, as migrations have it, gets the rooms that it can hold.
    """
    columns = {field.name for field in room_model._meta.get_fields()}
    for room in ROOMS:
        if columns.issuperset(room):
            values = {name: value for name, value in room.items() if name != "slug"}
            room_model.objects.get_or_create(slug=room["slug"], defaults=values)
